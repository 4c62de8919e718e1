// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/failoverplay.h"

#include "engine/run/groupreader.h"

#include <QCoreApplication>

#include <limits>

namespace interlock {

namespace {

constexpr size_t lastWords = 4; // of each sentinel, in a sentence on what went wrong

QString tr(const char *text)
{
    return QCoreApplication::translate("FailoverPlay", text);
}

double seconds(Nanoseconds duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// As the record says by now.
GroupState groupNow(Stage &stage)
{
    const Run &run = stage.recorder().run();
    const GroupNodes nodes(run.header);
    GroupState group = groupAtStart(run.header);
    for (const Event &event : run.events) {
        if (event.kind == Event::Kind::Node)
            readGroupEvent(run, nodes, event, group);
    }
    return group;
}

template<typename State>
QStringList acting(Stage &stage, const std::vector<State> &nodes)
{
    QStringList names;
    for (const NodeState &node : nodes) {
        if (node.life == NodeState::Life::Running)
            names.append(stage.recorder().header().nodes[node.node].name);
    }
    return names;
}

/// "S1: +sdown, +odown; S2: nothing"
QString lastWordsOf(Stage &stage, qint64 since)
{
    const Run &run = stage.recorder().run();
    QStringList all;
    for (const NodeInfo &node : run.header.nodes) {
        if (node.role != QLatin1String("sentinel"))
            continue;
        QStringList words;
        for (auto event = run.events.rbegin(); event != run.events.rend() && words.size() < qsizetype(lastWords); ++event) {
            if (event->kind == Event::Kind::Sentinel && event->at >= since && run.text(event->lane) == node.name)
                words.prepend(run.text(event->text));
        }
        all.append(QStringLiteral("%1: %2").arg(node.name, words.isEmpty() ? tr("nothing") : words.join(QStringLiteral(", "))));
    }
    return all.join(QStringLiteral("; "));
}

}

QStringList refusesWithoutReplica()
{
    return {QStringLiteral("min-replicas-to-write 1"), QStringLiteral("min-replicas-max-lag 1")};
}

GroupAccess accessTo(const Stage &stage)
{
    GroupAccess access;
    for (const NodeRef &sentinel : stage.sentinels())
        access.sentinels.sentinels.append(sentinel.endpoint);
    access.sentinels.primaryName = stage.primaryName();
    access.sentinels.password = stage.nodes().front().endpoint.password;
    access.search.patience.tries = std::numeric_limits<int>::max();
    access.search.patience.most = 200ms;
    access.search.patience.limit = 2min;
    access.search.known = stage.nodes();
    access.search.known.insert(access.search.known.end(), stage.sentinels().begin(), stage.sentinels().end());
    return access;
}

QStringList actingServers(Stage &stage)
{
    return acting(stage, groupNow(stage).servers);
}

QStringList actingSentinels(Stage &stage)
{
    return acting(stage, groupNow(stage).sentinels);
}

Task<Result<Reply>> tell(Client &client, Command command)
{
    Result<Reply> reply = co_await CommandStep(client, std::move(command));
    if (reply && reply->isError())
        co_return Error {Error::Kind::Failed, QStringLiteral("%1: %2").arg(client.node().name, QString::fromUtf8(reply->text))};
    co_return reply;
}

Task<Result<Reply>> tell(Stage &stage, QString node, Command command)
{
    Client client(stage.director(), stage.node(node));
    co_return co_await tell(client, std::move(command));
}

Task<Result<void>> cutReplication(Stage &stage, QString primary)
{
    const size_t recorded = stage.recorder().events().size();
    stage.strike({primary, Strike::Kind::CutReplication, {}});
    const QStringList servers = actingServers(stage);
    for (const QString &server : servers) {
        if (server == primary)
            continue;
        if (const auto seen = co_await stage.seen(saw::unlinkedAfter(server, recorded)); !seen)
            co_return Error {Error::Kind::Failed, tr("%1 was cut off from %2 and did not notice it.").arg(server, primary)};
    }
    co_return Result<void>();
}

Task<Result<void>> cutReplica(Stage &stage, QString primary, QString replica)
{
    const qint64 since = stage.recorder().now();
    if (const auto forbidden = co_await tell(stage, primary, Command("ACL", "SETUSER", "default", "-psync", "-sync")); !forbidden)
        co_return forbidden.error();
    if (const auto dropped = co_await tell(stage, replica, Command("CLIENT", "KILL", "TYPE", "master")); !dropped)
        co_return dropped.error();
    if (const auto seen = co_await stage.seen(saw::unlinked(replica, since)); !seen)
        co_return Error {Error::Kind::Failed, tr("%1 was cut off from %2 and did not notice it.").arg(replica, primary)};
    Event event;
    event.kind = Event::Kind::Fault;
    event.at = since;
    event.lane = stage.recorder().intern(primary);
    event.node = stage.recorder().intern(replica);
    event.text = stage.recorder().intern(strikeWord(Strike::Kind::CutReplication));
    event.flags = Event::Touched;
    stage.recorder().record(event);
    co_return Result<void>();
}

Task<Result<void>> replication(Stage &stage, QString primary, Milliseconds limit)
{
    const Nanoseconds end = stage.director().now() + limit;
    const auto replicas = actingServers(stage).size() - 1;
    Client client(stage.director(), stage.node(primary), limit + 2s);
    while (stage.director().now() < end) {
        // Refused while the primary has not heard from its replicas for a moment, if it wants to hear from them.
        const Result<Reply> marked = co_await client.command("SET", stage.key("marker"), "1");
        if (!marked)
            co_return marked.error();
        const Result<Reply> copies = co_await client.command("WAIT", replicas, 1000);
        if (!copies)
            co_return copies.error();
        if (!marked->isError() && copies->integer >= replicas)
            co_return Result<void>();
    }
    co_return Error {Error::Kind::Failed,
        tr("Not all replicas had what %1 has within %2 s.").arg(primary).arg(seconds(limit))};
}

Task<Result<QString>> promotion(Stage &stage, qint64 since, Nanoseconds limit)
{
    const Result<Event> seen = co_await stage.seen(saw::role("primary", since), limit);
    if (seen)
        co_return stage.recorder().run().text(seen->lane);
    co_return Error {Error::Kind::Failed,
        tr("No server took the primary’s role within %1 s. What the sentinels said last: %2.").arg(seconds(limit)).arg(lastWordsOf(stage, since))};
}

Task<Result<void>> settlement(Stage &stage, QString primary, qint64 since, Nanoseconds limit)
{
    const Nanoseconds end = stage.director().now() + limit;
    const auto left = [&] { return std::max<Nanoseconds>(1ms, end - stage.director().now()); };
    const auto failed = [&](const QString &missing) {
        return Error {Error::Kind::Failed,
            tr("After the failover the group was not settled within %1 s: %2. What the sentinels said last: %3.")
                .arg(seconds(limit)).arg(missing, lastWordsOf(stage, since))};
    };
    const QStringList sentinels = actingSentinels(stage);
    for (const QString &sentinel : sentinels) {
        if (const auto seen = co_await stage.seen(saw::published("+switch-master", since, sentinel), left()); !seen)
            co_return failed(tr("%1 did not name the new primary").arg(sentinel));
    }
    const QStringList servers = actingServers(stage);
    for (const QString &server : servers) {
        if (server == primary)
            continue;
        if (const auto seen = co_await stage.seen(saw::linked(server, "up", since, primary), left()); !seen)
            co_return failed(tr("%1 does not replicate %2").arg(server, primary));
    }
    co_return Result<void>();
}

Task<Result<void>> readBack(Stage &stage, QString server, QByteArray list)
{
    const Result<Reply> reply = co_await tell(stage, server, Command("LRANGE", list, 0, -1));
    if (!reply)
        co_return reply.error();
    Recorder &recorder = stage.recorder();
    Event event;
    event.kind = Event::Kind::Owner;
    event.what = static_cast<quint8>(OwnerChange::Read);
    event.at = recorder.now();
    event.lane = recorder.intern(server);
    event.key = recorder.intern(list);
    for (const Reply &entry : reply->elements) {
        event.text = recorder.intern(entry.text);
        recorder.record(event);
    }
    if (reply->elements.empty())
        recorder.record(event);
    co_return Result<void>();
}

namespace saw {

SeenStep::Fits role(const char *role, qint64 since, const QString &server)
{
    return [role = QByteArray(role), since, server = server.toUtf8()](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::RoleChanged) && event.at >= since
            && names.bytes(event.text) == role && (server.isEmpty() || names.bytes(event.lane) == server);
    };
}

SeenStep::Fits linked(const QString &replica, const char *state, qint64 since, const QString &primary)
{
    return [replica = replica.toUtf8(), state = QByteArray(state), since, primary = primary.toUtf8()](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Linked) && event.at >= since
            && names.bytes(event.lane) == replica && names.bytes(event.text) == state
            && (primary.isEmpty() || names.bytes(event.node) == primary);
    };
}

SeenStep::Fits unlinked(const QString &replica, qint64 since)
{
    return [replica = replica.toUtf8(), since](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Linked) && event.at >= since
            && names.bytes(event.lane) == replica && names.bytes(event.text) != "up";
    };
}

