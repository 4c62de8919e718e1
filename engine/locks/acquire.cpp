// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/locks/lock.h"
#include "engine/schedule/client.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

/// Different for every acquisition anywhere, and legible in a record: the client's name and 64 random bits.
QByteArray freshToken(Actor &actor)
{
    return actor.name().toUtf8() + ':' + QByteArray::number(actor.random().next(), 16).rightJustified(16, '0');
}

/// The command, or the first of the commands, that takes the lock.
Command taking(const LockOptions &options, const QByteArray &token)
{
    const qint64 ttl = wholeMilliseconds(options.ttl);
    switch (options.acquiring) {
    case Acquiring::SetNx:
    case Acquiring::SetNxThenExpire:
        return Command("SETNX", options.key, token);
    case Acquiring::Set:
        return Command("SET", options.key, token, "PX", ttl);
    case Acquiring::SetNxPx:
        break;
    }
    return Command("SET", options.key, token, "NX", "PX", ttl);
}

qint64 later(qint64 sent, qint64 milliseconds)
{
    return sent + Nanoseconds(Milliseconds(milliseconds)).count();
}

}

/// What is recorded of waiting: its beginning and, unless a grant ends it, its end, even if the program is destroyed meanwhile.
class Lock::WaitingBelief
{
public:
    explicit WaitingBelief(Lock &lock)
        : m_lock(lock)
    {
        if (lock.actor().world().recorder) {
            Event event = lock.belief(Belief::Wants);
            if (lock.m_options.acquiring != Acquiring::SetNx)
                event.number = Nanoseconds(Milliseconds(wholeMilliseconds(lock.m_options.ttl))).count();
            lock.actor().record(event);
        }
    }
    ~WaitingBelief()
    {
        // It may have been granted already, between SETNX and EXPIRE.
        if (const char *why = m_lock.actor().whyEnding(); why && m_isWaiting && !m_lock.m_isHeld)
            giveUp(QString::fromLatin1(why));
    }
    WaitingBelief(const WaitingBelief &) = delete;
    WaitingBelief &operator=(const WaitingBelief &) = delete;

    void granted() { m_isWaiting = false; }
    void giveUp(const QString &why)
    {
        m_isWaiting = false;
        if (Recorder *recorder = m_lock.actor().world().recorder) {
            Event event = m_lock.belief(Belief::GaveUp);
            event.detail = recorder->intern(why);
            m_lock.actor().record(event);
        }
    }

private:
    Lock &m_lock;
    bool m_isWaiting = true;
};

Result<void> Lock::usable() const
{
    if (m_isHeld)
        return Error {Error::Kind::Invalid, QCoreApplication::translate("Lock", "This client holds the lock %1 already.").arg(QString::fromUtf8(m_options.key))};
    if (m_options.acquiring != Acquiring::SetNx && wholeMilliseconds(m_options.ttl) < 1)
        return Error {Error::Kind::Invalid, QCoreApplication::translate("Lock", "A lock's TTL is at least 1 ms.")};
    if (!m_options.fencingCounter.isEmpty() && m_options.acquiring != Acquiring::SetNxPx)
        return Error {Error::Kind::Invalid, QCoreApplication::translate("Lock", "Fencing tokens are drawn only together with SET NX PX.")};
    return {};
}

Task<Result<bool>> Lock::acquire(Waiting waiting, Reconnecting reconnecting)
{
    if (Result<void> check = usable(); !check)
        co_return check.error();
    m_token = freshToken(actor());
    m_fencingToken = 0;
    WaitingBelief belief(*this);
    const qint64 began = now();
    for (;;) {
        Result<bool> granted = co_await attempt();
        if (!granted && m_isServerLost && reconnecting) {
            const Result<void> moved = co_await moveOn(reconnecting);
            granted = moved ? Result<bool>(false) : moved.error();
        }
        if (!granted) {
            belief.giveUp(granted.error().text);
            co_return granted.error();
        }
        if (*granted) {
            belief.granted();
            co_return true;
        }
        const Nanoseconds delay = waiting.delay(actor().random());
        if (delay > waiting.limit - Nanoseconds(now() - began)) {
            belief.giveUp(QStringLiteral("time-out"));
            co_return false;
        }
        // Without a delay a client that is refused would occupy the server with nothing but its tries.
        co_await actor().sleep(std::max<Nanoseconds>(delay, 1ms));
    }
}

