// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc cannot read it
#include <coroutine>
#endif
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace interlock {

/// Turns one callback into something that a coroutine can await: give callback() to the asynchronous call, then co_await
/// this object. The coroutine goes on from the event loop, not from inside the callback, so it may destroy the caller.
template<typename T>
class Awaited
{
public:
    /// @param post runs a function at the next turn of the event loop.
    explicit Awaited(std::function<void(std::function<void()>)> post)
        : m_state(std::make_shared<State>())
    {
        m_state->post = std::move(post);
    }
    ~Awaited() { m_state->waiting = nullptr; }
    Awaited(const Awaited &) = delete;
    Awaited &operator=(const Awaited &) = delete;

    /// May be called once, also after this object is gone.
    std::function<void(T)> callback()
    {
        return [state = m_state](T value) {
            if (state->value)
                return;
            state->value.emplace(std::move(value));
            if (state->waiting)
                wake(state);
        };
    }

    bool await_ready() const { return m_state->value.has_value(); }
    void await_suspend(std::coroutine_handle<> program) { m_state->waiting = program; }
    T await_resume() { return std::move(*m_state->value); }

private:
    struct State
    {
        std::optional<T> value;
        std::coroutine_handle<> waiting;
        std::function<void(std::function<void()>)> post;
    };

    static void wake(const std::shared_ptr<State> &state)
    {
        state->post([state] {
            if (const auto program = std::exchange(state->waiting, nullptr))
                program.resume();
        });
    }

    std::shared_ptr<State> m_state;
};

}
