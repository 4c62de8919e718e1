// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/clusterclient.h"

#include "engine/redis/slot.h"

namespace interlock {

ClusterClient::ClusterClient(Actor &actor, const std::vector<NodeRef> &nodes, Nanoseconds deadline)
{
    Q_ASSERT(!nodes.empty());
    for (const NodeRef &node : nodes)
        m_clients.push_back(std::make_unique<Client>(actor, node, deadline));
}

Client &ClusterClient::of(QByteArrayView key)
{
    const int slot = slotOf(key);
    if (const auto moved = m_moved.find(slot); moved != m_moved.end())
        return *m_clients[moved->second];
    return *m_clients[static_cast<size_t>(nodeOfSlot(slot, static_cast<int>(m_clients.size())))];
}

bool ClusterClient::learn(QByteArrayView key, const Result<Reply> &reply)
{
    const std::optional<Moved> moved = reply ? movedFrom(*reply) : std::nullopt;
    if (!moved || moved->slot != slotOf(key))
        return false;
    for (size_t i = 0; i < m_clients.size(); ++i) {
        const Endpoint &endpoint = m_clients[i]->node().endpoint;
        if (endpoint.host == moved->host && endpoint.port == moved->port) {
            m_moved[moved->slot] = i;
            return true;
        }
    }
    return false;
}

Task<Result<Reply>> ClusterClient::command(QByteArray key, Command what)
{
    Result<Reply> reply = co_await CommandStep(of(key), what);
    if (learn(key, reply))
        reply = co_await CommandStep(of(key), what);
    co_return reply;
}

Task<Answer> ClusterClient::evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments)
{
    Answer answer = co_await of(keys.first()).evaluate(script, keys, arguments);
    if (learn(keys.first(), answer.reply))
        answer = co_await of(keys.first()).evaluate(script, keys, arguments);
    co_return answer;
}

}
