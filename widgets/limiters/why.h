// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterrecord.h"

namespace interlock {

/// Why a limiter let a request pass or not, in a sentence or two with the numbers of its state:
/// "Sliding log: 100 of 100 in the last 60 s; the oldest leaves in 4.2 s, so it asks to come back then."
/// From what was recorded alone.
QString whyDecision(const LimiterInfo &limiter, const Event &event, const DecisionFigures &figures, const Run &run);

/// "Why was request 23 rejected?" Requests are counted from 1, in order of time.
QString whyQuestion(const DecisionSeries &series, size_t point);

/// What the other limiters of these rows answered to the same request: "The same request was admitted by GCRA and rejected by Sliding log."
/// Empty if nothing is known of it.
QString whatOthersSaid(const Run &run, const LimiterRecord &record, LimiterRecord::Place place, const QStringList &hidden);

}
