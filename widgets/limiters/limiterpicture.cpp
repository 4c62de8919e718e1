// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterpicture.h"

#include "engine/run/verdict.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace interlock {

namespace {

constexpr double barPixels = 8; ///< at scale 1: a bar is at least so wide

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiters", text);
}

/// 1, 2, 5, 10, 20, …: the largest that is not above @p number, or, rounded up, the smallest that is not below it.
int roundFactor(double number, bool isUp = false)
{
    int factor = 1;
    for (int decade = 1; decade < 100'000'000; decade *= 10) {
        for (const int digit : {1, 2, 5}) {
            if (decade * digit <= number || (isUp && factor < number))
                factor = decade * digit;
        }
    }
    return factor;
}

/// The most that any of them admitted and rejected in one interval of those in view.
std::pair<qint64, qint64> largestBars(const std::vector<const DecisionSeries *> &all, const Scale &scale, qint64 step)
{
    const auto from = static_cast<qint64>(std::floor(scale.begin / static_cast<double>(step))) * step;
    const auto count = static_cast<size_t>(scale.length / static_cast<double>(step)) + 2;
    std::pair<qint64, qint64> largest;
    for (const DecisionSeries *series : all) {
        for (const DecisionBin &bin : series->bins(from, step, count))
            largest = {std::max(largest.first, bin.admitted), std::max(largest.second, bin.rejected)};
    }
    return largest;
}

}

LimiterHeights heightsFor(const LimiterPicture &picture, const Scale &scale, double rowHeight)
{
    LimiterHeights heights;
    qint64 line = 1;
    std::vector<const DecisionSeries *> all;
    for (const LimiterRow &row : picture.rows) {
        all.push_back(&picture.series(row.series));
        if (row.twin)
            all.push_back(&picture.series(*row.twin));
    }
    for (const DecisionSeries *series : all) {
        line = std::max(line, series->basis().quota);
        if (series->busiest())
            line = std::max(line, series->busiest()->most());
    }
    // Where requests are few, intervals are longer: bars of one request each would say nothing.
    qint64 up = 0, down = 0;
    for (const double wider : {1., 2., 4.}) {
        heights.step = static_cast<qint64>(scale.tickStep(barPixels * wider * picture.theme.scale));
        std::tie(up, down) = largestBars(all, scale, heights.step);
        constexpr qint64 telling = 4;
        if (std::max(up, down) >= telling)
            break;
    }
    constexpr double tooLow = 4;
    if (up > 0 && static_cast<double>(up) * tooLow < static_cast<double>(line))
        heights.magnified = roundFactor(static_cast<double>(line) / static_cast<double>(up));
    const double s = picture.theme.scale;
    constexpr double roomy = 50; // pixels at scale 1
    heights.hasLabels = rowHeight >= roomy * s;
    const double headroom = heights.hasLabels ? lineHeight(picture.theme.sized(0.85)) + 12 * s : 6 * s;
    heights.lines = heights.hasLabels ? 1 : 0.7;
    heights.foot = (heights.hasLabels ? 4 : 2) * s;
    const double available = std::max(4.0, rowHeight - headroom - heights.foot);
    heights.down = available * (down > 0 ? 0.3 : 0.06);
    heights.unit = (available - heights.down) / static_cast<double>(std::max(line, up * heights.magnified));
    const double wanted = static_cast<double>(down) * heights.bar();
    if (wanted > heights.down)
        heights.reduced = roundFactor(wanted / heights.down, true);
    return heights;
}

QList<LegendEntry> limiterLegend(const LimiterPicture &picture, const LimiterHeights &heights)
{
    bool hasRejected = false, hasFailed = false, hasEdges = false, hasLevel = false, hasTwins = false, hasBars = false, hasExcess = false, hasLine = false;
    for (const LimiterRow &row : picture.rows) {
        const DecisionSeries &series = picture.series(row.series);
        hasRejected |= series.requests(LimiterAnswer::Rejected) > 0;
        hasFailed |= series.requests(LimiterAnswer::Failed) > 0;
        const bool edges = series.hasWindowEdges();
        hasEdges |= edges && !row.twin;
        hasLevel |= series.hasLevel() && !row.twin;
        hasTwins |= row.twin.has_value();
        hasBars |= !row.twin;
        hasLine |= series.basis().window > 0 && series.busiest();
        hasExcess |= series.busiest() && series.busiest()->firstOver();
    }
    const Theme theme = picture.theme;
    const double s = theme.scale;
    const QString interval = text(For {heights.step});
    const auto line = [=](const QPen &pen) {
        return [=](QPainter &painter, const QRectF &box) {
            painter.setPen(pen);
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
        };
    };
    QList<LegendEntry> entries;
    QString admitted = tr("admitted per %1").arg(interval);
    if (heights.magnified > 1)
        admitted += tr(", drawn × %1").arg(heights.magnified);
    QString rejected = tr("rejected");
    if (heights.reduced > 1)
        rejected += tr(", drawn ÷ %1").arg(heights.reduced);
    // Over its twin a limiter is drawn as an outline, and only what the twin admitted and rejected is filled.
    const auto outlined = [=](QPainter &painter, const QRectF &box, const QColor &color) { drawBox(painter, box, mixed(color, theme.background, 0.3), color, 1.8 * s); };
    const auto bar = [=](QPainter &painter, const QRectF &box) {
        if (hasBars)
            painter.fillRect(box, admittedColor(theme));
        else
            outlined(painter, box, admittedColor(theme));
    };
    const auto hatched = [=](QPainter &painter, const QRectF &box) {
        if (!hasBars)
            return outlined(painter, box, rejectedColor(theme));
        drawBox(painter, box, mixed(rejectedColor(theme), theme.background, 0.25), rejectedColor(theme), s);
        drawHatch(painter, box, Theme::Hatch::Rising, rejectedColor(theme), s * 0.7);
    };
    const auto cross = [=](QPainter &painter, const QRectF &box) { drawMark(painter, Mark::Kind::Died, box.center(), 8 * s, theme.unknown, theme.background); };
    const auto edge = [=](QPainter &painter, const QRectF &box) {
        painter.setPen(QPen(theme.quiet, s, Qt::DotLine, Qt::FlatCap));
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
    };
    constexpr double box = 16, point = 11;
    if (!picture.rows.empty())
        entries.append({admitted, bar, box});
    if (hasRejected)
        entries.append({rejected, hatched, box});
    if (hasFailed)
        entries.append({tr("no answer, or an error"), cross, point});
    if (hasLine) {
        entries.append({tr("limit"), line(QPen(theme.quiet, 1.2 * s, Qt::DashLine, Qt::FlatCap))});
        entries.append({tr("admitted in the trailing window"), line(QPen(theme.text, 1.4 * s))});
    }
    if (hasExcess)
        entries.append({tr("above the limit"), line(QPen(theme.broken, 4 * s, Qt::SolidLine, Qt::FlatCap))});
    if (hasEdges)
        entries.append({tr("window edge"), edge, point});
    if (hasLevel)
        entries.append({tr("inner level"), line(QPen(levelColor(theme), 2 * s))});
    if (hasTwins) {
        entries.append({tr("correct twin"), line(QPen(admittedColor(theme), 2 * s))});
        entries.append({tr("defect"), line(QPen(theme.text, 2 * s, Qt::DashLine, Qt::FlatCap))});
    }
    return entries;
}

}
