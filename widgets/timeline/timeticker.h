// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/timeline/scale.h"
#include "widgets/timeline/strokes.h"

#include <qcustomplot.h>

namespace interlock {

/// Ticks of 1, 2 or 5 × 10ⁿ ns, written in seconds.
class TimeTicker : public QCPAxisTicker
{
public:
    /// All of them must outlive the ticker. @param now how far the picture reaches, ns; 0: there is no run yet, so no time.
    TimeTicker(const QCPAxis &axis, const Theme &theme, const qint64 &now)
        : m_axis(axis)
        , m_theme(theme)
        , m_now(now)
    {
    }

    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *subTicks, QVector<QString> *labels) override
    {
        ticks.clear();
        if (subTicks)
            subTicks->clear();
        if (labels)
            labels->clear();
        if (m_now <= 0)
            return;
        const Scale scale {range.lower, range.size(), std::max<double>(1, m_axis.axisRect()->width())};
        double step = scale.tickStep(64 * m_theme.scale);
        // Deep inside a long run the labels have many digits.
        const double widest = textWidth(m_theme.sized(0.85), Scale::tickLabel(range.upper, step)) + 20 * m_theme.scale;
        step = std::max(step, scale.tickStep(widest));
        for (const double tick : scale.ticks(step))
            ticks.append(tick);
        if (!labels)
            return;
        for (const double tick : ticks)
            labels->append(Scale::tickLabel(tick, step));
    }

private:
    const QCPAxis &m_axis;
    const Theme &m_theme;
    const qint64 &m_now;
};

}
