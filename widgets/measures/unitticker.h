// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/measures/measuretexts.h"

#include <qcustomplot.h>

#include <cmath>

namespace interlock {

/// Ticks at 1, 2 or 5 × 10ⁿ of a series' unit, on a logarithmic axis at powers of ten, written with their units; shares as percentages.
class UnitTicker : public QCPAxisTicker
{
public:
    UnitTicker(QString unit, bool isShare, bool isLog)
        : m_unit(std::move(unit))
        , m_isShare(isShare)
        , m_isLog(isLog)
    {
    }

    /// How many labels there is room for.
    void setMost(int most) { m_most = std::max(2, most); }

    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *subTicks, QVector<QString> *labels) override
    {
        ticks = m_isLog ? powers(range) : multiples(range);
        if (subTicks)
            subTicks->clear();
        if (!labels)
            return;
        labels->clear();
        for (const double tick : ticks)
            labels->append(m_isShare ? percentText(tick) : tickText(tick, m_unit));
    }

private:
    QVector<double> multiples(const QCPRange &range) const
    {
        const double least = range.size() / m_most;
        double step = std::pow(10, std::floor(std::log10(least)));
        for (const double digit : {1., 2., 5., 10.}) {
            if (step * digit >= least) {
                step *= digit;
                break;
            }
        }
        const bool isContinuous = m_isShare || m_unit == QLatin1String("ns") || m_unit == QLatin1String("thousandths");
        if (!isContinuous) // half a thing is not counted
            step = std::max(1.0, step);
        QVector<double> ticks;
        for (double n = std::ceil(range.lower / step); n * step <= range.upper; ++n) {
            if (!m_isShare || (n * step > -1e-9 && n * step < 1 + 1e-9))
                ticks.append(n * step);
        }
        return ticks;
    }

    QVector<double> powers(const QCPRange &range) const
    {
        const auto first = static_cast<int>(std::ceil(std::log10(range.lower) - 1e-9));
        const auto last = static_cast<int>(std::floor(std::log10(range.upper) + 1e-9));
        const int every = std::max(1, (last - first + m_most) / m_most);
        QVector<double> ticks;
        for (int power = first; power <= last; power += every)
            ticks.append(std::pow(10, power));
        return ticks;
    }

    QString m_unit;
    bool m_isShare;
    bool m_isLog;
    int m_most = 6;
};

}
