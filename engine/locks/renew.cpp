// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/locks/lock.h"
#include "engine/schedule/client.h"

#include <QCoreApplication>

namespace interlock {

namespace {

qint64 nanoseconds(qint64 milliseconds)
{
    return Nanoseconds(Milliseconds(milliseconds)).count();
}

}

Task<Result<Ownership>> Lock::renew(Nanoseconds ttl)
{
    return prolong(m_client, "locks/renew", ttl);
}

Task<Result<Ownership>> Lock::renew(Client &through, Nanoseconds ttl)
{
    return prolong(through, "locks/renew", ttl);
}

Task<Result<Ownership>> Lock::extend(Nanoseconds more)
{
    return prolong(m_client, "locks/extend", more);
}

/// Both scripts compare the token, answer the new TTL in ms or a code of 0 or below, and never create the key.
Task<Result<Ownership>> Lock::prolong(Client &through, const char *script, Nanoseconds duration)
{
    // PEXPIRE with 0 or less would delete the key, so such a value does not get anywhere near the server.
    if (wholeMilliseconds(duration) < 1)
        co_return Error {Error::Kind::Invalid,
            QCoreApplication::translate("Lock", "A lock is renewed or extended by at least 1 ms; nothing was changed.")};
    if (m_acquireSent == never)
        co_return Error {Error::Kind::Invalid,
            QCoreApplication::translate("Lock", "The lock %1 was not acquired, so it cannot be renewed.")
                .arg(QString::fromUtf8(m_options.key))};
    QList<QByteArray> keys;
    keys << m_options.key;
    QList<QByteArray> arguments;
    arguments << m_token << QByteArray::number(wholeMilliseconds(duration));
    const Answer answer
        = co_await through.evaluate(Script::named(QString::fromLatin1(script)), std::move(keys), std::move(arguments));
    if (!answer.reply)
        co_return renewalFailed(answer, answer.reply.error());
    if (answer.reply->type != ReplyType::Integer)
        co_return renewalFailed(answer, Error {Error::Kind::Failed, QString::fromUtf8(answer.reply->text)});
    const qint64 code = answer.reply->integer;
    if (code > 0) {
        // The server counted from a moment after the sending, so the lock lives at least this long.
        renewed(answer, answer.sent + nanoseconds(code));
        co_return Ownership::Own;
    }
    const bool isExpired = code == -1;
    record(Belief::RenewalFailed, answer, never, 0, isExpired ? QStringLiteral("expired") : QStringLiteral("not the owner"));
    co_return isExpired ? Ownership::Expired : Ownership::Other;
}

Task<Result<Ownership>> Lock::renewUnchecked(Client &through, Nanoseconds ttl)
{
    const qint64 milliseconds = wholeMilliseconds(ttl);
    const Answer answer = co_await through.timed("SET", m_options.key, m_token, "PX", milliseconds);
    if (!answer.reply)
        co_return renewalFailed(answer, answer.reply.error());
    if (!answer.reply->isOk())
        co_return renewalFailed(answer, Error {Error::Kind::Failed, QString::fromUtf8(answer.reply->text)});
    renewed(answer, answer.sent + nanoseconds(milliseconds));
    co_return Ownership::Own;
}

void Lock::renewed(const Answer &answer, qint64 until)
{
    m_until = until;
    record(Belief::Renewed, answer, until, m_fencingToken);
}

Error Lock::renewalFailed(const Answer &answer, Error error)
{
    record(Belief::RenewalFailed, answer, never, 0, error.text);
    return error;
}

}
