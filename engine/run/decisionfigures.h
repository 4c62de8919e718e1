// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/event.h"

#include <span>

namespace interlock {

/// What a limiter was asked and what it answered: the part of a decision that does not fit into an event.
/// The names are those of Decision; costs in units, all times and lengths of time in microseconds.
struct DecisionFigures
{
    qint64 cost = 1; ///< of the request
    qint64 limit = 0; ///< the most that one request may cost
    qint64 remaining = 0; ///< cost that would still be admitted at once
    qint64 retryAfter = never; ///< when the same cost would be admitted, counted from now; never: no time is promised
    qint64 resetAfter = 0; ///< until the limiter is as if it had never been used
    qint64 delay = 0; ///< how long an admitted request has to wait
    qint64 level = 0; ///< in parts, of which LimiterInfo::levelUnit make one unit of cost
    qint64 now = 0; ///< the time that the decision was made for
    qint64 serverTime = 0; ///< the server's TIME
    qint64 asked = never; ///< the caller's clock, if it was passed to the limiter; never: the server's clock was used

    bool operator==(const DecisionFigures &) const = default;
};

/// The largest value of a figure, as limiters count (see mostNumber), and with a minus the smallest; `never` stands apart.
/// In nanoseconds two such times still have a difference of 64 bits.
inline constexpr qint64 mostFigure = qint64(1) << 52;

/// One figure by its name in files and tables.
struct FigureField
{
    const char *name = "";
    qint64 DecisionFigures::*value = nullptr;
    qint64 absent = 0; ///< the value of which files say nothing: that of DecisionFigures {}
};

/// All of them, in the order of the file.
std::span<const FigureField> figureFields();

/// Where a decision lies in time, ns: on the caller's clock if the limiter was told it, else at the event's `at`. The two have
/// different zeros; one limiter of a run uses one of them.
inline qint64 decisionTime(const Event &event, const DecisionFigures &figures)
{
    return figures.asked == never ? event.at : figures.asked * 1'000;
}

}