Task<Result<bool>> Lock::attempt()
{
    if (!m_options.fencingCounter.isEmpty())
        co_return co_await attemptFenced();
    const Answer answer = co_await TimedCommandStep(m_client, taking(m_options, m_token));
    const bool isGranted = answer.reply && (answer.reply->isOk() || answer.reply->isInteger(1));
    const bool hasTtl = m_options.acquiring == Acquiring::Set || m_options.acquiring == Acquiring::SetNxPx;
    Result<bool> result = taken(answer, isGranted, hasTtl ? later(answer.sent, wholeMilliseconds(m_options.ttl)) : never);
    if (!result && result.error().kind != Error::Kind::Failed)
        co_await removeLeftover();
    if (result && *result && m_options.acquiring == Acquiring::SetNxThenExpire)
        co_return co_await expire();
    co_return result;
}

Task<Result<bool>> Lock::attemptFenced()
{
    const qint64 ttl = wholeMilliseconds(m_options.ttl);
    QList<QByteArray> keys;
    keys << m_options.key << m_options.fencingCounter;
    QList<QByteArray> arguments;
    arguments << m_token << QByteArray::number(ttl);
    const Answer answer = co_await m_client.evaluate(
        Script::named(QStringLiteral("locks/acquire-fenced")), std::move(keys), std::move(arguments));
    const bool isGranted = answer.reply && answer.reply->type == ReplyType::Integer;
    Result<bool> result
        = taken(answer, isGranted, later(answer.sent, ttl), isGranted ? answer.reply->integer : 0);
    if (!result && result.error().kind != Error::Kind::Failed)
        co_await removeLeftover();
    co_return result;
}

/// Draws the conclusion from the answer to an attempt, and records it.
Result<bool> Lock::taken(const Answer &answer, bool isGranted, qint64 until, qint64 fencingToken)
{
    m_isServerLost = !answer.reply || answer.reply->isError("READONLY") || answer.reply->isError("LOADING") || answer.reply->isError("MASTERDOWN");
    if (!answer.reply)
        return answer.reply.error();
    if (isGranted) {
        believe(answer, until, fencingToken);
        record(Belief::Granted, answer, until, fencingToken);
        return true;
    }
    if (answer.reply->isError()) {
        const QString text = QString::fromUtf8(answer.reply->text);
        record(Belief::Refused, answer, never, 0, text);
        return Error {Error::Kind::Failed, text};
    }
    record(Belief::Refused, answer, never, 0);
    return false;
}

/// The second half of SETNX, then EXPIRE. The client believes already that it holds the lock.
Task<Result<bool>> Lock::expire()
{
    co_await actor().reach("between SETNX and EXPIRE");
    const qint64 ttl = wholeMilliseconds(m_options.ttl);
    const Command command = ttl % 1000 == 0 ? Command("EXPIRE", m_options.key, ttl / 1000)
                                            : Command("PEXPIRE", m_options.key, ttl);
    const Answer answer = co_await TimedCommandStep(m_client, command);
    if (!answer.reply) {
        endBelief("lost");
        co_await removeLeftover();
        co_return answer.reply.error();
    }
    if (answer.reply->isInteger(1)) {
        m_until = later(answer.sent, ttl);
        record(Belief::Renewed, answer, m_until, 0);
    }
    co_return true;
}

/// After a try without an answer: the lock may have been granted all the same. The token tells whether it was, and only the
/// one who drew it can give it back. The old connection owes an answer and is not used again.
Task<> Lock::removeLeftover()
{
    static constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        Client fresh(actor(), m_client.node());
        QList<QByteArray> keys;
        keys << m_options.key;
        QList<QByteArray> arguments;
        arguments << m_token;
        const Answer answer = co_await fresh.evaluate(
            Script::named(QStringLiteral("locks/compare-and-delete")), std::move(keys), std::move(arguments));
        if (answer.reply)
            co_return;
    }
}

/// A try that was not answered may have been granted, and copied to the server that is asked from now on: the client would be refused by
/// its own token.
Task<Result<void>> Lock::moveOn(Reconnecting reconnecting)
{
    Result<void> moved = co_await reconnecting();
    if (moved)
        co_await removeLeftover();
    co_return moved;
}

}
