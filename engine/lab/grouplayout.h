// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/nodegroup.h"
#include "engine/lab/privateserver.h"
#include "engine/lab/relay.h"

#include <vector>

namespace interlock {

/// Where the nodes of a group are and how each is configured. A pure value: nothing of it runs.
struct GroupLayout
{
    struct Node
    {
        QString name;
        NodeRole role = NodeRole::Primary;
        PrivateServer::Address direct;
        PrivateServer::Address announced;
        QByteArray sentinelId; ///< of a sentinel
        Milliseconds downAfter {0}; ///< of a sentinel
    };

    std::vector<Node> nodes; ///< the primary first
    bool hasOwnAddresses = false;

    /// Only the addresses and names. Random addresses and ports below 32768, where those of outgoing connections begin; not 6379.
    /// @param port where they begin; 0: somewhere
    static GroupLayout make(const NodeGroup::Options &options, quint16 port = 0);

    /// Sentinels are told of all others, since finding out takes them 10 s.
    PrivateServer::Options server(const Node &node, const NodeGroup::Options &options) const;
    Relay::Options relay(const Node &node) const;
};

/// Every 127.x.y.z is an address of this machine, as on any Linux. Tried once per process.
bool hasOwnLoopbackAddresses();

}
