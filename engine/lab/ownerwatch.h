// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/connection.h"
#include "engine/run/recorder.h"
#include "engine/schedule/clock.h"

#include <functional>
#include <memory>

namespace interlock {

/// Tells what a node says about lock keys: turns keyspace notifications into Owner events. Notifications give order and
/// cause; the token comes from the acknowledged grant that fits, and the expiry is computed from it. Reading a key may
/// expire it, so it is read only after a notification, and a reading that agrees takes away the mark Inferred.
/// Node events of the node, recorded by others, say when its data change without notifications: it is promoted, was given a full copy, or was
/// started again. Then the keys are read, which lets nothing expire on a replica. When it is killed, nothing is told of what it had.
/// Where notifications are off (a user's target), Owner events are concluded from the clients' beliefs alone and marked.
class OwnerWatch
{
public:
    /// @param ready called once, when the subscription stands, or at once when @p notifications is false. The error that prevented it.
    /// @param recorder, clock must outlive it.
    OwnerWatch(Endpoint endpoint, QString node, bool notifications, Recorder &recorder, Clock &clock,
        std::function<void(Result<void>)> ready);
    ~OwnerWatch();
    OwnerWatch(const OwnerWatch &) = delete;
    OwnerWatch &operator=(const OwnerWatch &) = delete;

    /// From now on tell of this key; adds the node's lane for it.
    void watch(const QByteArray &key);

    /// Waits for what is still under way (readings, a last notification), then calls @p done; at most about 100 ms.
    void settle(std::function<void()> done);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
