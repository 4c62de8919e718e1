// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/locks/lock.h"

#include "engine/locks/watchdog.h"
#include "engine/schedule/client.h"

namespace interlock {

Lock::Lock(Client &client, LockOptions options)
    : m_client(client)
    , m_options(std::move(options))
{
}

Lock::~Lock()
{
    // A null reason: the run is being abandoned, and nothing that this client did is told any more.
    if (const char *why = actor().whyEnding())
        endBelief(why);
    if (m_watchdog)
        m_watchdog->detach();
}

Actor &Lock::actor() const
{
    return m_client.actor();
}

qint64 Lock::now() const
{
    World &world = actor().world();
    return world.recorder ? world.recorder->now() : world.clock.now().count();
}

void Lock::believe(const Answer &answer, qint64 until, qint64 fencingToken)
{
    m_isHeld = true;
    m_until = until;
    m_acquireSent = answer.sent;
    m_fencingToken = fencingToken;
}

void Lock::endBelief(const char *why)
{
    if (!m_isHeld)
        return;
    m_isHeld = false;
    if (m_watchdog)
        m_watchdog->stop();
    if (Recorder *recorder = actor().world().recorder) {
        Event event = belief(Belief::Ended);
        event.detail = recorder->intern(QByteArrayView(why));
        actor().record(event);
    }
}

/// Precondition: there is a recorder.
Event Lock::belief(Belief what) const
{
    Recorder &recorder = *actor().world().recorder;
    Event event;
    event.kind = Event::Kind::Belief;
    event.what = static_cast<quint8>(what);
    event.at = recorder.now();
    event.key = recorder.intern(QByteArrayView(m_options.key));
    event.text = recorder.intern(QByteArrayView(m_token));
    return event;
}

void Lock::record(Belief what, const Answer &answer, qint64 until, qint64 number, const QString &detail)
{
    Recorder *recorder = actor().world().recorder;
    if (!recorder)
        return;
    Event event = belief(what);
    event.sent = answer.sent;
    event.answered = answer.answered;
    event.until = until;
    event.number = number;
    event.detail = recorder->intern(detail);
    if (what == Belief::Granted && m_options.acquiring != Acquiring::Set)
        event.flags |= Event::Conditional;
    actor().record(event);
}

}
