// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/linkconnection.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QTcpSocket>

#include <utility>

namespace interlock {

LinkConnection::LinkConnection(std::unique_ptr<QTcpSocket> peer, bool listens, Clock &clock, Owner &owner)
    : m_owner(owner)
    , m_peer(std::move(peer))
    , m_node(std::make_unique<QTcpSocket>())
    , m_towardsNode(*m_peer, *m_node, clock, [this] { m_node->disconnectFromHost(); })
    , m_fromNode(*m_node, *m_peer, clock, [this] { m_peer->disconnectFromHost(); })
{
    if (listens)
        m_speech.emplace();
    m_node->setProxy(QNetworkProxy::NoProxy);
    m_peer->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(m_peer.get(), &QTcpSocket::readyRead, this, &LinkConnection::peerSaid);
    connect(m_peer.get(), &QTcpSocket::bytesWritten, this, [this] { m_fromNode.pump(); });
    connect(m_peer.get(), &QTcpSocket::stateChanged, this, &LinkConnection::peerChanged);
    connect(m_node.get(), &QTcpSocket::readyRead, this, [this] { m_fromNode.pump(); });
    connect(m_node.get(), &QTcpSocket::bytesWritten, this, &LinkConnection::pumpTowardsNode);
    connect(m_node.get(), &QTcpSocket::stateChanged, this, &LinkConnection::nodeChanged);
}

LinkConnection::~LinkConnection()
{
    m_peer->disconnect(this); // closing tells of it
    m_node->disconnect(this);
}

void LinkConnection::connectToNode(const QString &host, quint16 port)
{
    if (!std::exchange(m_isStarted, true))
        m_node->connectToHost(QHostAddress(host), port);
}

void LinkConnection::countIn(LinkStream::Counts &towardsNode, LinkStream::Counts &fromNode)
{
    m_towardsNode.countIn(towardsNode);
    m_fromNode.countIn(fromNode);
}

void LinkConnection::setPolicies(LinkPolicy towardsNode, LinkPolicy fromNode)
{
    m_towardsNode.setPolicy(towardsNode);
    m_fromNode.setPolicy(fromNode);
}

bool LinkConnection::isPassing() const
{
    return m_node->state() == QAbstractSocket::ConnectedState && !m_towardsNode.isTouched() && !m_fromNode.isTouched();
}

void LinkConnection::cut()
{
    m_isOver = true;
    m_towardsNode.close();
    m_fromNode.close();
    m_peer->abort();
    m_node->abort();
}

void LinkConnection::peerSaid()
{
    if (m_speech) {
        const QByteArray said = m_peer->peek(m_peer->bytesAvailable());
        const std::optional<LinkSpeech::Speaker> speaker = m_speech->hear(QByteArrayView(said).sliced(m_heard));
        if (speaker) {
            m_speech.reset();
            m_owner.recognized(*this, *speaker);
        }
    }
    pumpTowardsNode();
}

/// What stays in the socket has been heard, and is handed on later.
void LinkConnection::pumpTowardsNode()
{
    m_towardsNode.pump();
    m_heard = m_peer->bytesAvailable();
}

void LinkConnection::peerChanged()
{
    if (m_isOver || m_peer->state() != QAbstractSocket::UnconnectedState)
        return;
    m_fromNode.close();
    m_towardsNode.endSource();
    endIfBothHave();
}

void LinkConnection::nodeChanged()
{
    if (m_isOver)
        return;
    if (m_node->state() == QAbstractSocket::ConnectedState) {
        m_node->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        pumpTowardsNode();
    } else if (m_node->state() == QAbstractSocket::UnconnectedState) {
        m_towardsNode.close();
        m_fromNode.endSource();
        endIfBothHave();
    }
}

void LinkConnection::endIfBothHave()
{
    const auto hasEnded = [](const QTcpSocket &socket) { return socket.state() == QAbstractSocket::UnconnectedState; };
    if (hasEnded(*m_peer) && hasEnded(*m_node) && !std::exchange(m_isOver, true))
        m_owner.ended(*this);
}

}
