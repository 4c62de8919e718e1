// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/groupagreement.h"

#include "engine/lab/asking.h"
#include "engine/redis/infofields.h"

#include <QCoreApplication>

#include <map>

namespace interlock {

namespace {

constexpr Nanoseconds pollInterval = 10ms;

// A sentinel pings every min(down-after, ping-period), and a new link counts as silent from its creation. Were the two periods alike,
// each new link would be called dead just when its first ping leaves, and every failover would be followed by others. But a replica
// is eligible only while its last INFO is younger than five ping-periods, and INFO comes once a second: 300 ms satisfies both.
constexpr int pingPeriod = 300; // ms
constexpr int reconnectPeriod = 100; // ms

using Fields = std::map<QByteArray, QByteArray>;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::GroupAgreement)
};

/// Of a sentinel's description of a node: name and value in turn.
Fields fieldsOf(const Reply &pairs)
{
    Fields fields;
    for (size_t i = 0; i + 1 < pairs.elements.size(); i += 2)
        fields[pairs.elements[i].text] = pairs.elements[i + 1].text;
    return fields;
}

QByteArray field(const Fields &fields, const char *name)
{
    const auto found = fields.find(name);
    return found == fields.end() ? QByteArray() : found->second;
}

int onlineReplicas(const InfoFields &info)
{
    int online = 0;
    for (const auto &[name, value] : info.all())
        online += name.startsWith("slave") && value.contains("state=online") ? 1 : 0;
    return online;
}

/// A sentinel describes nodes: how many as the flags say, and with a run id, which comes with their first INFO.
bool areLinked(const std::vector<Reply> &nodes, size_t count, const QByteArray &flags)
{
    if (nodes.size() != count)
        return false;
    return std::all_of(nodes.begin(), nodes.end(), [&](const Reply &node) {
        const Fields fields = fieldsOf(node);
        return field(fields, "flags") == flags && !field(fields, "runid").isEmpty();
    });
}

}

GroupAgreement::GroupAgreement(const std::vector<GroupNode> &nodes, Clock &clock)
    : m_nodes(nodes)
    , m_clock(clock)
{
}

GroupAgreement::~GroupAgreement() = default;

std::vector<const GroupNode *> GroupAgreement::ofRole(NodeRole role) const
{
    std::vector<const GroupNode *> found;
    for (const GroupNode &node : m_nodes) {
        if (node.role == role)
            found.push_back(&node);
    }
    return found;
}

Task<Result<void>> GroupAgreement::awaitReplicas()
{
    Connection primary(m_nodes.front().direct);
    qint64 offset = 0;
    Result<void> done = co_await awaitOnline(primary, offset);
    for (const GroupNode *replica : ofRole(NodeRole::Replica)) {
        if (done)
            done = co_await awaitOffset(*replica, offset);
    }
    co_return done;
}

Task<Result<void>> GroupAgreement::awaitOnline(Connection &primary, qint64 &offset)
{
    const auto replicas = static_cast<int>(ofRole(NodeRole::Replica).size());
    for (;;) {
        const Result<Reply> info = co_await ask(primary, Command("INFO", "replication"), m_clock);
        if (!info)
            co_return info.error();
        const InfoFields fields(info->text);
        offset = fields.number("master_repl_offset");
        const int online = onlineReplicas(fields);
        if (online == replicas)
            co_return Result<void>();
        m_missing = Text::tr("%1 has %2 of %3 replicas online").arg(m_nodes.front().name).arg(online).arg(replicas);
        co_await rest(m_clock, pollInterval);
    }
}

Task<Result<void>> GroupAgreement::awaitOffset(const GroupNode &replica, qint64 offset)
{
    Connection connection(replica.direct);
    for (;;) {
        const Result<Reply> info = co_await ask(connection, Command("INFO", "replication"), m_clock);
        if (!info)
            co_return info.error();
        const InfoFields fields(info->text);
        const bool isUp = fields.text("master_link_status") == "up";
        if (isUp && fields.number("slave_repl_offset") >= offset)
            co_return Result<void>();
        m_missing = isUp ? Text::tr("%1 has not caught up").arg(replica.name) : Text::tr("%1 has no link to the primary").arg(replica.name);
        co_await rest(m_clock, pollInterval);
    }
}

