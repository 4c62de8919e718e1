// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/recorder.h"

#include <algorithm>

namespace interlock {

Recorder::Recorder(std::function<Nanoseconds()> now, size_t cap)
    : m_now(std::move(now))
    , m_origin(m_now())
    , m_cap(cap)
{
}

void Recorder::record(const Event &event)
{
    if (m_run.events.size() < m_cap)
        m_run.events.push_back(event);
    else
        ++m_run.dropped;
    if (m_listeners.empty())
        return;
    ++m_calling;
    for (Listening &listening : m_listeners) {
        if (!listening.isRemoved)
            listening.call(event);
    }
    --m_calling;
    purge();
}

void Recorder::recordDecision(Event event, const DecisionFigures &figures)
{
    event.kind = Event::Kind::Decision;
    event.number = -1;
    if (m_run.events.size() < m_cap) {
        event.number = static_cast<qint64>(m_run.decisions.size());
        m_run.decisions.push_back(figures);
    }
    record(event);
}

void Recorder::addLane(const Lane &lane)
{
    if (!m_run.header.lanes.contains(lane))
        m_run.header.lanes.append(lane);
}

void Recorder::addLimiter(const LimiterInfo &limiter)
{
    if (!m_run.limiter(limiter.name))
        m_run.header.limiters.append(limiter);
}

Recorder::ListenerId Recorder::listen(Listener listener)
{
    m_listeners.push_back({++m_lastListener, std::move(listener), false});
    return m_lastListener;
}

void Recorder::stopListening(ListenerId id)
{
    for (Listening &listening : m_listeners)
        listening.isRemoved |= listening.id == id;
    purge();
}

/// A listener that stops listening is still running: it is destroyed when nothing is being called.
void Recorder::purge()
{
    if (m_calling == 0)
        m_listeners.remove_if([](const Listening &listening) { return listening.isRemoved; });
}

Run Recorder::finish(std::optional<QString> because)
{
    m_run.duration = now();
    m_run.isComplete = !because;
    m_run.incompleteBecause = because.value_or(QString());
    std::stable_sort(m_run.events.begin(), m_run.events.end(),
        [](const Event &left, const Event &right) { return left.at < right.at; });
    return std::move(m_run);
}

}
