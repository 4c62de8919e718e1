// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/topologyscene.h"

#include "widgets/ladder/rungwords.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/topology/nodewords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

// The states of a group's nodes as data. Words here are for programs and are not translated.
namespace interlock {

namespace {

QString lifeWord(NodeState::Life life)
{
    switch (life) {
    case NodeState::Life::Running:
        return QStringLiteral("running");
    case NodeState::Life::Starting:
        return QStringLiteral("starting");
    case NodeState::Life::Paused:
        return QStringLiteral("paused");
    case NodeState::Life::Dead:
        break;
    }
    return QStringLiteral("dead");
}

QString linkWord(ReplicationLink::State state)
{
    switch (state) {
    case ReplicationLink::State::Unknown:
        break;
    case ReplicationLink::State::Up:
        return QStringLiteral("up");
    case ReplicationLink::State::Syncing:
        return QStringLiteral("syncing");
    case ReplicationLink::State::Connecting:
        return QStringLiteral("connecting");
    case ReplicationLink::State::Down:
        return QStringLiteral("down");
    case ReplicationLink::State::Cut:
        return QStringLiteral("cut");
    case ReplicationLink::State::Held:
        return QStringLiteral("held");
    case ReplicationLink::State::Lagging:
        return QStringLiteral("lagging");
    }
    return {};
}

/// What a line or an object says of one node; empty texts and no numbers where there is nothing.
struct NodeData
{
    QString name, role, process, follows, link, votesFor;
    std::optional<qint64> offset, behind;
    QStringList locks; ///< "lock=7f3a"
    QStringList down; ///< sentinel: whom it holds for dead
    bool leads = false;
};

NodeData serverData(const GroupMoment &moment, const ServerState &server)
{
    const Run &run = *moment.run;
    NodeData data;
    data.role = server.isPrimary ? QStringLiteral("primary") : QStringLiteral("replica");
    data.follows = nodeName(run, server.follows);
    if (server.offset != never)
        data.offset = server.offset;
    for (const ReplicationLink &link : moment.group.links(run)) {
        if (link.to != server.node)
            continue;
        data.link = linkWord(link.state);
        if (link.behind != never)
            data.behind = link.behind;
    }
    for (const KeyState &key : server.keys) {
        if (key.token)
            data.locks.append(run.text(key.key) + QLatin1Char('=') + run.text(key.token));
    }
    return data;
}

NodeData sentinelData(const Run &run, const SentinelState &sentinel)
{
    NodeData data;
    data.role = QStringLiteral("sentinel");
    data.follows = nodeName(run, sentinel.primary);
    data.votesFor = sentinel.vote ? nodeName(run, sentinel.vote->candidate) : QString();
    data.leads = sentinel.isLeader;
    for (const SentinelState::Down &down : sentinel.down)
        data.down.append(nodeName(run, down.node));
    return data;
}

std::vector<NodeData> dataAt(const Run &run, qint64 at)
{
    GroupHistory history;
    history.extend(run);
    const GroupMoment moment = GroupMoment::of(run, history, at);
    std::vector<NodeData> all;
    for (qsizetype i = 0; i < run.header.nodes.size(); ++i) {
        const auto node = static_cast<int>(i);
        const NodeState *state = moment.group.node(node);
        if (!state)
            continue;
        const ServerState *server = moment.group.server(node);
        NodeData data = server ? serverData(moment, *server) : sentinelData(run, *moment.group.sentinel(node));
        data.name = nodeName(run, node);
        data.process = lifeWord(state->life);
        all.push_back(std::move(data));
    }
    return all;
}

}

QByteArray nodesCsv(const Run &run, qint64 at)
{
    QByteArray csv = csvLine({QStringLiteral("at s"), QStringLiteral("node"), QStringLiteral("role"), QStringLiteral("process"), QStringLiteral("primary"), QStringLiteral("link"),
        QStringLiteral("offset"), QStringLiteral("behind"), QStringLiteral("locks"), QStringLiteral("calls down"), QStringLiteral("votes for"), QStringLiteral("leads")});
    const auto number = [](std::optional<qint64> value) { return value ? QString::number(*value) : QString(); };
    for (const NodeData &data : dataAt(run, at)) {
        csv += csvLine({QString::number(static_cast<double>(at) / 1e9, 'f', 6), data.name, data.role, data.process, data.follows, data.link, number(data.offset), number(data.behind),
            data.locks.join(QLatin1Char(' ')), data.down.join(QLatin1Char(' ')), data.votesFor, data.leads ? QStringLiteral("yes") : QString()});
    }
    return csv;
}

QByteArray nodesJson(const Run &run, qint64 at)
{
    QJsonArray nodes;
    for (const NodeData &data : dataAt(run, at)) {
        QJsonObject node {{QStringLiteral("node"), data.name}, {QStringLiteral("role"), data.role}, {QStringLiteral("process"), data.process}};
        const auto insert = [&node](const char *name, const QString &value) {
            if (!value.isEmpty())
                node.insert(QLatin1String(name), value);
        };
        insert("primary", data.follows);
        insert("link", data.link);
        insert("votesFor", data.votesFor);
        if (data.offset)
            node.insert(QStringLiteral("offset"), *data.offset);
        if (data.behind)
            node.insert(QStringLiteral("behind"), *data.behind);
        if (!data.locks.isEmpty())
            node.insert(QStringLiteral("locks"), QJsonArray::fromStringList(data.locks));
        if (!data.down.isEmpty())
            node.insert(QStringLiteral("callsDown"), QJsonArray::fromStringList(data.down));
        if (data.leads)
            node.insert(QStringLiteral("leads"), true);
        nodes.append(node);
    }
    return QJsonDocument(QJsonObject {{QStringLiteral("at"), static_cast<double>(at) / 1e9}, {QStringLiteral("nodes"), nodes}}).toJson(QJsonDocument::Indented);
}

}
