// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mutual exclusion of work: two protected sections of different owners never overlap in time.
//
//     A works [0.1, 1.6), B works [1.1, 1.9)   broken: both worked for 0.5 s
//     A works [0.1, 1.6), B works [1.6, 1.9)   held: B began when A had stopped
//     A works [0.1, ?),   B works [1.1, 1.9)   unknown: A may have stopped before 1.1
//     A works [0.1, 1.6), B works [1.1, ?)     broken all the same: A was at work when B began
//
// Owners are clients: two coroutines of one client are not in each other's way. A client that died works no longer. Whether
// locks were waited for, and for how long, does not matter here.
#include "engine/checks/firstcause.h"
#include "engine/checks/history.h"
#include "engine/checks/overlaps.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

namespace interlock::checks {

namespace {

std::vector<Interval> workOf(const History &history)
{
    std::vector<Interval> intervals;
    intervals.reserve(history.sections().size());
    for (size_t i = 0; i < history.sections().size(); ++i) {
        const Stay &section = history.sections()[i];
        intervals.push_back({section.lane, section.key, section.from, section.until, i});
    }
    return intervals;
}

/// "B was granted the lock at": if it went to work with the grant at once, that is the same instant for the reader.
bool wasGrantedDuring(const History &history, const Stay &first, const Stay &second)
{
    return second.hold && history.holds()[*second.hold].from >= first.from;
}

void tellOverlap(const History &history, const OverlappingPair &overlap, CheckResult &result)
{
    const Stay &first = history.sections()[overlap.first];
    const Stay &second = history.sections()[overlap.second];
    const QString a = history.name(first.lane);
    const QString b = history.name(second.lane);
    if (overlap.until == never) {
        result.sentences.push_back(say("overlap.open", a, At {first.from}, At {first.until}, b, At {second.from}));
    } else if (wasGrantedDuring(history, first, second)) {
        result.sentences.push_back(say("overlap.granted", a, At {first.from}, At {first.until}, b,
            At {history.holds()[*second.hold].from}, For {between(overlap.from, overlap.until)}));
    } else {
        result.sentences.push_back(say("overlap.entered", a, At {first.from}, At {first.until}, b, At {second.from},
            For {between(overlap.from, overlap.until)}));
    }
    result.events = {second.entered, first.entered};
    if (first.left)
        result.events.push_back(*first.left);
    if (second.left)
        result.events.push_back(*second.left);
}

void tellCause(const History &history, const OverlappingPair &overlap, CheckResult &result)
{
    const Stay &first = history.sections()[overlap.first];
    const Stay &second = history.sections()[overlap.second];
    for (const Stay *section : {&first, &second}) {
        if (!section->hold) {
            result.sentences.push_back(say("cause.no-lock", history.name(section->lane)));
            return;
        }
    }
    const Cause cause = whyGranted(history, *first.hold, *second.hold);
    result.sentences.insert(result.sentences.end(), cause.sentences.begin(), cause.sentences.end());
    result.events.insert(result.events.end(), cause.events.begin(), cause.events.end());
}

/// What is missing, if anything is.
void lookForMissingEnds(const History &history, CheckResult &result)
{
    for (const Stay &section : history.sections()) {
        if (section.until != never)
            continue;
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("overlap.missing", history.name(section.lane), At {section.from}));
        result.events = {section.entered};
        return;
    }
    if (const size_t missing = history.leftWithoutEntering()) {
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("overlap.missing.start", qint64(missing)));
    }
}

}

CheckResult mutualExclusion(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const Overlaps overlaps = findOverlaps(workOf(history));
    if (overlaps.first) {
        result.judgement = Judgement::Broken;
        tellOverlap(history, *overlaps.first, result);
        tellCause(history, *overlaps.first, result);
        if (overlaps.count > 1)
            result.sentences.push_back(say("overlap.first", overlaps.count));
        return result;
    }
    lookForMissingEnds(history, result);
    if (result.judgement == Judgement::Held) {
        result.sentences.push_back(
            history.sections().empty() ? say("overlap.nobody") : say("overlap.none", qint64(history.sections().size())));
    }
    return concluded(history.run(), std::move(result));
}

}
