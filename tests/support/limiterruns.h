// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <map>
#include <optional>

namespace interlock::samples {

/// Writes runs of limiters by hand: each decision with the figures that a test needs, times in milliseconds.
class LimiterRunBuilder
{
public:
    LimiterRunBuilder();

    /// A limiter of the run; `window` in ms, 0: none.
    LimiterRunBuilder &limiter(const QString &name, const QString &algorithm, qint64 limit, double window, const QList<std::pair<QString, QString>> &values = {},
        const QString &twin = {}, qint64 levelUnit = 1);

    struct Given
    {
        qint64 cost = 1;
        qint64 level = 0;
        double retryAfter = -1; ///< ms; below 0: none told
        double resetAfter = 0; ///< ms
        double latency = 0.04; ///< ms
        double due = -1; ///< ms
        std::optional<double> asked = {}; ///< ms
        QString key = QStringLiteral("user");
    };
    size_t decision(const QString &limiter, double at, LimiterAnswer answer, const Given &given);
    size_t decision(const QString &limiter, double at, LimiterAnswer answer) { return decision(limiter, at, answer, Given()); }
    size_t admitted(const QString &limiter, double at) { return decision(limiter, at, LimiterAnswer::Admitted); }
    size_t rejected(const QString &limiter, double at) { return decision(limiter, at, LimiterAnswer::Rejected); }

    Run &run() { return m_run; }
    Run finish(double duration);

private:
    Run m_run;
};

/// What a run of limiters is asked: at which time (ms) how much.
using Requests = std::vector<std::pair<double, qint64>>;

/// Bursts of 12 before and after the edge at 1 s, then two each 100 ms up to @p seconds.
Requests boundaryBurst(double seconds = 2);

/// Eight limiters of 10 in a second under these requests, decided by the reference models.
Run eightLimiters(const Requests &requests);
/// A token bucket whose refill is floored with its time advanced, over its correct twin, as reference for pictures.
Run flooredBucket();
/// So many decisions of each of eight limiters within @p seconds, most of them rejected; no model is asked.
Run manyDecisions(size_t each, double seconds);

}