SeenStep::Fits unlinkedAfter(const QString &replica, size_t events)
{
    return [unlinked = unlinked(replica), events](const Event &event, const Names &names) mutable {
        const bool counts = events == 0;
        events -= counts ? 0 : 1;
        return counts && unlinked(event, names);
    };
}

SeenStep::Fits published(const char *name, qint64 since, const QString &sentinel)
{
    return [name = QByteArray(name), since, sentinel = sentinel.toUtf8()](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Sentinel && event.at >= since && names.bytes(event.text) == name
            && (sentinel.isEmpty() || names.bytes(event.lane) == sentinel);
    };
}

SeenStep::Fits sentinelEnded(qint64 since)
{
    return [since](const Event &event, const Names &names) {
        const auto what = static_cast<NodeChange>(event.what);
        return event.kind == Event::Kind::Node && event.at >= since && (what == NodeChange::Killed || what == NodeChange::Ended)
            && names.bytes(event.lane).startsWith('S');
    };
}

SeenStep::Fits wroteSince(qint64 since)
{
    return [since](const Event &event, const Names &) {
        return event.kind == Event::Kind::Resource && event.what == static_cast<quint8>(Resource::Wrote) && event.at >= since;
    };
}

SeenStep::Fits answeredSince(const QString &who, qint64 since)
{
    return [answered = answered(who), since](const Event &event, const Names &names) { return answered(event, names) && event.sent >= since; };
}

}

}
