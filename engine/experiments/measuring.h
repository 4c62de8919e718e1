// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/experiment.h"

namespace interlock {

class Recorder;

/// A point of a curve. @param x never: the series is one point, beside others.
inline Measure measuredValue(const QString &series, qint64 x, qint64 y)
{
    return {series, MeasureKind::Value, x, y, never, never, {}, {}};
}

/// So many of the trials.
inline Measure measuredShare(const QString &series, qint64 x, qint64 count, qint64 trials)
{
    return {series, MeasureKind::Share, x, count, trials, never, {}, {}};
}

/// A cell of a table. @param count of what was lost, refused or kept.
inline Measure measuredCell(const QString &row, const QString &column, const QString &outcome, qint64 count)
{
    return {row, MeasureKind::Cell, never, count, never, never, column, outcome};
}

/// Puts it into the record, at the time that it is now.
/// @param child the run of the set that it was taken from, by its name there; empty: the recorded run itself.
void recordMeasure(Recorder &recorder, const Measure &measure, const QString &child = {});

}
