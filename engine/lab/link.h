// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <QString>

namespace interlock {

/// What a connection through a relay serves.
enum class LinkClass : quint8 {
    Client, ///< of an application, or of anybody who is not known
    Replication, ///< of a replica to its primary
    Sentinel, ///< of a sentinel to a node or to another sentinel
};

/// Seen from the node that the relay stands in front of.
enum class LinkDirection : quint8 { TowardsNode, FromNode, Both };

/// What a relay does with the bytes of one direction.
struct LinkPolicy
{
    enum class Kind : quint8 {
        Pass,
        Delay, ///< each chunk is handed on that much later; the order is kept
        Hold, ///< nothing is read any more, so that the sender stands still when all buffers are full
        Cut, ///< connections are closed, new ones too: in either direction that is both
    };

    Kind kind = Kind::Pass;
    Nanoseconds delay {0}; ///< of Delay only

    static LinkPolicy pass() { return {}; }
    static LinkPolicy delayed(Nanoseconds delay) { return {Kind::Delay, delay}; }
    static LinkPolicy hold() { return {Kind::Hold, {}}; }
    static LinkPolicy cut() { return {Kind::Cut, {}}; }

    bool operator==(const LinkPolicy &) const = default;
};

/// What policies other than pass have done so far. It only grows: a fault compares with what there was when it began.
struct LinkTouch
{
    qint64 bytes = 0; ///< that were held or delayed, as far as they had come to the relay; whatever became of them
    qint64 lost = 0; ///< bytes of these that never arrived: their link was cut, or their node died
    int connections = 0; ///< that were cut or refused

    bool any() const { return bytes > 0 || connections > 0; }
    LinkTouch &operator+=(const LinkTouch &other)
    {
        bytes += other.bytes;
        lost += other.lost;
        connections += other.connections;
        return *this;
    }
    LinkTouch operator-(const LinkTouch &other) const
    {
        return {bytes - other.bytes, lost - other.lost, connections - other.connections};
    }
    bool operator==(const LinkTouch &) const = default;
};

/// All that went between one peer and the node, in one class.
struct LinkTraffic
{
    LinkClass linkClass = LinkClass::Client;
    QString peer; ///< the node at the other end; empty for clients
    int open = 0; ///< connections now
    int opened = 0; ///< connections so far
    qint64 towardsNode = 0; ///< bytes handed on
    qint64 fromNode = 0;

    bool operator==(const LinkTraffic &) const = default;
};

}
