// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/event.h"
#include "engine/run/groupnodes.h"

#include <optional>
#include <vector>

namespace interlock {

/// What the record says of a server or a sentinel at some moment of the run. Times are ns; `beforeRun` where it was so from the start.
struct NodeState
{
    static constexpr qint64 beforeRun = -1;

    enum class Life : quint8 { Running, Starting, Paused, Dead };

    int node = -1; ///< its index in Header::nodes
    Life life = Life::Running;
    qint64 lifeSince = beforeRun;
    qint64 changed = beforeRun; ///< when anything but its offset changed last

    bool operator==(const NodeState &) const = default;
};

/// What a server says about a lock's key.
struct KeyState
{
    Name key = 0;
    Name token = 0; ///< 0: it has none
    qint64 until = never; ///< its expiry
    qint64 since = 0;
    bool isInferred = false;

    bool operator==(const KeyState &) const = default;
};

struct ServerState : NodeState
{
    enum class Link : quint8 { Unknown, Up, Down, Connecting, Syncing };

    bool isPrimary = false; ///< by its own word; otherwise a replica
    qint64 roleSince = beforeRun;
    int follows = -1; ///< replica: whom it replicates
    qint64 followsSince = beforeRun;
    Link link = Link::Unknown; ///< replica: to whom it follows, as it says itself
    qint64 linkSince = beforeRun;
    qint64 offset = never; ///< bytes of the replication stream sent (primary) or applied (replica); never: not told
    std::vector<KeyState> keys; ///< in order of their first mention; gone with the process

    const KeyState *key(Name name) const;
    bool isActing() const { return life == Life::Running; }
    bool operator==(const ServerState &) const = default;
};

struct SentinelState : NodeState
{
    struct Down
    {
        int node = -1;
        qint64 since = 0;
        bool isAgreed = false; ///< objectively down
        QByteArray quorum; ///< then "2/2"

        bool operator==(const Down &) const = default;
    };
    struct Vote
    {
        int candidate = -1; ///< -1: not known who that is
        QByteArray id; ///< then its run id
        qint64 epoch = 0;
        qint64 at = 0;

        bool operator==(const Vote &) const = default;
    };

    int primary = -1; ///< whom it takes for the primary
    qint64 primarySince = beforeRun;
    std::vector<Down> down; ///< whom it holds for dead
    std::optional<Vote> vote; ///< of the failover that goes on
    qint64 epoch = 0; ///< the latest that it told of
    bool isTrying = false; ///< stands for election, or leads
    bool isLeader = false;
    int selected = -1; ///< leader: the replica that it promotes

    bool holdsDown(int server) const;
    bool operator==(const SentinelState &) const = default;
};

/// A fault that lasts.
struct FaultState
{
    Name name = 0; ///< "cut-replication": see strikeWord()
    int node = -1;
    int peer = -1; ///< on a link: the other end, if it struck that one alone
    qint64 since = 0;
    qint64 until = never; ///< never: not told yet
    qint64 amount = 0; ///< ns, of a lag or a delay

    bool operator==(const FaultState &) const = default;
};

/// What a client thinks of the lock.
struct ClientState
{
    enum class Lock : quint8 { None, Waits, Holds };

    Name lane = 0;
    Lock lock = Lock::None;
    Name token = 0;
    qint64 since = 0;
    qint64 until = never; ///< of a hold: its expiry as the client computes it

    bool operator==(const ClientState &) const = default;
};

/// The way of the replication stream from one server to another, as it is seen from outside.
struct ReplicationLink
{
    enum class State : quint8 { Unknown, Up, Syncing, Connecting, Down, Cut, Held, Lagging };

    int from = -1; ///< whom the replica follows
    int to = -1;
    State state = State::Unknown;
    qint64 since = NodeState::beforeRun;
    qint64 amount = 0; ///< ns, of a lag
    qint64 behind = never; ///< bytes that the replica has not applied yet; never: not told

    bool operator==(const ReplicationLink &) const = default;
};

/// A primary, its replicas, their sentinels and their clients at one moment of a run.
struct GroupState
{
    qint64 at = 0;
    std::vector<ServerState> servers; ///< in the header's order, as the sentinels
    std::vector<SentinelState> sentinels;
    std::vector<ClientState> clients; ///< in order of first mention
    std::vector<FaultState> faults; ///< that are on

    const ServerState *server(int node) const;
    const SentinelState *sentinel(int node) const;
    const NodeState *node(int node) const;

    /// Is this fault on, by its word in the record? @p peer -1: for whatever peer.
    const FaultState *fault(const Run &run, const char *word, int node, int peer = -1) const;
    bool isIsolated(const Run &run, int node) const { return fault(run, "isolate", node) != nullptr; }

    /// One for each replica that follows somebody.
    std::vector<ReplicationLink> links(const Run &run) const;
    /// Whom more than half of the sentinels take for the primary; -1: nobody, or there are none.
    int agreedPrimary() const;

    bool operator==(const GroupState &) const = default;
};

/// A group as the header says that it begins: all replicas follow the one primary, and all sentinels know it.
GroupState groupAtStart(const Header &header);
/// Whether a run has a group: a primary with a replica or a sentinel.
bool hasGroup(const Header &header);

}
