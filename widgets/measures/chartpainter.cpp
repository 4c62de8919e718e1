// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/chartpainter.h"

#include "widgets/measures/measuretexts.h"
#include "widgets/timeline/legendflow.h"
#include "widgets/timeline/wrapping.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace interlock {

namespace {

constexpr double markSize = 8; ///< pixels at scale 1
constexpr std::array lineStyles {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

QString tr(const char *text)
{
    return QCoreApplication::translate("Measures", text);
}

QPen penOf(const Theme &theme, int style)
{
    return QPen(ChartPainter::colorOf(theme, style), 1.8 * theme.scale, lineStyles[static_cast<size_t>(style) % lineStyles.size()], Qt::FlatCap, Qt::RoundJoin);
}

QString titleOf(const MeasureChart &chart)
{
    return chart.yTitle.isEmpty() ? chart.curves.front().curve.info.title : chart.yTitle;
}

/// A single curve that is called like the chart needs no legend.
bool needsLegend(const MeasureChart &chart)
{
    return chart.hasX && (chart.curves.size() > 1 || chart.curves.front().curve.info.title != titleOf(chart));
}

QList<LegendEntry> legendOf(const MeasureChart &chart, const Theme &theme)
{
    QList<LegendEntry> entries;
    if (!needsLegend(chart))
        return entries;
    for (const ChartCurve &each : chart.curves) {
        entries.append({each.curve.info.title,
            [theme, style = each.style](QPainter &painter, const QRectF &box) {
                painter.setPen(penOf(theme, style));
                painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
                ChartPainter::drawPoint(painter, box.center(), markSize * theme.scale, style, ChartPainter::colorOf(theme, style), theme.background);
            },
            30});
    }
    return entries;
}

/// The text beside a row, the longest first.
QStringList rowWords(const MeasuredCurve &curve)
{
    const MeasuredPoint &point = curve.points.back();
    const QString whole = pointText(curve, point);
    if (curve.isShare)
        return {whole, tr("%1 of %2").arg(point.y).arg(point.trials)};
    return {whole, figureText(static_cast<double>(point.y), curve.info.yUnit)};
}

double lineOfText(const Theme &theme)
{
    return lineHeight(theme.sized(0.85));
}

QPolygonF polygon(QPointF at, double radius, int corners, double turn)
{
    QPolygonF shape;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * M_PI * i / corners;
        shape << at + QPointF(std::sin(angle), -std::cos(angle)) * radius;
    }
    return shape;
}

}

ChartPainter::ChartPainter(QPainter &painter, const MeasureChart &chart, const Theme &theme, QCPAxisRect &rect)
    : m_painter(painter)
    , m_chart(chart)
    , m_theme(theme)
    , m_rect(rect)
    , m_area(rect.rect())
{
}

QColor ChartPainter::colorOf(const Theme &theme, int style)
{
    return workColor(theme.owner(style), theme);
}

/// A shape of its own for each of seven styles, filled or hollow by round.
void ChartPainter::drawPoint(QPainter &painter, QPointF at, double size, int style, const QColor &color, const QColor &background)
{
    constexpr int shapes = 7;
    const double radius = size / 2;
    painter.setPen(QPen(color, size * 0.17));
    painter.setBrush(style / shapes % 2 == 0 ? color : background);
    switch (style % shapes) {
    case 0:
        painter.drawEllipse(at, radius * 0.9, radius * 0.9);
        break;
    case 1:
        painter.drawRect(QRectF(at - QPointF(radius, radius) * 0.85, QSizeF(radius, radius) * 1.7));
        break;
    case 2:
        painter.drawPolygon(polygon(at, radius * 1.2, 3, 0));
        break;
    case 3:
        painter.drawPolygon(polygon(at, radius * 1.15, 4, 0));
        break;
    case 4:
        painter.drawPolygon(polygon(at, radius * 1.2, 3, M_PI));
        break;
    case 5:
        painter.drawPolygon(polygon(at, radius * 1.1, 6, 0));
        break;
    case 6:
        painter.setPen(QPen(color, size * 0.3));
        painter.drawLine(QLineF(at - QPointF(radius, radius), at + QPointF(radius, radius)));
        painter.drawLine(QLineF(at - QPointF(radius, -radius), at + QPointF(radius, -radius)));
        break;
    }
}

QPointF ChartPainter::positionOf(const MeasureChart &chart, QCPAxisRect &rect, size_t curve, const MeasuredPoint &point)
{
    const double y = drawnY(chart.curves[curve].curve, point);
    if (!chart.hasX) {
        const double height = rect.height() / static_cast<double>(chart.curves.size());
        return {rect.axis(QCPAxis::atBottom)->coordToPixel(y), rect.top() + (static_cast<double>(curve) + 0.5) * height};
    }
    const double x = point.x ? static_cast<double>(*point.x) : chart.x.low;
    return {rect.axis(QCPAxis::atBottom)->coordToPixel(x), rect.axis(QCPAxis::atLeft)->coordToPixel(y)};
}

