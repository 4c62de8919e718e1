// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/matrixpicture.h"

#include "widgets/measures/measuretexts.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace interlock {

namespace {

constexpr double band = 24; ///< pixels at scale 1
constexpr double air = 6;

QString tr(const char *text)
{
    return QCoreApplication::translate("Measures", text);
}

QColor colorOf(OutcomeKind kind, const Theme &theme)
{
    switch (kind) {
    case OutcomeKind::Bad:
        return theme.broken;
    case OutcomeKind::Unknown:
        return theme.unknown;
    case OutcomeKind::Refused:
        return theme.owner(1);
    case OutcomeKind::Good:
        return theme.held;
    case OutcomeKind::Other:
        break;
    }
    return theme.quiet;
}

Theme::Hatch hatchOf(OutcomeKind kind)
{
    switch (kind) {
    case OutcomeKind::Bad:
        return Theme::Hatch::Rising;
    case OutcomeKind::Unknown:
        return Theme::Hatch::Dots;
    case OutcomeKind::Refused:
        return Theme::Hatch::Horizontal;
    case OutcomeKind::Good:
    case OutcomeKind::Other:
        break;
    }
    return Theme::Hatch::None;
}

void drawSign(QPainter &painter, QPointF at, double size, OutcomeKind kind, const Theme &theme)
{
    const QColor color = colorOf(kind, theme);
    const double r = size / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(at, r * 1.35, r * 1.35);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::textOn(color), size * 0.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto point = [&](double x, double y) { return at + QPointF(x, y) * r; };
    switch (kind) {
    case OutcomeKind::Bad:
        painter.drawLine(QLineF(point(-0.6, -0.6), point(0.6, 0.6)));
        painter.drawLine(QLineF(point(0.6, -0.6), point(-0.6, 0.6)));
        break;
    case OutcomeKind::Unknown:
        painter.drawPolyline(QPolygonF {point(-0.45, -0.45), point(-0.1, -0.8), point(0.4, -0.5), point(0, 0), point(0, 0.25)});
        painter.drawLine(QLineF(point(0, 0.75), point(0, 0.76)));
        break;
    case OutcomeKind::Refused:
        painter.drawLine(QLineF(point(-0.7, 0), point(0.7, 0)));
        break;
    case OutcomeKind::Good:
        painter.drawPolyline(QPolygonF {point(-0.7, 0.05), point(-0.2, 0.6), point(0.7, -0.55)});
        break;
    case OutcomeKind::Other:
        painter.setBrush(Theme::textOn(color));
        painter.drawEllipse(at, r * 0.25, r * 0.25);
        break;
    }
}

std::vector<MeasuredOutcome> worstFirst(const MeasuredCell &cell)
{
    std::vector<MeasuredOutcome> outcomes = cell.outcomes;
    std::stable_sort(outcomes.begin(), outcomes.end(),
        [](const MeasuredOutcome &left, const MeasuredOutcome &right) { return outcomeKind(left.word) < outcomeKind(right.word); });
    return outcomes;
}

/// The first text that fits, one line from @p top on; if none does, what is possible of the shortest.
void drawFitting(QPainter &painter, const QFont &font, double left, double top, double room, const QStringList &texts, const QColor &color)
{
    const QString whole = fitting(font, texts, room);
    drawLabel(painter, font, left, top + lineHeight(font) / 2, whole.isEmpty() ? elided(font, texts.last(), room) : whole, color);
}

/// A line for each outcome, and what was counted of it.
struct CellLine
{
    QStringList word; ///< the longest first
    QStringList count; ///< the same
};

std::vector<CellLine> linesOf(const MeasuredCell &cell, const QString &unit)
{
    const qint64 times = cell.times();
    std::vector<CellLine> lines;
    for (const MeasuredOutcome &outcome : worstFirst(cell)) {
        CellLine line {{outcomeText(outcome.word)}, {}};
        if (times > 1)
            line.word = {tr("%1 %2 of %3").arg(line.word.first()).arg(outcome.times).arg(times), tr("%1 %2/%3").arg(line.word.first()).arg(outcome.times).arg(times)};
        if (outcome.count != 0)
            line.count = {figureText(static_cast<double>(outcome.count), unit), tickText(static_cast<double>(outcome.count), unit)};
        lines.push_back(line);
    }
    return lines;
}

}

