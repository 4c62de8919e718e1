// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/relay.h"

#include "engine/lab/linkconnection.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QNetworkProxy>
#include <QTcpServer>
#include <QTcpSocket>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Relay)
};

Relay::Peer stranger(LinkClass linkClass)
{
    Relay::Peer peer;
    peer.linkClass = linkClass;
    return peer;
}

/// What one peer does in one class.
struct Party
{
    LinkClass linkClass = LinkClass::Client;
    QString peer;
    int open = 0;
    int opened = 0;
    int cut = 0;
    LinkStream::Counts towardsNode;
    LinkStream::Counts fromNode;

    LinkTraffic traffic() const { return {linkClass, peer, open, opened, towardsNode.handedOn, fromNode.handedOn}; }
    LinkTouch touch(LinkDirection direction) const
    {
        LinkTouch touch {0, 0, cut};
        if (direction != LinkDirection::FromNode)
            touch += towardsNode.touch;
        if (direction != LinkDirection::TowardsNode)
            touch += fromNode.touch;
        return touch;
    }
};

}

class Relay::Impl final : public QObject, private LinkConnection::Owner
{
public:
    Impl(Relay &relay, Options options, Clock &clock);

    enum class Node { Absent, Awaited, There };

    Result<void> listen();
    void nodeStarted();
    void nodeEnded();
    void setPolicy(LinkClass linkClass, const std::optional<QString> &peer, LinkDirection direction, std::optional<LinkPolicy> policy);
    void apply();

    Node m_state = Node::Absent;
    QTcpServer m_server;
    std::vector<std::unique_ptr<Party>> m_parties; // their addresses stay
    bool m_isIsolated = false;
    std::set<QString> m_isolatedPeers;

private:
    struct Link
    {
        LinkConnection *connection = nullptr;
        Party *party = nullptr; // not known yet
    };
    using PolicyKey = std::tuple<LinkClass, std::optional<QString>, LinkDirection>; // one direction or the other

    void accept();
    Peer peerAt(const QString &host) const;
    Peer peerCalled(const LinkSpeech::Speaker &speaker) const;
    Party &party(const Peer &peer);
    LinkPolicy policy(const Party &party, LinkDirection direction) const;
    bool isCut(const Party &party) const;
    bool introduce(LinkConnection &connection, const Peer &peer); ///< false: it is refused
    void drop(LinkConnection &connection);
    void tell(const Party &party);
    void recognized(LinkConnection &connection, const LinkSpeech::Speaker &speaker) override;
    void ended(LinkConnection &connection) override { drop(connection); }

    Relay &m_relay;
    const Options m_options;
    Clock &m_clock;
    std::map<PolicyKey, LinkPolicy> m_policies;
    std::vector<Link> m_links; // their connections are children of this object
};

Relay::Impl::Impl(Relay &relay, Options options, Clock &clock)
    : m_relay(relay)
    , m_options(std::move(options))
    , m_clock(clock)
{
    m_server.setProxy(QNetworkProxy::NoProxy);
    connect(&m_server, &QTcpServer::newConnection, this, &Impl::accept);
}

Result<void> Relay::Impl::listen()
{
    if (m_state == Node::Absent)
        m_state = Node::Awaited;
    if (m_isIsolated || m_server.isListening() || m_server.listen(QHostAddress(m_options.host), m_options.port))
        return {};
    return Error {Error::Kind::Failed,
        Text::tr("The relay cannot listen at %1:%2: %3.").arg(m_options.host).arg(m_options.port).arg(m_server.errorString())};
}

void Relay::Impl::nodeStarted()
{
    m_state = Node::There;
    for (const Link &link : m_links)
        link.connection->connectToNode(m_options.nodeHost, m_options.nodePort);
}

void Relay::Impl::nodeEnded()
{
    m_state = Node::Absent;
    m_server.close();
    const std::vector<Link> links = m_links;
    for (const Link &link : links) {
        if (link.connection->isPassing()) // its end follows what the node has sent
            continue;
        link.connection->cut();
        drop(*link.connection);
    }
}

void Relay::Impl::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        socket->setParent(nullptr);
        const QString host = socket->peerAddress().toString();
        const bool listens = m_options.recognition == Recognition::BySpeech;
        auto *connection = new LinkConnection(std::unique_ptr<QTcpSocket>(socket), listens, m_clock, *this);
        connection->setParent(this);
        m_links.push_back({connection});
        if (!listens && !introduce(*connection, peerAt(host)))
            continue;
        if (m_state == Node::There)
            connection->connectToNode(m_options.nodeHost, m_options.nodePort);
    }
}

Relay::Peer Relay::Impl::peerAt(const QString &host) const
{
    const auto known = std::find_if(m_options.peers.begin(), m_options.peers.end(), [&](const Peer &peer) { return peer.host == host; });
    return known == m_options.peers.end() ? stranger(LinkClass::Client) : *known;
}

Relay::Peer Relay::Impl::peerCalled(const LinkSpeech::Speaker &speaker) const
{
    const auto isMeant = [&](const Peer &peer) {
        if (peer.linkClass != speaker.linkClass || speaker.linkClass == LinkClass::Client)
            return false;
        return speaker.linkClass == LinkClass::Sentinel ? !speaker.sentinelId.isEmpty() && peer.sentinelId.startsWith(speaker.sentinelId)
                                                        : peer.announcedPort == speaker.announcedPort;
    };
    const auto known = std::find_if(m_options.peers.begin(), m_options.peers.end(), isMeant);
    return known == m_options.peers.end() ? stranger(speaker.linkClass) : *known;
}