double ChartPainter::headHeight(const MeasureChart &chart, const Theme &theme, double width)
{
    return lineHeight(theme.sized(1, true)) + 6 * theme.scale + drawLegendFlow(nullptr, QRectF(0, 0, width, 0), legendOf(chart, theme), theme);
}

double ChartPainter::namesWidth(const MeasureChart &chart, const Theme &theme, double width)
{
    double widest = 0;
    for (const ChartCurve &each : chart.curves)
        widest = std::max(widest, textWidth(theme.sized(0.95, true), each.curve.info.title));
    return std::min(widest, width * 0.36);
}

double ChartPainter::wordsWidth(const MeasureChart &chart, const Theme &theme, double width)
{
    double widest = 0, shorter = 0;
    for (const ChartCurve &each : chart.curves) {
        widest = std::max(widest, textWidth(theme.sized(0.85), rowWords(each.curve).first()));
        shorter = std::max(shorter, textWidth(theme.sized(0.85), rowWords(each.curve).last()));
    }
    return widest <= width * 0.35 ? widest : shorter;
}

void ChartPainter::draw()
{
    drawHead();
    for (size_t i = 0; i < m_chart.curves.size(); ++i) {
        if (m_chart.hasX)
            drawCurve(i);
        else
            drawRow(i);
    }
}

void ChartPainter::drawHead()
{
    const QFont bold = m_theme.sized(1, true);
    const double margin = 14 * m_theme.scale;
    const QRectF outer = m_rect.outerRect();
    const double top = outer.top() + 4 * m_theme.scale;
    drawLabel(m_painter, bold, outer.left() + margin, top + lineHeight(bold) / 2, elided(bold, titleOf(m_chart), outer.width() - 2 * margin), m_theme.text);
    drawLegendFlow(&m_painter, QRectF(outer.left(), top + lineHeight(bold), outer.width(), 0), legendOf(m_chart, m_theme), m_theme);
}

void ChartPainter::drawCurve(size_t number)
{
    const ChartCurve &each = m_chart.curves[number];
    std::vector<QPointF> places;
    for (const MeasuredPoint &point : each.curve.points)
        places.push_back(positionOf(m_chart, m_rect, number, point));
    // Whiskers that would stand closer than this are drawn as a band.
    const double distance = places.size() > 1 ? (places.back().x() - places.front().x()) / static_cast<double>(places.size() - 1) : m_area.width();
    drawIntervals(each, places, distance < 9 * m_theme.scale);
    drawLine(each, places);
    drawMarks(each, places);
    if (each.curve.isShare)
        drawCounts(each, places);
    else
        drawJump(each, places);
}

/// From point to point; a jump is a step, since nothing lies between its points.
void ChartPainter::drawLine(const ChartCurve &each, const std::vector<QPointF> &places)
{
    if (places.size() < 2)
        return;
    const std::optional<Jump> jump = steepestJump(each.curve);
    QPolygonF line;
    for (size_t i = 0; i < places.size(); ++i) {
        line << places[i];
        if (jump && jump->point == i)
            line << QPointF(places[i + 1].x(), places[i].y());
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(penOf(m_theme, each.style));
    m_painter.drawPolyline(line);
}

double ChartPainter::yPixel(double value) const
{
    const double pixel = m_chart.y.isLog && value <= 0 ? m_area.bottom() : m_rect.axis(QCPAxis::atLeft)->coordToPixel(value);
    return std::clamp(pixel, m_area.top(), m_area.bottom());
}

void ChartPainter::drawIntervals(const ChartCurve &each, const std::vector<QPointF> &places, bool asBand)
{
    const QColor color = colorOf(m_theme, each.style);
    const double cap = 4 * m_theme.scale;
    QPolygonF upper, lower;
    for (size_t i = 0; i < places.size(); ++i) {
        const auto interval = drawnInterval(each.curve, each.curve.points[i]);
        if (!interval)
            continue;
        const double x = places[i].x(), low = yPixel(interval->first), high = yPixel(interval->second);
        if (asBand) {
            upper << QPointF(x, high);
            lower.prepend(QPointF(x, low));
            continue;
        }
        m_painter.setPen(QPen(color, 1.2 * m_theme.scale));
        m_painter.drawLine(QLineF(x, low, x, high));
        m_painter.drawLine(QLineF(x - cap, low, x + cap, low));
        m_painter.drawLine(QLineF(x - cap, high, x + cap, high));
    }
    if (upper.size() < 2)
        return;
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(mixed(color, m_theme.background, 0.2));
    m_painter.drawPolygon(upper + lower);
}

void ChartPainter::drawMarks(const ChartCurve &each, const std::vector<QPointF> &places)
{
    const double size = markSize * m_theme.scale;
    std::optional<QPointF> last;
    for (const QPointF &place : places) {
        // Where points lie closer than their marks, the line shows them.
        if (last && std::hypot(place.x() - last->x(), place.y() - last->y()) < size * 1.2)
            continue;
        last = place;
        drawPoint(m_painter, place, size, each.style, colorOf(m_theme, each.style), m_theme.background);
        m_taken.push_back(QRectF(place - QPointF(size, size) / 2, QSizeF(size, size)));
    }
}

/// "9 of 30" beside each point, where there is room.
void ChartPainter::drawCounts(const ChartCurve &each, const std::vector<QPointF> &places)
{
    const QFont font = m_theme.sized(0.85);
    const double height = lineOfText(m_theme), gap = 7 * m_theme.scale;
    for (size_t i = 0; i < places.size(); ++i) {
        const MeasuredPoint &point = each.curve.points[i];
        const QString text = tr("%1 of %2").arg(point.y).arg(point.trials);
        const double width = textWidth(font, text);
        const QPointF at = places[i];
        // On the side of the line to which it does not turn next.
        const double right = at.x() + gap, left = at.x() - gap - width, above = at.y() - height * 1.15, below = at.y() + height * 0.15;
        const bool rises = i + 1 < places.size() && places[i + 1].y() < at.y() - height / 2;
        for (const QPointF &corner : {QPointF(right, rises ? below : above), QPointF(right, rises ? above : below), QPointF(left, above), QPointF(left, below)}) {
            const QRectF box(corner, QSizeF(width, height));
            const bool isFree = m_area.adjusted(0, -height / 2, gap, height / 2).contains(box)
                && std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF &taken) { return taken.intersects(box); });
            if (!isFree)
                continue;
            m_painter.fillRect(box.adjusted(-1, height * 0.15, 1, -height * 0.1), m_theme.background); // lines do not run through it
            drawLabel(m_painter, font, box.left(), box.center().y(), text, m_theme.text);
            m_taken.push_back(box);
            break;
        }
    }
}

