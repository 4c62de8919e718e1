// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/player.h"

#include "engine/redis/script.h"
#include "engine/redis/slot.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace interlock {

namespace {

/// On the caller's clock: enough to keep the server busy, little enough that a person can stop the run.
constexpr size_t mostUnderWay = 500;
/// Of each limiter: an access log has thousands of addresses.
constexpr int mostKeys = 20;
constexpr int mostProbes = 3;
/// A server that is down is not to be flooded with attempts to connect.
constexpr qint64 reconnectInterval = 50'000'000; // ns

QByteArray copyOf(const DecisionRequest &request, const char *word)
{
    return request.redisKey + ":probe-" + word;
}

Task<> load(std::shared_ptr<Client> client, QList<QString> scripts)
{
    std::ignore = co_await client->command("PING");
    for (const QString &script : scripts)
        std::ignore = co_await client->command("SCRIPT", "LOAD", Script::named(script).body);
}

}

Player::Player(Actor &actor, std::vector<NodeRef> nodes, const std::vector<PlayedLimiter> &limiters, Options options)
    : m_actor(actor)
    , m_nodes(std::move(nodes))
    , m_options(std::move(options))
    , m_group(actor)
{
    const int connections = m_options.onCallersClock ? 1 : std::max(1, m_options.connections);
    for (const PlayedLimiter &limiter : limiters) {
        Side side;
        side.limiter = &limiter;
        for (size_t i = 0; i < static_cast<size_t>(connections) * m_nodes.size(); ++i)
            side.connections.push_back(open(side, i % m_nodes.size()));
        m_sides.push_back(std::move(side));
    }
}

Task<> Player::connect()
{
    for (Side &side : m_sides) {
        for (size_t i = 0; i < side.connections.size(); ++i)
            m_group.add(load(side.connections[i].client, i < m_nodes.size() ? side.limiter->scripts : QList<QString>()));
    }
    co_await allAnswered();
    for (Side &side : m_sides)
        *side.totals = {};
}

Player::Opened Player::open(const Side &side, size_t node)
{
    auto client = std::make_shared<Client>(m_actor, m_nodes[node]);
    client->countInto(side.totals.get());
    return {std::move(client), now()};
}

qint64 Player::now() const
{
    return m_actor.world().recorder->now();
}

