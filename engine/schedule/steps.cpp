// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/actor.h"

#include <QCoreApplication>

#include <utility>

namespace interlock {

SleepStep::SleepStep(Actor &actor, Nanoseconds duration)
    : Step(actor)
    , m_duration(duration)
{
}

SleepStep::~SleepStep()
{
    actor().world().clock.cancel(m_timer);
}

void SleepStep::begin()
{
    m_timer = actor().world().clock.after(m_duration, [this] { finish(); });
}

QString SleepStep::describe() const
{
    return QCoreApplication::translate("steps", "sleep %1 ms").arg(static_cast<double>(m_duration.count()) / 1e6);
}

PointStep::PointStep(Actor &actor, QString name)
    : Step(actor)
    , m_name(std::move(name))
{
}

PointStep::~PointStep()
{
    actor().world().clock.cancel(m_timer);
    if (actor().m_held == this)
        actor().m_held = nullptr;
}

bool PointStep::await_ready() const noexcept
{
    return !actor().m_holds.contains(m_name);
}

void PointStep::begin()
{
    auto hold = actor().m_holds.extract(m_name);
    actor().m_held = this;
    actor().m_heldAt = m_name;
    if (hold.mapped())
        m_timer = actor().world().clock.after(0ns, std::move(hold.mapped()));
}

void PointStep::release()
{
    finish();
}

QString PointStep::describe() const
{
    return m_name;
}

SeenStep::SeenStep(Actor &actor, Fits fits, int count, Nanoseconds limit)
    : Step(actor)
    , m_fits(std::move(fits))
    , m_missing(count)
    , m_limit(limit)
    , m_result(Error {Error::Kind::TimedOut, {}})
{
}

SeenStep::~SeenStep()
{
    actor().world().clock.cancel(m_timer);
    if (m_listener)
        actor().world().recorder->stopListening(m_listener);
}

void SeenStep::begin()
{
    Recorder &recorder = *actor().world().recorder;
    for (const Event &event : recorder.events()) {
        look(event);
        if (m_isSettled)
            return;
    }
    m_listener = recorder.listen([this](const Event &event) { look(event); });
    m_timer = actor().world().clock.after(m_limit, [this] {
        m_result = Error {Error::Kind::TimedOut,
            QCoreApplication::translate("steps", "What the experiment waited for did not happen within %1 s.")
                .arg(static_cast<double>(m_limit.count()) / 1e9)};
        m_isSettled = true;
        finish();
    });
}

void SeenStep::look(const Event &event)
{
    if (m_isSettled || !m_fits(event, actor().world().recorder->names()) || --m_missing > 0)
        return;
    m_isSettled = true;
    m_result = event;
    settle();
}

/// The event is being recorded by another actor that is still running: go on at the next turn of the loop.
void SeenStep::settle()
{
    actor().world().clock.cancel(m_timer);
    m_timer = actor().world().clock.after(0ns, [this] { finish(); });
}

Result<Event> SeenStep::await_resume()
{
    return std::move(m_result);
}

QString SeenStep::describe() const
{
    return QCoreApplication::translate("steps", "wait for an event");
}

EndedStep::EndedStep(Actor &actor, Actor &other)
    : Step(actor)
    , m_other(&other)
{
}

EndedStep::~EndedStep()
{
    actor().world().clock.cancel(m_timer);
    if (m_other)
        m_other->m_waiters.remove(this);
}

void EndedStep::begin()
{
    if (m_other->isAlive())
        m_other->m_waiters.push_back(this);
    else
        otherEnded();
}

void EndedStep::otherEnded()
{
    m_timer = actor().world().clock.after(0ns, [this] { finish(); });
}

QString EndedStep::describe() const
{
    return QCoreApplication::translate("steps", "wait for the end of another actor");
}

}
