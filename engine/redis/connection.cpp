// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/connection.h"

#include "engine/redis/fifo.h"
#include "engine/redis/placetext.h"
#include "engine/redis/wire.h"

#include <QBasicTimer>
#include <QCoreApplication>
#include <QEvent>
#include <QPointer>
#include <QTimerEvent>

#include <optional>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Connection)
};

/// Commands that answer more than once, or never, and so have no place among numbered replies.
bool belongsToSubscriptions(QByteArrayView name)
{
    constexpr QByteArrayView subscribe("SUBSCRIBE"); // SSUBSCRIBE, PUNSUBSCRIBE, …
    const auto is = [](QByteArrayView word, QByteArrayView other) { return word.compare(other, Qt::CaseInsensitive) == 0; };
    return is(name, "MONITOR") || (name.size() >= subscribe.size() && is(name.last(subscribe.size()), subscribe));
}

}

class Connection::Impl : public QObject, private Wire::Listener
{
public:
    Impl(Connection &owner, Endpoint endpoint, const Options &options)
        : m_owner(owner)
        , m_wire(std::move(endpoint), options.name, options.connectDeadline, Wire::Mode::Commands, *this)
    {
    }

    const Endpoint &endpoint() const { return m_wire.endpoint(); }
    bool isUsable() const { return !m_end && !m_timedOut; }