Task<> Player::play(const std::vector<LimiterRequest> &requests, qint64 zero)
{
    qint64 due = zero;
    for (const LimiterRequest &request : requests) {
        if (m_options.onCallersClock) {
            co_await m_group.fewerThan(mostUnderWay);
            ask(request, never);
            continue;
        }
        // A trace's time may go back: such a request is due at once, as it came.
        due = std::max(due, zero + request.at * 1'000 / m_options.speed);
        if (m_options.onIdle && due > now()) {
            co_await m_actor.sleep(Nanoseconds((due - now()) / 2));
            if (m_group.running() == 0)
                m_options.onIdle();
        }
        if (due > now())
            co_await m_actor.sleep(Nanoseconds(due - now()));
        ask(request, due);
    }
    co_await allAnswered();
}

/// Each limiter is the first of a request in turn, or the last one's latency would have that of all others in it.
void Player::ask(const LimiterRequest &request, qint64 due)
{
    for (size_t i = 0; i < m_sides.size(); ++i) {
        Side &side = m_sides[(i + m_asked) % m_sides.size()];
        DecisionRequest one;
        one.key = request.key;
        one.redisKey = redisKey(m_options.prefix, *side.limiter, request.key);
        one.cost = request.cost;
        if (m_options.onCallersClock)
            one.now = request.at;
        one.due = due;
        one.whenDown = m_options.whenDown;
        const std::shared_ptr<Client> client = clientFor(side, one.redisKey);
        m_group.add(askOne(side, client, std::move(one)));
    }
    ++m_asked;
}

std::shared_ptr<Client> Player::clientFor(Side &side, const QByteArray &redisKey)
{
    size_t node = 0;
    if (m_nodes.size() > 1)
        node = static_cast<size_t>(nodeOfSlot(slotOf(side.limiter->keys(redisKey).first()), static_cast<int>(m_nodes.size())));
    const size_t turns = side.connections.size() / m_nodes.size();
    Opened &connection = side.connections[m_asked % turns * m_nodes.size() + node];
    if (!connection.client->isUsable() && now() - connection.at >= reconnectInterval)
        connection = open(side, node);
    return connection.client;
}

Task<> Player::askOne(Side &side, std::shared_ptr<Client> client, DecisionRequest request)
{
    NumberedDecision numbered = co_await decideRecorded(*client, *side.limiter, request);
    if (!numbered.decision)
        co_return;
    // By the limiter's clock: through several connections answers may come in another order.
    LastDecision &last = side.last[request.key];
    if (last.number < 0 || numbered.decision->now >= last.decision.now)
        last = {std::move(request), std::move(*numbered.decision), numbered.number};
}

QByteArray Player::redisKey(const QByteArray &prefix, const PlayedLimiter &limiter, const QByteArray &key)
{
    QByteArray name = prefix + limiter.info.name.toUtf8();
    name.replace(' ', '-');
    return key.isEmpty() ? name : name + ':' + key;
}

Task<> Player::probe()
{
    for (Side &side : m_sides) {
        if (!side.played)
            side.played = *side.totals;
        int probed = 0;
        for (const auto &[key, last] : side.last) {
            const bool isPromise = !last.decision.admitted && last.decision.retryAfter && last.number >= 0;
            if (isPromise && !side.limiter->needsServersClock && probed++ < mostProbes)
                co_await probeOne(clientFor(side, last.request.redisKey), *side.limiter, last);
        }
    }
}

/// Both copies first, as the key is now; then one is asked a microsecond too early and the other in time.
Task<> Player::probeOne(std::shared_ptr<Client> shared, const PlayedLimiter &limiter, LastDecision last)
{
    Client &client = *shared;
    static constexpr std::pair<const char *, qint64> moments[] = {{"before", -1}, {"at", 0}};
    bool areCopied = true;
    for (const auto &moment : moments) {
        const bool isCopied = co_await copyKeys(client, limiter.keys(last.request.redisKey), limiter.keys(copyOf(last.request, moment.first)));
        areCopied = areCopied && isCopied;
    }
    for (const auto &[word, offset] : moments) {
        DecisionRequest request = last.request;
        request.redisKey = copyOf(last.request, word);
        request.now = last.decision.now + *last.decision.retryAfter + offset;
        request.due = never;
        request.probe = QByteArray::number(last.number) + '-' + word;
        if (areCopied)
            std::ignore = co_await decideRecorded(client, limiter, request);
        for (const QByteArray &key : limiter.keys(request.redisKey))
            std::ignore = co_await client.command("DEL", key);
    }
}

/// False: a key is not there (any more), so there is nothing to be asked. Copies live for an hour, so that their expiry does not
/// come between: the state holds its own times.
Task<bool> Player::copyKeys(Client &client, QList<QByteArray> from, QList<QByteArray> to)
{
    for (qsizetype i = 0; i < from.size(); ++i) {
        const Result<Reply> copied = co_await client.command("COPY", from[i], to[i]);
        if (!copied || !copied->isInteger(1))
            co_return false;
        const Result<Reply> kept = co_await client.command("PEXPIRE", to[i], 3'600'000);
        if (!kept || !kept->isInteger(1))
            co_return false;
    }
    co_return true;
}

Task<std::vector<Player::Costs>> Player::lookAtKeys()
{
    std::vector<Costs> all;
    for (Side &side : m_sides) {
        const CommandTotals played = side.played.value_or(*side.totals);
        Costs costs {side.limiter->info.name, played.commands, played.bytes};
        int looked = 0;
        for (const auto &[key, last] : side.last) {
            if (++looked > mostKeys)
                break;
            const std::shared_ptr<Client> client = clientFor(side, last.request.redisKey);
            qint64 bytes = 0;
            for (const QByteArray &name : side.limiter->keys(last.request.redisKey)) {
                const Result<Reply> usage = co_await client->command("MEMORY", "USAGE", name);
                bytes += usage ? usage->integer : 0;
                std::ignore = co_await client->command("PTTL", name); // the last word about it
            }
            costs.keyBytes = std::max(costs.keyBytes, bytes);
        }
        all.push_back(costs);
    }
    co_return all;
}

}
