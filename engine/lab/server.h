// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/time.h"
#include "engine/redis/endpoint.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace interlock {

/// The redis-server program of this system.
struct ServerProgram
{
    QString path;
    QString version; ///< "7.0.15"
    /// Debian's redis-tools holds the server under the name redis-check-rdb, which serves when it is called redis-server.
    bool isUnderOtherName = false;
};

/// Looks in $INTERLOCK_REDIS_SERVER, then PATH. Missing: says which package to install; also if older than 7.0.
/// Runs the program to ask its version; takes some ms, so not on the window's thread.
Result<ServerProgram> findServerProgram();

/// The keeper: our own executable started again as the parent of the servers of one lab. It watches a pipe from us and at
/// its end kills the servers and removes the lab's directory; if the keeper dies first, so do the servers (parent-death
/// signal), and we remove the directory.
class Keeper
{
public:
    /// Asynchronous, on this thread's event loop; @p ready is called once. Also sweeps directories that a power cut left.
    explicit Keeper(std::function<void(Result<void>)> ready);
    ~Keeper(); ///< ends all servers and removes the directory, within about 0.5 s
    Keeper(const Keeper &) = delete;
    Keeper &operator=(const Keeper &) = delete;

    QString directory() const; ///< mode 0700

private:
    friend class PrivateServer;
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// If this process was started as a keeper, runs it and returns its exit status; otherwise nothing. First thing in main().
std::optional<int> runAsKeeper(int argc, char **argv);

/// A redis-server of ours: loopback only, random password, its own directory in the keeper's.
class PrivateServer
{
public:
    struct Options
    {
        QString name = QStringLiteral("redis");
        QStringList settings; ///< further lines of its configuration
        bool unixSocket = false; ///< listen on a unix socket too
    };

    /// Starts it and waits until it answers PING; retries on another port if that is taken. @p ready is called once.
    PrivateServer(Keeper &keeper, Options options, std::function<void(Result<void>)> ready);
    ~PrivateServer();

    const Endpoint &endpoint() const;
    QString version() const;
    qint64 processId() const;
    /// SIGKILL, SIGSTOP, SIGCONT. False if it was not running.
    bool kill();
    bool pause();
    bool resume();
    /// It ended without our kill().
    std::function<void(const QString &how)> onEnded;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
