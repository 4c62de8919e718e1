// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/proportion.h"
#include "engine/run/run.h"

#include <optional>
#include <vector>

namespace interlock {

/// A point of a curve, in its series' units.
struct MeasuredPoint
{
    std::optional<qint64> x; ///< none: the series is one point, beside others
    qint64 y = 0; ///< of a share, how many of the trials
    std::optional<qint64> low, high; ///< the ends of a value's interval
    qint64 trials = 0; ///< of a share
    std::vector<Name> runs; ///< of the set that it was taken from, in order of appearance; empty: of this run itself

    bool operator==(const MeasuredPoint &) const = default;
};

/// A series that has points.
struct MeasuredCurve
{
    SeriesInfo info;
    bool isShare = false; ///< y of trials; otherwise values
    std::vector<MeasuredPoint> points; ///< by x; points of one x in order of appearance

    bool operator==(const MeasuredCurve &) const = default;
};

/// What the values and shares of a run draw, in the order of the header's series, then of appearance of those that it does not name.
/// Values stay as they are. Shares of one series at one x are added up; trials below 1 or beyond counting are left out.
std::vector<MeasuredCurve> curvesOf(const Run &run);

/// What came out at one place of a table.
struct MeasuredOutcome
{
    QString word; ///< "lost", "refused", "kept"
    qint64 times = 0; ///< cells that say so
    qint64 count = 0; ///< of what was lost, refused or kept, together

    bool operator==(const MeasuredOutcome &) const = default;
};

struct MeasuredCell
{
    std::vector<MeasuredOutcome> outcomes; ///< in order of appearance; empty: nothing was measured there
    std::vector<Name> runs; ///< as of a point

    qint64 times() const; ///< of all outcomes
    bool operator==(const MeasuredCell &) const = default;
};

struct MeasuredTable
{
    std::vector<SeriesInfo> rows; ///< in the order in which they appear
    QStringList columns; ///< the same
    std::vector<MeasuredCell> cells; ///< row by row

    const MeasuredCell &cell(size_t row, size_t column) const { return cells[row * size_t(columns.size()) + column]; }
    bool operator==(const MeasuredTable &) const = default;
};

/// The cells of a run, those of one place added up.
MeasuredTable tableOf(const Run &run);

}
