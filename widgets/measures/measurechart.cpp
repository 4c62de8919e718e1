// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/measurechart.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace interlock {

namespace {

constexpr double logFrom = 100; ///< an axis is logarithmic if its positive values span more than that
constexpr double air = 0.04; ///< of an axis, beyond the outermost points

struct Extremes
{
    double least = 0;
    double most = 0;
    bool isEmpty = true;

    void take(double value)
    {
        least = isEmpty ? value : std::min(least, value);
        most = isEmpty ? value : std::max(most, value);
        isEmpty = false;
    }
};

AxisSpan spanOf(const Extremes &points, const Extremes &whole, bool beginsAtZero)
{
    if (points.least > 0 && points.most / points.least > logFrom) {
        // Ends of intervals may lie at 0: a logarithmic axis shows of them what there is room for.
        const double low = whole.least > 0 ? whole.least : points.least;
        const double stretched = std::pow(whole.most / low, air);
        return {low / stretched, whole.most * stretched, true};
    }
    const double low = beginsAtZero ? std::min(0.0, whole.least) : whole.least;
    const double high = beginsAtZero ? std::max(0.0, whole.most) : whole.most;
    const double size = high > low ? high - low : std::max(1.0, std::abs(high) / 2);
    return {low - size * air, (high > low ? high : low + size) + size * air * 2, false};
}

AxisSpan shareSpan(const Extremes &whole)
{
    constexpr double shownWhole = 0.5;
    const double high = whole.most > shownWhole ? 1 : std::max(0.01, whole.most * 1.1);
    return {-high * air, high * (1 + 2 * air), false};
}

void span(MeasureChart &chart)
{
    Extremes x, y, ends;
    for (const ChartCurve &each : chart.curves) {
        for (const MeasuredPoint &point : each.curve.points) {
            if (point.x)
                x.take(static_cast<double>(*point.x));
            y.take(drawnY(each.curve, point));
            ends.take(drawnY(each.curve, point));
            if (const auto interval = drawnInterval(each.curve, point)) {
                ends.take(interval->first);
                ends.take(interval->second);
            }
        }
    }
    chart.x = spanOf(x, x, false);
    chart.y = chart.isShare ? shareSpan(ends) : spanOf(y, ends, true);
    if (!chart.hasX && !chart.y.isLog && ends.least >= 0)
        chart.y.low = 0; // bars begin where the place does
}

}

std::vector<MeasureChart> chartsOf(const Run &run)
{
    std::vector<MeasureChart> charts;
    QStringList titles;
    for (const SeriesInfo &info : run.header.series) {
        if (!titles.contains(info.title))
            titles.append(info.title);
    }
    for (const MeasuredCurve &curve : curvesOf(run)) {
        if (!titles.contains(curve.info.title))
            titles.append(curve.info.title);
        const int style = static_cast<int>(titles.indexOf(curve.info.title));
        const bool hasX = curve.points.front().x.has_value();
        const SeriesInfo &info = curve.info;
        auto chart = std::find_if(charts.begin(), charts.end(), [&](const MeasureChart &each) {
            return std::tie(each.xTitle, each.yTitle, each.xUnit, each.yUnit, each.isShare, each.hasX)
                == std::tie(info.xTitle, info.yTitle, info.xUnit, info.yUnit, curve.isShare, hasX);
        });
        if (chart == charts.end())
            chart = charts.insert(chart, MeasureChart {info.xTitle, info.yTitle, info.xUnit, info.yUnit, curve.isShare, hasX, {}, {}, {}});
        chart->curves.push_back({curve, style});
    }
    for (MeasureChart &chart : charts)
        span(chart);
    return charts;
}

double drawnY(const MeasuredCurve &curve, const MeasuredPoint &point)
{
    const auto y = static_cast<double>(point.y);
    return curve.isShare ? y / static_cast<double>(point.trials) : y;
}

std::optional<std::pair<double, double>> drawnInterval(const MeasuredCurve &curve, const MeasuredPoint &point)
{
    if (curve.isShare) {
        const ShareBounds bounds = wilsonBounds(point.y, point.trials);
        return std::pair(bounds.low, bounds.high);
    }
    if (!point.low || !point.high)
        return {};
    return std::pair(static_cast<double>(*point.low), static_cast<double>(*point.high));
}

std::optional<Jump> steepestJump(const MeasuredCurve &curve)
{
    constexpr double least = 2;
    std::optional<Jump> steepest;
    if (curve.isShare || curve.info.xUnit == QLatin1String("ns"))
        return steepest;
    for (size_t i = 0; i + 1 < curve.points.size(); ++i) {
        const MeasuredPoint &one = curve.points[i];
        const MeasuredPoint &two = curve.points[i + 1];
        const bool areNeighbours = one.x && two.x && *one.x > 1 && *two.x - *one.x == 1;
        if (!areNeighbours || one.y <= 0 || two.y <= 0)
            continue;
        const double factor = static_cast<double>(two.y) / static_cast<double>(one.y);
        const auto size = [](double each) { return std::max(each, 1 / each); };
        if (size(factor) >= least && (!steepest || size(factor) > size(steepest->factor)))
            steepest = Jump {i, factor};
    }
    return steepest;
}

}
