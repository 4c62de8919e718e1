// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/failoverladder.h"
#include "engine/run/groupstate.h"
#include "engine/run/sentinelevent.h"

#include <optional>

namespace interlock {

/// Puts the events of a group, given in order of time, into ladders.
class LadderBuilder
{
public:
    LadderBuilder(const Run &run, const GroupNodes &nodes);

    /// Whether such an event can be part of a ladder.
    static bool matters(const Event &event);
    void take(const Event &event, size_t index);
    std::vector<Ladder> finish() { return std::move(m_ladders); }

private:
    /// Something that goes on and may have led to what comes.
    struct Pending
    {
        Rung rung;
        qint64 until = never;
    };

    void takeNode(const Event &event, size_t index);
    void takeLife(NodeChange change, int node, const Rung &rung);
    void takeLink(const Event &event, int node, Rung rung);
    void takeFault(const Event &event, size_t index);
    void takeSentinel(const Event &event, size_t index);
    void takeStep(const Event &event, size_t index);

    Rung rungOf(const Event &event, size_t index, int who) const;
    void openFailover(int primary, Rung rung);
    void openCopy(int replica, Rung rung);
    void add(Ladder &ladder, Rung rung) const;
    void addToFailover(Rung rung);
    void addToCopies(const Rung &rung);
    std::vector<Rung> pendingAt(qint64 at, const std::vector<int> &nodes) const;
    void forgetPending(int node, bool ofProcess);

    Ladder *failover() { return m_failover ? &m_ladders[*m_failover] : nullptr; }
    Ladder *copyOf(int replica);
    Ladder *latestCopy(int replica);
    bool replaces(int primary) const;
    int primary() const;
    bool isSettled() const;

    const Run &m_run;
    const GroupNodes &m_nodes;
    GroupState m_group; // before the event that is taken
    std::vector<Ladder> m_ladders;
    std::optional<size_t> m_failover; // the latest
    std::vector<int> m_copying; // replicas whose copy goes on
    std::vector<Pending> m_pending;
};

}
