// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/strokes.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace interlock {

QColor mixed(const QColor &over, const QColor &under, double share)
{
    const auto part = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return QColor(part(over.red(), under.red()), part(over.green(), under.green()), part(over.blue(), under.blue()));
}

QColor workColor(const QColor &owner, const Theme &theme)
{
    return theme.name == QLatin1String("dark") ? mixed(owner, Qt::white, 0.78) : mixed(owner, Qt::black, 0.68);
}

namespace {

/// Lines at 45° over the rectangle, each cut at its edges. Their places do not depend on the rectangle, so that
/// neighbours' hatches meet and nothing swims while the picture is moved inside it.
void diagonals(const QRectF &rect, double distance, bool rising, QList<QLineF> &lines)
{
    // A rising line is the set of points with x + y = c, a falling one that with x - y = c.
    const double sign = rising ? 1 : -1;
    const double first = rect.left() + (rising ? rect.top() : -rect.bottom());
    const double last = rect.right() + (rising ? rect.bottom() : -rect.top());
    for (double c = std::ceil(first / distance) * distance; c <= last; c += distance) {
        const auto yAt = [&](double x) { return sign * (c - x); };
        const auto xAt = [&](double y) { return c - sign * y; };
        const double left = std::max(rect.left(), std::min(xAt(rect.top()), xAt(rect.bottom())));
        const double right = std::min(rect.right(), std::max(xAt(rect.top()), xAt(rect.bottom())));
        if (right > left)
            lines.append(QLineF(left, yAt(left), right, yAt(right)));
    }
}

void hatchLines(const QRectF &rect, Theme::Hatch hatch, double distance, QList<QLineF> &lines)
{
    if (rect.width() < 2 || rect.height() < 2)
        return;
    if (hatch == Theme::Hatch::Rising || hatch == Theme::Hatch::Cross)
        diagonals(rect, distance, true, lines);
    if (hatch == Theme::Hatch::Falling || hatch == Theme::Hatch::Cross)
        diagonals(rect, distance, false, lines);
    if (hatch == Theme::Hatch::Horizontal) {
        for (double y = rect.top() + distance / 2; y < rect.bottom(); y += distance / 1.5)
            lines.append(QLineF(rect.left(), y, rect.right(), y));
    }
}

constexpr double hatchDistance = 7; ///< pixels at scale 1

void drawDots(QPainter &painter, const QRectF &rect, const QColor &color, double scale)
{
    if (rect.width() < 2 || rect.height() < 2)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const double distance = hatchDistance * scale, radius = 1.1 * scale;
    for (double x = std::ceil(rect.left() / distance) * distance; x < rect.right() - radius; x += distance) {
        for (double y = rect.top() + distance / 2; y < rect.bottom() - radius; y += distance)
            painter.drawEllipse(QPointF(x, y), radius, radius);
    }
}

}

bool isToldInShapes(const QPainter &painter)
{
    const QPaintEngine *engine = painter.paintEngine();
    return engine && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
}

