// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/reply.h"
#include "engine/redis/sentinel.h"

#include <optional>

namespace interlock {

/// What a server says of its part in replication.
struct ReplicationInfo
{
    bool isPrimary = true;
    std::optional<ServerAddress> follows; ///< replica: its primary
    QByteArray link; ///< replica: "up", "down", "connecting", "syncing"
    qint64 offset = 0; ///< bytes of the stream that it has sent (primary) or applied (replica)
    qint64 backlogStart = 0; ///< where the part of the stream begins that it still has
    qint64 received = 0; ///< replica: bytes that primaries have sent it since it was started
    qint64 fullCopies = 0; ///< that it has given to replicas since it was started
    qint64 increments = 0; ///< given to replicas that reconnected

    /// From the answer to INFO with the sections replication and stats. A replica's link is "up", "syncing" or "down" by it.
    static ReplicationInfo from(const QByteArray &info);
    bool operator==(const ReplicationInfo &) const = default;
};

/// The same as a link that is not up, but exactly: from a replica's answer to ROLE. Empty: it is no replica.
QByteArray linkFrom(const Reply &role);

/// How a replica was brought up to its primary.
struct Synchronization
{
    bool isFull = false; ///< it was given a copy of everything, instead of what it had missed
    qint64 bytes = 0; ///< that it was sent for that
    bool operator==(const Synchronization &) const = default;
};
/// @param before, after the replica, before its link went down and since it is up again.
/// @param given what its primary says since then, and @p givenBefore what it said when the link went down; nothing: it does not answer.
///
/// A stream is only continued forwards: whoever is behind where it had been was given a copy. Else the primary's counters tell, unless it gave
/// both, to several replicas, or had given it before it was asked. Then the replica's backlog does: after a full copy it begins anew, behind
/// all that the replica had before.
Synchronization synchronization(const ReplicationInfo &before, const ReplicationInfo &after, const std::optional<ReplicationInfo> &givenBefore,
    const std::optional<ReplicationInfo> &given);

}
