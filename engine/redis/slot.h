// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <utility>

namespace interlock {

struct Reply;

/// Keys of a cluster lie in so many slots, each of which is served by one node.
inline constexpr int slotCount = 16384;

/// CRC-16/XMODEM: polynomial 0x1021, begun with 0, nothing reflected.
quint16 crc16(QByteArrayView bytes);

/// What a cluster hashes instead of the whole key: what is between the first { and the first } behind it. Empty: there is no
/// hash tag, so the key itself is hashed.
QByteArrayView hashTag(QByteArrayView key);

/// 0 to slotCount - 1, as the cluster specification says (redis.io/docs/reference/cluster-spec, "Key distribution model").
int slotOf(QByteArrayView key);

/// The first and the last slot of one of several nodes that share them evenly. Precondition: 0 <= node < nodes <= slotCount.
std::pair<int, int> slotShare(int node, int nodes);
/// The one of so many nodes whose share holds the slot.
int nodeOfSlot(int slot, int nodes);

/// Where a node says that a slot is served.
struct Moved
{
    int slot = 0;
    QString host;
    quint16 port = 0;
};
/// From an error reply "MOVED 3999 127.0.0.1:6381"; nothing if the reply is another.
std::optional<Moved> movedFrom(const Reply &reply);

}
