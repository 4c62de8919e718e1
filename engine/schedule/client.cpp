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
    : Step(client.actor())
    , m_answer {Error {Error::Kind::Cancelled, {}}, never, never}
    , m_client(client)
    , m_command(std::move(command))
{
}

CommandStep::~CommandStep()
{
    if (m_isInFlight)
        m_client.m_connection->forget(this);
    if (m_answer.sent != never)
        record(never);
}

void CommandStep::begin()
{
    m_answer.sent = runNow(actor());
    m_isInFlight = true;
    if (CommandTotals *totals = m_client.m_totals) {
        ++totals->commands;
        totals->bytes += m_command.wireSize();
    }
    m_client.m_connection->send(m_command, m_client.m_deadline, this);
}

QString CommandStep::describe() const
{
    return QString::fromUtf8(m_command.shown());
}

void CommandStep::replied(Reply reply, Nanoseconds answered)
{
    m_isInFlight = false;
    m_answer.answered = runTime(actor().world(), actor().world().clock.at(answered));
    if (CommandTotals *totals = m_client.m_totals)
        totals->bytes += reply.wireSize();
    m_answer.reply = std::move(reply);
    finish();
}

void CommandStep::failed(Error error)
{
    m_isInFlight = false;
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
    event.node = m_client.m_nodeName;
    event.connection = m_client.m_number;
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
    m_connection = std::make_unique<Connection>(m_node.endpoint, options);
    Recorder *recorder = actor.world().recorder;
    if (!recorder)
        return;
    m_nodeName = recorder->intern(m_node.name);
    m_connection->onLateReply = [this, recorder](const Reply &reply, Nanoseconds answered) {
        Event event;
        event.kind = Event::Kind::Note;
        event.at = recorder->sinceBeginning(m_actor.world().clock.at(answered));
        event.node = m_nodeName;
        event.text = recorder->intern(QByteArrayView("An answer came after its deadline."));
        event.detail = recorder->intern(reply.shown());
        m_actor.record(event);
    };
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
