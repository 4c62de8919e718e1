// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/nodegroup.h"
#include "engine/lab/replicationinfo.h"
#include "engine/run/recorder.h"

#include <map>
#include <optional>
#include <vector>

namespace interlock {

/// Turns what servers say of their replication, asked again and again, into Node events: RoleChanged, Linked, Synced, Offset.
/// Knows no server and no clock; times are ns of the run.
class ReplicationNews
{
public:
    /// @param nodes of the group; sentinels are left out. @param recorder must outlive it.
    ReplicationNews(const std::vector<GroupNode> &nodes, Recorder &recorder);

    /// From now on changes are told. Tells everything, with the time 0. Precondition: each server was heard once.
    void begin();
    /// @param asked when the question was sent.
    void heard(Name server, const ReplicationInfo &info, qint64 asked);
    /// It has no link any more, and will know nothing of what it had.
    void died(Name server);
    /// Tells what is still to be told of as well as can be told now.
    void end();

private:
    /// A replica whose link was not up when it was last looked at, or which has another primary since.
    struct Absence
    {
        ReplicationInfo before;
        std::map<Name, ReplicationInfo> others; ///< when it began
        std::optional<ReplicationInfo> after; ///< its link is up again
        qint64 up = never; ///< since when that is known
        std::optional<ReplicationInfo> given; ///< what its primary said then; it is up to date when it has applied as much
    };
    struct Server
    {
        std::optional<ReplicationInfo> said; ///< the last time
        std::optional<ReplicationInfo> told; ///< role, primary and link as they were told
        std::optional<Absence> absence;
        qint64 offset = -1; ///< as it was told
        qint64 offsetAt = 0;
    };

    void tellChanges(Name name, Server &server, const ReplicationInfo &info, qint64 at);
    void followLink(Name name, Server &server, const std::optional<ReplicationInfo> &before, bool hasOtherPrimary, qint64 at);
    void concludeIfUpToDate(Name name, Server &server);
    void conclude(Name name, Server &server);
    void tellOffset(Name name, Server &server, qint64 at);
    Name nameOf(const std::optional<ServerAddress> &address) const;
    Event event(Name server, NodeChange what, qint64 at) const;

    Recorder &m_recorder;
    std::vector<Name> m_order;
    std::map<Name, Server> m_servers;
    std::map<QString, Name> m_names; ///< by host and port
    bool m_hasBegun = false;
};

}
