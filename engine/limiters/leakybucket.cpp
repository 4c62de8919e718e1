// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/algorithm.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

/// Knows when the bucket will be empty: a quotient over the rate's amount, which is the unit of time here.
class LeakyBucketModel : public ReferenceModel
{
public:
    LeakyBucketModel(qint64 capacity, Rate rate, bool isQueue)
        : ReferenceModel(capacity)
        , m_rate(rate)
        , m_isQueue(isQueue)
    {
    }

private:
    /// How long it would drain from this time on.
    Wide left(qint64 at) const { return std::max<Wide>(0, m_empty - Wide(at) * m_rate.amount); }
    Wide timeOf(qint64 cost) const { return Wide(cost) * m_rate.period; }

    void arrive(qint64) override { }
    void take(qint64 at, qint64 cost) override { m_empty = Wide(at) * m_rate.amount + left(at) + timeOf(cost); }
    bool fits(qint64 at, qint64 cost) const override { return left(at) + timeOf(cost) <= timeOf(limit()); }
    qint64 remaining(qint64 at) const override { return static_cast<qint64>((timeOf(limit()) - left(at)) / m_rate.period); }
    qint64 level(qint64 at) const override { return static_cast<qint64>(left(at)); }
    bool isUnused(qint64 at) const override { return left(at) == 0; }
    qint64 delay(qint64 at) const override
    {
        return m_isQueue ? static_cast<qint64>((left(at) + m_rate.amount - 1) / m_rate.amount) : 0;
    }

    Rate m_rate;
    bool m_isQueue;
    Wide m_empty = 0;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 capacity = settings.number(QStringLiteral("capacity"));
    const Rate rate = settings.rate(QStringLiteral("rate"));
    const QString mode = settings.word(QStringLiteral("mode"));
    if (const Result<void> exact = checkRate(capacity, rate); !exact)
        return exact.error();
    LimiterPlan plan;
    plan.limit = capacity;
    plan.levelUnit = rate.period;
    plan.arguments = {QByteArray::number(capacity), QByteArray::number(rate.amount), QByteArray::number(rate.period), mode.toLatin1()};
    plan.reference = [=] { return std::make_unique<LeakyBucketModel>(capacity, rate, mode == QLatin1String("queue")); };
    return plan;
}

}

Algorithm describeLeakyBucket()
{
    return {QStringLiteral("leaky-bucket"), tr("Leaky bucket"),
        tr("As a meter, at most capacity + rate × T in any time T; as a queue, departures at least 1/rate apart and never more than capacity waiting."),
        {Setting::count(QStringLiteral("capacity"), tr("How much the bucket holds."), QStringLiteral("100"), 1, mostCount),
            Setting::rate(QStringLiteral("rate"), tr("How fast it drains."), QStringLiteral("10/s")),
            Setting::choice(QStringLiteral("mode"), tr("Whether what is admitted passes at once, or waits for its turn."),
                {QStringLiteral("police"), QStringLiteral("queue")})},
        1, plan};
}

}
