// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QString>

namespace interlock {

/// Where a Redis listens and how to log in.
struct Endpoint
{
    QString host; ///< empty: a unix socket
    quint16 port = 0;
    QString path; ///< of the unix socket
    QString user; ///< empty: the default user
    QByteArray password; ///< empty: none. Never shown, recorded or passed on a command line
    int database = 0;

    /// Reads redis://[user:pass@]host:port[/db] or unix:PATH[?db=N]; a bare host:port is taken as redis://. Percent-encoding is undone.
    /// Fails with Invalid and a sentence.
    static Result<Endpoint> parse(const QString &text);

    /// Without user and password, and without database 0: "redis://127.0.0.1:6390/1", "unix:/run/redis.sock".
    QString shown() const;

    bool operator==(const Endpoint &) const = default;
};

}
