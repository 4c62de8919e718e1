// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/redis/connection.h"
#include "engine/redis/script.h"
#include "engine/schedule/actor.h"

namespace interlock {

/// A server as an actor knows it.
struct NodeRef
{
    QString name; ///< its lane
    Endpoint endpoint;
};

class Client;

/// When a command was sent, when it was answered, and what came. All on the run's clock (or the monotonic one without a recorder).
struct Answer
{
    Result<Reply> reply;
    qint64 sent = never;
    qint64 answered = never;
};

/// What has gone over connections.
struct CommandTotals
{
    qint64 commands = 0; ///< sent
    qint64 bytes = 0; ///< of these commands and of their answers
};

/// One command of an actor. Records itself when it is over: answered, failed, or destroyed while in flight.
class CommandStep : public Step, private ReplyReceiver
{
public:
    CommandStep(Client &client, Command command);
    /// @param deadline instead of the client's own.
    CommandStep(Client &client, Command command, Nanoseconds deadline);
    ~CommandStep() override;
    void begin() override;
    QString describe() const override;
    /// Reply, or TimedOut, Closed, Failed.
    Result<Reply> await_resume();

protected:
    void record(qint64 resumed);
    Answer m_answer;

private:
    void replied(Reply reply, Nanoseconds answered) override;
    void failed(Error error) override;

    Client &m_client;
    Command m_command;
    Nanoseconds m_deadline;
    std::shared_ptr<Connection> m_connection; ///< in flight on it, also when the client has moved on; null: not in flight
    Name m_node = 0;
    quint8 m_number = 0;
    bool m_isRecorded = false;
};

/// A CommandStep whose result is the whole Answer.
class TimedCommandStep : public CommandStep
{
public:
    using CommandStep::CommandStep;
    Answer await_resume();
};

/// An actor's connection to a node. Lives in the program that uses it, so that it is closed when the actor dies.
class Client
{
public:
    /// @param deadline for each command.
    Client(Actor &actor, NodeRef node, Nanoseconds deadline = 2s);
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    Actor &actor() const { return m_actor; }
    const NodeRef &node() const { return m_node; }
    /// From now on its commands are added there, which must outlive it.
    void countInto(CommandTotals *totals) { m_totals = totals; }
    bool isUsable() const { return m_connection && m_connection->isUsable(); }

    /// Goes on at the node of @p other, a client of the same actor, over its connection; so whoever holds a reference to this one, a lock for
    /// instance, moves with it. What is in flight is still answered by the old node. @p other is used up.
    void moveTo(Client &&other);

    /// co_await client.command("SET", key, token, "NX", "PX", 1000)  →  Result<Reply>
    template<typename... Arguments>
    CommandStep command(const Arguments &...arguments)
    {
        return CommandStep(*this, Command(arguments...));
    }
    /// The same, answering an Answer.
    template<typename... Arguments>
    TimedCommandStep timed(const Arguments &...arguments)
    {
        return TimedCommandStep(*this, Command(arguments...));
    }
    /// EVALSHA; after NOSCRIPT, and only then, EVAL once. Never sent again after a missing answer: it may have been carried out.
    Task<Answer> evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments);

private:
    friend class CommandStep;

    void tellOfLateReplies();

    Actor &m_actor;
    NodeRef m_node;
    Name m_nodeName = 0;
    Nanoseconds m_deadline;
    quint8 m_number = 0;
    CommandTotals *m_totals = nullptr;
    std::shared_ptr<Connection> m_connection;
    std::shared_ptr<Connection> m_previous; ///< before the last move, if it may still owe an answer
};

}
