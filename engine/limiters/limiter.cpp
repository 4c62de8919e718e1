// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/limiter.h"

#include "engine/base/words.h"
#include "engine/redis/script.h"
#include "engine/redis/slot.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

}

Result<void> checkParts(qint64 count, qint64 parts)
{
    if (parts <= mostNumber / count)
        return {};
    return Error {Error::Kind::Invalid,
        tr("%1 units at such a rate cannot be counted exactly: one unit has %2 parts, and together they may have at most %3. "
           "Choose a smaller number, or a rate with fewer digits.")
            .arg(count)
            .arg(parts)
            .arg(mostNumber)};
}

Result<void> checkRate(qint64 capacity, Rate rate)
{
    const Result<void> gain = checkParts(1, rate.amount);
    return gain ? checkParts(capacity, rate.period) : gain;
}

const QList<Algorithm> &Limiter::algorithms()
{
    static const QList<Algorithm> all {describeFixedWindow(), describeSlidingLog(), describeSlidingWindow(),
        describeSlidingCounter(), describeTokenBucket(), describeLeakyBucket(), describeGcra()};
    return all;
}

const Algorithm *Limiter::algorithm(const QString &id)
{
    for (const Algorithm &algorithm : algorithms()) {
        if (algorithm.id == id)
            return &algorithm;
    }
    return nullptr;
}

Result<Limiter> Limiter::make(const QString &id, const QList<std::pair<QString, QString>> &values)
{
    Limiter limiter;
    limiter.m_algorithm = algorithm(id);
    if (!limiter.m_algorithm) {
        QStringList known;
        for (const Algorithm &algorithm : algorithms())
            known.append(algorithm.id);
        return Error {Error::Kind::Invalid,
            tr("There is no limiter named “%1”.%2 There are %3.").arg(id, didYouMean(id, known), listedAnd(known))};
    }
    limiter.m_settings = Settings(limiter.m_algorithm->settings);
    for (const auto &[name, text] : values) {
        if (const Result<void> set = limiter.m_settings.set(name, text); !set)
            return set.error();
    }
    const Result<LimiterPlan> plan = limiter.m_algorithm->plan(limiter.m_settings);
    if (!plan)
        return plan.error();
    limiter.m_plan = *plan;
    limiter.m_script = &Script::named(QStringLiteral("limiters/") + id);
    return limiter;
}

QList<QByteArray> Limiter::keys(const QByteArray &key) const
{
    if (m_algorithm->keys == 1)
        return {key};
    const auto [first, second] = keysOfOneSlot(key);
    return {first, second};
}

QList<QByteArray> Limiter::arguments(qint64 cost, std::optional<qint64> now) const
{
    Q_ASSERT(cost >= 0 && cost <= mostNumber && now.value_or(0) >= 0 && now.value_or(0) <= mostNumber);
    return QList<QByteArray> {now ? QByteArray::number(*now) : QByteArray(), QByteArray::number(cost)} + m_plan.arguments;
}

std::pair<QByteArray, QByteArray> keysOfOneSlot(const QByteArray &key)
{
    if (!hashTag(key).isEmpty())
        return {key + ":log", key + ":state"};
    // Braces of its own would cut the tag short. These names end in a brace and those above do not, so no two keys meet.
    QByteArray tag = key;
    tag.replace('%', "%25").replace('{', "%7B").replace('}', "%7D");
    if (tag.isEmpty())
        tag = "%";
    return {"log:{" + tag + '}', "state:{" + tag + '}'};
}

}
