// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/locks/lock.h"
#include "engine/schedule/client.h"

#include <QCoreApplication>

namespace interlock {

namespace {

/// Why there is no integer in the answer to a release.
Error unexpected(const Answer &answer)
{
    if (!answer.reply)
        return answer.reply.error();
    return Error {Error::Kind::Failed, QString::fromUtf8(answer.reply->text)};
}

bool isInteger(const Answer &answer)
{
    return answer.reply && answer.reply->type == ReplyType::Integer;
}

}

Task<Result<Ownership>> Lock::release()
{
    if (m_acquireSent == never)
        co_return Error {Error::Kind::Invalid,
            QCoreApplication::translate("Lock", "The lock %1 was not acquired, so it cannot be released.")
                .arg(QString::fromUtf8(m_options.key))};
    endBelief("released");
    switch (m_options.releasing) {
    case Releasing::Del:
        co_return co_await releaseByDel();
    case Releasing::GetThenDel:
        co_return co_await releaseByGetThenDel();
    case Releasing::Script:
        break;
    }
    co_return co_await releaseByScript();
}

Task<Result<Ownership>> Lock::releaseByDel()
{
    const Answer answer = co_await m_client.timed("DEL", m_options.key);
    if (!isInteger(answer))
        co_return unexpected(answer);
    released(answer, answer.reply->integer);
    co_return answer.reply->integer == 1 ? Ownership::Own : Ownership::Expired;
}

Task<Result<Ownership>> Lock::releaseByGetThenDel()
{
    const Answer owner = co_await m_client.timed("GET", m_options.key);
    if (!owner.reply || owner.reply->isError())
        co_return unexpected(owner);
    if (owner.reply->text != m_token) {
        released(owner, 0);
        co_return owner.reply->isNil() ? Ownership::Expired : Ownership::Other;
    }
    co_await actor().reach("between GET and DEL");
    co_return co_await releaseByDel();
}

Task<Result<Ownership>> Lock::releaseByScript()
{
    QList<QByteArray> keys;
    keys << m_options.key;
    QList<QByteArray> arguments;
    arguments << m_token;
    const Answer answer = co_await m_client.evaluate(
        Script::named(QStringLiteral("locks/compare-and-delete")), std::move(keys), std::move(arguments));
    if (!isInteger(answer))
        co_return unexpected(answer);
    const qint64 code = answer.reply->integer;
    released(answer, code == 1 ? 1 : 0);
    if (code == 1)
        co_return Ownership::Own;
    co_return code == 0 ? Ownership::Other : Ownership::Expired;
}

void Lock::released(const Answer &answer, qint64 deleted)
{
    record(Belief::Released, answer, never, deleted);
}

}
