// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Promotion rule: after the primary's death that replica took its role which Sentinel's rules name, by what the replicas were before.
//
//     N2 had priority 100, N3 10; N1 is killed, N3 is promoted            held: the lower number comes first
//     the same, and N2 is promoted                                        broken
//     both had priority 0, and nobody is promoted                         held: nobody may be
//     N2 had offset 5000, N3 900, and N1 is killed; nobody is promoted    unknown
//     N1 is killed, and nothing is told of N2 and N3                      unknown
//
// Used: the notes on candidates (see promotion.h) before the first Node Killed of a server that was the primary then, and the first
// RoleChanged to primary after it. The rules themselves stand in promotion.cpp.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/serverroles.h"
#include "engine/run/promotion.h"

namespace interlock::checks {

namespace {

struct Succession
{
    std::optional<size_t> killed;
    std::optional<size_t> promoted;
};

Succession successionOf(const History &history)
{
    Succession found;
    ServerRoles roles(history.run());
    for (const size_t index : history.order()) {
        const Event &event = history.event(index);
        const auto what = static_cast<NodeChange>(event.what);
        if (event.kind == Event::Kind::Node && what == NodeChange::Killed && !found.killed) {
            const ServerState *server = roles.find(event.lane);
            if (server && server->isPrimary)
                found.killed = index;
        } else if (event.kind == Event::Kind::Node && what == NodeChange::RoleChanged && found.killed
            && history.run().names.bytes(event.text) == "primary") {
            found.promoted = index;
            return found;
        }
        roles.read(event);
    }
    return found;
}

Sentence reason(const Candidate &first, Precedence why)
{
    switch (why) {
    case Precedence::Priority:
        return say("rule.priority", first.name, first.priority);
    case Precedence::Offset:
        return say("rule.offset", first.name, first.offset);
    case Precedence::RunId:
        return say("rule.run-id", first.name, QString::fromLatin1(first.runId.first(std::min<qsizetype>(first.runId.size(), 8))));
    case Precedence::Alone:
        break;
    }
    return say("rule.alone", first.name);
}

}

CheckResult promotionRule(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use, Judgement::Unknown);
    const Succession found = successionOf(history);
    if (!found.killed) {
        result.sentences.push_back(say("primary.nobody-killed"));
        return result;
    }
    result.events = {*found.killed};
    const std::vector<Candidate> candidates = candidatesOf(history.run(), history.event(*found.killed).at);
    if (candidates.empty()) {
        result.sentences.push_back(say("rule.not-told"));
        return result;
    }
    const std::optional<Choice> choice = choosePromotion(candidates);
    if (found.promoted)
        result.events.insert(result.events.begin(), *found.promoted);
    const QString promoted = found.promoted ? history.name(history.event(*found.promoted).lane) : QString();
    const QString named = choice ? candidates[choice->candidate].name : QString();
    if (!found.promoted && choice) {
        result.sentences.push_back(say("rule.nobody", named));
        return result;
    }
    result.judgement = promoted == named ? Judgement::Held : Judgement::Broken;
    if (result.judgement == Judgement::Broken)
        result.sentences.push_back(named.isEmpty() ? say("rule.none-may.but", promoted) : say("rule.other", promoted, named));
    result.sentences.push_back(choice ? reason(candidates[choice->candidate], choice->why) : say("rule.none-may"));
    return concluded(history.run(), std::move(result));
}

}
