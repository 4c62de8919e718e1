// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/schedule/actor.h"

#include <algorithm>

namespace interlock {

Step::~Step()
{
    if (m_program && !m_isResumed)
        m_actor->world().scheduler.forget(*this);
}

bool Step::await_suspend(std::coroutine_handle<> program)
{
    m_program = program;
    m_isSuspending = true;
    m_actor->world().scheduler.reached(*this);
    m_isSuspending = false;
    return !m_isResumed;
}

void Step::finish()
{
    m_actor->world().scheduler.finished(*this);
}

void Step::resume()
{
    m_isResumed = true;
    if (!m_isSuspending) // otherwise await_suspend() lets the program go on
        m_program.resume();
}

void RealTimeScheduler::reached(Step &step)
{
    step.begin();
}

void RealTimeScheduler::finished(Step &step)
{
    Actor &actor = step.actor();
    if (actor.m_isPaused)
        actor.m_ready.push_back(&step);
    else
        step.resume();
}

void RealTimeScheduler::forget(Step &step)
{
    std::erase(step.actor().m_ready, &step);
}

}
