// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/algorithm.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

/// Counts by windows of the clock; everything is compared as a multiple of 1/window.
class SlidingCounterModel : public ReferenceModel
{
public:
    SlidingCounterModel(qint64 limit, qint64 window)
        : ReferenceModel(limit)
        , m_window(window)
    {
    }

private:
    qint64 countIn(qint64 window) const { return window == m_newest ? m_count : window == m_newest - 1 ? m_countBefore : 0; }
    /// previous × (1 − elapsed share) + current, in parts of which a unit has as many as a window has microseconds.
    Wide weighted(qint64 at) const
    {
        const qint64 index = at / m_window;
        return Wide(countIn(index - 1)) * (m_window - at % m_window) + Wide(countIn(index)) * m_window;
    }

    void arrive(qint64 at) override
    {
        const qint64 index = at / m_window;
        const qint64 before = countIn(index - 1);
        m_count = countIn(index);
        m_countBefore = before;
        m_newest = index;
    }
    void take(qint64, qint64 cost) override { m_count += cost; }
    bool fits(qint64 at, qint64 cost) const override { return weighted(at) + Wide(cost) * m_window <= Wide(limit()) * m_window; }
    qint64 remaining(qint64 at) const override { return static_cast<qint64>((Wide(limit()) * m_window - weighted(at)) / m_window); }
    qint64 level(qint64 at) const override { return static_cast<qint64>((weighted(at) + m_window - 1) / m_window); }
    bool isUnused(qint64 at) const override { return weighted(at) == 0; }

    qint64 m_window;
    qint64 m_newest = 0; ///< number of the newest window with a request
    qint64 m_count = 0;
    qint64 m_countBefore = 0;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 limit = settings.number(QStringLiteral("limit"));
    const qint64 window = settings.number(QStringLiteral("window"));
    LimiterPlan plan;
    plan.limit = limit;
    plan.arguments = {QByteArray::number(limit), QByteArray::number(window)};
    plan.reference = [=] { return std::make_unique<SlidingCounterModel>(limit, window); };
    return plan;
}

}

Algorithm describeSlidingCounter()
{
    return {QStringLiteral("sliding-counter"), tr("Sliding counter"),
        tr("The previous window’s count, weighted by the share that still overlaps, and this window’s together are at most the limit."),
        {Setting::count(QStringLiteral("limit"), tr("How much a window admits."), QStringLiteral("100"), 1, mostCount),
            Setting::duration(QStringLiteral("window"), tr("How long a window is."), QStringLiteral("60s"))},
        1, plan};
}

}
