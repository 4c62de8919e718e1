// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/turns.h"

#include <QCoreApplication>

namespace interlock {

/// The next one has its turn from here on, so that nobody comes in between.
void Turns::pass()
{
    if (m_waiting.empty()) {
        m_isTaken = false;
        return;
    }
    NextStep *next = m_waiting.front();
    m_waiting.pop_front();
    next->wake();
}

Turns::NextStep::NextStep(Actor &actor, Turns &turns)
    : Step(actor)
    , m_turns(turns)
{
}

/// One that is destroyed while it waits, or before it could go on with its turn, stands in nobody's way.
Turns::NextStep::~NextStep()
{
    actor().world().clock.cancel(m_timer);
    m_turns.m_waiting.remove(this);
    if (m_hasTurn)
        m_turns.pass();
}

bool Turns::NextStep::await_ready() noexcept
{
    m_hasTurn = !std::exchange(m_turns.m_isTaken, true);
    return m_hasTurn;
}

void Turns::NextStep::begin()
{
    m_turns.m_waiting.push_back(this);
}

/// The one before is still on the stack: go on at the next turn of the loop.
void Turns::NextStep::wake()
{
    m_hasTurn = true;
    m_timer = actor().world().clock.after(0ns, [this] { finish(); });
}

Turns::Turn Turns::NextStep::await_resume() noexcept
{
    m_hasTurn = false; // it is the object's now
    return Turn(m_turns);
}

QString Turns::NextStep::describe() const
{
    return QCoreApplication::translate("steps", "wait for its turn");
}

}
