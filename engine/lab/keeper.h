// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace interlock {

class KeeperLink;

/// The keeper: our own executable started again as the parent of the servers of one lab. It watches a socket from us
/// and at its end kills the servers and removes the lab's directory; if the keeper dies first, so do the servers
/// (parent-death signal), and we remove the directory.
///
/// The executable is /proc/self/exe, or $INTERLOCK_KEEPER for programs whose main() does not call runAsKeeper().
class Keeper
{
public:
    /// Asynchronous, on this thread's event loop; @p ready is called once. Also sweeps directories that a power cut
    /// left. Servers may be given to it at once: they start as soon as it runs.
    explicit Keeper(std::function<void(Result<void>)> ready);
    ~Keeper(); ///< ends all servers and removes the directory, within about 0.5 s
    Keeper(const Keeper &) = delete;
    Keeper &operator=(const Keeper &) = delete;

    /// Mode 0700, in $XDG_RUNTIME_DIR or else the directory for temporary files. Exists once the keeper is ready.
    QString directory() const;
    qint64 processId() const; ///< 0 if it could not be started

private:
    friend class PrivateServer;
    std::shared_ptr<KeeperLink> m_link;
};

/// If this process was started as a keeper, runs it and returns its exit status; otherwise nothing. First thing in
/// main(), before any QCoreApplication.
std::optional<int> runAsKeeper(int argc, char **argv);

/// This program's main() called runAsKeeper(), so it can be started again as a keeper. Otherwise $INTERLOCK_KEEPER must name one.
bool canRunAsKeeper();

}
