// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/time.h"
#include "engine/redis/endpoint.h"
#include "engine/redis/replybuilder.h"

#include <QBasicTimer>
#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct redisAsyncContext;

namespace interlock {

class Command;

/// hiredis's asynchronous context on Qt's event loop: finds the host, connects, logs in, writes commands, parses replies.
/// What connections and subscriptions have in common; nobody else uses it.
///
/// hiredis 0.14 must not be re-entered or freed at every point where it calls back. So nobody's code runs inside it:
/// received(), opened() and ended() only take note, and settled(), which follows outside, is the place to act on it.
class Wire : public QObject
{
public:
    enum class Mode {
        Commands, ///< as many replies as commands; one more is an error of the protocol
        Messages, ///< after the login, replies come as the server likes
    };

    class Listener
    {
    public:
        virtual void opened() = 0;
        virtual void received(Reply reply, Nanoseconds at) = 0;
        /// Once, and the last word. Nothing that was sent and not answered will be.
        virtual void ended(Error error) = 0;
        /// May destroy the wire.
        virtual void settled() = 0;

    protected:
        ~Listener() = default;
    };

    /// @param deadline for finding, connecting and logging in together.
    Wire(Endpoint endpoint, QByteArray name, Nanoseconds deadline, Mode mode, Listener &listener);
    ~Wire() override;

    const Endpoint &endpoint() const { return m_endpoint; }

    /// Writes at once if @p now, else with others at the next turn of the loop. May call ended(), but not settled().
    /// Precondition: opened() was called, ended() was not.
    void write(const Command &command, bool now);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    class Notifier;
    struct Calls; // hiredis's callbacks
    enum class Login { Password, Database, ClientName, Ping };

    void find();
    void connectToNext();
    void adopt(redisAsyncContext *context);
    void logIn();
    void checkLogin(Login step, const Reply &reply);
    void readyToRead();
    void readyToWrite();
    void afterHandling();
    void replied();
    void detached();
    void append(const Command &command);
    void updateWriteNotifier();
    void close();
    void end(Error error);
    Error closedError() const;

    Endpoint m_endpoint;
    QByteArray m_name;
    Nanoseconds m_deadline;
    Mode m_mode;
    Listener &m_listener;

    redisAsyncContext *m_context = nullptr;
    std::unique_ptr<Notifier> m_reader;
    std::unique_ptr<Notifier> m_writer;
    QBasicTimer m_timer;
    QList<QString> m_addresses; // still to try
    QString m_contextError;
    std::vector<Login> m_login; // steps whose replies are awaited
    std::optional<Error> m_refusal;
    std::string m_bytes; // the command being written, its memory kept
    ReplyBuilder m_replies;
    bool m_isConnected = false;
    bool m_isOpen = false;
    bool m_hasEnded = false;
    bool m_wantsToWrite = false;
};

}
