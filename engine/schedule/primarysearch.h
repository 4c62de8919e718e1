// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/sentinel.h"
#include "engine/redis/sentinelendpoint.h"
#include "engine/schedule/client.h"

#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace interlock {

/// How an actor looks for the primary that sentinels watch.
struct SearchOptions
{
    Patience patience;
    Nanoseconds deadline = 2s; ///< for the commands of the client that is found
    /// Names of servers and sentinels in the record, by host and port. Others are called "127.0.0.1:6390".
    std::vector<NodeRef> known;
};

/// Finds the primary as Redis's page on clients of Sentinel says (redis.io/docs/reference/sentinel-clients): asks the sentinels in turn for its
/// address, connects, and asks the server itself for its role, since sentinels learn of a failover one after the other. A sentinel that
/// led to the primary is asked first from then on. One search at a time.
class PrimarySearch
{
public:
    PrimarySearch(Actor &actor, SentinelEndpoint sentinels, SearchOptions options = {});
    PrimarySearch(const PrimarySearch &) = delete;
    PrimarySearch &operator=(const PrimarySearch &) = delete;

    const std::vector<NodeRef> &sentinels() const { return m_nodes; }

    /// A client of the server that a sentinel named and that says of itself that it is the primary. Null: @p current, which may be null, is
    /// connected with that one; it is not used for anything else meanwhile.
    /// Failed: not found within the bounds of the patience; the sentence tells what each sentinel said last.
    Task<Result<std::unique_ptr<Client>>> find(Client *current = nullptr);

    /// A sentinel said that this server is no longer the primary: others that still name it are not believed, and the one is asked first.
    void learn(const NodeRef &sentinel, ServerAddress deposed);
    /// It may be the primary again: what sentinels said meanwhile was not heard.
    void forgetDeposed() { m_deposed.reset(); }

private:
    struct Sentinel
    {
        NodeRef node;
        std::unique_ptr<Client> client;
        QString said; ///< a sentence; empty: it was not asked
    };
    struct Refused
    {
        ServerAddress address;
        QString why; ///< the rest of a sentence that begins with what named it
    };

    Task<Result<std::unique_ptr<Client>>> follow(Sentinel &sentinel, Client *current, Nanoseconds end);
    Task<Result<ServerAddress>> ask(Sentinel &sentinel, Nanoseconds end);
    Task<QString> objection(Client &client, Nanoseconds end);
    Error refused(const Sentinel &sentinel, const ServerAddress &address, const QString &why);
    Error notFound(int tried) const;
    NodeRef named(Endpoint endpoint) const;
    Nanoseconds allowed(Nanoseconds end) const;
    void putFirst(Sentinel &sentinel);

    Actor &m_actor;
    SentinelEndpoint m_endpoint;
    SearchOptions m_options;
    Random m_random;
    std::vector<NodeRef> m_nodes;
    std::list<Sentinel> m_sentinels; ///< in the order in which they are asked
    std::vector<Refused> m_refused; ///< in this try
    std::optional<ServerAddress> m_deposed;
};

}
