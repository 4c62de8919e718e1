// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run does before it begins: its servers are started, or the user's is asked, and watched.
#include "engine/base/awaited.h"
#include "engine/base/words.h"
#include "engine/lab/cluster.h"
#include "engine/redis/infofields.h"
#include "engine/runner.h"
#include "engine/schedule/targetclient.h"

#include <QCoreApplication>
#include <QRandomGenerator>

#include <algorithm>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("run", text);
}

/// "a replica", "two replicas"
QString counted(int number, const QString &one, const QString &several)
{
    static constexpr const char *words[] = {QT_TRANSLATE_NOOP("run", "two"), QT_TRANSLATE_NOOP("run", "three"), QT_TRANSLATE_NOOP("run", "four"),
        QT_TRANSLATE_NOOP("run", "five"), QT_TRANSLATE_NOOP("run", "six"), QT_TRANSLATE_NOOP("run", "seven"), QT_TRANSLATE_NOOP("run", "eight"),
        QT_TRANSLATE_NOOP("run", "nine")};
    if (number == 1)
        return one;
    const auto index = static_cast<size_t>(number - 2);
    return several.arg(index < std::size(words) ? tr(words[index]) : QString::number(number));
}

/// "a primary, two replicas and three sentinels"
QString members(const GroupPlan &plan)
{
    QStringList list {tr("a primary")};
    if (plan.replicas > 0)
        list.append(counted(plan.replicas, tr("a replica"), tr("%1 replicas")));
    if (plan.sentinels > 0)
        list.append(counted(plan.sentinels, tr("a sentinel"), tr("%1 sentinels")));
    return listedAnd(list);
}

const char *roleWord(NodeRole role)
{
    return role == NodeRole::Sentinel ? "sentinel" : role == NodeRole::Replica ? "replica" : "primary";
}

}

Task<Result<void>> Runner::startServers()
{
    const Experiment &experiment = *m_plan.experiment;
    const std::optional<GroupPlan> group = experiment.group ? experiment.group(m_plan.values) : std::nullopt;
    m_calls.progressed(group ? tr("Starting %1…").arg(members(*group)) : tr("Starting redis-server…"));
    Awaited<Result<void>> keeping(post());
    m_keeper = std::make_unique<Keeper>(keeping.callback());
    Result<void> kept = co_await keeping;
    if (!kept)
        co_return kept;
    if (group)
        co_return co_await startGroup(*group);
    const QStringList cluster = experiment.cluster ? experiment.cluster(m_plan.values) : QStringList();
    const QStringList names = cluster.isEmpty() ? experiment.nodes : cluster;
    const QString role = cluster.isEmpty() ? QStringLiteral("primary") : QStringLiteral("cluster member");
    std::vector<std::unique_ptr<Awaited<Result<void>>>> starting; // all at once
    for (const QString &name : names) {
        PrivateServer::Options options;
        options.name = name;
        options.isClusterMember = !cluster.isEmpty();
        starting.push_back(std::make_unique<Awaited<Result<void>>>(post()));
        m_servers.push_back(std::make_unique<PrivateServer>(*m_keeper, options, starting.back()->callback()));
        m_servers.back()->onEnded = [this, name](const QString &how) { serverEnded(name, how); };
    }
    for (size_t i = 0; i < m_servers.size(); ++i) {
        Awaited<Result<void>> &one = *starting[i]; // GCC 12 would copy what stands behind co_await otherwise
        Result<void> started = co_await one;
        if (!started)
            co_return started;
        const QString name = names[static_cast<qsizetype>(i)];
        m_nodes.push_back({name, m_servers[i]->endpoint()});
        m_recorder.header().nodes.append({name, role, m_servers[i]->version(), true, {}});
    }
    if (cluster.isEmpty())
        co_return Result<void>();
    m_calls.progressed(tr("The servers form a cluster…"));
    std::vector<Endpoint> members;
    for (const NodeRef &node : m_nodes)
        members.push_back(node.endpoint);
    co_return co_await formCluster(std::move(members), m_clock);
}

