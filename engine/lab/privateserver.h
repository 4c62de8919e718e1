// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/time.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

namespace interlock {

class Keeper;
struct Endpoint;

/// A redis-server of ours: loopback only, the lab's random password, its own directory in the keeper's.
class PrivateServer
{
public:
    struct Address
    {
        QString host; ///< empty: the one where it listens, here for both
        quint16 port = 0;
    };

    struct Options
    {
        QString name = QStringLiteral("redis"); ///< letters, digits and hyphens; the directory is named after it
        QStringList settings; ///< further lines of its configuration
        bool unixSocket = false; ///< listen on a unix socket too: unixEndpoint()
        Milliseconds startLimit = 5s; ///< for starting and the first PING, all retries together
        QString host = QStringLiteral("127.0.0.1"); ///< any 127.x.y.z; what it opens to others comes from there too
        quint16 firstPort = 0; ///< tried first, then others; 0: a random one
        bool isPortFixed = false; ///< no port but firstPort is tried; if it is taken, see isPortTaken()
        Address announced; ///< what it tells others of where it is
        bool isClusterMember = false; ///< started for a cluster, see formCluster(); it listens on port + 10000 as well, for the others
        QString watches; ///< the name of a primary: it is started as a sentinel, and `settings` hold its "sentinel monitor" and the like
    };

    /// Starts it and waits until it answers PING; retries on another port if that is taken. @p ready is called once,
    /// never from inside the constructor, and may destroy the server. The first server of a process blocks for some ms
    /// to find the program.
    PrivateServer(Keeper &keeper, Options options, std::function<void(Result<void>)> ready);
    ~PrivateServer(); ///< ends it and removes its directory, without waiting
    PrivateServer(const PrivateServer &) = delete;
    PrivateServer &operator=(const PrivateServer &) = delete;

    const Endpoint &endpoint() const; ///< valid once ready
    Endpoint unixEndpoint() const; ///< the same server through its unix socket. Precondition: Options::unixSocket
    QString directory() const;
    QString version() const;
    qint64 processId() const; ///< 0 before it runs
    bool isRunning() const; ///< it answered and was not killed; a paused one runs
    /// SIGKILL, SIGSTOP, SIGCONT. False if it was not running.
    bool kill();
    bool pause();
    bool resume();
    bool isPortTaken() const; ///< it did not start since somebody else listens on its port
    /// Starts it again after kill() or its end: the same port and password, a directory of the same name, nothing in memory; a sentinel
    /// goes on with the configuration that it wrote. @p ready as in the constructor; another port is never tried, for clients know this
    /// one. Precondition: it was ready once and does not run.
    void restart(std::function<void(Result<void>)> ready);
    /// It ended without our kill(), after it was ready. May destroy the server.
    std::function<void(const QString &how)> onEnded;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
