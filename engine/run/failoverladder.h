// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/groupnodes.h"

#include <QByteArray>

#include <vector>

namespace interlock {

/// A step of a failover, or of a replica's copy, as somebody told of it. What several told of the same thing within a moment is one rung.
struct Rung
{
    enum class Kind : quint8 {
        Fault, ///< word = "cut-replication", …: what was done on purpose
        Killed, ///< and so on: what became of a node
        Ended,
        Paused,
        Resumed,
        Started,
        Ready,
        CallsDown, ///< see SentinelWord for these
        CallsUp,
        AgreedDown,
        AgreedUp,
        NewEpoch,
        Tries,
        Votes,
        Elected,
        Selected,
        PromotionSent,
        Promoted, ///< a server says itself that it is the primary now
        PromotionSeen,
        OrdersSent,
        OrdersFollowed,
        Switched,
        Converted,
        FailoverEnded,
        Aborted,
        Tilted,
        TiltEnded,
        Demoted, ///< a server says itself that it is a replica now
        LinkDown, ///< a replica's link to its primary, as it says itself
        Connecting,
        Syncing,
        LinkUp,
        Partial, ///< it was brought up to its primary by the increment alone
        Full, ///< by a copy of everything
        Step, ///< a part of a copy, as a note names it: word = "snapshot", …
    };

    /// One who told of it.
    struct Telling
    {
        int who = -1; ///< a node, as GroupNodes counts; -1: nobody in particular
        qint64 at = 0; ///< ns
        size_t event = 0;

        bool operator==(const Telling &) const = default;
    };

    Kind kind = Kind::Fault;
    std::vector<Telling> told; ///< in order; at least one
    int about = -1; ///< the node that it is about: who gets the votes, who was selected, whom a replica follows
    QByteArray word; ///< as it was published: "+sdown", "-failover-abort-no-good-slave"; a fault's word; a step's
    QByteArray quorum; ///< of AgreedDown: "2/2"
    qint64 number = 0; ///< NewEpoch: the epoch; Partial, Full, Step: bytes, 0 if not told; Fault: its amount, ns
    qint64 until = never; ///< Step: its end, if it was told

    qint64 at() const { return told.front().at; }
    bool operator==(const Rung &) const = default;
};

/// The steps of one failover, or of one copy to a replica, in order of time.
struct Ladder
{
    enum class Kind : quint8 { Failover, Copy };

    Kind kind = Kind::Failover;
    int about = -1; ///< the primary that is replaced; the replica that is brought up
    size_t first = 0; ///< the rung that the clock starts with: before it stand faults that were on already
    std::vector<Rung> rungs;

    qint64 begin() const { return rungs[first].at(); }
    /// The rung that had been reached by @p time (ns); -1: none.
    int rungAt(qint64 time) const;
    bool operator==(const Ladder &) const = default;
};

/// All failovers and copies of a run. Can be extended while it grows.
///
/// A failover begins when the server that is the primary is killed, stops, or is paused or isolated, or when a sentinel first calls it down, and
/// takes in all that follows, until the next one. A copy begins when a replica's link is lost outside of a failover, or after it.
class FailoverLadders
{
public:
    void clear() { *this = {}; }
    /// Takes events that it has not yet taken; they may come out of order. Precondition: the same run as before, grown.
    /// @return whether there is anything new.
    bool extend(const Run &run);

    const std::vector<Ladder> &ladders() const { return m_ladders; }
    const GroupNodes &nodes() const { return m_nodes; }

private:
    GroupNodes m_nodes;
    size_t m_taken = 0;
    std::vector<size_t> m_events; // that can be part of a ladder, in order of time
    std::vector<Ladder> m_ladders;
};

}
