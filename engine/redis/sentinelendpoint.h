// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/endpoint.h"

#include <QList>

namespace interlock {

/// A primary and its replicas, found by asking sentinels: where those listen, the name by which they know the primary, and how to
/// log in at the servers.
struct SentinelEndpoint
{
    QList<Endpoint> sentinels; ///< at least one, in the order in which they are to be asked; with the sentinels' own login
    QString primaryName;
    QString user; ///< of the servers; empty: the default user
    QByteArray password; ///< of the servers; empty: none. Never shown, recorded or passed on a command line, like that of the sentinels
    int database = 0;

    /// Reads sentinel://[user:pass@]host:port,host:port/name[?db=N&sentinel-user=USER&sentinel-password=PASS]; without a user of their own
    /// sentinels know the default user. Percent-encoding is undone; what has a meaning here has to be encoded: ? and @ in the sentinels'
    /// login, ? in that of the servers, & in options, / and ? in the name. Fails with Invalid and a sentence.
    static Result<SentinelEndpoint> parse(const QString &text);
    /// Whether the text is meant to be such an address, well-formed or not.
    static bool isMeant(const QString &text);

    /// Without users and passwords, and without database 0: "sentinel://127.0.0.1:26379,127.0.0.1:26380/mymaster?db=1".
    QString shown() const;
    /// The login of all sentinels. @param name empty: the default user. @param word empty: none
    void setSentinelLogin(const QString &name, const QByteArray &word);
    /// How to reach the server that is named so.
    Endpoint server(const QString &host, quint16 port) const;

    bool operator==(const SentinelEndpoint &) const = default;
};

}