    void send(const Command &command, Nanoseconds allowed, ReplyReceiver *receiver);
    void forget(ReplyReceiver *receiver);

protected:
    bool event(QEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    struct Waiting // sent, not answered
    {
        ReplyReceiver *receiver;
        Nanoseconds deadline;
        Nanoseconds allowed;
        bool isLate = false; // the receiver was told that it timed out
    };
    struct Queued // not sent yet
    {
        Command command;
        Waiting waiting;
    };
    struct Outcome // still to be told
    {
        ReplyReceiver *receiver;
        bool isLate;
        Result<Reply> reply;
        Nanoseconds answered {0};
    };

    void opened() override;
    void received(Reply reply, Nanoseconds at) override;
    void ended(Error error) override;
    void settled() override;

    std::optional<Error> refusal(const Command &command) const;
    void write(const Command &command, const Waiting &waiting);
    void fail(ReplyReceiver *receiver, Error error);
    void tell(Outcome outcome);
    void settleSoon();
    void expire(Nanoseconds now);
    void expectDeadline(Nanoseconds deadline);
    Error timedOut(const Waiting &waiting) const;

    Connection &m_owner;
    Fifo<Waiting> m_waiting;
    Fifo<Queued> m_queued;
    Fifo<Outcome> m_outcomes;
    QBasicTimer m_timer;
    Nanoseconds m_timerDue {0};
    bool m_isOpen = false;
    bool m_isSettlingSoon = false;
    bool m_isEndTold = false;
    std::optional<Error> m_end;
    std::optional<Error> m_timedOut;
    Wire m_wire; // last: it calls the rest
};

void Connection::Impl::send(const Command &command, Nanoseconds allowed, ReplyReceiver *receiver)
{
    if (std::optional<Error> error = refusal(command)) {
        fail(receiver, std::move(*error));
        settleSoon();
        return;
    }
    const Waiting waiting {receiver, monotonicNow() + allowed, allowed};
    if (m_isOpen)
        write(command, waiting);
    else
        m_queued.push({command, waiting});
    expectDeadline(waiting.deadline);
    if (m_end)
        settleSoon();
}

/// The first command is written at once, which saves a turn of the loop. Those that follow before its answer are written
/// together, which saves a system call each.
void Connection::Impl::write(const Command &command, const Waiting &waiting)
{
    const bool isFirst = m_waiting.isEmpty();
    m_waiting.push(waiting);
    m_wire.write(command, isFirst);
}

std::optional<Error> Connection::Impl::refusal(const Command &command) const
{
    if (m_timedOut)
        return m_timedOut;
    if (m_end)
        return Error {Error::Kind::Failed, m_end->text};
    if (command.size() == 0)
        return Error {Error::Kind::Invalid, Text::tr("An empty command cannot be sent.")};
    if (belongsToSubscriptions(command.at(0)))
        return Error {Error::Kind::Invalid,
            Text::tr("%1 cannot be sent among other commands.").arg(QString::fromUtf8(command.shown(80)))};
    return {};
}

void Connection::Impl::forget(ReplyReceiver *receiver)
{
    const auto drop = [receiver](auto &item) {
        if (item.receiver == receiver)
            item.receiver = nullptr;
    };
    for (Waiting &waiting : m_waiting)
        drop(waiting);
    for (Queued &queued : m_queued)
        drop(queued.waiting);
    for (Outcome &outcome : m_outcomes)
        drop(outcome);
}

void Connection::Impl::opened()
{
    m_isOpen = true;
}

void Connection::Impl::received(Reply reply, Nanoseconds at)
{
    const Waiting waiting = m_waiting.take();
    if (waiting.receiver || waiting.isLate)
        m_outcomes.push({waiting.receiver, waiting.isLate, std::move(reply), at});
}

void Connection::Impl::ended(Error error)
{
    m_end = std::move(error);
    while (!m_waiting.isEmpty())
        fail(m_waiting.take().receiver, *m_end);
    while (!m_queued.isEmpty())
        fail(m_queued.take().waiting.receiver, {Error::Kind::Failed, m_end->text});
    m_timer.stop();
}

void Connection::Impl::fail(ReplyReceiver *receiver, Error error)
{
    if (receiver)
        m_outcomes.push({receiver, false, std::move(error)});
}

/// Tells what has happened. Anybody who is told may destroy this object, or send, or turn the event loop.
void Connection::Impl::settled()
{
    const QPointer<Impl> alive(this);
    while (m_isOpen && !m_end && !m_queued.isEmpty()) {
        const Queued queued = m_queued.take();
        write(queued.command, queued.waiting);
    }
    while (!m_outcomes.isEmpty()) {
        tell(m_outcomes.take());
        if (!alive)
            return;
    }
    if (m_end && !std::exchange(m_isEndTold, true)) {
        if (const auto call = m_owner.onClosed) // a copy: it may destroy itself
            call(Error(*m_end));
    }
}

void Connection::Impl::tell(Outcome outcome)
{
    if (outcome.isLate) {
        if (const auto call = m_owner.onLateReply)
            call(*outcome.reply, outcome.answered);
    } else if (outcome.receiver) {
        if (outcome.reply)
            outcome.receiver->replied(std::move(*outcome.reply), outcome.answered);
        else
            outcome.receiver->failed(outcome.reply.error());
    }
}

void Connection::Impl::settleSoon()
{
    if (!std::exchange(m_isSettlingSoon, true))
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

bool Connection::Impl::event(QEvent *event)
{
    if (event->type() != QEvent::User)
        return QObject::event(event);
    m_isSettlingSoon = false;
    settled();
    return true;
}

/// The timer is not touched by replies: when it fires it looks for what has really expired and goes on to the next.
void Connection::Impl::expectDeadline(Nanoseconds deadline)
{
    if (m_end || (m_timer.isActive() && m_timerDue <= deadline))
        return;
    m_timerDue = deadline;
    const auto left = std::chrono::ceil<Milliseconds>(deadline - monotonicNow());
    m_timer.start(static_cast<int>(std::clamp<qint64>(left.count(), 0, 1'000'000'000)), Qt::PreciseTimer, this);
}

void Connection::Impl::timerEvent(QTimerEvent *)
{
    m_timer.stop();
    expire(monotonicNow());
    settled();
}

void Connection::Impl::expire(Nanoseconds now)
{
    std::optional<Nanoseconds> next;
    const auto wait = [&next](Nanoseconds deadline) { next = next ? std::min(*next, deadline) : deadline; };
    for (Waiting &waiting : m_waiting) {
        if (waiting.isLate)
            continue;
        if (waiting.deadline > now) {
            wait(waiting.deadline);
            continue;
        }
        waiting.isLate = true;
        const Error error = timedOut(waiting);
        if (!m_timedOut)
            m_timedOut = error;
        fail(std::exchange(waiting.receiver, nullptr), error);
    }
    Fifo<Queued> kept;
    while (!m_queued.isEmpty()) {
        Queued queued = m_queued.take();
        if (queued.waiting.deadline > now) {
            wait(queued.waiting.deadline);
            kept.push(std::move(queued));
        } else { // never sent, so its fate is known
            fail(queued.waiting.receiver, {Error::Kind::Failed, timedOut(queued.waiting).text});
        }
    }
    std::swap(m_queued, kept);
    if (next)
        expectDeadline(*next);
}

Error Connection::Impl::timedOut(const Waiting &waiting) const
{
    return {Error::Kind::TimedOut,
        Text::tr("Redis at %1 did not answer within %2. Is it running?")
            .arg(placeText(endpoint()), deadlineText(waiting.allowed))};
}

Connection::Connection(Endpoint endpoint, Options options)
    : m_impl(std::make_unique<Impl>(*this, std::move(endpoint), options))
{
}

Connection::~Connection() = default;

void Connection::send(const Command &command, Nanoseconds deadline, ReplyReceiver *receiver)
{
    m_impl->send(command, deadline, receiver);
}

void Connection::forget(ReplyReceiver *receiver)
{
    m_impl->forget(receiver);
}

bool Connection::isUsable() const
{
    return m_impl->isUsable();
}

const Endpoint &Connection::endpoint() const
{
    return m_impl->endpoint();
}

}
