// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/lab/nodegroup.h"
#include "engine/redis/connection.h"
#include "engine/schedule/clock.h"

#include <memory>
#include <vector>

namespace interlock {

/// Waits until the running servers of a group know all of each other, by asking them past their relays, and makes its sentinels quick.
class GroupAgreement
{
public:
    /// @param nodes, @param clock must outlive it.
    GroupAgreement(const std::vector<GroupNode> &nodes, Clock &clock);
    ~GroupAgreement();

    // Each waits for ever; what fails is a server that refuses or does not answer.

    /// All replicas are online, as the primary sees it, and have all that it had then.
    Task<Result<void>> awaitReplicas();
    /// What the primary tells its replicas now reaches them: whoever was given a full copy is sent nothing more before it has acknowledged that,
    /// as it does once a second, though it counts as online.
    Task<Result<void>> awaitStream();
    /// Every sentinel is linked to the primary, to all replicas and to all other sentinels, and has heard from the nodes.
    Task<Result<void>> awaitSentinels();
    /// Lets the sentinels ping as often as they must to call a silent node dead after so short a time.
    Task<Result<void>> quickenSentinels();

    /// What is awaited now, as the end of a sentence.
    const QString &missing() const { return m_missing; }

private:
    Task<Result<void>> awaitOnline(Connection &primary, qint64 &offset);
    Task<Result<void>> awaitOffset(const GroupNode &replica, qint64 offset);
    Task<Result<void>> awaitLinks(const GroupNode &sentinel, Connection &connection);
    std::vector<const GroupNode *> ofRole(NodeRole role) const;

    const std::vector<GroupNode> &m_nodes;
    Clock &m_clock;
    std::vector<std::unique_ptr<Connection>> m_sentinels; ///< in the order of their nodes
    QString m_missing;
};

/// The same for one sentinel that was started again.
Task<Result<void>> quickenSentinel(Connection &sentinel, Milliseconds downAfter, Clock &clock);

}