Task<Result<void>> Runner::startGroup(GroupPlan plan)
{
    NodeGroup::Options options;
    options.replicas = plan.replicas;
    options.sentinels = plan.sentinels;
    options.settings = plan.settings;
    options.nodeSettings = plan.settingsOf;
    Awaited<Result<void>> forming(post());
    m_group = std::make_unique<NodeGroup>(*m_keeper, options, m_clock, forming.callback());
    m_group->onStarted = [this] { m_calls.progressed(tr("They agree on who is primary…")); };
    m_group->onEnded = [this](const QString &name, const QString &how) { serverEnded(name, how); };
    Result<void> formed = co_await forming;
    if (!formed)
        co_return formed;
    Header &header = m_recorder.header();
    header.relay = true;
    for (const GroupNode &node : m_group->nodes()) {
        (node.role == NodeRole::Sentinel ? m_sentinels : m_nodes).push_back({node.name, node.announced});
        const QString address = QStringLiteral("%1:%2").arg(node.announced.host).arg(node.announced.port);
        header.nodes.append({node.name, QString::fromLatin1(roleWord(node.role)), node.version, true, address});
    }
    Awaited<Result<void>> watching(post());
    m_groupWatch = std::make_unique<GroupWatch>(m_group->nodes(), m_recorder, m_clock, watching.callback());
    co_return co_await watching;
}

PrivateServer &Runner::server(const QString &name)
{
    const auto known = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const NodeRef &node) { return node.name == name; });
    Q_ASSERT(known != m_nodes.end() && m_nodes.size() == m_servers.size());
    return *m_servers[static_cast<size_t>(known - m_nodes.begin())];
}

ServerControls Runner::controls()
{
    using Ready = std::function<void(Result<void>)>;
    ServerControls controls;
    if (m_group) {
        controls.group = m_group.get();
        controls.isRunning = [this](const QString &name) { return m_group->isRunning(name); };
        controls.kill = [this](const QString &name) { return m_group->kill(name); };
        controls.pause = [this](const QString &name) { return m_group->pause(name); };
        controls.resume = [this](const QString &name) { return m_group->resume(name); };
        controls.restart = [this](const QString &name, Ready ready) { m_group->restart(name, std::move(ready)); };
    } else {
        controls.isRunning = [this](const QString &name) { return server(name).isRunning(); };
        controls.kill = [this](const QString &name) { return server(name).kill(); };
        controls.pause = [this](const QString &name) { return server(name).pause(); };
        controls.resume = [this](const QString &name) { return server(name).resume(); };
        controls.restart = [this](const QString &name, Ready ready) { server(name).restart(std::move(ready)); };
    }
    return controls;
}

Task<Result<void>> Runner::openTarget()
{
    const QString target = shown(*m_plan.target);
    m_calls.progressed(tr("Asking %1…").arg(target));
    const Result<std::unique_ptr<Client>> client = co_await clientOf(m_self, *m_plan.target);
    if (!client)
        co_return client.error();
    const Endpoint server = (*client)->node().endpoint;
    const Result<Reply> info = co_await (*client)->command("INFO", "server");
    if (!info)
        co_return info.error();
    if (info->isError()) {
        co_return Error {Error::Kind::Failed,
            tr("Redis at %1 refused: %2").arg(server.shown(), QString::fromUtf8(info->text))};
    }
    const Result<Reply> notifying = co_await (*client)->command("CONFIG", "GET", "notify-keyspace-events");
    // Whoever may not ask (or a server without CONFIG) gets lanes that are marked inferred.
    const bool told = notifying.ok() && notifying->elements.size() == 2;
    const QByteArray flags = told ? notifying->elements[1].text : QByteArray();
    m_hasNotifications = flags.contains('K') && (flags.contains('A') || (flags.contains('g') && flags.contains('$') && flags.contains('x')));
    m_keyPrefix = "interlock:{" + QByteArray::number(QRandomGenerator::global()->generate(), 16) + "}:";
    const QString name = m_plan.experiment->nodes.value(0);
    m_nodes.push_back({name, server});
    m_recorder.header().nodes.append({name, QStringLiteral("primary"), QString::fromLatin1(InfoFields(info->text).text("redis_version")), false, {}});
    m_recorder.header().target = std::holds_alternative<Endpoint>(*m_plan.target) ? target : target + QStringLiteral(" → ") + server.shown();
    co_return Result<void>();
}

Task<Result<void>> Runner::startWatches()
{
    for (const NodeRef &node : m_nodes) {
        Awaited<Result<void>> starting(post());
        m_watches.push_back(std::make_unique<OwnerWatch>(
            m_group ? m_group->node(node.name).direct : node.endpoint, node.name, m_hasNotifications, m_recorder, m_clock, starting.callback()));
        Result<void> started = co_await starting;
        if (!started)
            co_return started;
    }
    co_return Result<void>();
}

}
