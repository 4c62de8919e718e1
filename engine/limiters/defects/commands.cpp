// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/defects/defect.h"
#include "engine/schedule/client.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Defect", text);
}

constexpr auto betweenIncrAndExpire = "between INCR and EXPIRE";
constexpr auto betweenReadAndWrite = "between read and write";

qint64 milliseconds(qint64 microseconds)
{
    return (microseconds + 999) / 1000;
}

/// The integer in an answer; what else came is an error.
Result<qint64> integerIn(const Result<Reply> &answer)
{
    if (!answer)
        return answer.error();
    if (answer->type != ReplyType::Integer)
        return Error {Error::Kind::Failed, QString::fromUtf8(answer->isError() ? answer->text : answer->shown())};
    return answer->integer;
}

/// In µs. Tutorials do not ask for it; it is here for the record, so that a decision can be compared with the twin's.
Task<Result<qint64>> timeOfServer(Client &client)
{
    const Result<Reply> time = co_await client.command("TIME");
    if (!time)
        co_return time.error();
    if (time->elements.size() != 2)
        co_return Error {Error::Kind::Failed, QString::fromUtf8(time->shown())};
    co_return time->elements[0].text.toLongLong() * 1'000'000 + time->elements[1].text.toLongLong();
}

/// What follows from the count, with the TTL that tutorials tell the caller.
Task<Result<Decision>> decisionOn(Client &client, QByteArray key, qint64 limit, qint64 count, bool isAdmitted, qint64 now)
{
    const Result<qint64> ttl = integerIn(co_await client.command("PTTL", key));
    if (!ttl)
        co_return ttl.error();
    const bool isForEver = *ttl == -1;
    Decision decision;
    decision.admitted = isAdmitted;
    decision.limit = limit;
    decision.remaining = std::max<qint64>(0, limit - count);
    decision.resetAfter = isForEver ? mostNumber : std::max<qint64>(0, *ttl) * 1'000; // -2: it has expired by now
    if (!isAdmitted)
        decision.retryAfter = isForEver ? std::nullopt : std::optional(decision.resetAfter);
    decision.level = count;
    decision.now = now;
    decision.serverTime = now;
    co_return decision;
}

/// INCR key, and EXPIRE key if this was the first hit.
Task<Result<Decision>> incrThenExpire(Client &client, const Limiter &twin, QByteArray key)
{
    const Result<qint64> now = co_await timeOfServer(client);
    if (!now)
        co_return now.error();
    const Result<qint64> count = integerIn(co_await client.command("INCR", key));
    if (!count)
        co_return count.error();
    if (*count == 1) {
        co_await client.actor().reach(betweenIncrAndExpire); // the defect: whoever ends here leaves a counter for ever
        const qint64 ttl = milliseconds(twin.settings().number(QStringLiteral("window")));
        const Command expire = ttl % 1000 == 0 ? Command("EXPIRE", key, ttl / 1000) : Command("PEXPIRE", key, ttl);
        const Result<qint64> expires = integerIn(co_await CommandStep(client, expire));
        if (!expires)
            co_return expires.error();
    }
    co_return co_await decisionOn(client, key, twin.limit(), *count, *count <= twin.limit(), *now);
}

/// GET key, compare, then SET or INCR.
Task<Result<Decision>> readThenWrite(Client &client, const Limiter &twin, QByteArray key)
{
    const Result<qint64> now = co_await timeOfServer(client);
    if (!now)
        co_return now.error();
    const Result<Reply> read = co_await client.command("GET", key);
    if (!read)
        co_return read.error();
    if (read->isError())
        co_return Error {Error::Kind::Failed, QString::fromUtf8(read->text)};
    const qint64 count = read->text.toLongLong(); // of nil: 0
    const bool isAdmitted = count < twin.limit();
    if (isAdmitted) {
        co_await client.actor().reach(betweenReadAndWrite); // the defect: others have read the same by now
        const qint64 ttl = milliseconds(twin.settings().number(QStringLiteral("window")));
        const Command write = read->isNil() ? Command("SET", key, 1, "PX", ttl) : Command("INCR", key);
        const Result<Reply> written = co_await CommandStep(client, write);
        if (!written)
            co_return written.error();
        if (written->isError())
            co_return Error {Error::Kind::Failed, QString::fromUtf8(written->text)};
    }
    co_return co_await decisionOn(client, key, twin.limit(), count + (isAdmitted ? 1 : 0), isAdmitted, *now);
}

}

QList<Defect> describeDefectiveCommands()
{
    const QList<std::pair<QString, QString>> firstHit {{QStringLiteral("start"), QStringLiteral("first-hit")}};
    return {
        {QStringLiteral("incr-without-expire"), tr("INCR, then EXPIRE"), tr("INCR the counter, and EXPIRE it after the first hit."),
            tr("A client that crashes between the two leaves a counter without TTL: once the limit is reached everything is rejected, for ever."),
            QStringLiteral("fixed-window"), firstHit, Defect::Time::Server, incrThenExpire, QString::fromLatin1(betweenIncrAndExpire), {}},
        {QStringLiteral("separate-commands"), tr("Read, decide, write"), tr("GET the counter, compare it with the limit, then SET or INCR it."),
            tr("All who read before anyone has written are admitted, so more than the limit pass."),
            QStringLiteral("fixed-window"), firstHit, Defect::Time::Server, readThenWrite, QString::fromLatin1(betweenReadAndWrite), {}},
    };
}

}
