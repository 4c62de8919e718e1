// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/ladderbuilder.h"

#include "engine/run/groupreader.h"
#include "engine/run/rungkinds.h"

#include <algorithm>

namespace interlock {

namespace {

using Kind = Rung::Kind;

constexpr qint64 moment = 100'000'000; ///< ns: what several tell of one thing within this time is one rung

}

LadderBuilder::LadderBuilder(const Run &run, const GroupNodes &nodes)
    : m_run(run)
    , m_nodes(nodes)
    , m_group(groupAtStart(run.header))
{
}

bool LadderBuilder::matters(const Event &event)
{
    switch (event.kind) {
    case Event::Kind::Node:
        return static_cast<NodeChange>(event.what) != NodeChange::Offset;
    case Event::Kind::Fault:
    case Event::Kind::Sentinel:
    case Event::Kind::Note:
        return true;
    default:
        return false;
    }
}

void LadderBuilder::take(const Event &event, size_t index)
{
    switch (event.kind) {
    case Event::Kind::Node:
        takeNode(event, index);
        break;
    case Event::Kind::Fault:
        takeFault(event, index);
        break;
    case Event::Kind::Sentinel:
        takeSentinel(event, index);
        break;
    case Event::Kind::Note:
        takeStep(event, index);
        break;
    default:
        break;
    }
    readGroupEvent(m_run, m_nodes, event, m_group);
}

void LadderBuilder::takeNode(const Event &event, size_t index)
{
    const int node = m_nodes.find(m_run, event.lane);
    if (!m_group.node(node))
        return;
    const auto change = static_cast<NodeChange>(event.what);
    Rung rung = rungOf(event, index, node);
    if (isLife(change)) {
        rung.kind = rungKind(change);
        rung.about = -1;
        return takeLife(change, node, rung);
    }
    const ServerState *server = m_group.server(node);
    if (!server)
        return;
    if (change == NodeChange::RoleChanged) {
        const bool isPrimary = m_run.names.bytes(event.text) == "primary";
        if (isPrimary == server->isPrimary)
            return;
        rung.kind = isPrimary ? Kind::Promoted : Kind::Demoted;
        addToFailover(std::move(rung));
    } else if (change == NodeChange::Linked || change == NodeChange::Synced) {
        takeLink(event, node, std::move(rung));
    }
}

void LadderBuilder::takeLife(NodeChange change, int node, const Rung &rung)
{
    const bool isLoss = change == NodeChange::Killed || change == NodeChange::Ended || change == NodeChange::Paused;
    const Ladder *open = failover();
    if (isLoss && node == primary() && replaces(node))
        openFailover(node, rung);
    else if (open && (!isSettled() || node == open->about))
        addToFailover(rung);
    else if (Ladder *copy = copyOf(node))
        add(*copy, rung);
    else if (isLoss && change != NodeChange::Paused && m_group.server(node))
        openCopy(node, rung);
    if (isLoss)
        m_pending.push_back({rung, never});
    else
        forgetPending(node, true);
}

void LadderBuilder::takeLink(const Event &event, int node, Rung rung)
{
    const QByteArray &word = m_run.names.bytes(event.text);
    const ServerState &server = *m_group.server(node);
    if (static_cast<NodeChange>(event.what) == NodeChange::Synced) {
        rung.kind = word == "partial" ? Kind::Partial : Kind::Full;
        rung.number = event.number;
    } else {
        rung.kind = word == "up" ? Kind::LinkUp : word == "connecting" ? Kind::Connecting : word == "syncing" ? Kind::Syncing : Kind::LinkDown;
    }
    rung.word = {};
    const Ladder *open = failover();
    const bool isPartOfFailover = open && (!isSettled() || node == open->about);
    if (isPartOfFailover) {
        const bool tells = rung.kind == Kind::Partial || rung.kind == Kind::Full || (rung.kind == Kind::LinkUp && server.link != ServerState::Link::Up);
        if (tells && rung.about != open->about)
            addToFailover(std::move(rung));
        return;
    }
    if (rung.kind == Kind::Partial || rung.kind == Kind::Full) { // told when its primary has been asked: after the link
        if (Ladder *copy = latestCopy(node))
            add(*copy, std::move(rung));
    } else if (Ladder *copy = copyOf(node)) {
        const bool isOver = rung.kind == Kind::LinkUp;
        add(*copy, std::move(rung));
        if (isOver)
            std::erase(m_copying, node);
    } else if (rung.kind != Kind::LinkUp && server.link == ServerState::Link::Up) {
        openCopy(node, std::move(rung));
    }
}

void LadderBuilder::takeFault(const Event &event, size_t index)
{
    const QByteArray &word = m_run.names.bytes(event.text);
    const int node = m_nodes.find(m_run, event.lane);
    if (!m_group.node(node) || isFaultOfProcess(word))
        return;
    const bool begins = event.has(Event::Begins);
    const bool isWhole = !begins && event.until != never && event.until > event.at;
    if (isWhole) {
        const auto begun = std::find_if(m_pending.begin(), m_pending.end(),
            [&](const Pending &each) { return each.rung.word == word && each.rung.told.front().who == node && each.rung.at() == event.at; });
        if (begun != m_pending.end())
            begun->until = event.until;
        const bool isKnown = std::any_of(m_group.faults.begin(), m_group.faults.end(),
            [&](const FaultState &each) { return each.name == event.text && each.node == node && each.since == event.at; });
        if (isKnown)
            return;
    } else if (!begins && !event.has(Event::Touched)) {
        return; // it found nothing to do
    }
    Rung rung = rungOf(event, index, node);
    rung.number = event.number;
    if (word == "isolate" && node == primary() && replaces(node)) {
        openFailover(node, rung);
    } else {
        if (!isSettled())
            addToFailover(rung);
        addToCopies(rung);
    }
    if (begins || isWhole)
        m_pending.push_back({rung, isWhole ? event.until : never});
    if (word == "heal")
        forgetPending(node, false);
}

void LadderBuilder::takeSentinel(const Event &event, size_t index)
{
    const SentinelEvent read = sentinelEvent(m_run, m_nodes, event);
    if (read.sentinel < 0 || read.word == SentinelWord::Other)
        return;
    Rung rung = rungOf(event, index, read.sentinel);
    rung.kind = rungKind(read.word);
    rung.about = read.about;
    rung.quorum = read.quorum;
    if (read.word == SentinelWord::NewEpoch)
        rung.number = read.epoch;
    if (read.word == SentinelWord::Votes && rung.about < 0) {
        if (const SentinelState *voter = m_group.sentinel(read.sentinel); voter && voter->isTrying)
            rung.about = read.sentinel;
        for (const SentinelState &each : m_group.sentinels) {
            if (each.vote && !read.candidate.isEmpty() && each.vote->id == read.candidate && each.vote->candidate >= 0)
                rung.about = each.vote->candidate;
        }
    }

    const bool isOfPrimary = read.word == SentinelWord::CallsDown || read.word == SentinelWord::CallsUp || read.word == SentinelWord::AgreedDown
        || read.word == SentinelWord::AgreedUp;
    const Ladder *open = failover();
    const SentinelState *sentinel = m_group.sentinel(read.sentinel);
    const bool isOver = open && sentinel && sentinel->primary != open->about; // it has switched: to it, this is a replica
    const bool isNext = read.word == SentinelWord::CallsDown && read.about == primary() && replaces(read.about);
    if (isNext || (!open && isElection(read.word)))
        return openFailover(primary(), std::move(rung));
    const bool fits = open && (!isOfPrimary || (read.about == open->about && (!isOver || read.word == SentinelWord::CallsUp)));
    if (fits)
        addToFailover(std::move(rung));
}

/// A note on a part of a copy, which can come after it.
void LadderBuilder::takeStep(const Event &event, size_t index)
{
    Rung rung = rungOf(event, index, -1);
    rung.kind = Kind::Step;
    rung.number = event.number;
    rung.until = event.until;
    const int replica = std::max(m_nodes.find(m_run, event.lane), m_nodes.find(m_run, event.key));
    if (Ladder *copy = latestCopy(replica); copy && isCopyStep(rung.word))
        copy->rungs.push_back(std::move(rung));
}

Rung LadderBuilder::rungOf(const Event &event, size_t index, int who) const
{
    Rung rung;
    rung.told.push_back({who, event.at, index});
    rung.about = m_nodes.find(m_run, event.node);
    rung.word = m_run.names.bytes(event.text);
    return rung;
}

void LadderBuilder::openFailover(int primary, Rung rung)
{
    // Copies that a cut has only begun are part of what led to this.
    std::erase_if(m_ladders, [&](const Ladder &each) {
        const bool goesOn = std::find(m_copying.begin(), m_copying.end(), each.about) != m_copying.end();
        const bool isUnfinished = std::none_of(each.rungs.begin(), each.rungs.end(), [](const Rung &one) { return one.kind == Kind::LinkUp; });
        return each.kind == Ladder::Kind::Copy && goesOn && isUnfinished;
    });
    m_copying.clear();
    Ladder ladder {.kind = Ladder::Kind::Failover, .about = primary, .first = 0, .rungs = pendingAt(rung.at(), {})};
    ladder.first = ladder.rungs.size();
    ladder.rungs.push_back(std::move(rung));
    m_failover = m_ladders.size();
    m_ladders.push_back(std::move(ladder));
}

void LadderBuilder::openCopy(int replica, Rung rung)
{
    const ServerState *server = m_group.server(replica);
    std::vector<Rung> rungs = pendingAt(rung.at(), {replica, server ? server->follows : -1});
    const size_t first = rungs.size();
    rungs.push_back(std::move(rung));
    m_ladders.push_back({.kind = Ladder::Kind::Copy, .about = replica, .first = first, .rungs = std::move(rungs)});
    m_copying.push_back(replica);
}

/// Into the rung of the same thing, if that is not long ago.
void LadderBuilder::add(Ladder &ladder, Rung rung) const
{
    for (auto each = ladder.rungs.rbegin(); each != ladder.rungs.rend() && rung.at() - each->at() <= moment; ++each) {
        const bool isSame = each->kind == rung.kind && each->about == rung.about && each->word == rung.word && each->number == rung.number;
        const size_t place = static_cast<size_t>(ladder.rungs.rend() - each) - 1;
        if (!isSame || place < ladder.first)
            continue;
        each->told.push_back(rung.told.front());
        if (each->quorum.isEmpty())
            each->quorum = rung.quorum;
        return;
    }
    ladder.rungs.push_back(std::move(rung));
}

void LadderBuilder::addToFailover(Rung rung)
{
    if (Ladder *open = failover())
        add(*open, std::move(rung));
}

/// All copies that go on.
void LadderBuilder::addToCopies(const Rung &rung)
{
    for (const int replica : m_copying) {
        if (Ladder *copy = copyOf(replica))
            add(*copy, rung);
    }
}

/// Of these nodes; empty: of all. What ended just then, as cuts do a moment before their node, still counts.
std::vector<Rung> LadderBuilder::pendingAt(qint64 at, const std::vector<int> &nodes) const
{
    std::vector<Rung> rungs;
    for (const Pending &each : m_pending) {
        const bool isMeant = nodes.empty() || std::find(nodes.begin(), nodes.end(), each.rung.told.front().who) != nodes.end();
        if (each.until >= at - moment && isMeant)
            rungs.push_back(each.rung);
    }
    return rungs;
}

/// What was done to the process, or else to its links, is over.
void LadderBuilder::forgetPending(int node, bool ofProcess)
{
    std::erase_if(m_pending, [&](const Pending &each) {
        return each.rung.told.front().who == node && (each.rung.kind == Kind::Fault) != ofProcess;
    });
}

Ladder *LadderBuilder::copyOf(int replica)
{
    if (std::find(m_copying.begin(), m_copying.end(), replica) == m_copying.end())
        return nullptr;
    return latestCopy(replica);
}

/// @p replica -1: whoever's.
Ladder *LadderBuilder::latestCopy(int replica)
{
    const auto found = std::find_if(m_ladders.rbegin(), m_ladders.rend(),
        [replica](const Ladder &each) { return each.kind == Ladder::Kind::Copy && (replica < 0 || each.about == replica); });
    return found == m_ladders.rend() ? nullptr : &*found;
}

/// Whether the loss of this primary begins another failover than the one that goes on.
bool LadderBuilder::replaces(int primary) const
{
    if (!m_failover)
        return true;
    const Ladder &open = m_ladders[*m_failover];
    const ServerState *server = m_group.server(primary);
    return open.about != primary || (server && server->roleSince > open.begin());
}

/// The server that took the role last, of those that say that they have it.
int LadderBuilder::primary() const
{
    const ServerState *latest = nullptr;
    for (const ServerState &each : m_group.servers) {
        if (each.isPrimary && (!latest || each.roleSince > latest->roleSince))
            latest = &each;
    }
    return latest ? latest->node : -1;
}

/// All who act agree on the primary: sentinels name it, servers replicate it.
bool LadderBuilder::isSettled() const
{
    const int agreed = primary();
    const ServerState *server = m_group.server(agreed);
    if (!server || !server->isActing())
        return false;
    const bool areServersSettled = std::all_of(m_group.servers.begin(), m_group.servers.end(), [agreed](const ServerState &each) {
        return !each.isActing() || each.node == agreed || (!each.isPrimary && each.follows == agreed && each.link == ServerState::Link::Up);
    });
    return areServersSettled && std::all_of(m_group.sentinels.begin(), m_group.sentinels.end(), [agreed](const SentinelState &each) {
        return each.life != NodeState::Life::Running || each.primary == agreed;
    });
}

}
