// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/measuring.h"
#include "engine/run/recorder.h"

namespace interlock::test {

/// A run of measures alone, all of time 0.
class Measuring
{
public:
    explicit Measuring(const QList<SeriesInfo> &series = {})
        : m_recorder([] { return Nanoseconds(0); })
    {
        m_recorder.header().series = series;
    }

    Measuring &share(const char *series, qint64 x, qint64 count, qint64 trials, const char *child = "")
    {
        return add(measuredShare(QString::fromUtf8(series), x, count, trials), child);
    }
    Measuring &value(const char *series, qint64 x, qint64 y, qint64 low = never, qint64 high = never, const char *child = "")
    {
        return add({QString::fromUtf8(series), MeasureKind::Value, x, y, low, high, {}, {}}, child);
    }
    Measuring &cell(const char *row, const char *column, const char *outcome, qint64 count, const char *child = "")
    {
        return add(measuredCell(QString::fromUtf8(row), QString::fromUtf8(column), QString::fromUtf8(outcome), count), child);
    }
    Run run() { return m_recorder.finish(); }

private:
    Measuring &add(const Measure &measure, const char *child)
    {
        recordMeasure(m_recorder, measure, QString::fromUtf8(child));
        return *this;
    }

    Recorder m_recorder;
};

}