Task<Result<void>> GroupAgreement::awaitStream()
{
    static constexpr int patience = 100; // ms
    const auto replicas = static_cast<int>(ofRole(NodeRole::Replica).size());
    Connection primary(m_nodes.front().direct);
    // Something to wait for, which leaves nothing behind.
    const Result<Reply> published = co_await ask(primary, Command("PUBLISH", "interlock", "ready"), m_clock);
    if (!published)
        co_return published.error();
    for (;;) {
        const Result<Reply> copies = co_await ask(primary, Command("WAIT", replicas, patience), m_clock);
        if (!copies)
            co_return copies.error();
        if (copies->integer >= replicas)
            co_return Result<void>();
        m_missing = Text::tr("what %1 tells its replicas reaches %2 of %3").arg(m_nodes.front().name).arg(copies->integer).arg(replicas);
    }
}

Task<Result<void>> GroupAgreement::awaitSentinels()
{
    const std::vector<const GroupNode *> sentinels = ofRole(NodeRole::Sentinel);
    for (const GroupNode *sentinel : sentinels) {
        m_sentinels.push_back(std::make_unique<Connection>(sentinel->direct));
        const Result<Reply> set = co_await ask(*m_sentinels.back(), Command("SENTINEL", "DEBUG", "min-link-reconnect-period", reconnectPeriod), m_clock);
        if (!set)
            co_return set.error();
    }
    Result<void> done;
    for (size_t i = 0; done && i < sentinels.size(); ++i)
        done = co_await awaitLinks(*sentinels[i], *m_sentinels[i]);
    co_return done;
}

Task<Result<void>> GroupAgreement::awaitLinks(const GroupNode &sentinel, Connection &connection)
{
    const size_t replicas = ofRole(NodeRole::Replica).size();
    const size_t others = ofRole(NodeRole::Sentinel).size() - 1;
    for (;;) {
        const Result<Reply> primary = co_await ask(connection, Command("SENTINEL", "MASTER", NodeGroup::masterName), m_clock);
        if (!primary)
            co_return primary.error();
        const Result<Reply> replicaList = co_await ask(connection, Command("SENTINEL", "REPLICAS", NodeGroup::masterName), m_clock);
        if (!replicaList)
            co_return replicaList.error();
        const Result<Reply> otherList = co_await ask(connection, Command("SENTINEL", "SENTINELS", NodeGroup::masterName), m_clock);
        if (!otherList)
            co_return otherList.error();
        if (!areLinked({*primary}, 1, "master"))
            m_missing = Text::tr("%1 is not linked to the primary").arg(sentinel.name);
        else if (!areLinked(replicaList->elements, replicas, "slave"))
            m_missing = Text::tr("%1 is not linked to all replicas").arg(sentinel.name);
        else if (!areLinked(otherList->elements, others, "sentinel"))
            m_missing = Text::tr("%1 is not linked to all other sentinels").arg(sentinel.name);
        else
            co_return Result<void>();
        co_await rest(m_clock, pollInterval);
    }
}

Task<Result<void>> GroupAgreement::quickenSentinels()
{
    const std::vector<const GroupNode *> sentinels = ofRole(NodeRole::Sentinel);
    Result<void> done;
    for (size_t i = 0; done && i < sentinels.size(); ++i)
        done = co_await quickenSentinel(*m_sentinels[i], sentinels[i]->downAfter, m_clock);
    co_return done;
}

Task<Result<void>> quickenSentinel(Connection &sentinel, Milliseconds downAfter, Clock &clock)
{
    // In this order: with the short time first, the long period would still be in force.
    const auto after = static_cast<int>(downAfter.count());
    const std::vector<Command> commands {Command("SENTINEL", "DEBUG", "min-link-reconnect-period", reconnectPeriod),
        Command("SENTINEL", "DEBUG", "ping-period", pingPeriod), Command("SENTINEL", "SET", NodeGroup::masterName, "down-after-milliseconds", after)};
    for (const Command &command : commands) {
        const Result<Reply> done = co_await ask(sentinel, command, clock);
        if (!done)
            co_return done.error();
    }
    co_return Result<void>();
}

}
