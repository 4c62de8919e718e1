// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc cannot read it
#include <coroutine>
#endif
#include <exception>
#include <optional>
#include <utility>

namespace interlock {

template<typename T = void>
class Task;

namespace detail {

/// What every task's promise shares: who waits for it, and whether it is being run from inside that wait.
///
/// Symmetric transfer would be the textbook way to pass control between tasks, but GCC 12 turns it into a tail call
/// only with -O2, so a loop over tasks that complete at once overflows the stack in every other build. Instead the
/// child is started inside await_suspend(): if it finished there, the parent goes on without having been suspended.
class TaskPromise
{
public:
    struct Finished
    {
        bool await_ready() noexcept { return false; }
        template<typename Promise>
        void await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            TaskPromise &promise = self.promise();
            if (!promise.m_runsInsideAwait && promise.m_continuation)
                promise.m_continuation.resume(); // may destroy this frame; nothing is touched afterwards
        }
        void await_resume() noexcept { }
    };

    std::suspend_always initial_suspend() noexcept { return {}; }
    Finished final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { std::terminate(); } // no exception crosses a coroutine here

private:
    template<typename>
    friend class interlock::Task;

    std::coroutine_handle<> m_continuation;
    bool m_runsInsideAwait = false;
};

template<typename T>
class ValuePromise : public TaskPromise
{
public:
    template<typename U>
    void return_value(U &&value)
    {
        m_value.emplace(std::forward<U>(value));
    }
    T take() { return std::move(*m_value); }

private:
    std::optional<T> m_value;
};

template<>
class ValuePromise<void> : public TaskPromise
{
public:
    void return_void() noexcept { }
    void take() noexcept { }
};

}

/// A coroutine that starts when it is awaited (or start()ed) and is destroyed with this object, wherever it stands.
/// Destroying a task destroys the frames it waits for, innermost last; awaiters must unregister in their destructors.
template<typename T>
class [[nodiscard]] Task
{
public:
    struct promise_type : detail::ValuePromise<T>
    {
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    };

    Task() = default;
    Task(Task &&other) noexcept
        : m_frame(std::exchange(other.m_frame, {}))
    {
    }
    Task &operator=(Task &&other) noexcept
    {
        if (this != &other) {
            destroy();
            m_frame = std::exchange(other.m_frame, {});
        }
        return *this;
    }
    ~Task() { destroy(); }

    bool isValid() const { return static_cast<bool>(m_frame); }
    bool isFinished() const { return m_frame && m_frame.done(); }

    /// Runs a task that nobody awaits up to its first suspension. Once only.
    void start() { m_frame.resume(); }

    /// The value of a finished task; once only. Precondition: isFinished().
    T takeResult() { return m_frame.promise().take(); }

    bool await_ready() const noexcept { return m_frame.done(); }
    bool await_suspend(std::coroutine_handle<> parent)
    {
        detail::TaskPromise &promise = m_frame.promise();
        promise.m_continuation = parent;
        promise.m_runsInsideAwait = true;
        m_frame.resume();
        promise.m_runsInsideAwait = false;
        return !m_frame.done();
    }
    T await_resume() { return m_frame.promise().take(); }

private:
    explicit Task(std::coroutine_handle<promise_type> frame)
        : m_frame(frame)
    {
    }
    void destroy()
    {
        if (m_frame)
            std::exchange(m_frame, {}).destroy();
    }

    std::coroutine_handle<promise_type> m_frame;
};

}
