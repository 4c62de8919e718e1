// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/failoverladder.h"

#include "engine/run/ladderbuilder.h"

#include <algorithm>

namespace interlock {

int Ladder::rungAt(qint64 time) const
{
    const auto after = std::upper_bound(rungs.begin(), rungs.end(), time, [](qint64 t, const Rung &rung) { return t < rung.at(); });
    return static_cast<int>(after - rungs.begin()) - 1;
}

bool FailoverLadders::extend(const Run &run)
{
    if (m_taken == 0)
        m_nodes = GroupNodes(run.header);
    const size_t from = m_taken;
    m_taken = run.events.size();
    if (!hasGroup(run.header))
        return false;
    const size_t known = m_events.size();
    const auto earlier = [&run](qint64 time, size_t index) { return time < run.events[index].at; };
    for (size_t i = from; i < run.events.size(); ++i) {
        if (LadderBuilder::matters(run.events[i]))
            m_events.insert(std::upper_bound(m_events.begin(), m_events.end(), run.events[i].at, earlier), i);
    }
    if (m_events.size() == known)
        return false;
    LadderBuilder builder(run, m_nodes); // from the start: a fault that is told when it is over changes what came before
    for (const size_t index : m_events)
        builder.take(run.events[index], index);
    m_ladders = builder.finish();
    return true;
}

}
