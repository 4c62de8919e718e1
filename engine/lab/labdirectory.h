// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace interlock {

// The directory of one lab, in plain POSIX since the keeper uses it too. A file "lock" inside is locked (flock) by the
// keeper for as long as it lives; a directory whose lock nobody holds was left by a power cut or by a kill of both
// processes at once.

/// How the names of such directories begin.
inline constexpr const char *labDirectoryPrefix = "interlock-lab-";

/// The configuration of a sentinel, in its own directory below that of the lab.
inline constexpr const char *sentinelFile = "sentinel.conf";

/// Makes @p path with mode 0700 and locks it. The descriptor that holds the lock, or -1 with errno (EEXIST if it is
/// there).
int makeLabDirectory(const std::string &path);

/// Removes @p path and all in it; links are removed, never followed. True if nothing is left.
bool removeDirectory(const std::string &path);

/// Removes this user's lab directories in @p parent that nobody holds.
void sweepLabDirectories(const std::string &parent);

}
