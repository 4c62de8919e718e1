// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterpicture.h"

#include "engine/run/verdict.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interlock {

namespace {

constexpr double margin = 14; ///< pixels at scale 1, left of the names

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiters", text);
}

/// A line through columns of pixels, as steps: up and down within each column as far as it went there.
/// @param yOf a value's height. @param isShown ends the line where it is false; a new one begins behind.
template<typename YOf, typename IsShown>
QList<QPolygonF> stepsThrough(const std::vector<LineColumn> &columns, const QRectF &area, YOf yOf, IsShown isShown)
{
    QList<QPolygonF> lines;
    QPolygonF line;
    double last = 0;
    const auto end = [&](double x) {
        if (!line.isEmpty()) {
            line.append(QPointF(x, last));
            lines.append(line);
        }
        line.clear();
    };
    for (size_t i = 0; i < columns.size(); ++i) {
        const LineColumn &column = columns[i];
        const double x = std::min(area.left() + static_cast<double>(i), area.right());
        if (column.isEmpty || !isShown(column)) {
            end(x);
            continue;
        }
        const auto height = [&](qint64 value) { return std::round(yOf(value) * 10) / 10; }; // more digits would not be seen
        const double most = height(column.most), least = height(column.least), now = height(column.last);
        if (line.isEmpty() || most != last || least != last || now != last) {
            if (!line.isEmpty())
                line.append(QPointF(x, last));
            for (const double y : {least, most, now}) {
                if (line.isEmpty() || line.last() != QPointF(x, y))
                    line.append(QPointF(x, y));
            }
        }
        last = now;
    }
    end(std::min(area.right(), area.left() + static_cast<double>(columns.size())));
    return lines;
}

}

LimiterRowPainter::LimiterRowPainter(QPainter &painter, const LimiterPicture &picture, const LimiterHeights &heights, const Scale &scale, const QRectF &place,
    const QRectF &area, const LimiterRow &row)
    : m_painter(painter)
    , m_picture(picture)
    , m_theme(picture.theme)
    , m_heights(heights)
    , m_scale(scale)
    , m_place(place)
    , m_area(area)
    , m_row(row)
    , m_series(picture.series(row.series))
    , m_base(baseOf(place, heights))
{
    m_firstBin = static_cast<qint64>(std::floor(scale.begin / static_cast<double>(heights.step)));
    m_bins = static_cast<size_t>(std::ceil(scale.end() / static_cast<double>(heights.step)) - static_cast<double>(m_firstBin));
}

double LimiterRowPainter::baseOf(const QRectF &place, const LimiterHeights &heights)
{
    return std::round(place.bottom() - heights.foot - heights.down);
}

void LimiterRowPainter::draw()
{
    m_painter.fillRect(QRectF(m_place.left() + margin * m_theme.scale, m_place.bottom() - 1, m_place.width() - 2 * margin * m_theme.scale, 1), m_theme.line);
    drawName();
    drawFigures();
    if (m_row.twin) {
        drawOutline(m_picture.series(*m_row.twin), Style::Correct);
        drawOutline(m_series, Style::Defect);
        drawFailed(binsOf(m_series));
    } else {
        drawEdges();
        drawBars();
        drawLevel();
    }
    m_painter.fillRect(QRectF(m_area.left(), m_base, m_area.width(), 1), m_theme.text);
    drawLimit();
    if (m_row.twin)
        drawTrailing(m_picture.series(*m_row.twin), Style::Correct);
    drawTrailing(m_series, m_row.twin ? Style::Defect : Style::Plain);
    drawExcess();
    drawDifference();
}

std::vector<DecisionBin> LimiterRowPainter::binsOf(const DecisionSeries &series) const
{
    return series.bins(m_firstBin * m_heights.step, m_heights.step, m_bins);
}

double LimiterRowPainter::binX(size_t bin) const
{
    const double x = m_scale.toPixel(static_cast<double>((m_firstBin + static_cast<qint64>(bin)) * m_heights.step));
    return m_area.left() + std::clamp(std::round(x), 0.0, m_area.width());
}

