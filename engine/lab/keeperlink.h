// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <unordered_map>

#include <sys/types.h>

class QSocketNotifier;

namespace interlock {

// The words between program and keeper, one packet each on a socket that keeps packets apart:
//
//   program          keeper
//                    ready                       its directory is there and locked
//                    failed ERRNO                it could not be made; the keeper ends
//   start ID NAME [sentinel]
//   PROGRAM
//   CONFIGURATION…                               NAME is also the server's directory, PROGRAM has the lab's environment
//                    started ID PID
//                    refused ID ERRNO            there is no such process
//                    output ID                   followed by a line break and what the server wrote
//                    exited ID exit|signal N     it stays a zombie, so that PID is nobody else's, until:
//   stop ID                                      ends it if need be, removes its directory
//
// Signals are sent by the program itself, since a word to the keeper would arrive some time later.

/// A sentinel is the same program. It writes its configuration anew whenever it learns something, so it is given a file.
enum class ServerMode { Data, Sentinel };

/// What happens to one server. Any of these may destroy the follower and the keeper.
class ServerFollower
{
public:
    virtual void started(pid_t process) = 0;
    virtual void wrote(const QByteArray &text) = 0;
    /// It ended or could not be started; nothing comes after this.
    virtual void ended(const QString &how) = 0;

protected:
    ~ServerFollower() = default;
};

/// The program's end of the socket to the keeper. Shared by the keeper's object and its servers, on one thread.
class KeeperLink : public std::enable_shared_from_this<KeeperLink>
{
public:
    KeeperLink();
    ~KeeperLink();

    /// Starts the keeper's process. @p ready is called once, unless close() comes first.
    void open(std::function<void(Result<void>)> ready);
    /// Ends the keeper and with it all servers; waits for that, at most about 0.5 s. No follower is called.
    void close();

    /// Returns the server's number. Failures, also a keeper that is gone, come through the follower, later.
    int start(const QString &name, const QString &program, const QByteArray &configuration, ServerMode mode, ServerFollower *follower);
    /// Ends the server; its follower is not called any more.
    void stop(int server);

    const QString &directory() const { return m_directory; }
    const QByteArray &password() const { return m_password; }
    pid_t process() const { return m_process; }

private:
    Result<void> spawn();
    bool send(const QByteArray &packet);
    void receive();
    void handle(const QByteArray &packet);
    void lost(const QString &why);
    void becomeReady(Result<void> result);
    void releaseSocket();

    QString m_directory;
    QByteArray m_password; // one for the lab, so that its servers can replicate each other
    pid_t m_process = 0;
    int m_socket = -1;
    int m_lastServer = 0;
    QString m_loss; // why there is no keeper (any more)
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::unique_ptr<QObject> m_context; // of calls that come later
    std::function<void(Result<void>)> m_ready;
    std::unordered_map<int, ServerFollower *> m_followers;
};

}
