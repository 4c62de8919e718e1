// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/linkspeech.h"
#include "engine/lab/linkstream.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

class QTcpSocket;

namespace interlock {

/// One connection through a relay: the socket of the peer that came, and one to the node.
class LinkConnection : public QObject
{
public:
    class Owner
    {
    public:
        /// By what its peer said first. May cut it.
        virtual void recognized(LinkConnection &connection, const LinkSpeech::Speaker &speaker) = 0;
        /// Both ends are closed, and not by cut(). May delete it, but later.
        virtual void ended(LinkConnection &connection) = 0;

    protected:
        ~Owner() = default;
    };

    /// @param listens whether it is to be told by its speech who the peer is.
    LinkConnection(std::unique_ptr<QTcpSocket> peer, bool listens, Clock &clock, Owner &owner);
    ~LinkConnection() override;

    /// @param host an IPv4 address. Once; does nothing afterwards.
    void connectToNode(const QString &host, quint16 port);
    /// Where its bytes count from now on, with those so far; both must outlive it.
    void countIn(LinkStream::Counts &towardsNode, LinkStream::Counts &fromNode);
    void setPolicies(LinkPolicy towardsNode, LinkPolicy fromNode);
    /// Connected with the node, and nothing is held or delayed in either direction.
    bool isPassing() const;
    /// Closes both ends at once; what was held or delayed is lost. Nobody is told.
    void cut();

private:
    void peerSaid();
    void pumpTowardsNode();
    void peerChanged();
    void nodeChanged();
    void endIfBothHave();

    Owner &m_owner;
    std::unique_ptr<QTcpSocket> m_peer;
    std::unique_ptr<QTcpSocket> m_node;
    std::optional<LinkSpeech> m_speech; ///< until it is known who speaks
    qsizetype m_heard = 0; ///< bytes of the peer's that wait in its socket and were heard
    LinkStream m_towardsNode;
    LinkStream m_fromNode;
    bool m_isStarted = false;
    bool m_isOver = false;
};

}
