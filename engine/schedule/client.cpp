// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/client.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace {

/// The run's time of a reading of the actor's clock; without a recorder the reading itself.
qint64 runTime(const World &world, Nanoseconds reading)
{
    return world.recorder ? world.recorder->sinceBeginning(reading) : reading.count();
}

qint64 runNow(Actor &actor)
{
    return runTime(actor.world(), actor.now());
}

}

CommandStep::CommandStep(Client &client, Command command)
    : CommandStep(client, std::move(command), client.m_deadline)
{
}

CommandStep::CommandStep(Client &client, Command command, Nanoseconds deadline)
    : Step(client.actor())
    , m_answer {Error {Error::Kind::Cancelled, {}}, never, never}
    , m_client(client)
    , m_command(std::move(command))
    , m_deadline(deadline)
{
}

CommandStep::~CommandStep()
{
    if (m_connection)
        m_connection->forget(this);
    if (m_answer.sent != never)
        record(never);
}

void CommandStep::begin()
{
    m_answer.sent = runNow(actor());
    m_connection = m_client.m_connection;
    m_node = m_client.m_nodeName;
    m_number = m_client.m_number;
    if (CommandTotals *totals = m_client.m_totals) {
        ++totals->commands;
        totals->bytes += m_command.wireSize();
    }
    m_connection->send(m_command, m_deadline, this);
}

QString CommandStep::describe() const
{
    return QString::fromUtf8(m_command.shown());
}

void CommandStep::replied(Reply reply, Nanoseconds answered)
{
    m_connection.reset();
    m_answer.answered = runTime(actor().world(), actor().world().clock.at(answered));
    if (CommandTotals *totals = m_client.m_totals)
        totals->bytes += reply.wireSize();
    m_answer.reply = std::move(reply);
    finish();
}

void CommandStep::failed(Error error)
{
    m_connection.reset();
    m_answer.reply = std::move(error);
    finish();
}

Result<Reply> CommandStep::await_resume()
{
    record(runNow(actor()));
    return std::move(m_answer.reply);
}

Answer TimedCommandStep::await_resume()
{
    record(runNow(actor()));
    return std::move(m_answer);
}

/// @param resumed when the actor went on with the answer; never: it did not.
void CommandStep::record(qint64 resumed)
{
    Recorder *recorder = actor().world().recorder;
    if (!recorder || std::exchange(m_isRecorded, true))
        return;
    Event event;
    event.kind = Event::Kind::Command;
    event.at = m_answer.sent;
    event.until = resumed;
    event.answered = m_answer.answered;
    event.node = m_node;
    event.connection = m_number;
    const QByteArray command = m_command.shown();
    QByteArray shown;
    if (m_answer.reply.ok()) {
        const Reply &reply = *m_answer.reply;
        shown = reply.shown();
        event.what = static_cast<quint8>(reply.type);
        event.number = reply.integer;
        event.flags = reply.isError() ? 0 : Event::Accepted;
    } else if (m_answer.reply.error().kind == Error::Kind::TimedOut) {
        shown = "(no answer in time)";
    } else {
        shown = "(no answer)";
    }
    if (command.endsWith("…") || shown.endsWith("…"))
        event.flags |= Event::Shortened;
    event.text = recorder->intern(command);
    event.detail = recorder->intern(shown);
    actor().record(event);
}

Client::Client(Actor &actor, NodeRef node, Nanoseconds deadline)
    : m_actor(actor)
    , m_node(std::move(node))
    , m_deadline(deadline)
    , m_number(actor.takeConnectionNumber())
{
    Connection::Options options;
    options.name = actor.name().toUtf8().replace(' ', '-');
    m_connection = std::make_shared<Connection>(m_node.endpoint, options);
    if (Recorder *recorder = actor.world().recorder) {
        m_nodeName = recorder->intern(m_node.name);
        tellOfLateReplies();
    }
}

/// What the connection calls must not need this object, since it may be handed over to another.
void Client::tellOfLateReplies()
{
    m_connection->onLateReply = [&actor = m_actor, node = m_nodeName](const Reply &reply, Nanoseconds answered) {
        Recorder &recorder = *actor.world().recorder;
        Event event;
        event.kind = Event::Kind::Note;
        event.at = recorder.sinceBeginning(actor.world().clock.at(answered));
        event.node = node;
        event.text = recorder.intern(QByteArrayView("An answer came after its deadline."));
        event.detail = recorder.intern(reply.shown());
        actor.record(event);
    };
}

void Client::moveTo(Client &&other)
{
    Q_ASSERT(&other.m_actor == &m_actor);
    const bool owesNothing = m_connection->isUsable() && m_connection.use_count() == 1;
    m_previous = owesNothing ? nullptr : m_connection;
    m_connection = std::move(other.m_connection);
    m_node = std::move(other.m_node);
    m_nodeName = other.m_nodeName;
    m_number = other.m_number;
}

Task<Answer> Client::evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments)
{
    if (Recorder *recorder = m_actor.world().recorder) {
        // By its name in the server's eyes: comparing whole bodies would cost as much as sending the command.
        QList<ScriptInfo> &known = recorder->header().scripts;
        const QLatin1String sha(script.sha);
        if (std::none_of(known.begin(), known.end(), [sha](const ScriptInfo &info) { return info.sha == sha; }))
            known.append({script.name, QString(sha), QString::fromUtf8(script.body)});
    }
    const auto call = [&](const char *verb, const QByteArray &what) {
        Command command(verb, what, keys.size());
        for (const QByteArray &key : keys)
            command.add(key);
        for (const QByteArray &argument : arguments)
            command.add(argument);
        return command;
    };
    // One place that waits, not two: the frame has room for each of its own, and one above 1 kB costs malloc a multiple.
    Answer answer {Error {Error::Kind::Cancelled, {}}};
    for (const bool isWhole : {false, true}) {
        answer = co_await TimedCommandStep(*this, call(isWhole ? "EVAL" : "EVALSHA", isWhole ? script.body : script.sha));
        if (!answer.reply.ok() || !answer.reply->isError("NOSCRIPT"))
            break;
    }
    co_return answer;
}

}
