// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limiter bound: a limiter admits no more than it promises. Each limiter and each key by itself.
//
// Argument `bound`:
//   own       (default) what its algorithm promises with its values; a defect is measured by the promise of its correct twin.
//               fixed window               ≤ limit in each window: of the clock, or from the first hit
//               sliding log                ≤ limit in any (t − window, t]
//               sliding counter            last window × (1 − elapsed share) + this one ≤ limit at each admission
//               sliding window in buckets  this bucket and the n − 1 before it ≤ limit at each admission
//               token bucket, GCRA, leaky bucket as a meter   ≤ capacity + rate × T in any T
//               leaky bucket as a queue    see queuebound.cpp
//   trailing  ≤ `limit` in any (t − `window`, t], whatever the algorithm; without these arguments those of the limiter. `window` in µs.
// Argument `limiter`: only this one. Argument `clock` = `server`: judged on the server's TIME even where callers' clocks were used.
//
//     limit 2 in 10 s; admitted at 0, 5 and 10 s      held in any (t − 10 s, t]: an entry exactly one window old is gone
//     admitted at 0, 5 and 9.999999 s                 broken
//     admitted at 0 and 5 s; one at 6 s unanswered    unknown: it may have been admitted
//     the same, and an error instead of no answer     held: an error is an answer, and admits nothing
//
// On the times that the decisions recorded: `now` where the limiter was told the caller's clock, else the server's TIME.
#include "engine/checks/bound.h"
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>

namespace interlock::checks {

namespace {

constexpr size_t mostTold = 3;

BoundOutcome unknownBecause(Sentence why)
{
    BoundOutcome outcome;
    outcome.judgement = Judgement::Unknown;
    outcome.sentence = std::move(why);
    return outcome;
}

BoundOutcome own(const Run &run, const Traffic &traffic)
{
    if (!traffic.info)
        return unknownBecause(say("limiter.undescribed", traffic.title(run)));
    const Result<std::unique_ptr<Meter>> meter = ownMeter(*traffic.info);
    if (!meter)
        return unknownBecause(say("limiter.unusable", traffic.title(run), meter.error().text));
    if (*meter)
        return meteredBound(run, traffic, [&] { return std::move(*ownMeter(*traffic.info)); });
    const Result<BoundOutcome> queue = queueBound(run, traffic);
    return queue ? *queue : unknownBecause(say("limiter.unusable", traffic.title(run), queue.error().text));
}

BoundOutcome trailing(const Run &run, const Traffic &traffic, const CheckUse &use)
{
    const std::optional<qint64> limit = countArgument(use, QStringLiteral("limit"), traffic.info ? traffic.info->limit : 0);
    const std::optional<qint64> window = countArgument(use, QStringLiteral("window"), traffic.info ? traffic.info->window : 0);
    if (!limit || !window)
        return unknownBecause(say("bound.no-window", traffic.title(run)));
    return meteredBound(run, traffic, [&] { return trailingMeter(*limit, *window); });
}

int rank(const BoundOutcome &outcome)
{
    return outcome.judgement == Judgement::Broken ? 0 : outcome.judgement == Judgement::Unknown ? 1 : 2;
}

/// The broken ones and the unknown ones each by a sentence, the others together.
void tell(CheckResult &result, const std::vector<BoundOutcome> &outcomes, const QStringList &held)
{
    const size_t objections = outcomes.size() - size_t(held.size());
    for (size_t i = 0; i < std::min(objections, mostTold); ++i)
        result.sentences.push_back(outcomes[i].sentence);
    if (objections > mostTold)
        result.sentences.push_back(say("bound.more", qint64(objections - mostTold)));
    if (held.size() > 1)
        result.sentences.push_back(say("bound.held.many", held));
    else if (held.size() == 1)
        result.sentences.push_back(outcomes.back().sentence);
}

}

CheckResult limiterBound(const History &history, const CheckUse &use)
{
    const Run &run = history.run();
    CheckResult result = resultOf(use, Judgement::Unknown);
    const QString bound = argument(use, QStringLiteral("bound"));
    const bool isTrailing = bound == QLatin1String("trailing");
    if (!isTrailing && !bound.isEmpty() && bound != QLatin1String("own")) {
        result.sentences.push_back(say("bound.argument", bound));
        return result;
    }
    std::vector<BoundOutcome> outcomes;
    QStringList held;
    for (const Traffic &traffic : trafficOf(history, use)) {
        outcomes.push_back(isTrailing ? trailing(run, traffic, use) : own(run, traffic));
        if (outcomes.back().judgement == Judgement::Held)
            held.append(traffic.title(run));
    }
    if (outcomes.empty()) {
        result.sentences.push_back(say("limiter.none"));
        return concluded(run, std::move(result));
    }
    std::stable_sort(outcomes.begin(), outcomes.end(), [](const BoundOutcome &left, const BoundOutcome &right) {
        return rank(left) != rank(right) ? rank(left) < rank(right) : left.share > right.share;
    });
    result.judgement = outcomes.front().judgement;
    result.events = outcomes.front().events;
    result.facts = outcomes.front().facts;
    tell(result, outcomes, held);
    return concluded(run, std::move(result));
}

}
