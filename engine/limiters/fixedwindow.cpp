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

/// Knows the window by its end, and what was admitted before that.
class FixedWindowModel : public ReferenceModel
{
public:
    FixedWindowModel(qint64 limit, qint64 window, bool isAligned)
        : ReferenceModel(limit)
        , m_window(window)
        , m_isAligned(isAligned)
    {
    }

private:
    qint64 used(qint64 at) const { return at < m_end ? m_admitted : 0; }

    void arrive(qint64 at) override
    {
        m_admitted = used(at);
        if (m_admitted == 0)
            m_end = 0;
    }
    void take(qint64 at, qint64 cost) override
    {
        if (m_admitted == 0)
            m_end = m_isAligned ? (at / m_window + 1) * m_window : at + m_window;
        m_admitted += cost;
    }
    bool fits(qint64 at, qint64 cost) const override { return Wide(used(at)) + cost <= limit(); }
    qint64 remaining(qint64 at) const override { return limit() - used(at); }
    qint64 level(qint64 at) const override { return used(at); }
    bool isUnused(qint64 at) const override { return used(at) == 0; }

    qint64 m_window;
    bool m_isAligned;
    qint64 m_end = 0;
    qint64 m_admitted = 0;
};

Result<LimiterPlan> plan(const Settings &settings)
{
    const qint64 limit = settings.number(QStringLiteral("limit"));
    const qint64 window = settings.number(QStringLiteral("window"));
    const QString start = settings.word(QStringLiteral("start"));
    LimiterPlan plan;
    plan.limit = limit;
    plan.arguments = {QByteArray::number(limit), QByteArray::number(window), start.toLatin1()};
    plan.reference = [=] { return std::make_unique<FixedWindowModel>(limit, window, start == QLatin1String("aligned")); };
    return plan;
}

}

Algorithm describeFixedWindow()
{
    return {QStringLiteral("fixed-window"), tr("Fixed window"), tr("At most the limit in each window."),
        {Setting::count(QStringLiteral("limit"), tr("How much each window admits."), QStringLiteral("100"), 1, mostCount),
            Setting::duration(QStringLiteral("window"), tr("How long a window is."), QStringLiteral("60s")),
            Setting::choice(QStringLiteral("start"), tr("Where windows begin: on the clock, or with the first hit."),
                {QStringLiteral("aligned"), QStringLiteral("first-hit")})},
        1, plan};
}

}
