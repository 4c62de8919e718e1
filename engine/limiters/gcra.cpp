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

/// The virtual scheduling of ITU-T I.371, Annex A, for requests of any cost.
class GcraModel : public ReferenceModel
{
public:
    GcraModel(qint64 limit, qint64 interval)
        : ReferenceModel(limit)
        , m_interval(interval)
    {
    }

private:
    Wide arrivalAfter(qint64 at, qint64 cost) const { return std::max<Wide>(m_arrival, at) + Wide(cost) * m_interval; }
    Wide burst() const { return Wide(limit()) * m_interval; }

    void arrive(qint64) override { }
    void take(qint64 at, qint64 cost) override { m_arrival = arrivalAfter(at, cost); }
    bool fits(qint64 at, qint64 cost) const override { return arrivalAfter(at, cost) - burst() <= at; }
    qint64 remaining(qint64 at) const override { return static_cast<qint64>((at + burst() - arrivalAfter(at, 0)) / m_interval); }
    qint64 level(qint64 at) const override { return static_cast<qint64>(arrivalAfter(at, 0) - at); }
    bool isUnused(qint64 at) const override { return m_arrival <= at; }

    qint64 m_interval;
    Wide m_arrival = 0;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 limit = settings.number(QStringLiteral("limit"));
    const qint64 interval = settings.number(QStringLiteral("interval"));
    if (const Result<void> exact = checkParts(limit, interval); !exact)
        return exact.error();
    LimiterPlan plan;
    plan.limit = limit;
    plan.levelUnit = interval;
    plan.arguments = {QByteArray::number(limit), QByteArray::number(interval)};
    plan.reference = [=] { return std::make_unique<GcraModel>(limit, interval); };
    return plan;
}

}

Algorithm describeGcra()
{
    return {QStringLiteral("gcra"), tr("GCRA"), tr("At most limit + T ÷ interval in any time T."),
        {Setting::count(QStringLiteral("limit"), tr("The burst: how much may come at once."), QStringLiteral("100"), 1, mostCount),
            Setting::duration(QStringLiteral("interval"), tr("The emission interval: in the long run one unit each."), QStringLiteral("100ms"))},
        1, plan};
}

}
