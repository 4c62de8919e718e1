// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/checks/meters.h"
#include "engine/checks/traffic.h"

#include <functional>

namespace interlock {

/// What one traffic says of its bound.
struct BoundOutcome
{
    Judgement judgement = Judgement::Held;
    Sentence sentence;
    std::vector<size_t> events; ///< that prove it, the decisive one first
    QList<std::pair<QString, qint64>> facts;
    double share = 0; ///< what was used of what is allowed; above 1: too much
};

/// By a meter, of which @p make gives a fresh one. Unknown if it would be broken had unanswered requests been admitted, each at
/// the worst time that it can have had.
BoundOutcome meteredBound(const Run &run, const Traffic &traffic, const std::function<std::unique_ptr<Meter>()> &make);

/// The promises of a leaky bucket as a queue: departures at least 1/rate apart, never more than the capacity waiting.
Result<BoundOutcome> queueBound(const Run &run, const Traffic &traffic);

}