OutcomeKind outcomeKind(const QString &word)
{
    const auto isOneOf = [&](std::initializer_list<const char *> words) {
        return std::any_of(words.begin(), words.end(), [&](const char *each) { return word == QLatin1String(each); });
    };
    if (isOneOf({"lost", "broken", "no"}))
        return OutcomeKind::Bad;
    if (isOneOf({"unknown"}))
        return OutcomeKind::Unknown;
    if (isOneOf({"refused"}))
        return OutcomeKind::Refused;
    if (isOneOf({"kept", "held", "yes"}))
        return OutcomeKind::Good;
    return OutcomeKind::Other;
}

OutcomeKind outcomeKind(const MeasuredCell &cell)
{
    OutcomeKind worst = OutcomeKind::Other;
    for (const MeasuredOutcome &outcome : cell.outcomes)
        worst = std::min(worst, outcomeKind(outcome.word));
    return worst;
}

void drawMatrixCell(QPainter &painter, const QRectF &place, const MeasuredCell &cell, const QString &unit, const Theme &theme)
{
    const double s = theme.scale;
    const QRectF box = place.adjusted(1.5 * s, 1.5 * s, -1.5 * s, -1.5 * s);
    if (cell.outcomes.empty()) {
        painter.setPen(QPen(theme.line, s));
        painter.drawLine(QLineF(box.center() - QPointF(5 * s, 0), box.center() + QPointF(5 * s, 0)));
        return;
    }
    const OutcomeKind worst = outcomeKind(cell);
    painter.fillRect(box, mixed(colorOf(worst, theme), theme.background, 0.13));
    const double side = std::min(band * s, box.width() * 0.2);
    double top = box.top();
    for (const MeasuredOutcome &outcome : worstFirst(cell)) {
        const OutcomeKind kind = outcomeKind(outcome.word);
        const QRectF part(box.left(), top, side, box.height() * static_cast<double>(outcome.times) / static_cast<double>(cell.times()));
        painter.fillRect(part, mixed(colorOf(kind, theme), theme.background, kind == OutcomeKind::Good ? 0.55 : 0.35));
        drawHatch(painter, part, hatchOf(kind), colorOf(kind, theme), s);
        top = part.bottom();
    }
    drawSign(painter, QPointF(box.left() + side / 2, box.center().y()), side * 0.54, worst, theme);

    const QFont bold = theme.sized(0.95, true), small = theme.sized(0.85);
    const double left = box.left() + side + air * s, room = box.right() - left - 2 * s;
    const std::vector<CellLine> lines = linesOf(cell, unit);
    double height = 0;
    for (const CellLine &line : lines)
        height += lineHeight(bold) + (line.count.isEmpty() ? 0 : lineHeight(small));
    double y = std::max(box.top(), box.center().y() - height / 2);
    for (const CellLine &line : lines) {
        if (y + lineHeight(bold) > box.bottom() + 1)
            break;
        drawFitting(painter, bold, left, y, room, line.word, theme.text);
        y += lineHeight(bold);
        if (line.count.isEmpty() || y + lineHeight(small) > box.bottom() + 1)
            continue;
        drawFitting(painter, small, left, y, room, line.count, theme.text);
        y += lineHeight(small);
    }
}

QSizeF matrixCellSize(const MeasuredCell &cell, const QString &unit, const Theme &theme)
{
    const double s = theme.scale;
    const QFont bold = theme.sized(0.95, true), small = theme.sized(0.85);
    QSizeF size(0, lineHeight(bold) + lineHeight(small));
    double height = 0;
    for (const CellLine &line : linesOf(cell, unit)) {
        size.setWidth(std::max({size.width(), textWidth(bold, line.word.first()), textWidth(small, line.count.value(0))}));
        height += lineHeight(bold) + (line.count.isEmpty() ? 0 : lineHeight(small));
    }
    return {size.width() + (band + air + 6) * s, std::max(size.height(), height) + 2 * air * s};
}

}