/// "128 → 129: × 4.4" beside the step.
void ChartPainter::drawJump(const ChartCurve &each, const std::vector<QPointF> &places)
{
    const std::optional<Jump> jump = steepestJump(each.curve);
    if (!jump)
        return;
    const QFont font = m_theme.sized(0.85, true);
    const QPointF from = places[jump->point], to = places[jump->point + 1];
    const QString text = tr("%1 → %2: × %3").arg(*each.curve.points[jump->point].x).arg(*each.curve.points[jump->point + 1].x).arg(figureText(jump->factor * 1'000, QStringLiteral("thousandths")));
    const double width = textWidth(font, text), gap = 9 * m_theme.scale;
    const bool fitsRight = to.x() + gap + width <= m_area.right();
    const double left = fitsRight ? to.x() + gap : from.x() - gap - width;
    if (left < m_area.left())
        return;
    const double middle = std::max(from.y(), to.y()) - std::abs(to.y() - from.y()) * (fitsRight ? 0.25 : 0.75);
    drawLabel(m_painter, font, left, middle, text, m_theme.text);
}

/// A name, a mark with its interval on the common axis, and in words what it is.
void ChartPainter::drawRow(size_t number)
{
    const ChartCurve &each = m_chart.curves[number];
    const QColor color = colorOf(m_theme, each.style);
    const double s = m_theme.scale, cap = 4 * s;
    const double y = positionOf(m_chart, m_rect, number, each.curve.points.front()).y();
    m_painter.setPen(QPen(m_theme.line, 1));
    m_painter.drawLine(QLineF(m_area.left(), y, m_area.right(), y));
    const auto *axis = m_rect.axis(QCPAxis::atBottom);
    const auto xOf = [&](double value) { return std::clamp(m_chart.y.isLog && value <= 0 ? m_area.left() : axis->coordToPixel(value), m_area.left(), m_area.right()); };
    for (const MeasuredPoint &point : each.curve.points) {
        const QPointF at = positionOf(m_chart, m_rect, number, point);
        const auto interval = drawnInterval(each.curve, point);
        m_painter.setPen(QPen(color, (interval ? 1.4 : 2.4) * s));
        if (interval) {
            const double low = xOf(interval->first), high = xOf(interval->second);
            m_painter.drawLine(QLineF(low, y, high, y));
            m_painter.drawLine(QLineF(low, y - cap, low, y + cap));
            m_painter.drawLine(QLineF(high, y - cap, high, y + cap));
        } else {
            m_painter.drawLine(QLineF(xOf(0), y, at.x(), y));
        }
        drawPoint(m_painter, at, markSize * 1.3 * s, each.style, color, m_theme.background);
    }
    const QRectF outer = m_rect.outerRect();
    const QFont name = m_theme.sized(0.95, true);
    const QFont small = m_theme.sized(0.85);
    const double left = outer.left() + 14 * s;
    const double room = m_area.left() - left - 6 * s;
    const QStringList lines = inLines(name, each.curve.info.title, room);
    for (qsizetype i = 0; i < std::min<qsizetype>(lines.size(), 2); ++i) {
        const QString line = i == 1 ? lines.mid(1).join(QLatin1Char(' ')) : lines.first();
        const double middle = y + (static_cast<double>(i) - (lines.size() > 1 ? 0.5 : 0)) * lineHeight(name) * 0.92;
        drawLabel(m_painter, name, left, middle, elided(name, line, room), m_theme.text);
    }
    drawLabel(m_painter, small, m_area.right() + 10 * s, y, fitting(small, rowWords(each.curve), outer.right() - m_area.right() - 12 * s), m_theme.text);
}

}
