// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mutual exclusion of a watched client, whose program we do not see: the inner intervals [acquire answered, release sent] of
// two owners never overlap. The client may well have worked in all of it, and certainly not outside.
//
//     A holds [0.102, 0.500], B's grant is sent at 0.499 and answered at 0.503   held: it waited while A's release was under way
//     A holds [0.102, 1.604], B is granted at 1.108                              broken, whatever the TTL says
//     A is granted at 0.102 and nothing more is seen of it, B at 1.108           unknown: A may have stopped before
#include "engine/checks/firstcause.h"
#include "engine/checks/history.h"
#include "engine/checks/overlaps.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

namespace interlock::checks {

namespace {

/// When it stopped counting on the lock: release sent, the loss noticed, or its death.
std::optional<Death> endOf(const History &history, const Hold &hold)
{
    std::optional<Death> end;
    if (hold.ended)
        end = Death {history.event(*hold.ended).at, *hold.ended};
    if (hold.releaseSent != never && hold.released && (!end || hold.releaseSent < end->at))
        end = Death {hold.releaseSent, *hold.released};
    if (!end && !hold.next && isWhole(history.run()))
        end = history.death(hold.lane, hold.from);
    return end;
}

void tellOverlap(const History &history, const OverlappingPair &overlap, CheckResult &result)
{
    const Hold &first = history.holds()[overlap.first];
    const Hold &second = history.holds()[overlap.second];
    const std::optional<Death> end = endOf(history, first);
    const QString a = history.name(first.lane);
    const QString b = history.name(second.lane);
    const At until {end ? end->at : never};
    if (overlap.until == never) {
        result.sentences.push_back(say("overlap.watched.open", a, history.name(first.key), At {first.answered}, until, b, At {second.answered}));
    } else {
        result.sentences.push_back(say("overlap.watched", a, history.name(first.key), At {first.answered}, until, b,
            At {second.answered}, For {between(overlap.from, overlap.until)}));
    }
    result.events = {second.granted, first.granted};
    if (end)
        result.events.push_back(end->event);
    const Cause cause = whyGranted(history, overlap.first, overlap.second);
    result.sentences.insert(result.sentences.end(), cause.sentences.begin(), cause.sentences.end());
    result.events.insert(result.events.end(), cause.events.begin(), cause.events.end());
}

}

CheckResult watchedExclusion(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    std::vector<Interval> intervals;
    intervals.reserve(history.holds().size());
    std::optional<size_t> endless;
    for (size_t i = 0; i < history.holds().size(); ++i) {
        const Hold &hold = history.holds()[i];
        const std::optional<Death> end = endOf(history, hold);
        if (!end && !endless)
            endless = i;
        intervals.push_back({hold.lane, hold.key, hold.answered, end ? end->at : never, i});
    }
    const Overlaps overlaps = findOverlaps(intervals);
    if (overlaps.first) {
        result.judgement = Judgement::Broken;
        tellOverlap(history, *overlaps.first, result);
        if (overlaps.count > 1)
            result.sentences.push_back(say("overlap.first", overlaps.count));
        return result;
    }
    if (endless) {
        const Hold &hold = history.holds()[*endless];
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("watched.missing", history.name(hold.lane), history.name(hold.key), At {hold.answered}));
        result.events = {hold.granted};
    } else if (history.endedWithoutGrant()) {
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("watched.missing.start", qint64(history.endedWithoutGrant())));
    } else {
        result.sentences.push_back(intervals.empty() ? say("watched.nobody") : say("watched.none", qint64(intervals.size())));
    }
    return concluded(history.run(), std::move(result));
}

}
