// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/lab/link.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace interlock {

class Clock;

/// The link in front of a node: listens where the node is announced, and hands what comes on to where it really listens. For each class
/// of traffic, and each other node, it can delay, hold or cut one direction or both.
///
/// A connection's class is told by the address that it comes from, where nodes have addresses of their own; else by what it says first:
/// a replica tells the port on which it is announced, a sentinel names itself after its id. Until it has, it passes, so that it can log in.
class Relay
{
public:
    /// Another node that may connect.
    struct Peer
    {
        QString name;
        LinkClass linkClass = LinkClass::Replication;
        QString host; ///< it connects from
        quint16 announcedPort = 0;
        QByteArray sentinelId; ///< 40 hexadecimal digits, of a sentinel

        bool operator==(const Peer &) const = default;
    };
    enum class Recognition : quint8 { ByAddress, BySpeech };

    struct Options
    {
        QString host; ///< an IPv4 address of this machine
        quint16 port = 0;
        QString nodeHost;
        quint16 nodePort = 0;
        Recognition recognition = Recognition::ByAddress;
        std::vector<Peer> peers;
    };

    Relay(Options options, Clock &clock);
    ~Relay(); ///< closes everything at once
    Relay(const Relay &) = delete;
    Relay &operator=(const Relay &) = delete;

    /// Connections wait for nodeStarted(). Failed: the address is taken, or cannot be used.
    Result<void> listen();
    /// The node answers: those that wait are connected with it.
    void nodeStarted();
    /// The node is dead. Does not listen any more; what was held or delayed is lost; what passes ends with what the node sent before.
    void nodeEnded();
    bool isListening() const;

    /// For one peer, or (nullopt) for all peers of the class that have no policy of their own. nullopt as policy: back to that of the class.
    void setPolicy(LinkClass linkClass, std::optional<QString> peer, LinkDirection direction, std::optional<LinkPolicy> policy);
    /// Cuts everything of this peer, whatever its policies say; nullopt: of everybody, and does not listen.
    void isolate(std::optional<QString> peer);
    /// The end of that. Failed: it cannot listen again.
    Result<void> heal(std::optional<QString> peer);

    /// nullopt: all peers of the class. Totals since the relay was made.
    LinkTouch touched(LinkClass linkClass, std::optional<QString> peer = {}, LinkDirection direction = LinkDirection::Both) const;
    /// By class and peer, in the order in which they first came.
    std::vector<LinkTraffic> traffic() const;
    /// A connection was opened and its class is known, or one was closed. Must not destroy the relay.
    std::function<void(const LinkTraffic &)> onOpenChanged;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
