// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace interlock {

/// The redis-server program of this system.
struct ServerProgram
{
    QString path;
    QString version; ///< "7.0.15"
    /// Debian's redis-tools holds the server under the name redis-check-rdb, which serves when it is called
    /// redis-server.
    bool isUnderOtherName = false;
};

/// Looks in $INTERLOCK_REDIS_SERVER, then PATH. Missing: says which package to install; also if older than 7.0.
/// Runs the program to ask its version, which takes some ms (at most 2 s), so not on the window's thread. What was
/// found is remembered for as long as the process and those two variables stay; a failure is not. Thread-safe.
Result<ServerProgram> findServerProgram();

}
