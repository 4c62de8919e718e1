// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <optional>

namespace interlock {

struct Reply;

/// What a limiter answered to one request. All times in microseconds, rounded up.
struct Decision
{
    bool admitted = false;
    qint64 limit = 0; ///< the most that one request may cost
    qint64 remaining = 0; ///< cost that would still be admitted at once, after this request
    std::optional<qint64> retryAfter = 0; ///< when the same cost would be admitted, counted from now; 0: it was; none: never
    qint64 resetAfter = 0; ///< until the limiter is as if it had never been used, if nothing more is admitted
    qint64 delay = 0; ///< how long an admitted request has to wait; only a queue makes it wait
    qint64 level = 0; ///< the inner level, in parts of which Limiter::levelUnit() make one unit of cost
    qint64 now = 0; ///< the time that the decision was made for: the later of what it was given and what it had seen
    qint64 serverTime = 0; ///< the server's TIME; 0 from a reference model

    bool operator==(const Decision &) const = default;
};

/// Reads a limiter script's reply. Failed: an error reply, with its text, or another shape.
Result<Decision> decisionFrom(const Reply &reply);

/// The latest time that limiters take and the largest cost: 2^52 µs reach into the year 2112, and sums of two such
/// numbers are still exact in Lua, whose numbers are doubles.
inline constexpr qint64 mostNumber = qint64(1) << 52;

}
