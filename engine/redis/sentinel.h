// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/redis/reply.h"

#include <QString>

#include <optional>

namespace interlock {

/// A server as sentinels name it.
struct ServerAddress
{
    QString host;
    quint16 port = 0;

    /// "127.0.0.1:6390", "[::1]:6390".
    QString shown() const;
    bool operator==(const ServerAddress &) const = default;
};

/// From the answer to SENTINEL GET-MASTER-ADDR-BY-NAME; no address: the sentinel does not know the name. Fails with Failed and what it said
/// instead of an answer.
Result<std::optional<ServerAddress>> primaryFrom(const Reply &reply);

/// From the answer to ROLE: "master", "slave" or "sentinel". Fails with Failed and what was said instead.
Result<QString> roleFrom(const Reply &reply);

/// What sentinels publish on the channel +switch-master when another server has become the primary.
struct PrimarySwitch
{
    static constexpr const char *channel = "+switch-master";

    QString primaryName;
    ServerAddress from;
    ServerAddress to;

    bool operator==(const PrimarySwitch &) const = default;
};
/// From "mymaster 127.0.0.1 6390 127.0.0.1 6391"; nothing if the text is another.
std::optional<PrimarySwitch> switchFrom(const QByteArray &payload);

/// How long and how often to try for something that a failover brings back after a while. The pauses grow, and are random so that clients
/// that lost the same server do not come back together.
struct Patience
{
    int tries = 30; ///< at most, from 1
    Milliseconds least {50}; ///< the longest first pause, from 1 ms; each further one is up to twice as long,
    Milliseconds most {500}; ///< and never longer than this
    Milliseconds answer {500}; ///< for each answer on the way there, from 1 ms
    Milliseconds limit {10'000}; ///< for all of it: no answer is waited for any longer, and no further try begun so late that one could be

    /// The pause after so many tries (from 1): between half of its greatest length and all of it.
    Nanoseconds pause(int tried, Random &random) const;
};

}
