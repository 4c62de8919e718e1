// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/endpoint.h"

#include <QTcpServer>
#include <QTcpSocket>

#include <functional>

namespace interlock {

/// A listener on loopback that is no Redis: it says what a test wants it to.
class FakeServer
{
public:
    using Behaviour = std::function<void(QTcpSocket &peer, const QByteArray &received)>;

    /// @param greeting sent to everybody who connects.
    /// @param behaviour called with what was received; empty: silence.
    explicit FakeServer(QByteArray greeting = {}, Behaviour behaviour = {})
        : m_greeting(std::move(greeting))
        , m_behaviour(std::move(behaviour))
    {
        // Below the range of outgoing connections, like every server of the tests.
        for (quint16 port = 21000; port < 32768 && !m_server.isListening(); ++port)
            m_server.listen(QHostAddress::LocalHost, port);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] { accept(); });
    }

    Endpoint endpoint() const
    {
        Endpoint endpoint;
        endpoint.host = QStringLiteral("127.0.0.1");
        endpoint.port = m_server.serverPort();
        return endpoint;
    }

private:
    void accept()
    {
        QTcpSocket *peer = m_server.nextPendingConnection();
        peer->write(m_greeting);
        QObject::connect(peer, &QTcpSocket::readyRead, &m_server, [this, peer] {
            const QByteArray received = peer->readAll();
            if (m_behaviour)
                m_behaviour(*peer, received);
        });
    }

    QTcpServer m_server;
    QByteArray m_greeting;
    Behaviour m_behaviour;
};

}
