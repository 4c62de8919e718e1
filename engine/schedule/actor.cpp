// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/actor.h"

#include <utility>

namespace interlock {

Actor::Actor(QString name, World world, quint64 seed, bool hasLane)
    : m_name(std::move(name))
    , m_world(world)
    , m_random(seed)
{
    if (m_world.recorder && hasLane) {
        m_lane = m_world.recorder->intern(m_name);
        m_world.recorder->addLane({Lane::Type::Actor, m_name, {}});
    }
}

Actor::~Actor()
{
    abandon();
    for (EndedStep *waiter : m_waiters)
        waiter->m_other = nullptr;
}

void Actor::run(Task<> program)
{
    m_state = State::Running;
    m_program = supervise(std::move(program));
    m_start = m_world.clock.after(0ns, [this] {
        m_start = 0;
        m_program.start();
    });
}

Task<> Actor::supervise(Task<> program)
{
    co_await program;
    end(State::Ended);
}

quint64 Actor::spawn(Task<> companion)
{
    const auto added = m_companions.emplace(++m_lastCompanion, std::move(companion)).first;
    added->second.start();
    return added->first;
}

void Actor::stop(quint64 companion)
{
    m_companions.erase(companion);
}

void Actor::pause()
{
    m_isPaused = true;
}

int Actor::resume()
{
    m_isPaused = false;
    int waited = 0;
    while (!m_ready.empty() && !m_isPaused) {
        Step *step = m_ready.front();
        m_ready.pop_front();
        ++waited;
        step->resume();
    }
    return waited;
}

void Actor::kill()
{
    if (!isAlive())
        return;
    m_whyEnding = "died";
    destroyPrograms();
    end(State::Died);
}

void Actor::abandon()
{
    m_whyEnding = nullptr;
    destroyPrograms();
}

void Actor::destroyPrograms()
{
    m_world.clock.cancel(std::exchange(m_start, 0));
    m_companions.clear();
    m_program = {};
}

void Actor::end(State state)
{
    m_state = state;
    m_companions.clear();
    for (EndedStep *waiter : std::exchange(m_waiters, {}))
        waiter->otherEnded();
}

void Actor::holdAt(const QString &point, std::function<void()> arrived)
{
    m_holds[point] = std::move(arrived);
}

void Actor::proceed()
{
    if (PointStep *held = std::exchange(m_held, nullptr))
        held->release();
}

void Actor::record(Event event)
{
    if (!m_world.recorder || !m_whyEnding)
        return;
    event.lane = m_lane;
    m_world.recorder->record(event);
}

void Actor::recordDecision(Event event, const DecisionFigures &figures)
{
    if (!m_world.recorder || !m_whyEnding)
        return;
    event.lane = m_lane;
    m_world.recorder->recordDecision(event, figures);
}

}
