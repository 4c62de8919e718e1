// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <optional>
#include <vector>

namespace interlock {

class History;

/// One decision of a limiter.
struct Request
{
    size_t event = 0; ///< index into Run::events
    qint64 at = 0; ///< ns since the run began, when it was sent
    qint64 answered = never; ///< ns; never: no answer came, so whether it was admitted is not known
    qint64 time = 0; ///< µs on the clock on which the limiter is judged; of an unanswered one the earliest that it can have
    LimiterAnswer answer = LimiterAnswer::Failed;
    const DecisionFigures *figures = nullptr; ///< never null

    bool isAdmitted() const { return answer == LimiterAnswer::Admitted; }
    bool isMissing() const { return answer == LimiterAnswer::Failed && answered == never; }
    qint64 cost() const { return figures->cost > 0 ? figures->cost : 0; }
};

/// What one limiter was asked about one key. Probes are left out; an error is an answer, and admits nothing.
struct Traffic
{
    Name limiter = 0;
    Name key = 0;
    const LimiterInfo *info = nullptr; ///< null: the header does not know it
    std::vector<Request> requests; ///< by `time`, and by `at` where that is equal
    bool hasSeveralKeys = false; ///< the run asked this limiter about others too

    QString title(const Run &run) const; ///< for people: the limiter's title or name, with the key if it has several
};

/// Which clock a limiter is judged on.
enum class JudgedClock {
    Recorded, ///< the caller's, where the limiter was told it; else the server's
    Server, ///< the server's, whatever the limiter was told: for callers whose clocks are wrong
};

/// All traffic of the run: the limiters in the order of the header, then those that it does not name; each by key in order of first use.
/// @param limiter only of this one; empty: of all.
std::vector<Traffic> trafficOf(const History &history, JudgedClock clock = JudgedClock::Recorded, const QString &limiter = {});

/// The same for what a check's arguments `limiter` and `clock` (`server`) say.
std::vector<Traffic> trafficOf(const History &history, const CheckUse &use);

/// Where the decision lies on the axis of the charts.
At shownTime(const Run &run, size_t event);

}
