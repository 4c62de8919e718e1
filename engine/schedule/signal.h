// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/actor.h"

namespace interlock {

/// Something that may happen outside of every program, such as a key that a person presses, and for which one actor waits.
/// What happens while nobody waits is kept until somebody does.
class Signal
{
public:
    Signal() = default;
    ~Signal();
    Signal(const Signal &) = delete;
    Signal &operator=(const Signal &) = delete;

    /// On the thread of the actors. The one who waits goes on at the next turn of the loop.
    void raise();

    /// co_await signal.raised(actor, 10s): true when it was raised, once for each time; false after the limit (Nanoseconds::max(): there is none).
    class RaisedStep : public Step
    {
    public:
        RaisedStep(Actor &actor, Signal &signal, Nanoseconds limit);
        ~RaisedStep() override;
        void begin() override;
        QString describe() const override;
        bool await_resume() const noexcept { return m_isRaised; }

    private:
        friend class Signal;
        void wake();

        Signal *m_signal;
        Nanoseconds m_limit;
        bool m_isRaised = false;
        Clock::TimerId m_timer = 0;
    };
    RaisedStep raised(Actor &actor, Nanoseconds limit) { return RaisedStep(actor, *this, limit); }

private:
    int m_kept = 0;
    RaisedStep *m_waiting = nullptr;
};

}