void drawStrokes(QPainter &painter, const QList<QLineF> &lines)
{
    if (lines.isEmpty())
        return;
    if (!isToldInShapes(painter))
        return painter.drawLines(lines);
    QPainterPath path;
    for (const QLineF &line : lines) {
        path.moveTo(line.p1());
        path.lineTo(line.p2());
    }
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void fillRects(QPainter &painter, const QList<QRectF> &rects, const QColor &color)
{
    if (rects.isEmpty())
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRects(rects);
}

void drawHatch(QPainter &painter, const QRectF &rect, Theme::Hatch hatch, const QColor &color, double scale)
{
    if (hatch == Theme::Hatch::Dots)
        drawDots(painter, rect, color, scale);
    else if (hatch != Theme::Hatch::None)
        drawHatch(painter, QList<QRectF> {rect}, hatch, color, scale);
}

void drawHatch(QPainter &painter, const QList<QRectF> &rects, Theme::Hatch hatch, const QColor &color, double scale)
{
    QList<QLineF> lines;
    for (const QRectF &rect : rects)
        hatchLines(rect, hatch, hatchDistance * scale, lines);
    painter.setPen(QPen(color, 1.6 * scale, Qt::SolidLine, Qt::FlatCap));
    drawStrokes(painter, lines);
}

void drawBox(QPainter &painter, const QRectF &rect, const QColor &fill, const QColor &outline, double width, bool dashed)
{
    constexpr double rounded = 3;
    constexpr double roomy = 24;
    const bool hasRoom = rect.width() >= roomy && rect.height() >= 3 * rounded;
    if (!outline.isValid() && !hasRoom) {
        painter.fillRect(rect, fill);
        return;
    }
    // In SVG a brush that lets all through would do so for the words that come after it, too.
    painter.setBrush(fill.alpha() == 0 ? QBrush(Qt::NoBrush) : QBrush(fill));
    QRectF box = rect;
    if (outline.isValid()) {
        const double half = std::min({width / 2, rect.width() / 2, rect.height() / 2});
        painter.setPen(QPen(outline, width, dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        box.adjust(half, half, -half, -half);
    } else {
        painter.setPen(Qt::NoPen);
    }
    if (hasRoom)
        painter.drawRoundedRect(box, rounded, rounded);
    else
        painter.drawRect(box);
}

void drawBracket(QPainter &painter, double left, double right, double y, const QColor &color, double scale)
{
    painter.setPen(QPen(color, scale, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const double end : {left + scale / 2, right - scale / 2})
        painter.drawLine(QPointF(end, y - 3 * scale), QPointF(end, y + scale / 2));
}

double textWidth(const QFont &font, const QString &text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

QString fitting(const QFont &font, const QStringList &texts, double width)
{
    const QFontMetricsF metrics(font);
    for (const QString &text : texts) {
        if (metrics.horizontalAdvance(text) <= width)
            return text;
    }
    return {};
}

QString elided(const QFont &font, const QString &text, double width)
{
    const QString result = QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
    constexpr qsizetype readable = 3;
    return result == text || result.size() > readable ? result : QString();
}

QString shortened(const QFont &font, const QString &text, double width)
{
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    constexpr qsizetype telling = 4; // characters
    for (qsizetype end = text.lastIndexOf(QLatin1Char(' ')); end >= telling; end = text.lastIndexOf(QLatin1Char(' '), end - 1)) {
        qsizetype last = end;
        while (last > telling && text[last - 1].isPunct())
            --last;
        const QString shorter = text.left(last) + QChar(0x2026);
        if (metrics.horizontalAdvance(shorter) <= width)
            return shorter;
    }
    return elided(font, text, width);
}

void drawLabel(QPainter &painter, const QFont &font, double left, double middle, const QString &text, const QColor &color)
{
    if (text.isEmpty())
        return;
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(color); // SVG draws no text without a pen
    painter.drawText(QPointF(left, middle + (metrics.ascent() - metrics.descent()) / 2), text);
}

double lineHeight(const QFont &font)
{
    return QFontMetricsF(font).height();
}

namespace {

QPolygonF polygon(QPointF at, std::initializer_list<QPointF> points, double size)
{
    QPolygonF result;
    for (const QPointF &point : points)
        result.append(at + point * size);
    return result;
}

void cross(QPainter &painter, QPointF at, double half)
{
    painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, half));
    painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half));
}

}

void drawMark(QPainter &painter, Mark::Kind kind, QPointF at, double size, const QColor &color, const QColor &background)
{
    const double half = size / 2;
    painter.setPen(QPen(color, std::max(1.2, size / 6), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(background);
    const auto up = polygon(at, {{-0.5, 0.45}, {0.5, 0.45}, {0, -0.5}}, size);
    const auto down = polygon(at, {{-0.5, -0.45}, {0.5, -0.45}, {0, 0.5}}, size);
    const auto diamond = polygon(at, {{-0.6, 0}, {0, -0.6}, {0.6, 0}, {0, 0.6}}, size);
    switch (kind) {
    case Mark::Kind::Command:
        painter.drawLine(at + QPointF(0, -half), at + QPointF(0, half));
        break;
    case Mark::Kind::CommandFailed:
        painter.drawLine(at + QPointF(0, -half), at + QPointF(0, half));
        cross(painter, at, half * 0.6);
        break;
    case Mark::Kind::Refused:
        painter.drawEllipse(at, half * 0.7, half * 0.7);
        break;
    case Mark::Kind::Renewed:
    case Mark::Kind::Extended:
        painter.setBrush(color);
        painter.drawPolygon(up);
        break;
    case Mark::Kind::RenewalFailed:
        painter.drawPolygon(up);
        break;
    case Mark::Kind::Released:
        painter.setBrush(color);
        painter.drawPolygon(down);
        break;
    case Mark::Kind::ReleasedNothing:
        painter.drawPolygon(down);
        break;
    case Mark::Kind::GaveUp:
        painter.drawLine(at + QPointF(-half, 0), at + QPointF(half, 0));
        painter.drawLine(at + QPointF(half, -half), at + QPointF(half, half));
        break;
    case Mark::Kind::Died:
        painter.setPen(QPen(color, std::max(1.6, size / 4), Qt::SolidLine, Qt::FlatCap));
        cross(painter, at, half);
        break;
    case Mark::Kind::Set:
    case Mark::Kind::Copied:
        painter.drawLine(at + QPointF(0, -half), at + QPointF(0, half));
        painter.drawLine(at + QPointF(0, -half), at + QPointF(half, -half));
        break;
    case Mark::Kind::Deleted:
        painter.drawLine(at + QPointF(0, -half), at + QPointF(0, half));
        painter.drawLine(at + QPointF(-half, half), at + QPointF(half, half));
        break;
    case Mark::Kind::Expired:
        painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, -half));
        painter.drawLine(at + QPointF(-half, half), at + QPointF(half, half));
        cross(painter, at, half);
        break;
    case Mark::Kind::Changed:
    case Mark::Kind::Node:
        painter.drawRect(QRectF(at - QPointF(half, half) * 0.8, QSizeF(size, size) * 0.8));
        break;
    case Mark::Kind::WriteAccepted:
        painter.setBrush(color);
        painter.drawPolygon(diamond);
        break;
    case Mark::Kind::WriteRefused:
        painter.drawPolygon(diamond);
        painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half));
        break;
    case Mark::Kind::Fault:
        painter.setBrush(color);
        painter.drawPolygon(polygon(at, {{0.15, -0.6}, {-0.4, 0.1}, {0, 0.1}, {-0.15, 0.6}, {0.4, -0.1}, {0, -0.1}}, size));
        break;
    case Mark::Kind::Phase:
        painter.setBrush(color);
        painter.drawPolygon(polygon(at, {{-0.3, -0.5}, {0.5, -0.2}, {-0.3, 0.1}}, size));
        painter.drawLine(at + QPointF(-0.3, -0.5) * size, at + QPointF(-0.3, 0.5) * size);
        break;
    case Mark::Kind::Note:
        painter.drawEllipse(at, half * 0.8, half * 0.8);
        painter.drawLine(at + QPointF(0, -half * 0.1), at + QPointF(0, half * 0.5));
        break;
    }
}

}
