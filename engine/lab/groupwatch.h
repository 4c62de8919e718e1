// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/nodegroup.h"
#include "engine/run/recorder.h"
#include "engine/schedule/clock.h"

#include <functional>
#include <memory>

namespace interlock {

/// What the nodes of a group tell of themselves, for the record: Node events RoleChanged, Linked, Synced and Offset of the servers, which are
/// asked twenty times a second, and Sentinel events as the sentinels publish them. All are asked past their relays, so that a cut link does
/// not blind the record. A paused or dead node is silent; whoever restarts one records that it is ready, and it is asked again.
class GroupWatch
{
public:
    /// @param ready called once, later, unless this is gone by then: all servers have answered, and all sentinels are listened to. The error of
    /// the first that did not.
    /// @param nodes that are ready. @param recorder, clock must outlive it.
    GroupWatch(std::vector<GroupNode> nodes, Recorder &recorder, Clock &clock, std::function<void(Result<void>)> ready);
    ~GroupWatch();
    GroupWatch(const GroupWatch &) = delete;
    GroupWatch &operator=(const GroupWatch &) = delete;

    /// Tells everybody's role, whom each replica follows and that their links are up; from now on what changes. What sentinels published
    /// before is not told. Precondition: ready.
    void begin();
    /// The run is over: tells what is still to be told; nothing afterwards.
    void end();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
