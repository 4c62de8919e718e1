// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/defects/defect.h"

#include "engine/base/words.h"
#include "engine/redis/script.h"
#include "engine/schedule/client.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Defect", text);
}

Result<void> checkRequest(const Defect &defect, qint64 cost, std::optional<qint64> now)
{
    const auto invalid = [](const QString &sentence) { return Error {Error::Kind::Invalid, sentence}; };
    if (cost != 1)
        return invalid(tr("“%1” counts each request as one: it cannot be asked for %2.").arg(defect.title).arg(cost));
    if (now && defect.time == Defect::Time::Server)
        return invalid(tr("“%1” goes by the server’s clock.").arg(defect.title));
    if (!now && defect.time == Defect::Time::Caller)
        return invalid(tr("“%1” goes by the caller’s clock, so the caller has to say what time it is.").arg(defect.title));
    if (now.value_or(0) < 0 || now.value_or(0) > mostNumber)
        return invalid(tr("Times are whole numbers from 0 to %1.").arg(mostNumber));
    return {};
}

}

const QList<Defect> &DefectiveLimiter::defects()
{
    static const QList<Defect> all = describeDefectiveCommands() + describeDefectiveScripts();
    return all;
}

const Defect *DefectiveLimiter::find(const QString &id)
{
    for (const Defect &defect : defects()) {
        if (defect.id == id)
            return &defect;
    }
    return nullptr;
}

DefectiveLimiter::DefectiveLimiter(const Defect &defect, Limiter twin)
    : m_defect(&defect)
    , m_twin(std::move(twin))
{
}

Result<DefectiveLimiter> DefectiveLimiter::make(const QString &id, const QList<std::pair<QString, QString>> &values)
{
    const Defect *defect = find(id);
    if (!defect) {
        QStringList known;
        for (const Defect &one : defects())
            known.append(one.id);
        return Error {Error::Kind::Invalid,
            tr("There is no defect named “%1”.%2 There are %3.").arg(id, didYouMean(id, known), listedAnd(known))};
    }
    const Result<Limiter> twin = Limiter::make(defect->algorithm, defect->fixed + values);
    if (!twin)
        return twin.error();
    const QList<std::pair<QString, QString>> written = twin->settings().written();
    for (const auto &[name, text] : defect->fixed) {
        if (!written.contains(std::pair(name, text)))
            return Error {Error::Kind::Invalid, tr("“%1” goes with %2=%3 only.").arg(defect->title, name, text)};
    }
    return DefectiveLimiter(*defect, *twin);
}

QList<QByteArray> DefectiveLimiter::keys(const QByteArray &key) const
{
    return m_defect->undeclared.isEmpty() ? QList<QByteArray> {key} : QList<QByteArray> {key, key + m_defect->undeclared};
}

Task<Result<Decision>> decide(
    Client &client, const DefectiveLimiter &limiter, QByteArray key, qint64 cost, std::optional<qint64> now)
{
    const Defect &defect = limiter.defect();
    if (const Result<void> possible = checkRequest(defect, cost, now); !possible)
        co_return possible.error();
    if (defect.program)
        co_return co_await defect.program(client, limiter.twin(), key);
    QList<QByteArray> declared;
    declared << key;
    QList<QByteArray> arguments = limiter.twin().arguments(cost, now);
    if (!defect.undeclared.isEmpty())
        arguments << key;
    const Script &script = Script::named(QStringLiteral("limiters/defects/") + defect.id);
    const Answer answer = co_await client.evaluate(script, std::move(declared), std::move(arguments));
    if (!answer.reply)
        co_return answer.reply.error();
    co_return decisionFrom(*answer.reply);
}

}
