// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/measures.h"

namespace interlock {

/// What an axis spans, in the series' unit (of a share: 0 to 1), with some air at its ends.
struct AxisSpan
{
    double low = 0;
    double high = 1;
    bool isLog = false;

    bool operator==(const AxisSpan &) const = default;
};

struct ChartCurve
{
    MeasuredCurve curve;
    int style = 0; ///< of its colour, its line and its marks; curves of one title share it in all charts
};

/// Curves that have their axes in common.
struct MeasureChart
{
    QString xTitle, yTitle, xUnit, yUnit;
    bool isShare = false; ///< y is a share of trials
    bool hasX = true; ///< false: each curve is a row of its own, y runs to the right
    std::vector<ChartCurve> curves;
    AxisSpan x; ///< unused without x
    AxisSpan y;
};

/// In the order in which their first curves come, see curvesOf(). A series keeps its style while others have no points yet.
std::vector<MeasureChart> chartsOf(const Run &run);

/// Where y is to be drawn, and the ends of its interval: of a share Wilson's.
double drawnY(const MeasuredCurve &curve, const MeasuredPoint &point);
std::optional<std::pair<double, double>> drawnInterval(const MeasuredCurve &curve, const MeasuredPoint &point);

/// Between two points whose x are neighbouring whole numbers y grows or shrinks to at least twice or half.
struct Jump
{
    size_t point = 0; ///< the first of the two
    double factor = 1; ///< of the second y to the first

    bool operator==(const Jump &) const = default;
};

/// The steepest jump of a curve of values whose x is a count, beyond its very beginning.
/// Example: 4,144 bytes at 128 requests and 18,048 at 129 are a jump by a factor of 4.4.
std::optional<Jump> steepestJump(const MeasuredCurve &curve);

}
