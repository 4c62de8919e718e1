// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/bound.h"
#include "engine/checks/sentences.h"

#include <algorithm>

namespace interlock {

namespace {

constexpr size_t mostProof = 1'000; ///< events of one breach

/// The point at which a meter showed the most.
struct Peak
{
    Wide used = -1;
    size_t request = 0; ///< index into the traffic
    size_t first = 0; ///< the first admission that counted there
    std::optional<size_t> open; ///< the first request at which unanswered ones would break the bound
};

/// Shows a meter the admissions, and moves its time on to where unanswered requests may begin to count.
/// @param until stop behind this request.
Peak measure(Meter &meter, const Traffic &traffic, size_t until)
{
    Peak peak;
    Wide unanswered = 0;
    std::vector<size_t> calls; // the requests behind the calls of admit()
    for (size_t i = 0; i <= until && i < traffic.requests.size(); ++i) {
        const Request &request = traffic.requests[i];
        if (!request.isAdmitted() && !request.isMissing())
            continue;
        meter.admit(request.time, request.isAdmitted() ? request.cost() : 0);
        calls.push_back(i);
        unanswered += request.isMissing() ? Wide(request.cost()) * meter.parts() : 0;
        if (meter.used() > peak.used) {
            peak.used = meter.used();
            peak.request = i;
            peak.first = calls[std::min(meter.first(), calls.size() - 1)];
        }
        if (!peak.open && unanswered > 0 && meter.used() + unanswered > meter.allowed())
            peak.open = i;
    }
    return peak;
}

std::vector<size_t> proof(const Traffic &traffic, const Peak &peak)
{
    std::vector<size_t> events {traffic.requests[peak.request].event};
    for (size_t i = peak.first; i < peak.request && events.size() < mostProof; ++i) {
        if (traffic.requests[i].isAdmitted())
            events.push_back(traffic.requests[i].event);
    }
    return events;
}

std::vector<size_t> unansweredOf(const Traffic &traffic)
{
    std::vector<size_t> events;
    for (const Request &request : traffic.requests) {
        if (request.isMissing() && events.size() < mostProof)
            events.push_back(request.event);
    }
    return events;
}

Sentence tellExcess(const Run &run, const Traffic &traffic, const Peak &peak, Meter &fresh)
{
    measure(fresh, traffic, peak.request);
    size_t from = peak.first;
    while (from < peak.request && !traffic.requests[from].isAdmitted())
        ++from;
    const Request &first = traffic.requests[from];
    const Request &last = traffic.requests[peak.request];
    return fresh.tellExcess({traffic.title(run), shownTime(run, first.event), shownTime(run, last.event),
        For {narrowed((Wide(last.time) - first.time) * 1'000)}});
}

}

BoundOutcome meteredBound(const Run &run, const Traffic &traffic, const std::function<std::unique_ptr<Meter>()> &make)
{
    const std::unique_ptr<Meter> meter = make();
    const Peak peak = measure(*meter, traffic, traffic.requests.size());
    const Wide used = std::max<Wide>(peak.used, 0);
    BoundOutcome outcome;
    outcome.share = double(used) / double(meter->allowed());
    outcome.facts = {{QStringLiteral("mostInWindow"), meter->units(used)}, {QStringLiteral("limit"), meter->limit()}};
    if (used > meter->allowed()) {
        outcome.judgement = Judgement::Broken;
        outcome.sentence = tellExcess(run, traffic, peak, *make());
        outcome.events = proof(traffic, peak);
    } else if (peak.open) {
        outcome.judgement = Judgement::Unknown;
        outcome.events = unansweredOf(traffic);
        outcome.sentence = say("bound.open", traffic.title(run), qint64(outcome.events.size()), meter->units(used), meter->limit());
    } else {
        outcome.sentence = meter->tellMost(traffic.title(run), meter->units(used));
    }
    return outcome;
}

}
