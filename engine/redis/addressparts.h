// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/endpoint.h"

namespace interlock {

/// What addresses of servers and of sentinels have in common. Each function fails with Invalid and a sentence that repeats no password.

struct Login
{
    QString user; ///< empty: the default user
    QByteArray password; ///< empty: none
};
/// Takes "user:password@" off the front of @p text, up to its last @; without one there is no login.
Result<Login> takeLogin(QString &text);

/// "127.0.0.1:6390", "[::1]:6390": an endpoint with a host and a port, and nothing else.
Result<Endpoint> hostAndPortFrom(const QString &text);
/// The number of a database.
Result<int> databaseFrom(const QString &text);

/// Percent-encoding undone.
QString decoded(const QString &text);
QByteArray decodedBytes(const QString &text);

}
