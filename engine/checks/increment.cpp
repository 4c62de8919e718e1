// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Increment: a replica that reconnects is sent what it missed, and no full copy.
//
//     N2's link is down at 1.0 and up at 2.0, N2 is synced: partial, 41 bytes    held
//     the same, synced: full                                                     broken
//     N2's link is down at 1.0 and the run ends                                  unknown: it did not reconnect
//     N2 is synced: full, and its link was never down                            unknown: a first copy is always full
//
// Used: Node Linked and Node Synced events, which follow the servers' own counters. A replica's link is up when the record begins; the
// link of a server that became a replica in the run, a former primary above all, is none before it is first up. Nor has one that was killed.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/run/groupstate.h"

#include <algorithm>

namespace interlock::checks {

namespace {

struct Reconnection
{
    size_t down = 0;
    size_t synced = 0;
    bool isFull = false;
};

struct Reconnections
{
    std::vector<Reconnection> all; ///< by the time at which they were brought up to date
    std::map<Name, size_t> lost; ///< by replica: its link went down and it did not come back
};

Reconnections reconnectionsOf(const History &history)
{
    Reconnections found;
    std::map<Name, bool> isUp; // links that are or were up
    const Run &run = history.run();
    for (const ServerState &server : groupAtStart(run.header).servers) {
        if (const Name name = run.names.find(run.header.nodes[server.node].name.toUtf8()); name && !server.isPrimary)
            isUp[name] = true;
    }
    for (const size_t index : history.order()) {
        const Event &event = history.event(index);
        if (event.kind != Event::Kind::Node)
            continue;
        const QByteArray &said = run.names.bytes(event.text);
        const auto what = static_cast<NodeChange>(event.what);
        const auto link = isUp.find(event.lane);
        if (what == NodeChange::Killed || (what == NodeChange::RoleChanged && said == "primary")) {
            isUp.erase(event.lane);
            found.lost.erase(event.lane);
        } else if (what == NodeChange::Linked && said == "up") {
            isUp[event.lane] = true;
        } else if (what == NodeChange::Linked && link != isUp.end() && link->second) {
            link->second = false;
            found.lost.try_emplace(event.lane, index);
        } else if (what == NodeChange::Synced) {
            if (const auto lost = found.lost.extract(event.lane))
                found.all.push_back({lost.mapped(), index, said == "full"});
        }
    }
    return found;
}

/// "N2 lost its link to N1 at 1.000 s and …, 41 bytes, at 2.040 s."
Sentence tell(const History &history, const Reconnection &each, const char *id)
{
    const Event &down = history.event(each.down);
    const Event &synced = history.event(each.synced);
    return say(id, history.name(synced.lane), At {down.at}, history.name(synced.node), synced.number, At {synced.at});
}

}

CheckResult increment(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const Reconnections found = reconnectionsOf(history);
    const auto full = std::find_if(found.all.begin(), found.all.end(), [](const Reconnection &each) { return each.isFull; });
    if (full != found.all.end()) {
        result.judgement = Judgement::Broken;
        result.sentences.push_back(tell(history, *full, "increment.full"));
        result.events = {full->synced, full->down};
        result.facts = {{QStringLiteral("bytes"), history.event(full->synced).number}};
        return result;
    }
    if (!found.lost.empty() || found.all.empty()) {
        result.judgement = Judgement::Unknown;
        if (found.lost.empty()) {
            result.sentences.push_back(say("increment.none"));
        } else {
            const auto first = std::min_element(found.lost.begin(), found.lost.end(),
                [](const auto &left, const auto &right) { return left.second < right.second; });
            result.sentences.push_back(say("increment.lost", history.name(first->first), At {history.event(first->second).at}));
            result.events = {first->second};
        }
        return concluded(history.run(), std::move(result));
    }
    const Reconnection &first = found.all.front();
    result.sentences.push_back(tell(history, first, "increment.partial"));
    result.events = {first.synced, first.down};
    result.facts = {{QStringLiteral("bytes"), history.event(first.synced).number}};
    if (found.all.size() > 1)
        result.sentences.push_back(say("increment.more", qint64(found.all.size() - 1)));
    return concluded(history.run(), std::move(result));
}

}
