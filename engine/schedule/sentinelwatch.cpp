// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/sentinelwatch.h"

#include <utility>

namespace interlock {

SentinelWatch::SentinelWatch(
    const std::vector<NodeRef> &sentinels, QString primaryName, Patience patience, quint64 seed, Clock &clock, Calls calls)
    : m_primaryName(std::move(primaryName))
    , m_patience(patience)
    , m_random(seed)
    , m_clock(clock)
    , m_calls(std::move(calls))
{
    for (const NodeRef &sentinel : sentinels)
        m_lines.push_back({sentinel, {}, false, 0, 0});
    for (Line &line : m_lines)
        call(line);
}

SentinelWatch::~SentinelWatch()
{
    for (const Line &line : m_lines)
        m_clock.cancel(line.timer);
}

void SentinelWatch::call(Line &line)
{
    line.subscription = std::make_unique<Subscription>(
        line.sentinel.endpoint, QList<QByteArray> {PrimarySwitch::channel}, QList<QByteArray>(),
        [this, &line](const Subscription::Message &message) { received(line, message); },
        [this, &line](const Result<void> &ready) { answered(line, ready); }, [this, &line](const Error &) { ended(line); });
}

void SentinelWatch::answered(Line &line, const Result<void> &ready)
{
    if (!ready) {
        ended(line);
        return;
    }
    line.isHeard = true;
    line.failed = 0;
    if (++m_listening == 1)
        m_calls.listening();
}

void SentinelWatch::ended(Line &line)
{
    if (std::exchange(line.isHeard, false))
        --m_listening;
    line.timer = m_clock.after(m_patience.pause(++line.failed, m_random), [this, &line] { call(line); });
}

void SentinelWatch::received(const Line &line, const Subscription::Message &message)
{
    const std::optional<PrimarySwitch> change = switchFrom(message.payload);
    if (change && change->primaryName == m_primaryName)
        m_calls.switched(line.sentinel, *change);
}

}
