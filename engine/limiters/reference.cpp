// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/reference.h"

#include <algorithm>

namespace interlock {

Decision ReferenceModel::decide(qint64 now, qint64 cost)
{
    const qint64 at = std::max(m_last, now);
    if (cost > 0) {
        m_last = at;
        arrive(at);
    }
    Decision decision;
    decision.now = at;
    decision.limit = m_limit;
    decision.admitted = cost <= m_limit && fits(at, cost);
    if (decision.admitted) {
        decision.delay = delay(at);
        if (cost > 0)
            take(at, cost);
    } else if (cost > m_limit) {
        decision.retryAfter.reset();
    } else {
        decision.retryAfter = whenFits(at, cost) - at;
    }
    decision.remaining = remaining(at);
    decision.level = level(at);
    decision.resetAfter = isUnused(at) ? 0 : whenUnused(at) - at;
    return decision;
}

qint64 ReferenceModel::delay(qint64) const
{
    return 0;
}

qint64 ReferenceModel::whenFits(qint64 at, qint64 cost) const
{
    return firstTime(at, [&](qint64 time) { return fits(time, cost); });
}

qint64 ReferenceModel::whenUnused(qint64 at) const
{
    return firstTime(at, [&](qint64 time) { return isUnused(time); });
}

}
