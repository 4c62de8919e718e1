// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/algorithm.h"

#include <QCoreApplication>

#include <map>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

constexpr qint64 mostBuckets = 1000;

/// Keeps what was admitted by the time at which its bucket leaves the window.
class SlidingWindowModel : public ReferenceModel
{
public:
    SlidingWindowModel(qint64 limit, qint64 window, qint64 buckets)
        : ReferenceModel(limit)
        , m_window(window)
        , m_width(window / buckets)
    {
    }

private:
    qint64 used(qint64 at) const
    {
        qint64 sum = 0;
        for (auto it = m_leaving.upper_bound(at); it != m_leaving.end(); ++it)
            sum += it->second;
        return sum;
    }

    void arrive(qint64 at) override { m_leaving.erase(m_leaving.begin(), m_leaving.upper_bound(at)); }
    void take(qint64 at, qint64 cost) override { m_leaving[at - at % m_width + m_window] += cost; }
    bool fits(qint64 at, qint64 cost) const override { return used(at) + cost <= limit(); }
    qint64 remaining(qint64 at) const override { return limit() - used(at); }
    qint64 level(qint64 at) const override { return used(at); }
    bool isUnused(qint64 at) const override { return used(at) == 0; }

    qint64 m_window;
    qint64 m_width;
    std::map<qint64, qint64> m_leaving;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 limit = settings.number(QStringLiteral("limit"));
    const qint64 window = settings.number(QStringLiteral("window"));
    const qint64 buckets = settings.number(QStringLiteral("buckets"));
    if (window % buckets != 0)
        return Error {Error::Kind::Invalid,
            tr("A window of %1 µs cannot be cut into %2 buckets of whole microseconds: choose another number.").arg(window).arg(buckets)};
    LimiterPlan plan;
    plan.limit = limit;
    plan.arguments = {QByteArray::number(limit), QByteArray::number(window / buckets), QByteArray::number(buckets)};
    plan.reference = [=] { return std::make_unique<SlidingWindowModel>(limit, window, buckets); };
    return plan;
}

}

Algorithm describeSlidingWindow()
{
    return {QStringLiteral("sliding-window"), tr("Sliding window in buckets"),
        tr("At most the limit in the current bucket and those before it that make a window."),
        {Setting::count(QStringLiteral("limit"), tr("How much the buckets of a window admit together."), QStringLiteral("100"), 1, mostCount),
            Setting::duration(QStringLiteral("window"), tr("How long a window is."), QStringLiteral("60s")),
            Setting::count(QStringLiteral("buckets"), tr("Into how many buckets a window is cut."), QStringLiteral("6"), 1, mostBuckets)},
        1, plan};
}

}
