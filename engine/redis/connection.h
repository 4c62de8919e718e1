// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/time.h"
#include "engine/redis/command.h"
#include "engine/redis/endpoint.h"
#include "engine/redis/reply.h"

#include <functional>
#include <memory>

namespace interlock {

/// Who waits for the answer to one command. Exactly one of the calls comes, unless the receiver is forgotten first or the connection is destroyed,
/// and never from inside send(). Any of them may destroy the receiver and the connection.
class ReplyReceiver
{
public:
    /// @param answered the monotonic clock's reading when the reply was parsed.
    virtual void replied(Reply reply, Nanoseconds answered) = 0;
    /// TimedOut or Closed: whether the command was carried out is unknown. Failed: it was never sent (no connection, wrong password).
    virtual void failed(Error error) = 0;

protected:
    ~ReplyReceiver() = default;
};

/// One connection to one Redis, on the event loop of the thread that made it. Opens itself at once, logs in, selects
/// the database and names itself; commands given before that wait. Commands are pipelined and answered in order.
///
/// Every command has a deadline. When one passes it, its receiver fails with TimedOut, and so does every later send():
/// a connection that owes a reply is never used again. It stays open only so that onLateReply can tell of the reply.
class Connection
{
public:
    struct Options
    {
        QByteArray name; ///< CLIENT SETNAME; empty: none. No spaces
        /// For connecting and logging in together; leaves time to say within 2 s what is wrong.
        Nanoseconds connectDeadline = 1800ms;
    };

    explicit Connection(Endpoint endpoint, Options options);
    explicit Connection(Endpoint endpoint)
        : Connection(std::move(endpoint), Options())
    {
    }
    ~Connection(); ///< closes at once; no receiver is called
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Sends @p command, or queues it until the connection is open. @p receiver must live until it was called or forgotten.
    void send(const Command &command, Nanoseconds deadline, ReplyReceiver *receiver);

    /// The receiver will not be called any more. The command still goes its way.
    void forget(ReplyReceiver *receiver);

    /// True until it failed, timed out or was closed.
    bool isUsable() const;
    const Endpoint &endpoint() const;

    /// A reply that came after its command's deadline.
    std::function<void(const Reply &reply, Nanoseconds answered)> onLateReply;
    /// The connection ended without our asking. May destroy the connection.
    std::function<void(const Error &error)> onClosed;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A connection in subscriber mode: SUBSCRIBE or PSUBSCRIBE, for as long as it lives.
class Subscription
{
public:
    struct Message
    {
        QByteArray pattern; ///< of PSUBSCRIBE, else empty
        QByteArray channel;
        QByteArray payload;
        Nanoseconds received {0};
    };

    /// @param onReady called once when every channel and pattern is subscribed, or with the error that prevented it.
    /// @param onClosed the connection ended later.
    Subscription(Endpoint endpoint, QList<QByteArray> channels, QList<QByteArray> patterns,
        std::function<void(Message)> onMessage, std::function<void(Result<void>)> onReady,
        std::function<void(const Error &)> onClosed);
    ~Subscription();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
