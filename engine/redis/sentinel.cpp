// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/sentinel.h"

#include "engine/redis/endpoint.h"
#include "engine/redis/placetext.h"

#include <QByteArrayList>

#include <algorithm>

namespace interlock {

namespace {

std::optional<ServerAddress> addressFrom(const QByteArray &host, const QByteArray &port)
{
    bool isNumber = false;
    const ServerAddress address {QString::fromUtf8(host), port.toUShort(&isNumber)};
    return isNumber && address.port != 0 && !address.host.isEmpty() ? std::optional(address) : std::nullopt;
}

Error unexpected(const Reply &reply)
{
    return {Error::Kind::Failed, QString::fromUtf8(reply.shown())};
}

}

QString ServerAddress::shown() const
{
    Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    return placeText(endpoint);
}

Result<std::optional<ServerAddress>> primaryFrom(const Reply &reply)
{
    if (reply.isNil())
        return std::optional<ServerAddress>();
    const std::optional<ServerAddress> address = reply.type == ReplyType::Array && reply.elements.size() == 2
        ? addressFrom(reply.elements[0].text, reply.elements[1].text)
        : std::nullopt;
    return address ? Result<std::optional<ServerAddress>>(address) : unexpected(reply);
}

Result<QString> roleFrom(const Reply &reply)
{
    if (reply.type != ReplyType::Array || reply.elements.empty() || reply.elements[0].text.isEmpty())
        return unexpected(reply);
    return QString::fromUtf8(reply.elements[0].text);
}

std::optional<PrimarySwitch> switchFrom(const QByteArray &payload)
{
    const QList<QByteArray> words = payload.split(' ');
    if (words.size() != 5)
        return {};
    const std::optional<ServerAddress> from = addressFrom(words[1], words[2]);
    const std::optional<ServerAddress> to = addressFrom(words[3], words[4]);
    if (!from || !to)
        return {};
    return PrimarySwitch {QString::fromUtf8(words[0]), *from, *to};
}

Nanoseconds Patience::pause(int tried, Random &random) const
{
    Nanoseconds longest = least;
    for (int i = 1; i < tried && longest < most; ++i)
        longest *= 2;
    longest = std::min<Nanoseconds>(longest, most);
    return random.between(longest / 2, longest);
}

}
