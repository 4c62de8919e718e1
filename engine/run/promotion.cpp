// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/promotion.h"

#include <algorithm>
#include <map>

namespace interlock {

namespace {

/// Less than 0: the left one comes first.
int compareRunIds(const Candidate &left, const Candidate &right)
{
    return left.runId.compare(right.runId, Qt::CaseInsensitive);
}

bool comesBefore(const Candidate &left, const Candidate &right)
{
    if (left.priority != right.priority)
        return left.priority < right.priority;
    if (left.offset != right.offset)
        return left.offset > right.offset;
    return compareRunIds(left, right) < 0;
}

Precedence reason(const Candidate &first, const Candidate &next)
{
    if (first.priority != next.priority)
        return Precedence::Priority;
    return first.offset != next.offset ? Precedence::Offset : Precedence::RunId;
}

}

std::optional<Choice> choosePromotion(const std::vector<Candidate> &candidates)
{
    std::vector<size_t> order;
    for (size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].priority != 0)
            order.push_back(i);
    }
    if (order.empty())
        return {};
    std::sort(order.begin(), order.end(), [&](size_t left, size_t right) { return comesBefore(candidates[left], candidates[right]); });
    if (order.size() == 1)
        return Choice {order.front(), Precedence::Alone};
    return Choice {order[0], reason(candidates[order[0]], candidates[order[1]])};
}

std::vector<Candidate> candidatesOf(const Run &run, qint64 before)
{
    struct Told
    {
        std::optional<qint64> priority;
        std::optional<qint64> offset;
        Name runId = 0;
    };
    const Name priority = run.names.find(notedPriority);
    const Name offset = run.names.find(notedOffset);
    const Name runId = run.names.find(notedRunId);
    std::map<QString, Told> told;
    for (const Event &event : run.events) {
        if (event.kind != Event::Kind::Note || !event.lane || !event.text || event.at >= before)
            continue;
        if (event.text == priority)
            told[run.text(event.lane)].priority = event.number;
        else if (event.text == offset)
            told[run.text(event.lane)].offset = event.number;
        else if (event.text == runId)
            told[run.text(event.lane)].runId = event.detail;
    }
    std::vector<Candidate> candidates;
    for (const auto &[name, one] : told) {
        if (one.priority && one.offset && one.runId)
            candidates.push_back({name, *one.priority, *one.offset, run.names.bytes(one.runId)});
    }
    return candidates;
}

}
