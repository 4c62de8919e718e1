// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/actor.h"

#include <list>

namespace interlock {

/// Lets coroutines of one actor do something one after the other, in the order in which they asked.
///
///     const Turns::Turn turn = co_await turns.next(actor);
class Turns
{
public:
    Turns() = default;
    Turns(const Turns &) = delete;
    Turns &operator=(const Turns &) = delete;

    /// It lasts as long as this object, which the Turns must outlive.
    class Turn
    {
    public:
        explicit Turn(Turns &turns)
            : m_turns(&turns)
        {
        }
        Turn(Turn &&other) noexcept
            : m_turns(std::exchange(other.m_turns, nullptr))
        {
        }
        ~Turn()
        {
            if (m_turns)
                m_turns->pass();
        }
        Turn &operator=(Turn &&) = delete;

    private:
        Turns *m_turns;
    };

    class NextStep : public Step
    {
    public:
        NextStep(Actor &actor, Turns &turns);
        ~NextStep() override;
        bool await_ready() noexcept;
        void begin() override;
        QString describe() const override;
        Turn await_resume() noexcept;

    private:
        friend class Turns;
        void wake();

        Turns &m_turns;
        bool m_hasTurn = false;
        Clock::TimerId m_timer = 0;
    };
    NextStep next(Actor &actor) { return NextStep(actor, *this); }

private:
    void pass();

    bool m_isTaken = false;
    std::list<NextStep *> m_waiting;
};

}
