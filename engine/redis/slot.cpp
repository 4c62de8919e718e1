// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/slot.h"

#include "engine/redis/reply.h"

#include <QList>

#include <array>

namespace interlock {

namespace {

/// What each byte does to the remainder.
constexpr std::array<quint16, 256> remainders()
{
    std::array<quint16, 256> table {};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned remainder = byte << 8;
        for (int bit = 0; bit < 8; ++bit)
            remainder = (remainder & 0x8000) ? (remainder << 1) ^ 0x1021 : remainder << 1;
        table[byte] = static_cast<quint16>(remainder & 0xFFFF);
    }
    return table;
}

}

quint16 crc16(QByteArrayView bytes)
{
    static constexpr std::array<quint16, 256> table = remainders();
    quint16 remainder = 0;
    for (const char byte : bytes)
        remainder = static_cast<quint16>((remainder << 8) ^ table[(remainder >> 8) ^ static_cast<uchar>(byte)]);
    return remainder;
}

QByteArrayView hashTag(QByteArrayView key)
{
    const qsizetype open = key.indexOf('{');
    const qsizetype close = open < 0 ? -1 : key.indexOf('}', open);
    return close < 0 ? QByteArrayView() : key.sliced(open + 1, close - open - 1);
}

int slotOf(QByteArrayView key)
{
    const QByteArrayView tag = hashTag(key);
    return crc16(tag.isEmpty() ? key : tag) % slotCount;
}

std::pair<int, int> slotShare(int node, int nodes)
{
    return {node * slotCount / nodes, (node + 1) * slotCount / nodes - 1};
}

int nodeOfSlot(int slot, int nodes)
{
    int node = slot * nodes / slotCount; // or one less, or one more, where shares are not whole
    while (slot < slotShare(node, nodes).first)
        --node;
    while (slot > slotShare(node, nodes).second)
        ++node;
    return node;
}

std::optional<Moved> movedFrom(const Reply &reply)
{
    if (!reply.isError("MOVED"))
        return {};
    const QList<QByteArray> words = reply.text.split(' ');
    if (words.size() != 3)
        return {};
    const qsizetype colon = words[2].lastIndexOf(':'); // an address of IPv6 has others before it
    bool isSlot = false;
    bool isPort = false;
    Moved moved;
    moved.slot = words[1].toInt(&isSlot);
    moved.host = QString::fromLatin1(words[2].first(qMax<qsizetype>(0, colon)));
    moved.port = words[2].sliced(colon + 1).toUShort(&isPort);
    if (!isSlot || !isPort || colon < 0 || moved.slot < 0 || moved.slot >= slotCount)
        return {};
    return moved;
}

}
