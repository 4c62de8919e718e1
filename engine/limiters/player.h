// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/pipeline.h"
#include "engine/limiters/recordeddecision.h"
#include "engine/schedule/client.h"
#include "engine/schedule/taskgroup.h"

#include <memory>
#include <vector>

namespace interlock {

/// One caller that sends the very same requests to each of several limiters.
///
/// On the server's clock it is an open loop, as the world is: a request is sent when its time has come, however many are still
/// unanswered, and how late it was sent is in the record. On the caller's clock the requests go as fast as answers come, and each tells its
/// own time.
class Player
{
public:
    struct Options
    {
        bool onCallersClock = false;
        int connections = 1; ///< for each limiter, taken in turn. On the caller's clock it is one, so that requests keep their order
        int speed = 1; ///< on the server's clock: 60 plays a minute in a second
        WhenDown whenDown = WhenDown::Failed;
        QByteArray prefix; ///< of every key in Redis
        std::function<void()> onIdle; ///< called half-way to the next request, when all before it are answered
    };

    /// @param nodes one server, or those of a cluster, which share the slots evenly. @param limiters must outlive the player, as
    /// must @p actor.
    Player(Actor &actor, std::vector<NodeRef> nodes, const std::vector<PlayedLimiter> &limiters, Options options);

    /// Opens the connections and loads the scripts, so that the first request finds them ready. Failures come back with the requests.
    Task<> connect();

    /// @param zero when the time 0 of the requests is, ns of the run; only on the server's clock.
    Task<> play(const std::vector<LimiterRequest> &requests, qint64 zero);
    /// One request to all limiters, now. @param due ns of the run.
    void ask(const LimiterRequest &request, qint64 due);
    /// co_await player.fewerUnderWay(200): before it goes on.
    TaskGroup::FewerStep fewerUnderWay(size_t count) { return m_group.fewerThan(count); }
    /// co_await player.allAnswered(): or failed.
    TaskGroup::FewerStep allAnswered() { return m_group.allEnded(); }

    /// Tests the last rejection of each limiter for each key: whether the same cost is rejected one microsecond before the time
    /// that it was told, and admitted at that time. On copies of the limiter's keys, so the traffic is not disturbed.
    /// Precondition: all are answered, and nobody else uses these keys.
    Task<> probe();

    /// What a limiter has cost since connect(), without probes.
    struct Costs
    {
        QString limiter; ///< its name
        qint64 commands = 0;
        qint64 bytes = 0; ///< of commands and answers
        qint64 keyBytes = 0; ///< of everything that one limited key has in Redis, the largest
    };
    /// Looks at what is under the limiters' keys now: TTL and size, as commands in the record.
    Task<std::vector<Costs>> lookAtKeys();

    static QByteArray redisKey(const QByteArray &prefix, const PlayedLimiter &limiter, const QByteArray &key);

private:
    /// The last rejection of a key, by the limiter's clock.
    struct LastDecision
    {
        DecisionRequest request;
        Decision decision;
        qint64 number = -1;
    };
    struct Opened
    {
        std::shared_ptr<Client> client;
        qint64 at = 0; ///< ns of the run
    };
    struct Side
    {
        const PlayedLimiter *limiter = nullptr;
        std::vector<Opened> connections; ///< to each node one after another, and as often as there are connections
        std::map<QByteArray, LastDecision> last;
        std::unique_ptr<CommandTotals> totals = std::make_unique<CommandTotals>();
        std::optional<CommandTotals> played; ///< the totals before the first probe
    };

    Opened open(const Side &side, size_t node);
    /// The connection whose turn it is to the node of the key.
    std::shared_ptr<Client> clientFor(Side &side, const QByteArray &redisKey);
    Task<> askOne(Side &side, std::shared_ptr<Client> client, DecisionRequest request);
    Task<> probeOne(std::shared_ptr<Client> shared, const PlayedLimiter &limiter, LastDecision last);
    Task<bool> copyKeys(Client &client, QList<QByteArray> from, QList<QByteArray> to);
    qint64 now() const;

    Actor &m_actor;
    std::vector<NodeRef> m_nodes;
    Options m_options;
    std::vector<Side> m_sides;
    quint64 m_asked = 0;
    TaskGroup m_group; // last: its tasks use the rest
};

}
