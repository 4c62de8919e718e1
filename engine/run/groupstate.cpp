// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/groupstate.h"

#include <algorithm>
#include <map>

namespace interlock {

namespace {

template<typename State>
const State *find(const std::vector<State> &all, int node)
{
    const auto found = std::find_if(all.begin(), all.end(), [node](const State &each) { return each.node == node; });
    return found == all.end() ? nullptr : &*found;
}

/// What strikes the way from @p from to @p to, strongest first.
void strikeLink(const Run &run, const GroupState &group, ReplicationLink &link)
{
    using State = ReplicationLink::State;
    struct Striking
    {
        const char *word;
        State state;
    };
    constexpr Striking striking[] = {{"isolate", State::Cut}, {"cut-replication", State::Cut}, {"hold-replication", State::Held}, {"lag-replication", State::Lagging}};
    for (const Striking &each : striking) {
        const FaultState *fault = group.fault(run, each.word, link.from, link.to);
        if (!fault && each.state == State::Cut)
            fault = group.fault(run, each.word, link.to, link.from);
        if (!fault)
            continue;
        link.state = each.state;
        link.since = fault->since;
        link.amount = fault->amount;
        return;
    }
}

ReplicationLink::State stateOf(ServerState::Link link)
{
    using State = ReplicationLink::State;
    switch (link) {
    case ServerState::Link::Up:
        return State::Up;
    case ServerState::Link::Down:
        return State::Down;
    case ServerState::Link::Connecting:
        return State::Connecting;
    case ServerState::Link::Syncing:
        return State::Syncing;
    case ServerState::Link::Unknown:
        break;
    }
    return State::Unknown;
}

}

const KeyState *ServerState::key(Name name) const
{
    const auto found = std::find_if(keys.begin(), keys.end(), [name](const KeyState &each) { return each.key == name; });
    return found == keys.end() ? nullptr : &*found;
}

bool SentinelState::holdsDown(int server) const
{
    return std::any_of(down.begin(), down.end(), [server](const Down &each) { return each.node == server; });
}

const ServerState *GroupState::server(int node) const
{
    return find(servers, node);
}

const SentinelState *GroupState::sentinel(int node) const
{
    return find(sentinels, node);
}

const NodeState *GroupState::node(int node) const
{
    if (const ServerState *found = server(node))
        return found;
    return sentinel(node);
}

const FaultState *GroupState::fault(const Run &run, const char *word, int node, int peer) const
{
    const auto found = std::find_if(faults.begin(), faults.end(), [&](const FaultState &each) {
        return each.node == node && (each.peer < 0 || peer < 0 || each.peer == peer) && run.names.bytes(each.name) == word;
    });
    return found == faults.end() ? nullptr : &*found;
}

std::vector<ReplicationLink> GroupState::links(const Run &run) const
{
    std::vector<ReplicationLink> all;
    for (const ServerState &replica : servers) {
        const ServerState *primary = server(replica.follows);
        if (replica.isPrimary || !primary)
            continue;
        ReplicationLink link {.from = replica.follows, .to = replica.node, .state = stateOf(replica.link), .since = replica.linkSince};
        const bool isEnded = primary->life == NodeState::Life::Dead || replica.life == NodeState::Life::Dead;
        if (isEnded) {
            link.state = ReplicationLink::State::Down;
            link.since = std::max(primary->life == NodeState::Life::Dead ? primary->lifeSince : NodeState::beforeRun,
                replica.life == NodeState::Life::Dead ? replica.lifeSince : NodeState::beforeRun);
        }
        strikeLink(run, *this, link);
        if (primary->offset != never && replica.offset != never)
            link.behind = std::max<qint64>(0, primary->offset - replica.offset);
        all.push_back(link);
    }
    return all;
}

int GroupState::agreedPrimary() const
{
    std::map<int, size_t> counts;
    for (const SentinelState &each : sentinels)
        ++counts[each.primary];
    for (const auto &[node, count] : counts) {
        if (node >= 0 && count * 2 > sentinels.size())
            return node;
    }
    return -1;
}

GroupState groupAtStart(const Header &header)
{
    GroupState group;
    int primary = -1;
    for (qsizetype i = 0; i < header.nodes.size(); ++i) {
        const QString &role = header.nodes[i].role;
        const auto node = static_cast<int>(i);
        if (role == QLatin1String("sentinel")) {
            SentinelState sentinel;
            sentinel.node = node;
            group.sentinels.push_back(sentinel);
        } else if (role == QLatin1String("primary") || role == QLatin1String("replica")) {
            ServerState server;
            server.node = node;
            server.isPrimary = role == QLatin1String("primary");
            if (server.isPrimary && primary < 0)
                primary = node;
            group.servers.push_back(server);
        }
    }
    for (ServerState &server : group.servers) {
        if (!server.isPrimary) {
            server.follows = primary;
            server.link = ServerState::Link::Up;
        }
    }
    for (SentinelState &sentinel : group.sentinels)
        sentinel.primary = primary;
    return group;
}

bool hasGroup(const Header &header)
{
    const auto count = [&](const char *role) {
        return std::count_if(header.nodes.begin(), header.nodes.end(), [role](const NodeInfo &node) { return node.role == QLatin1String(role); });
    };
    return count("primary") > 0 && count("replica") + count("sentinel") > 0;
}

}
