// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/sentinel.h"

#include <QByteArray>

#include <optional>

namespace interlock {

/// What a sentinel published: the channel is the event's name. See redis.io/docs/management/sentinel, "Pub/Sub messages".
struct SentinelNews
{
    std::optional<ServerAddress> about; ///< the node that it is about; of a switch: the new primary
    QByteArray sentinelId; ///< of a vote: for whom
    qint64 epoch = 0; ///< where it tells one

    /// "+sdown", "slave 127.0.0.1:6391 127.0.0.1 6391 @ mymaster 127.0.0.1 6390" is about 127.0.0.1:6391.
    static SentinelNews from(const QByteArray &channel, const QByteArray &message);
    bool operator==(const SentinelNews &) const = default;
};

}
