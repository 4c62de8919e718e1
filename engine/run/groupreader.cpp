// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/groupreader.h"

#include "engine/run/sentinelevent.h"

#include <algorithm>

namespace interlock {

namespace {

using Life = NodeState::Life;

template<typename State>
State *find(std::vector<State> &all, int node)
{
    const auto found = std::find_if(all.begin(), all.end(), [node](const State &each) { return each.node == node; });
    return found == all.end() ? nullptr : &*found;
}

void live(NodeState &node, Life life, qint64 at)
{
    if (life == node.life)
        return; // a run begins with everybody's state
    node.life = life;
    node.lifeSince = at;
    node.changed = at;
}

/// What a process knew is gone with it. A sentinel finds its file again, so it still knows the primary.
void forget(ServerState &server)
{
    server.keys.clear();
}

void forget(SentinelState &sentinel)
{
    sentinel.down.clear();
    sentinel.vote.reset();
    sentinel.isTrying = sentinel.isLeader = false;
    sentinel.selected = -1;
}

/// @return whether the change is one of the process itself.
template<typename State>
bool readLife(State &node, const Event &event)
{
    switch (static_cast<NodeChange>(event.what)) {
    case NodeChange::Started:
        live(node, Life::Starting, event.at);
        return true;
    case NodeChange::Ready:
    case NodeChange::Resumed:
        live(node, Life::Running, event.at);
        return true;
    case NodeChange::Paused:
        live(node, Life::Paused, event.at);
        return true;
    case NodeChange::Killed:
    case NodeChange::Ended:
        live(node, Life::Dead, event.at);
        forget(node);
        return true;
    default:
        return false;
    }
}

ServerState::Link linkOf(const QByteArray &word)
{
    if (word == "up")
        return ServerState::Link::Up;
    if (word == "connecting")
        return ServerState::Link::Connecting;
    return word == "syncing" ? ServerState::Link::Syncing : ServerState::Link::Down;
}

void changeRole(const QByteArray &role, int follows, qint64 at, ServerState &server)
{
    const bool isPrimary = role == "primary";
    if (!isPrimary && role != "replica")
        return;
    const int next = isPrimary ? -1 : follows >= 0 ? follows : server.follows;
    if (isPrimary == server.isPrimary && next == server.follows)
        return;
    if (isPrimary != server.isPrimary)
        server.roleSince = at;
    if (next != server.follows)
        server.followsSince = at;
    server.isPrimary = isPrimary;
    server.follows = next;
    server.link = ServerState::Link::Unknown;
    server.changed = at;
}

/// A replica tells whom it replicates with its link, too.
void follow(ServerState &replica, int primary, qint64 at)
{
    if (primary < 0 || replica.isPrimary || primary == replica.follows)
        return;
    replica.follows = primary;
    replica.followsSince = at;
}

void readServer(const Run &run, const GroupNodes &nodes, const Event &event, ServerState &server)
{
    if (readLife(server, event))
        return;
    const int other = nodes.find(run, event.node);
    switch (static_cast<NodeChange>(event.what)) {
    case NodeChange::RoleChanged:
        changeRole(run.names.bytes(event.text), other, event.at, server);
        break;
    case NodeChange::Linked:
        if (const ServerState::Link link = linkOf(run.names.bytes(event.text)); link != server.link) {
            server.link = link;
            server.linkSince = event.at;
            server.changed = event.at;
        }
        follow(server, other, event.at);
        break;
    case NodeChange::Synced:
        follow(server, other, event.at);
        server.changed = event.at;
        break;
    case NodeChange::Offset:
        server.offset = event.number;
        break;
    default:
        break;
    }
}

/// A fault that lasts is told twice, its whole with the same beginning.
void readFault(const Run &run, const GroupNodes &nodes, const Event &event, GroupState &group)
{
    FaultState fault {.name = event.text, .node = nodes.find(run, event.lane), .peer = nodes.find(run, event.node),
        .since = event.at, .until = event.until, .amount = event.number};
    if (fault.node < 0)
        return;
    const auto begun = std::find_if(group.faults.begin(), group.faults.end(), [&](const FaultState &each) {
        return each.name == fault.name && each.node == fault.node && each.peer == fault.peer && each.since == fault.since;
    });
    const bool lasts = event.has(Event::Begins) || (fault.until != never && fault.until > fault.since);
    if (begun != group.faults.end())
        begun->until = event.has(Event::Begins) ? begun->until : event.until;
    else if (lasts)
        group.faults.push_back(fault);
    if (NodeState *server = find(group.servers, fault.node))
        server->changed = event.at;
}

void readOwner(const Run &run, const GroupNodes &nodes, const Event &event, GroupState &group)
{
    ServerState *server = find(group.servers, nodes.find(run, event.lane));
    const bool isLock = static_cast<OwnerChange>(event.what) != OwnerChange::Read; // of a resource each entry is told, one after the other
    if (!server || !isLock)
        return;
    auto key = std::find_if(server->keys.begin(), server->keys.end(), [&](const KeyState &each) { return each.key == event.key; });
    if (key == server->keys.end())
        key = server->keys.insert(key, KeyState {.key = event.key, .since = event.at});
    if (key->token != event.text) {
        key->token = event.text;
        key->since = event.at;
        server->changed = event.at;
    }
    key->until = event.until;
    key->isInferred = event.has(Event::Inferred);
}

void readBelief(const Event &event, GroupState &group)
{
    auto client = std::find_if(group.clients.begin(), group.clients.end(), [&](const ClientState &each) { return each.lane == event.lane; });
    if (client == group.clients.end())
        client = group.clients.insert(client, ClientState {.lane = event.lane});
    const auto become = [&](ClientState::Lock lock, qint64 until) {
        client->lock = lock;
        client->token = lock == ClientState::Lock::None ? 0 : event.text;
        client->since = event.at;
        client->until = until;
    };
    switch (static_cast<Belief>(event.what)) {
    case Belief::Wants:
        become(ClientState::Lock::Waits, never);
        break;
    case Belief::Granted:
        become(ClientState::Lock::Holds, event.until);
        break;
    case Belief::Renewed:
        client->until = event.until;
        break;
    case Belief::Ended:
    case Belief::GaveUp:
        become(ClientState::Lock::None, never);
        break;
    default:
        break;
    }
}

/// A sentinel that stands for election votes for itself first: so it is known whose run id that is.
void readVote(const SentinelEvent &read, qint64 at, GroupState &group, SentinelState &sentinel)
{
    sentinel.vote = SentinelState::Vote {read.about, read.candidate, read.epoch, at};
    if (read.about < 0 && sentinel.isTrying)
        sentinel.vote->candidate = sentinel.node;
    for (SentinelState &each : group.sentinels) {
        if (!each.vote || each.vote->candidate >= 0)
            continue;
        for (const SentinelState &other : group.sentinels) {
            if (other.vote && other.vote->candidate == other.node && !other.vote->id.isEmpty() && other.vote->id == each.vote->id)
                each.vote->candidate = other.node;
        }
    }
}

void endFailover(SentinelState &sentinel)
{
    sentinel.vote.reset();
    sentinel.isTrying = sentinel.isLeader = false;
    sentinel.selected = -1;
}

/// With another primary a sentinel makes its notes on all servers anew.
void switchPrimary(const GroupState &group, int primary, qint64 at, SentinelState &sentinel)
{
    if (primary >= 0) {
        sentinel.primary = primary;
        sentinel.primarySince = at;
    }
    std::erase_if(sentinel.down, [&](const SentinelState::Down &each) { return group.server(each.node) != nullptr; });
    endFailover(sentinel);
}

void readSentinel(const Run &run, const GroupNodes &nodes, const Event &event, GroupState &group)
{
    const SentinelEvent read = sentinelEvent(run, nodes, event);
    SentinelState *sentinel = find(group.sentinels, read.sentinel);
    if (!sentinel || read.word == SentinelWord::Other)
        return;
    const auto down = std::find_if(sentinel->down.begin(), sentinel->down.end(), [&](const SentinelState::Down &each) { return each.node == read.about; });
    const bool isKnownDown = down != sentinel->down.end();
    sentinel->changed = event.at;
    switch (read.word) {
    case SentinelWord::CallsDown:
        if (!isKnownDown && read.about >= 0)
            sentinel->down.push_back({read.about, event.at, false, {}});
        break;
    case SentinelWord::CallsUp:
        if (isKnownDown)
            sentinel->down.erase(down);
        break;
    case SentinelWord::AgreedDown:
    case SentinelWord::AgreedUp:
        if (isKnownDown) {
            down->isAgreed = read.word == SentinelWord::AgreedDown;
            down->quorum = read.quorum;
        }
        break;
    case SentinelWord::NewEpoch:
        sentinel->epoch = std::max(sentinel->epoch, read.epoch);
        break;
    case SentinelWord::Tries:
        sentinel->isTrying = true;
        break;
    case SentinelWord::Votes:
        readVote(read, event.at, group, *sentinel);
        break;
    case SentinelWord::Elected:
        sentinel->isLeader = true;
        break;
    case SentinelWord::Selected:
        sentinel->selected = read.about;
        break;
    case SentinelWord::Switched:
        switchPrimary(group, read.about, event.at, *sentinel);
        break;
    case SentinelWord::Ended:
    case SentinelWord::Aborted:
        endFailover(*sentinel);
        break;
    default:
        break;
    }
}

}

bool tellsOfGroup(const Event &event)
{
    switch (event.kind) {
    case Event::Kind::Node:
    case Event::Kind::Fault:
    case Event::Kind::Sentinel:
    case Event::Kind::Owner:
    case Event::Kind::Belief:
        return true;
    default:
        return false;
    }
}

void readGroupEvent(const Run &run, const GroupNodes &nodes, const Event &event, GroupState &group)
{
    group.at = event.at;
    switch (event.kind) {
    case Event::Kind::Node:
        if (ServerState *server = find(group.servers, nodes.find(run, event.lane)))
            readServer(run, nodes, event, *server);
        else if (SentinelState *sentinel = find(group.sentinels, nodes.find(run, event.lane)); sentinel)
            readLife(*sentinel, event);
        break;
    case Event::Kind::Fault:
        readFault(run, nodes, event, group);
        break;
    case Event::Kind::Sentinel:
        readSentinel(run, nodes, event, group);
        break;
    case Event::Kind::Owner:
        readOwner(run, nodes, event, group);
        break;
    case Event::Kind::Belief:
        readBelief(event, group);
        break;
    default:
        break;
    }
}

}
