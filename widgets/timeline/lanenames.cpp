// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanenames.h"

#include "widgets/timeline/strokes.h"

#include <algorithm>

namespace interlock {

namespace {

constexpr double padding = 14;
constexpr double nameSize = 1.1;
constexpr double secondSize = 0.85;

}

LaneNames::LaneNames(TimelinePlot *plot)
    : QCPLayerable(plot, QStringLiteral("axes"))
    , m_plot(*plot)
{
}

QString LaneNames::firstLine(const LaneRow &row)
{
    const Lane &lane = row.lane;
    return !row.isShared && lane.type == Lane::Type::Node && !lane.key.isEmpty() ? lane.key : lane.name;
}

QString LaneNames::secondLine(const LaneRow &row)
{
    const Lane &lane = row.lane;
    if (row.isShared && !lane.key.isEmpty())
        return tr("%1 here").arg(lane.key);
    switch (lane.type) {
    case Lane::Type::Actor:
        return tr("client");
    case Lane::Type::Node:
        return lane.key.isEmpty() ? tr("server") : tr("as %1 says").arg(lane.name);
    case Lane::Type::Resource:
        break;
    }
    return tr("resource");
}

double LaneNames::widthFor(const Spans &spans, const Theme &theme)
{
    double widest = 0;
    const QFont name = theme.sized(nameSize, true);
    const QFont second = theme.sized(secondSize);
    for (const LaneRow &row : spans.rows())
        widest = std::max({widest, textWidth(name, firstLine(row)), textWidth(second, secondLine(row))});
    return std::clamp(widest + 2 * padding * theme.scale, 80 * theme.scale, 190 * theme.scale);
}

void LaneNames::draw(QCPPainter *painter)
{
    const TimelinePicture &picture = m_plot.picture();
    if (!picture.spans)
        return;
    const QRectF area = m_plot.rowsArea();
    for (const Band &band : m_plot.bands()) {
        const double bottom = area.top() + band.top - m_plot.scrolled() + band.height;
        if (band.height >= 10 && bottom <= area.bottom() + 0.5 && bottom - band.height >= area.top() - 0.5)
            painter->fillRect(QRectF(0, std::round(bottom), area.right(), 1), picture.theme.grid);
    }
    if (painter->modes().testFlag(QCPPainter::pmNoCaching))
        return drawNames(*painter);
    const double ratio = painter->device()->devicePixelRatio();
    if (m_drawn.isNull() || !qFuzzyCompare(m_drawn.devicePixelRatio(), ratio)) {
        const QSizeF column(area.left(), area.bottom() + lineHeight(picture.theme.font));
        m_drawn = QPixmap((column * ratio).toSize().expandedTo(QSize(1, 1)));
        m_drawn.setDevicePixelRatio(ratio);
        m_drawn.fill(Qt::transparent);
        QPainter inside(&m_drawn);
        drawNames(inside);
    }
    painter->drawPixmap(QPointF(), m_drawn);
}

void LaneNames::drawNames(QPainter &painter) const
{
    const TimelinePicture &picture = m_plot.picture();
    const QRectF area = m_plot.rowsArea();
    painter.setRenderHint(QPainter::Antialiasing);
    double free = -1e9;
    for (const Band &band : m_plot.bands()) {
        const QRectF place(0, area.top() + band.top - m_plot.scrolled(), area.left(), band.height);
        if (place.bottom() > area.bottom() + 0.5 || place.top() < area.top() - 0.5)
            continue;
        drawName(painter, place, picture.spans->rows()[size_t(band.row)], m_lit.contains(band.row), free);
    }
}

/// @p free is where the next name may begin: when lanes are lower than a line, only some of them are named.
void LaneNames::drawName(QPainter &painter, const QRectF &place, const LaneRow &row, bool isLit, double &free) const
{
    const Theme &theme = m_plot.picture().theme;
    const double s = theme.scale;
    const QFont second = theme.sized(secondSize);
    const bool hasTwoLines = place.height() >= lineHeight(theme.sized(nameSize, true)) + lineHeight(second);
    const QFont name = hasTwoLines ? theme.sized(nameSize, true) : theme.sized(secondSize, true);
    const double left = padding * s;
    const double width = place.width() - left - 6 * s;
    const double half = hasTwoLines ? (lineHeight(name) + lineHeight(second)) / 2 : lineHeight(name) / 2;
    const double middle = place.center().y();
    if (middle - half < free || middle + half > m_plot.rowsArea().bottom() + half)
        return;
    free = middle + half - 1;
    const double nameMiddle = hasTwoLines ? middle - lineHeight(second) / 2 : middle;
    if (row.owner >= 0 || isLit) { // the owner's colour beside its name
        const double height = std::min(place.height() * 0.6, 2 * half);
        painter.fillRect(QRectF(4 * s, middle - height / 2, 3 * s, height), isLit ? theme.broken : theme.owner(row.owner));
    }
    drawLabel(painter, name, left, nameMiddle, elided(name, firstLine(row), width), isLit ? theme.broken : theme.text);
    if (hasTwoLines)
        drawLabel(painter, second, left, middle + lineHeight(name) / 2, elided(second, secondLine(row), width), theme.quiet);
}

}
