// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/grouphistory.h"

#include "engine/run/groupreader.h"

#include <algorithm>

namespace interlock {

namespace {

/// What has ended by then is no longer on.
void dropOver(GroupState &group, qint64 time)
{
    std::erase_if(group.faults, [time](const FaultState &each) { return each.until <= time; });
}

}

void GroupHistory::extend(const Run &run)
{
    if (m_taken == 0) {
        m_hasGroup = interlock::hasGroup(run.header);
        m_nodes = GroupNodes(run.header);
        m_start = groupAtStart(run.header);
    }
    const size_t from = m_taken;
    m_taken = run.events.size();
    if (!m_hasGroup)
        return;
    const auto earlier = [&run](qint64 time, size_t index) { return time < run.events[index].at; };
    size_t firstMoved = m_events.size();
    for (size_t i = from; i < run.events.size(); ++i) {
        const Event &event = run.events[i];
        if (!tellsOfGroup(event))
            continue;
        if (event.kind == Event::Kind::Belief && event.text != 0)
            m_clientOfToken.emplace(event.text, event.lane);
        const auto place = std::upper_bound(m_events.begin(), m_events.end(), event.at, earlier);
        firstMoved = std::min(firstMoved, static_cast<size_t>(place - m_events.begin()));
        m_events.insert(place, i);
    }
    m_states.resize(std::min(m_states.size(), firstMoved / interval));
    keepStates(run);
}

void GroupHistory::keepStates(const Run &run)
{
    while ((m_states.size() + 1) * interval <= m_events.size()) {
        GroupState state = m_states.empty() ? m_start : m_states.back();
        const size_t first = m_states.size() * interval;
        for (size_t i = first; i < first + interval; ++i)
            readGroupEvent(run, m_nodes, run.events[m_events[i]], state);
        dropOver(state, state.at);
        m_states.push_back(std::move(state));
    }
}

GroupState GroupHistory::at(const Run &run, qint64 time) const
{
    const auto after = std::upper_bound(m_events.begin(), m_events.end(), time, [&run](qint64 t, size_t index) { return t < run.events[index].at; });
    const auto count = static_cast<size_t>(after - m_events.begin());
    const size_t kept = std::min(m_states.size(), count / interval);
    GroupState state = kept == 0 ? m_start : m_states[kept - 1];
    for (size_t i = kept * interval; i < count; ++i)
        readGroupEvent(run, m_nodes, run.events[m_events[i]], state);
    dropOver(state, time);
    state.at = time;
    return state;
}

Name GroupHistory::clientOf(Name token) const
{
    const auto found = m_clientOfToken.find(token);
    return found == m_clientOfToken.end() ? 0 : found->second;
}

}
