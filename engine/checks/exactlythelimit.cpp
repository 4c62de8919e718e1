// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exactly the limit: of simultaneous requests within one window exactly the limit is admitted, no more and no fewer. Argument `limit`
// (default: the limiter's own), and as of limiter-bound `limiter` and `clock`. Each limiter and each key by itself; all requests
// about a key are one crowd.
//
//     120 requests at once, limit 100: 100 are admitted         held
//     101 are admitted                                          broken, whatever became of the others
//     99 are admitted, 21 refused                               broken
//     99 are admitted, 20 refused, one is unanswered            unknown: it may be the hundredth
//     99 are admitted, 20 refused, one got an error             broken: an error admits nothing
//     99 requests                                               unknown: nothing shows that no more would have been admitted
//     limit 10, requests that cost 3: three are admitted        held: a fourth does not fit
//     200 requests that do not lie within one window            unknown: more may be admitted
//
// A bucket's rate admits more while the crowd passes: its limit is then capacity + rate × T.
#include "engine/checks/history.h"
#include "engine/checks/meters.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/traffic.h"

#include <algorithm>
#include <limits>

namespace interlock::checks {

namespace {

/// The requests about one key, counted.
struct Crowd
{
    Wide admitted = 0; ///< cost
    Wide refused = 0; ///< cost, with what got an error
    Wide unanswered = 0; ///< cost
    qint64 least = std::numeric_limits<qint64>::max(); ///< cost of a refused one
    std::optional<qint64> first, last; ///< time of an answered one
    size_t decisive = 0; ///< event: the last admitted, or the first refused
    std::vector<size_t> missing;
};

Crowd count(const Traffic &traffic)
{
    Crowd crowd;
    bool hasRefused = false;
    for (const Request &request : traffic.requests) {
        if (request.isMissing()) {
            crowd.unanswered += request.cost();
            crowd.missing.push_back(request.event);
            continue;
        }
        if (request.answer != LimiterAnswer::Failed) {
            crowd.first = crowd.first.value_or(request.time);
            crowd.last = request.time;
        }
        if (request.isAdmitted()) {
            crowd.admitted += request.cost();
            crowd.decisive = hasRefused ? crowd.decisive : request.event;
        } else if (request.cost() > 0) {
            crowd.refused += request.cost();
            crowd.least = std::min(crowd.least, request.cost());
            crowd.decisive = std::exchange(hasRefused, true) ? crowd.decisive : request.event;
        }
    }
    return crowd;
}

/// How much may be admitted from the first request to the last; nothing: they do not lie within one window.
std::optional<Wide> mostOf(const Traffic &traffic, const Crowd &crowd, qint64 limit)
{
    if (!traffic.info || !crowd.first)
        return limit;
    return roomWithin(*traffic.info, limit, *crowd.first, *crowd.last);
}

struct Finding
{
    Judgement judgement = Judgement::Held;
    Sentence sentence;
    std::vector<size_t> events;
    qint64 admitted = 0;
    qint64 limit = 0;
};

Finding look(const Run &run, const Traffic &traffic, qint64 limit)
{
    const Crowd crowd = count(traffic);
    const std::optional<Wide> most = mostOf(traffic, crowd, limit);
    const QString who = traffic.title(run);
    Finding finding;
    finding.admitted = narrowed(crowd.admitted);
    finding.limit = limit;
    const qint64 asked = narrowed(crowd.admitted + crowd.refused + crowd.unanswered);
    const auto conclude = [&](Judgement judgement, Sentence sentence) {
        finding.judgement = judgement;
        finding.sentence = std::move(sentence);
        finding.events = judgement == Judgement::Unknown ? crowd.missing : std::vector<size_t> {crowd.decisive};
        return finding;
    };
    if (most && crowd.admitted > *most)
        return conclude(Judgement::Broken, say("exactly.more", who, asked, finding.admitted, limit));
    if (!crowd.missing.empty())
        return conclude(Judgement::Unknown, say("exactly.unanswered", who, qint64(crowd.missing.size()), finding.admitted, limit));
    if (crowd.refused > 0 && crowd.admitted + crowd.least <= limit)
        return conclude(Judgement::Broken, say("exactly.fewer", who, asked, finding.admitted, limit));
    if (!most)
        return conclude(Judgement::Unknown, say("exactly.apart", who, asked));
    if (crowd.refused == 0 && asked < limit)
        return conclude(Judgement::Unknown, say("exactly.few", who, asked, limit));
    return conclude(Judgement::Held, say("exactly.held", who, asked, finding.admitted, limit));
}

}

CheckResult exactlyTheLimit(const History &history, const CheckUse &use)
{
    const Run &run = history.run();
    CheckResult result = resultOf(use, Judgement::Unknown);
    std::optional<Finding> worst;
    int crowds = 0;
    const auto rank = [](const Finding &finding) {
        return finding.judgement == Judgement::Broken ? 0 : finding.judgement == Judgement::Unknown ? 1 : 2;
    };
    for (const Traffic &traffic : trafficOf(history, use)) {
        const std::optional<qint64> limit = countArgument(use, QStringLiteral("limit"), traffic.info ? traffic.info->limit : 0);
        if (!limit) {
            result.sentences.push_back(say("exactly.no-limit", traffic.title(run)));
            return result;
        }
        Finding finding = look(run, traffic, *limit);
        ++crowds;
        if (!worst || rank(finding) < rank(*worst))
            worst = std::move(finding);
    }
    if (!worst) {
        result.sentences.push_back(say("limiter.none"));
        return concluded(run, std::move(result));
    }
    result.judgement = worst->judgement;
    result.sentences.push_back(worst->sentence);
    if (crowds > 1 && worst->judgement == Judgement::Held)
        result.sentences.push_back(say("exactly.others", qint64(crowds - 1)));
    result.events = worst->events;
    result.facts = {{QStringLiteral("admitted"), worst->admitted}, {QStringLiteral("limit"), worst->limit}};
    return concluded(run, std::move(result));
}

}
