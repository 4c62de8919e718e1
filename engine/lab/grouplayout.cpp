// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/grouplayout.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QRandomGenerator>
#include <QTcpServer>

namespace interlock {

namespace {

constexpr int firstPort = 10'000;
constexpr int endOfPorts = 32'768;

// A new link counts as silent from its creation until its first answer. So nobody is called dead this early; the group sets
// what it wants when all links are up.
constexpr int patientDownAfter = 30'000; // ms

constexpr Milliseconds lateness = 300ms; // longer than the relays ever stand still on a busy machine

int random(int first, int end)
{
    return QRandomGenerator::global()->bounded(first, end);
}

QByteArray randomId()
{
    QByteArray bytes;
    for (int i = 0; i < 20; ++i)
        bytes.append(static_cast<char>(random(0, 256)));
    return bytes.toHex();
}

QString shown(const PrivateServer::Address &address)
{
    return QStringLiteral("%1 %2").arg(address.host).arg(address.port);
}

/// A network of its own in 127.0.0.0/8: servers at .11 to .19, their relays at .21 to .29, sentinels and theirs from .31 and .41.
void placeApart(std::vector<GroupLayout::Node> &nodes, quint16 first)
{
    const QString network = QStringLiteral("127.%1.%2.").arg(random(1, 255)).arg(random(0, 256));
    const quint16 port = first ? first : static_cast<quint16>(random(firstPort, endOfPorts));
    int servers = 0;
    int sentinels = 0;
    for (GroupLayout::Node &node : nodes) {
        const int last = node.role == NodeRole::Sentinel ? 31 + sentinels++ : 11 + servers++;
        node.direct = {network + QString::number(last), port};
        node.announced = {network + QString::number(last + 10), port};
    }
}

void placeTogether(std::vector<GroupLayout::Node> &nodes, quint16 first)
{
    const auto host = QStringLiteral("127.0.0.1");
    int port = first ? first : random(firstPort, endOfPorts - 2 * static_cast<int>(nodes.size()));
    for (GroupLayout::Node &node : nodes) {
        node.direct = {host, static_cast<quint16>(port++)};
        node.announced = {host, static_cast<quint16>(port++)};
    }
}

QStringList sentinelLines(const GroupLayout &layout, const GroupLayout::Node &self, const NodeGroup::Options &options)
{
    const QString master = QLatin1String(NodeGroup::masterName);
    const int quorum = options.quorum > 0 ? options.quorum : options.sentinels / 2 + 1;
    QStringList lines {
        QStringLiteral("sentinel myid %1").arg(QString::fromLatin1(self.sentinelId)),
        QStringLiteral("sentinel monitor %1 %2 %3").arg(master, shown(layout.nodes.front().announced)).arg(quorum),
        QStringLiteral("sentinel down-after-milliseconds %1 %2").arg(master).arg(patientDownAfter),
        QStringLiteral("sentinel failover-timeout %1 %2").arg(master).arg(options.failoverTimeout.count()),
        QStringLiteral("sentinel parallel-syncs %1 %2").arg(master).arg(std::max(1, options.replicas)),
    };
    for (const GroupLayout::Node &node : layout.nodes) {
        if (node.role == NodeRole::Replica)
            lines += QStringLiteral("sentinel known-replica %1 %2").arg(master, shown(node.announced));
        if (node.role == NodeRole::Sentinel && node.name != self.name)
            lines += QStringLiteral("sentinel known-sentinel %1 %2 %3").arg(master, shown(node.announced), QString::fromLatin1(node.sentinelId));
    }
    return lines;
}

}

bool hasOwnLoopbackAddresses()
{
    static const bool can = [] {
        QTcpServer server;
        server.setProxy(QNetworkProxy::NoProxy);
        return server.listen(QHostAddress(QStringLiteral("127.213.71.11")));
    }();
    return can;
}

GroupLayout GroupLayout::make(const NodeGroup::Options &options, quint16 port)
{
    GroupLayout layout;
    for (int i = 0; i <= options.replicas; ++i)
        layout.nodes.push_back({QStringLiteral("N%1").arg(i + 1), i == 0 ? NodeRole::Primary : NodeRole::Replica, {}, {}, {}, {}});
    for (int i = 0; i < options.sentinels; ++i) {
        const bool isLate = i >= (options.sentinels + 1) / 2;
        layout.nodes.push_back({QStringLiteral("S%1").arg(i + 1), NodeRole::Sentinel, {}, {}, randomId(), options.downAfter + (isLate ? lateness : 0ms)});
    }
    using Addresses = NodeGroup::Addresses;
    layout.hasOwnAddresses = options.addresses == Addresses::Own || (options.addresses == Addresses::Automatic && hasOwnLoopbackAddresses());
    if (layout.hasOwnAddresses)
        placeApart(layout.nodes, port);
    else
        placeTogether(layout.nodes, port);
    return layout;
}

PrivateServer::Options GroupLayout::server(const Node &node, const NodeGroup::Options &options) const
{
    PrivateServer::Options server;
    server.name = node.name;
    server.host = node.direct.host;
    server.firstPort = node.direct.port;
    server.isPortFixed = true;
    server.announced = node.announced;
    if (node.role == NodeRole::Sentinel) {
        server.watches = QLatin1String(NodeGroup::masterName);
        server.settings = sentinelLines(*this, node, options);
        return server;
    }
    // A replica asks for a copy and is given it at once. It lies in a file until it is read, and not for the next start.
    server.settings = {QStringLiteral("repl-diskless-sync-delay 0"), QStringLiteral("rdb-del-sync-files yes")};
    if (node.role == NodeRole::Replica)
        server.settings += QStringLiteral("replicaof %1").arg(shown(nodes.front().announced));
    server.settings += options.settings;
    if (const auto own = options.nodeSettings.find(node.name); own != options.nodeSettings.end())
        server.settings += own->second;
    return server;
}

Relay::Options GroupLayout::relay(const Node &node) const
{
    Relay::Options relay;
    relay.host = node.announced.host;
    relay.port = node.announced.port;
    relay.nodeHost = node.direct.host;
    relay.nodePort = node.direct.port;
    relay.recognition = hasOwnAddresses ? Relay::Recognition::ByAddress : Relay::Recognition::BySpeech;
    for (const Node &other : nodes) {
        const LinkClass linkClass = other.role == NodeRole::Sentinel ? LinkClass::Sentinel : LinkClass::Replication;
        if (other.name != node.name)
            relay.peers.push_back({other.name, linkClass, other.direct.host, other.announced.port, other.sentinelId});
    }
    return relay;
}

}
