// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/playedlimiter.h"

namespace interlock {

/// What a caller makes of a request that its limiter did not answer.
enum class WhenDown {
    Failed, ///< nothing: it is an error like any other
    Open, ///< lets it through
    Closed, ///< turns it away
};

/// One request to a limiter, for the record.
struct DecisionRequest
{
    QByteArray key; ///< what is limited, as the record names it
    QByteArray redisKey; ///< the same as Redis knows it
    qint64 cost = 1;
    std::optional<qint64> now; ///< the caller's clock in µs; none: the server's is used
    qint64 due = never; ///< when an open-loop sender should have sent it, ns of the run
    WhenDown whenDown = WhenDown::Failed;
    QByteArray probe; ///< of a probe on a copy, what it tests: "17-at"; empty: it is part of the traffic
};

/// A decision, and its number in the record; -1: it is not there (no recorder, or the record is full).
struct NumberedDecision
{
    Result<Decision> decision;
    qint64 number = -1;
};

/// Asks the limiter and records the decision, also one that fails, and one whose caller dies before the answer.
/// @p limiter must outlive the task. Errors as interlock::decide().
Task<NumberedDecision> decideRecorded(Client &client, const PlayedLimiter &limiter, DecisionRequest request);

/// What the detail of a failed decision begins with if its caller had a policy; behind it stands why it failed.
inline constexpr auto letThrough = "let through";
inline constexpr auto turnedAway = "turned away";

}
