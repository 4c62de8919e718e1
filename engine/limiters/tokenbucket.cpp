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

/// The tokens at any time follow from those at one time: a quotient over the rate's period, which is the unit here.
class TokenBucketModel : public ReferenceModel
{
public:
    TokenBucketModel(qint64 capacity, qint64 initial, Rate rate)
        : ReferenceModel(capacity)
        , m_rate(rate)
        , m_initial(Wide(initial) * rate.period)
        , m_full(Wide(capacity) * rate.period)
        , m_then(m_initial)
    {
    }

private:
    Wide tokens(qint64 at) const { return m_isBegun ? std::min(m_full, m_then + Wide(at - m_since) * m_rate.amount) : m_initial; }

    void arrive(qint64 at) override
    {
        m_then = tokens(at);
        m_since = at;
        m_isBegun = true;
    }
    void take(qint64, qint64 cost) override { m_then -= Wide(cost) * m_rate.period; }
    bool fits(qint64 at, qint64 cost) const override { return tokens(at) >= Wide(cost) * m_rate.period; }
    qint64 remaining(qint64 at) const override { return static_cast<qint64>(tokens(at) / m_rate.period); }
    qint64 level(qint64 at) const override { return static_cast<qint64>(tokens(at)); }
    bool isUnused(qint64 at) const override { return tokens(at) == m_full; }

    /// Of a bucket that nobody has used yet, as if its time began now.
    qint64 whenUnused(qint64 at) const override
    {
        const Wide now = tokens(at);
        return firstTime(at, [&](qint64 time) { return now + Wide(time - at) * m_rate.amount >= m_full; });
    }

    Rate m_rate;
    Wide m_initial;
    Wide m_full;
    Wide m_then; ///< what there was at m_since
    qint64 m_since = 0;
    bool m_isBegun = false;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 capacity = settings.number(QStringLiteral("capacity"));
    const Rate rate = settings.rate(QStringLiteral("rate"));
    const QString initialName = QStringLiteral("initial");
    const qint64 initial = settings.has(initialName) ? settings.number(initialName) : capacity;
    if (const Result<void> exact = checkRate(capacity, rate); !exact)
        return exact.error();
    if (initial > capacity)
        return Error {Error::Kind::Invalid, tr("A bucket of %1 cannot begin with %2 tokens.").arg(capacity).arg(initial)};
    LimiterPlan plan;
    plan.limit = capacity;
    plan.levelUnit = rate.period;
    plan.arguments = {QByteArray::number(capacity), QByteArray::number(initial), QByteArray::number(rate.amount), QByteArray::number(rate.period)};
    plan.reference = [=] { return std::make_unique<TokenBucketModel>(capacity, initial, rate); };
    return plan;
}

}

Algorithm describeTokenBucket()
{
    return {QStringLiteral("token-bucket"), tr("Token bucket"), tr("At most capacity + rate × T in any time T."),
        {Setting::count(QStringLiteral("capacity"), tr("How many tokens the bucket holds."), QStringLiteral("100"), 1, mostCount),
            Setting::rate(QStringLiteral("rate"), tr("How fast tokens come."), QStringLiteral("10/s")),
            Setting::count(QStringLiteral("initial"), tr("Tokens at the beginning, unless it is full."), {}, 0, mostCount)},
        1, plan};
}

}
