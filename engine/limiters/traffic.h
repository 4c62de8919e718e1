// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/settings.h"
#include "engine/limiters/trace.h"

namespace interlock {

/// Requests that are made up from a few numbers. The same numbers give the same requests on every system.
struct TrafficPlan
{
    QString shape = QStringLiteral("steady"); ///< one of trafficShapes()
    Rate rate {10, 1'000'000};
    qint64 duration = 60'000'000; ///< µs, 1 to 30 days; every request comes before its end
    qint64 burst = 100; ///< how many come at once, of shapes with bursts; at least 1
    qint64 window = 60'000'000; ///< µs, 1 to 30 days; of shapes with bursts, and on average of on and off
    quint64 seed = 1;
    qint64 callers = 1; ///< 1 to 10,000; each request is that of one of them, "caller-1", drawn evenly
    qint64 cost = 1; ///< of each request, 0 to mostNumber
};

/// One way in which requests come, declared as data.
struct TrafficShape
{
    QString id; ///< "boundary-burst"
    QString title; ///< "Boundary burst"
    QString help; ///< one sentence
    bool hasBurst = false; ///< TrafficPlan::burst counts
    bool hasWindow = false; ///< TrafficPlan::window counts
    bool isDrawn = false; ///< TrafficPlan::seed counts, even with one caller
};

/// steady, burst, boundary-burst, poisson, ramp, on-off.
const QList<TrafficShape> &trafficShapes();

/// The requests, in order of time, from 0 on. Invalid, with a sentence: an unknown shape, a number out of range, or more than
/// mostRequests.
Result<Trace> makeTraffic(const TrafficPlan &traffic);

inline constexpr qint64 mostRequests = 1'000'000;

}
