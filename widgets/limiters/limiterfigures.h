// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterrecord.h"


namespace interlock {

/// What was measured of one limiter in a run.
struct LimiterFigures
{
    qint64 admitted = 0; ///< requests
    qint64 rejected = 0;
    qint64 failed = 0; ///< no answer, or an error: neither admitted nor rejected
    LimiterBasis basis;
    qint64 mostInWindow = 0; ///< cost admitted within one trailing window, of one limited thing
    qint64 mostAtOnce = 0; ///< the same within a tenth of a window: its burst
    /// Evenness: standard deviation of the gaps between admitted requests, divided by their mean (the coefficient of variation). 0: all
    /// gaps are equal; 1: as random arrivals; more: bursts. None for fewer than three admitted.
    std::optional<double> unevenness;
    std::optional<qint64> longestRetry; ///< µs: the longest retry-after that a rejected request was told
    qint64 withoutRetry = 0; ///< rejected requests that were told no time
    std::optional<qint64> latency50; ///< ns, from sent to answered
    std::optional<qint64> latency99;
    std::optional<double> commands; ///< for each decision
    std::optional<double> bytes; ///< for each decision
    std::optional<qint64> keyBytes;
    /// ns on the axis: the first request that it answered otherwise than its correct twin did.
    std::optional<qint64> differsAt;

    bool operator==(const LimiterFigures &) const = default;
};

/// Takes time in proportion to the limiter's decisions, and sorts them once.
LimiterFigures measure(const Run &run, const LimiterRecord &record, size_t series);

}