Party &Relay::Impl::party(const Peer &peer)
{
    const auto known = std::find_if(m_parties.begin(), m_parties.end(),
        [&](const auto &one) { return one->linkClass == peer.linkClass && one->peer == peer.name; });
    if (known != m_parties.end())
        return **known;
    m_parties.push_back(std::make_unique<Party>());
    m_parties.back()->linkClass = peer.linkClass;
    m_parties.back()->peer = peer.name;
    return *m_parties.back();
}

LinkPolicy Relay::Impl::policy(const Party &party, LinkDirection direction) const
{
    auto found = m_policies.find({party.linkClass, party.peer, direction});
    if (found == m_policies.end())
        found = m_policies.find({party.linkClass, std::nullopt, direction});
    return found == m_policies.end() ? LinkPolicy::pass() : found->second;
}

bool Relay::Impl::isCut(const Party &party) const
{
    const auto cuts = [&](LinkDirection direction) { return policy(party, direction).kind == LinkPolicy::Kind::Cut; };
    return m_isIsolated || m_isolatedPeers.contains(party.peer) || cuts(LinkDirection::TowardsNode) || cuts(LinkDirection::FromNode);
}

bool Relay::Impl::introduce(LinkConnection &connection, const Peer &peer)
{
    Party &whose = party(peer);
    const auto link = std::find_if(m_links.begin(), m_links.end(), [&](const Link &one) { return one.connection == &connection; });
    connection.countIn(whose.towardsNode, whose.fromNode);
    if (isCut(whose)) {
        ++whose.cut;
        connection.cut();
        drop(connection);
        return false;
    }
    link->party = &whose;
    ++whose.open;
    ++whose.opened;
    connection.setPolicies(policy(whose, LinkDirection::TowardsNode), policy(whose, LinkDirection::FromNode));
    tell(whose);
    return true;
}

void Relay::Impl::recognized(LinkConnection &connection, const LinkSpeech::Speaker &speaker)
{
    (void)introduce(connection, peerCalled(speaker));
}

void Relay::Impl::drop(LinkConnection &connection)
{
    const auto link = std::find_if(m_links.begin(), m_links.end(), [&](const Link &one) { return one.connection == &connection; });
    if (link == m_links.end())
        return;
    Party *whose = link->party;
    m_links.erase(link);
    connection.deleteLater(); // it may be what called us
    if (whose) {
        --whose->open;
        tell(*whose);
    }
}

void Relay::Impl::tell(const Party &party)
{
    if (m_relay.onOpenChanged)
        m_relay.onOpenChanged(party.traffic());
}

void Relay::Impl::setPolicy(LinkClass linkClass, const std::optional<QString> &peer, LinkDirection direction, std::optional<LinkPolicy> policy)
{
    for (const LinkDirection one : {LinkDirection::TowardsNode, LinkDirection::FromNode}) {
        if (direction != LinkDirection::Both && direction != one)
            continue;
        if (policy)
            m_policies[{linkClass, peer, one}] = *policy;
        else
            m_policies.erase({linkClass, peer, one});
    }
    apply();
}

void Relay::Impl::apply()
{
    const std::vector<Link> links = m_links;
    for (const Link &link : links) {
        if (!link.party && !m_isIsolated)
            continue;
        if (link.party && !isCut(*link.party)) {
            link.connection->setPolicies(policy(*link.party, LinkDirection::TowardsNode), policy(*link.party, LinkDirection::FromNode));
            continue;
        }
        if (link.party)
            ++link.party->cut;
        link.connection->cut();
        drop(*link.connection);
    }
}

Relay::Relay(Options options, Clock &clock)
    : m_impl(std::make_unique<Impl>(*this, std::move(options), clock))
{
}

Relay::~Relay() = default;

Result<void> Relay::listen()
{
    return m_impl->listen();
}

void Relay::nodeStarted()
{
    m_impl->nodeStarted();
}

void Relay::nodeEnded()
{
    m_impl->nodeEnded();
}

bool Relay::isListening() const
{
    return m_impl->m_server.isListening();
}

void Relay::setPolicy(LinkClass linkClass, std::optional<QString> peer, LinkDirection direction, std::optional<LinkPolicy> policy)
{
    m_impl->setPolicy(linkClass, peer, direction, policy);
}

void Relay::isolate(std::optional<QString> peer)
{
    if (peer) {
        m_impl->m_isolatedPeers.insert(*peer);
    } else {
        m_impl->m_isIsolated = true;
        m_impl->m_server.close();
    }
    m_impl->apply();
}

Result<void> Relay::heal(std::optional<QString> peer)
{
    if (peer) {
        m_impl->m_isolatedPeers.erase(*peer);
        return {};
    }
    m_impl->m_isIsolated = false;
    return m_impl->m_state == Impl::Node::Absent ? Result<void>() : m_impl->listen();
}

LinkTouch Relay::touched(LinkClass linkClass, std::optional<QString> peer, LinkDirection direction) const
{
    LinkTouch touch;
    for (const auto &party : m_impl->m_parties) {
        if (party->linkClass == linkClass && (!peer || party->peer == *peer))
            touch += party->touch(direction);
    }
    return touch;
}

std::vector<LinkTraffic> Relay::traffic() const
{
    std::vector<LinkTraffic> all;
    for (const auto &party : m_impl->m_parties)
        all.push_back(party->traffic());
    return all;
}

}
