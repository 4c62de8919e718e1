// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/client.h"

#include <map>
#include <memory>
#include <vector>

namespace interlock {

/// An actor's connections to the nodes of a cluster. What concerns a key goes to the node that serves its slot.
///
///     ClusterClient cluster(actor, nodes);
///     co_await cluster.command("stock", Command("GET", "stock"));
///     co_await decide(cluster.of("stock"), limiter, "stock");
class ClusterClient
{
public:
    /// @param nodes as they share the slots evenly, see slotShare(); corrected by what they answer.
    ClusterClient(Actor &actor, const std::vector<NodeRef> &nodes, Nanoseconds deadline = 2s);
    ClusterClient(const ClusterClient &) = delete;
    ClusterClient &operator=(const ClusterClient &) = delete;

    /// The connection to the node that serves the slot of @p key, as far as this client knows.
    Client &of(QByteArrayView key);

    /// Sends it there. If the answer is MOVED to a node of this cluster it is sent to that one, once, and later commands for the
    /// slot as well. Otherwise as Client::command().
    Task<Result<Reply>> command(QByteArray key, Command what);
    /// The same for a script, by the first of its keys. Precondition: it has one.
    Task<Answer> evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments);

private:
    /// Whether the reply says that the slot of @p key is served by another node of this cluster; if so, that is learned.
    bool learn(QByteArrayView key, const Result<Reply> &reply);

    std::vector<std::unique_ptr<Client>> m_clients;
    std::map<int, size_t> m_moved; ///< slots that are served by another node than their share says
};

}