void LimiterRowPainter::drawBars()
{
    const std::vector<DecisionBin> bins = binsOf(m_series);
    const QColor outline = rejectedColor(m_theme);
    const QColor fill = mixed(outline, m_theme.background, 0.25);
    const double gap = std::round(2 * m_theme.scale);
    QList<QRectF> admitted, rejected; // drawn kind by kind: each change of colour is told in SVG
    for (size_t i = 0; i < bins.size(); ++i) {
        if (bins[i] == DecisionBin {})
            continue;
        const double left = binX(i), right = binX(i + 1) - gap;
        if (right <= left)
            continue;
        if (bins[i].admitted > 0) {
            const double height = std::max(1.0, std::round(static_cast<double>(bins[i].admitted) * m_heights.bar()));
            admitted.append(QRectF(left, m_base - height, right - left, height));
        }
        if (bins[i].rejected > 0) {
            const double height = std::max(2.0, std::round(static_cast<double>(bins[i].rejected) * m_heights.barDown()));
            rejected.append(QRectF(left, m_base + 2, right - left, height));
        }
    }
    fillRects(m_painter, admitted, admittedColor(m_theme));
    QList<QRectF> boxes;
    for (const QRectF &bar : rejected)
        boxes.append(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    m_painter.setBrush(fill);
    m_painter.setPen(QPen(outline, 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRects(boxes);
    drawHatch(m_painter, rejected, Theme::Hatch::Rising, outline, m_theme.scale * 0.7);
    drawFailed(bins);
}

/// Where requests went without an answer: a cross on the base line, and how many.
void LimiterRowPainter::drawFailed(const std::vector<DecisionBin> &bins)
{
    const QFont font = m_theme.sized(0.85);
    const double size = 8 * m_theme.scale;
    double free = m_area.left();
    for (size_t i = 0; i < bins.size(); ++i) {
        const double x = (binX(i) + binX(i + 1)) / 2;
        if (bins[i].failed == 0 || x - size / 2 < free || x + size / 2 > m_area.right())
            continue;
        drawMark(m_painter, Mark::Kind::Died, QPointF(x, m_base + 1), size, m_theme.unknown, m_theme.background);
        free = x + size / 2;
        const QString count = QString::number(bins[i].failed);
        if (i + 1 < bins.size() && bins[i + 1].failed == 0 && free + textWidth(font, count) + 2 < m_area.right()) {
            drawLabel(m_painter, font, free + 2, m_base + 2 + lineHeight(font) / 2, count, m_theme.unknown);
            free += textWidth(font, count) + 2;
        }
    }
}

size_t LimiterRowPainter::columns() const
{
    const double reached = m_scale.toPixel(static_cast<double>(m_picture.now)) + 1;
    return static_cast<size_t>(std::max(0.0, std::min(reached, m_area.width())));
}

bool LimiterRowPainter::isCrowded() const
{
    const std::vector<DecisionBin> all = m_series.bins(std::llround(m_scale.begin), std::max<qint64>(1, std::llround(m_scale.length)), 1);
    constexpr double each = 4; ///< pixels
    return static_cast<double>(all.front().admitted + all.front().rejected) * each > m_area.width();
}

bool LimiterRowPainter::exceeds() const
{
    const auto isOver = [](const DecisionSeries &series) { return series.busiest() && series.busiest()->firstOver(); };
    return isOver(m_series) && !(m_row.twin && isOver(m_picture.series(*m_row.twin)));
}

QPen LimiterRowPainter::lineOf(Style style, const QColor &color) const
{
    const double width = style == Style::Plain ? 1.4 : 1.8;
    return QPen(color, width * m_heights.lines * m_theme.scale, style == Style::Defect ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
}

/// Admitted and rejected per interval as an outline, so that two lie over each other.
void LimiterRowPainter::drawOutline(const DecisionSeries &series, Style style)
{
    const std::vector<DecisionBin> bins = binsOf(series);
    const bool isDefect = style == Style::Defect;
    const double shift = isDefect ? m_theme.scale : 0; // beside the other where they agree
    QPolygonF up {QPointF(m_area.left(), m_base)}, down {QPointF(m_area.left(), m_base + 1)};
    QList<QRectF> above, below;
    for (size_t i = 0; i < bins.size(); ++i) {
        const double left = binX(i), right = binX(i + 1);
        const double height = static_cast<double>(bins[i].admitted) * m_heights.bar();
        const double depth = static_cast<double>(bins[i].rejected) * m_heights.barDown();
        if (!isDefect && right > left) {
            if (height > 0)
                above.append(QRectF(left, m_base - height, right - left, height));
            if (depth > 0)
                below.append(QRectF(left, m_base + 1, right - left, depth));
        }
        const double top = height > 0 ? m_base - height - shift : m_base, bottom = depth > 0 ? m_base + 1 + depth + shift : m_base + 1;
        up << QPointF(left, top) << QPointF(right, top);
        down << QPointF(left, bottom) << QPointF(right, bottom);
    }
    fillRects(m_painter, above, mixed(admittedColor(m_theme), m_theme.background, 0.3));
    fillRects(m_painter, below, mixed(rejectedColor(m_theme), m_theme.background, 0.3));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(lineOf(style, isDefect ? m_theme.text : admittedColor(m_theme)));
    m_painter.drawPolyline(up);
    m_painter.setPen(lineOf(style, isDefect ? m_theme.text : rejectedColor(m_theme)));
    m_painter.drawPolyline(down);
}

void LimiterRowPainter::drawEdges()
{
    const auto most = static_cast<size_t>(m_area.width() / (6 * m_theme.scale));
    QList<QLineF> edges;
    for (const qint64 edge : m_series.windowEdges(m_scale.begin, m_scale.end(), most)) {
        const double x = m_area.left() + std::floor(m_scale.toPixel(static_cast<double>(edge))) + 0.5;
        edges.append(QLineF(x, m_place.top() + 4 * m_theme.scale, x, m_place.bottom() - 4 * m_theme.scale));
    }
    m_painter.setPen(QPen(m_theme.quiet, std::max(1.0, m_theme.scale * 0.8), Qt::DotLine, Qt::FlatCap));
    drawStrokes(m_painter, edges);
}

void LimiterRowPainter::drawLimit()
{
    if (m_series.basis().window == 0 || m_series.points().empty())
        return;
    const double y = std::round(m_base - static_cast<double>(m_series.basis().quota) * m_heights.unit) + 0.5;
    m_painter.setPen(QPen(m_theme.quiet, 1.2 * m_theme.scale, Qt::DashLine, Qt::FlatCap));
    m_painter.drawLine(QLineF(m_area.left(), y, m_area.right(), y));
    const QFont font = m_theme.sized(0.85);
    const QString number = QString::number(m_series.basis().quota);
    drawLabel(m_painter, font, m_area.left() - textWidth(font, number) - 4 * m_theme.scale, y, number, m_theme.quiet);
}

/// A line through columns of pixels. Where decisions are crowded it would go up and down in each of them: a stroke for each column then
/// says the same, and is drawn in a twentieth of the time. A file wants whichever has fewer points.
template<typename YOf, typename IsShown>
void LimiterRowPainter::drawThrough(const std::vector<LineColumn> &columns, const QPen &pen, YOf yOf, IsShown isShown)
{
    m_painter.setBrush(Qt::NoBrush);
    const bool isFile = isToldInShapes(m_painter);
    if (isFile || !isCrowded()) {
        const QList<QPolygonF> lines = stepsThrough(columns, m_area, yOf, isShown);
        const auto points = std::accumulate(lines.begin(), lines.end(), size_t(0), [](size_t sum, const QPolygonF &line) { return sum + static_cast<size_t>(line.size()); });
        if (!isFile || points <= 2 * columns.size()) {
            m_painter.setPen(pen);
            for (const QPolygonF &line : lines)
                m_painter.drawPolyline(line);
            return;
        }
    }
    QList<QLineF> strokes;
    strokes.reserve(static_cast<qsizetype>(columns.size()));
    std::optional<double> last;
    for (size_t i = 0; i < columns.size(); ++i) {
        const LineColumn &column = columns[i];
        if (column.isEmpty || !isShown(column)) {
            last.reset();
            continue;
        }
        const double now = yOf(column.last);
        const double top = std::min({yOf(column.most), now, last.value_or(now)}), bottom = std::max({yOf(column.least), now, last.value_or(now)});
        const double x = std::floor(m_area.left()) + static_cast<double>(i) + 0.5;
        strokes.append(QLineF(x, top, x, std::max(bottom, top + pen.widthF())));
        last = now;
    }
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(QPen(pen.color(), 1, Qt::SolidLine, Qt::FlatCap));
    drawStrokes(m_painter, strokes);
    m_painter.restore();
}

void LimiterRowPainter::drawLevel()
{
    if (!m_series.hasLevel())
        return;
    const auto levels = m_series.levels(m_scale.begin, m_scale.perPixel(), columns());
    const double part = m_heights.unit / static_cast<double>(std::max<qint64>(1, m_series.info().levelUnit));
    const double top = m_place.top();
    const auto yOf = [&](qint64 level) { return std::max(top, m_base - static_cast<double>(level) * part); };
    drawThrough(levels, QPen(levelColor(m_theme), 2 * m_heights.lines * m_theme.scale, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin), yOf, [](const LineColumn &) { return true; });
}

void LimiterRowPainter::drawTrailing(const DecisionSeries &series, Style style)
{
    const auto sums = series.trailing(m_scale.begin, m_scale.perPixel(), columns());
    const qint64 quota = series.basis().quota;
    const auto yOf = [&](qint64 cost) { return m_base - static_cast<double>(cost) * m_heights.unit; };
    drawThrough(sums, lineOf(style, style == Style::Correct ? admittedColor(m_theme) : m_theme.text), yOf, [](const LineColumn &) { return true; });
    if (style == Style::Correct || !exceeds())
        return;
    // What lies above the limit, once more and loud.
    QPen loud = lineOf(style, m_theme.broken);
    loud.setWidthF(2.6 * m_heights.lines * m_theme.scale);
    const auto cut = [&](qint64 cost) { return yOf(std::max(cost, quota)); };
    drawThrough(sums, loud, cut, [&](const LineColumn &column) { return column.most > quota; });
}

/// A bar over the window with the most, where that is more than the limit, and a mark where the limit was exceeded first.
void LimiterRowPainter::drawExcess()
{
    const AdmissionTrail *trail = m_series.busiest();
    if (!exceeds())
        return;
    const double s = m_theme.scale;
    const QFont font = m_theme.sized(0.85, true);
    const auto xOf = [&](double time) { return m_area.left() + std::clamp(m_scale.toPixel(time), 0.0, m_area.width()); };
    const auto end = static_cast<double>(trail->mostEntry().time);
    const double begin = end - static_cast<double>(m_series.basis().window) * 1e3;
    const double y = m_place.top() + (m_heights.hasLabels ? 4 * s + lineHeight(font) : 2 * s);
    if (end >= m_scale.begin && begin <= m_scale.end()) {
        const double left = xOf(begin), right = std::max(xOf(end), left + 2 * s);
        m_painter.fillRect(QRectF(left, y, std::min(right, m_area.right()) - left, (m_heights.hasLabels ? 4 : 2.5) * s), m_theme.broken);
        const QString said = tr("%1 in %2, limit %3").arg(trail->most()).arg(text(For {m_series.basis().window * 1'000})).arg(m_series.basis().quota);
        const double width = textWidth(font, said);
        if (m_heights.hasLabels && width <= m_area.width()) {
            const double x = std::clamp(left, m_area.left(), m_area.right() - width), height = lineHeight(font);
            m_painter.fillRect(QRectF(x, y - height, width + 3 * s, height - 1), m_theme.background); // edges of windows would cross the words
            drawLabel(m_painter, font, x, y - height / 2, said, m_theme.broken);
        }
    }
    const auto first = static_cast<double>(trail->firstOver()->time);
    if (m_heights.hasLabels && first >= m_scale.begin && first <= m_scale.end()) {
        const double x = xOf(first), limit = m_base - static_cast<double>(m_series.basis().quota) * m_heights.unit;
        drawMark(m_painter, Mark::Kind::Released, QPointF(std::clamp(x, m_area.left() + 5 * s, m_area.right() - 5 * s), limit - 6 * s), 9 * s, m_theme.broken, m_theme.background);
    }
}

/// Where a defect first answered otherwise than its correct twin.
void LimiterRowPainter::drawDifference()
{
    const LimiterFigures *figures = m_picture.figuresOf(m_row.series);
    if (!m_row.twin || !figures || !figures->differsAt)
        return;
    const auto at = static_cast<double>(*figures->differsAt);
    if (at < m_scale.begin || at > m_scale.end())
        return;
    const double s = m_theme.scale;
    const double x = m_area.left() + std::round(m_scale.toPixel(at));
    m_painter.setPen(QPen(m_theme.broken, 1.2 * s, Qt::DashLine, Qt::FlatCap));
    m_painter.drawLine(QLineF(x, m_place.top() + 4 * s, x, m_place.bottom() - 4 * s));
    const QFont font = m_theme.sized(0.85, true);
    const QString said = tr("differs from %1 on").arg(text(At {*figures->differsAt}));
    const double width = textWidth(font, said);
    const double middle = 4 * s + lineHeight(font) / 2;
    const double y = exceeds() ? m_place.bottom() - middle : m_place.top() + middle; // above stands what it exceeded
    if (m_heights.hasLabels && width + 8 * s <= m_area.width())
        drawLabel(m_painter, font, x + 4 * s + width > m_area.right() ? x - 4 * s - width : x + 4 * s, y, said, m_theme.broken);
}

}
