// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/link.h"

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace interlock {

/// Tells who has opened a connection to a server by the commands that it sends first. A replica sends PING, AUTH and REPLCONF
/// listening-port; a sentinel AUTH and CLIENT SETNAME; whatever else they might be comes from a client.
class LinkSpeech
{
public:
    struct Speaker
    {
        LinkClass linkClass = LinkClass::Client;
        quint16 announcedPort = 0; ///< of a replica; 0: it did not tell
        QByteArray sentinelId; ///< of a sentinel: the first digits of it

        bool operator==(const Speaker &) const = default;
    };

    /// @param said what came next, perhaps only a part of a command. Nothing: that leaves it open.
    std::optional<Speaker> hear(QByteArrayView said);

private:
    QByteArray m_unheard; ///< the beginning of a command
    bool m_hasBegun = false;
};

}
