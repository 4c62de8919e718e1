// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/algorithm.h"

#include <QCoreApplication>

#include <algorithm>
#include <deque>
#include <iterator>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

/// Keeps every request in the window, with the sum of all costs up to it.
class SlidingLogModel : public ReferenceModel
{
public:
    SlidingLogModel(qint64 limit, qint64 window)
        : ReferenceModel(limit)
        , m_window(window)
    {
    }

private:
    struct Entry
    {
        qint64 at;
        Wide total; ///< of all costs since the beginning, this one too
    };

    /// Of what is gone at a time: an entry exactly one window old is. A search in the sorted times.
    Wide goneBefore(qint64 at) const
    {
        const auto first = std::partition_point(
            m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.at + m_window <= at; });
        return first == m_entries.begin() ? m_dropped : std::prev(first)->total;
    }
    qint64 used(qint64 at) const { return static_cast<qint64>(m_total - goneBefore(at)); }

    void arrive(qint64 at) override
    {
        while (!m_entries.empty() && m_entries.front().at + m_window <= at) {
            m_dropped = m_entries.front().total;
            m_entries.pop_front();
        }
    }
    void take(qint64 at, qint64 cost) override
    {
        m_total += cost;
        m_entries.push_back({at, m_total});
    }
    bool fits(qint64 at, qint64 cost) const override { return used(at) + cost <= limit(); }
    qint64 remaining(qint64 at) const override { return limit() - used(at); }
    qint64 level(qint64 at) const override { return used(at); }
    bool isUnused(qint64 at) const override { return used(at) == 0; }

    qint64 m_window;
    std::deque<Entry> m_entries;
    Wide m_total = 0;
    Wide m_dropped = 0;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 limit = settings.number(QStringLiteral("limit"));
    const qint64 window = settings.number(QStringLiteral("window"));
    LimiterPlan plan;
    plan.limit = limit;
    plan.arguments = {QByteArray::number(limit), QByteArray::number(window)};
    plan.reference = [=] { return std::make_unique<SlidingLogModel>(limit, window); };
    return plan;
}

}

Algorithm describeSlidingLog()
{
    return {QStringLiteral("sliding-log"), tr("Sliding log"), tr("At most the limit in any trailing window."),
        {Setting::count(QStringLiteral("limit"), tr("How much any window admits."), QStringLiteral("100"), 1, mostCount),
            Setting::duration(QStringLiteral("window"), tr("How long a window is."), QStringLiteral("60s"))},
        2, plan};
}

}
