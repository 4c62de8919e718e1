// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/lab/link.h"
#include "engine/redis/endpoint.h"

#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace interlock {

class Clock;
class Keeper;

/// What a node was started as.
enum class NodeRole : quint8 { Primary, Replica, Sentinel };

/// A node of a group. Its name is that of the process: N1 stays N1, whoever is the primary.
struct GroupNode
{
    QString name; ///< N1 is the first primary, N2… its replicas, S1… the sentinels
    NodeRole role = NodeRole::Primary; ///< at the start
    Endpoint announced; ///< through its relay: for clients, replicas and sentinels
    Endpoint direct; ///< past its relay: for those who only watch
    QString version;
    Milliseconds downAfter {0}; ///< of a sentinel: silence after which it calls a node dead
};

/// A primary, its replicas and the sentinels that watch them, each behind a relay whose address is the one that all others know it by.
class NodeGroup
{
public:
    /// The name by which sentinels know the primary.
    static constexpr const char *masterName = "lab";

    enum class Addresses : quint8 {
        Automatic, ///< Own where the system can, which is tried once per process
        Own, ///< each server and each relay has an address of its own in a random 127.a.b.0/24
        Shared, ///< all on 127.0.0.1, each on a port of its own
    };

    struct Options
    {
        int replicas = 2; ///< 0 to 8
        int sentinels = 3; ///< 0 to 9
        int quorum = 0; ///< of sentinels, to call the primary dead; 0: a majority
        QStringList settings; ///< further lines of configuration for the primary and the replicas
        std::map<QString, QStringList> nodeSettings; ///< the same, for one node, by its name; they come last
        /// Silence after which a sentinel calls a node dead; from 600 ms. The last (of more than three: the second half) wait 300 ms longer,
        /// so that not all stand for election at the same time and vote for themselves: they would try again 8 s later.
        Milliseconds downAfter = 700ms;
        Milliseconds failoverTimeout = 4s;
        Addresses addresses = Addresses::Automatic;
        quint16 firstPort = 0; ///< where the ports begin at the first attempt, then elsewhere; 0: somewhere
        Nanoseconds limit = 10s; ///< for getting ready
    };

    /// Starts all of them. @p ready is called once, never from inside the constructor, and may destroy the group: when the replicas are
    /// online and have caught up, all sentinels know them and each other, and their links are up and pinged as they should. Failed: a
    /// server did not start, or died. TimedOut: the sentence says what was missing. A group that failed has no nodes.
    /// @param clock of the thread; must outlive the group.
    NodeGroup(Keeper &keeper, Options options, Clock &clock, std::function<void(Result<void>)> ready);
    ~NodeGroup(); ///< ends all of them, without waiting
    NodeGroup(const NodeGroup &) = delete;
    NodeGroup &operator=(const NodeGroup &) = delete;

    /// In the order N1, N2…, S1…; complete once ready.
    const std::vector<GroupNode> &nodes() const;
    /// Precondition: there is one of that name, here and below.
    const GroupNode &node(const QString &name) const;
    /// For a client that asks them for the primary; through their relays.
    std::vector<Endpoint> sentinels() const;
    qint64 processId(const QString &name) const; ///< 0 before it runs
    bool isRunning(const QString &name) const; ///< a paused one runs

    /// SIGKILL, SIGSTOP, SIGCONT; the relay of a killed one stops to listen, and what it held or delayed is lost. False: it was not running.
    bool kill(const QString &name);
    bool pause(const QString &name);
    bool resume(const QString &name);
    /// Starts a dead one again: the same addresses and port, nothing in memory, the role of its configuration, so an old primary comes back as one
    /// and has to be told by a sentinel. A sentinel finds the file that it wrote. @p ready is called once, later; its relay listens again then.
    /// Precondition: it does not run.
    void restart(const QString &name, std::function<void(Result<void>)> ready);

    /// On the relay of @p node, for connections of @p peer, or (nullopt) of all that have no policy of their own. nullopt as policy: back
    /// to that of the class.
    void setPolicy(const QString &node, LinkClass linkClass, std::optional<QString> peer, LinkDirection direction, std::optional<LinkPolicy> policy);
    /// Cuts all that others open to @p name and all that it opens to others, on top of other policies, until heal().
    void isolate(const QString &name);
    /// Failed: its relay cannot listen again.
    Result<void> heal(const QString &name);
    /// On the relay of @p node, since the start; nullopt: all peers of the class.
    LinkTouch touched(const QString &node, LinkClass linkClass, std::optional<QString> peer = {}, LinkDirection direction = LinkDirection::Both) const;
    /// Everything that policies, isolate() and heal() did to what others opened to @p name and to what it opened to them.
    LinkTouch touched(const QString &name) const;
    /// What went through the relay of @p node.
    std::vector<LinkTraffic> traffic(const QString &node) const;

    /// All servers and sentinels answer; from now on they have to find each other. Must not destroy the group.
    std::function<void()> onStarted;
    /// A server ended without our kill(), after the group was ready. May destroy the group.
    std::function<void(const QString &name, const QString &how)> onEnded;
    /// Connections through the relay of @p node were opened or closed. Must not destroy the group.
    std::function<void(const QString &node, const LinkTraffic &)> onOpenChanged;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
