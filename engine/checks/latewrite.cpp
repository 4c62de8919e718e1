// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Late write: the resource never accepts a fencing token below one that it has accepted before.
//
//     B writes with 34: accepted; A writes with 33: accepted   broken: B's update is overwritten by an older owner
//     B writes with 34: accepted; A writes with 33: refused    held: that is what fencing is for
//     A writes with 33 twice: accepted                         held: equal is not below
//     A writes without a token                                 says nothing about order, and is left out
//
// Each resource by itself; the order is that of the record, since all actors share one clock.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

namespace interlock::checks {

namespace {

struct LateWrite
{
    size_t event = 0;
    size_t highest = 0; ///< the accepted write with the highest token before it
};

struct Writes
{
    qint64 accepted = 0;
    qint64 withoutToken = 0;
    std::vector<LateWrite> late;
    std::vector<LateWrite> refused; ///< late, and refused
};

Writes writesOf(const History &history)
{
    Writes writes;
    std::unordered_map<Name, size_t> highest; // by resource
    for (const size_t index : history.order()) {
        const Event &event = history.event(index);
        if (event.kind != Event::Kind::Resource || static_cast<Resource>(event.what) != Resource::Wrote)
            continue;
        const bool isAccepted = event.has(Event::Accepted);
        writes.accepted += isAccepted;
        if (event.number == 0) {
            writes.withoutToken += isAccepted;
            continue;
        }
        const auto known = highest.find(event.key);
        const bool isLate = known != highest.end() && event.number < history.event(known->second).number;
        if (isLate)
            (isAccepted ? writes.late : writes.refused).push_back({index, known->second});
        else if (isAccepted)
            highest[event.key] = index;
    }
    return writes;
}

Sentence lost(const History &history, const Event &event)
{
    const QString who = history.name(event.lane);
    return event.text ? say("write.lost", who, history.name(event.text)) : say("write.lost.unnamed", who);
}

}

CheckResult lateWrite(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const Writes writes = writesOf(history);
    if (!writes.late.empty()) {
        const Event &late = history.event(writes.late.front().event);
        const Event &before = history.event(writes.late.front().highest);
        result.judgement = Judgement::Broken;
        result.sentences.push_back(say("write.late", history.name(late.lane), late.number, At {late.at},
            history.name(before.lane), before.number, At {before.at}));
        result.sentences.push_back(lost(history, before));
        if (writes.late.size() > 1)
            result.sentences.push_back(say("write.first", qint64(writes.late.size())));
        result.events = {writes.late.front().event, writes.late.front().highest};
        return result;
    }
    result.sentences.push_back(writes.accepted ? say("write.held", writes.accepted) : say("write.none"));
    if (!writes.refused.empty()) {
        const Event &refused = history.event(writes.refused.front().event);
        result.sentences.push_back(say("write.refused", history.name(refused.lane), refused.number, At {refused.at}));
        result.events = {writes.refused.front().event, writes.refused.front().highest};
    }
    if (writes.withoutToken)
        result.sentences.push_back(say("write.no-token", writes.withoutToken));
    return concluded(history.run(), std::move(result));
}

}
