// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/overlay.h"

#include "engine/run/verdict.h"
#include "widgets/timeline/strokes.h"

#include <algorithm>

namespace interlock {

namespace {

const QString layerName = QStringLiteral("pointer");

}

Overlay::Overlay(TimelinePlot *plot)
    : QCPLayerable(plot)
    , m_plot(*plot)
{
    plot->addLayer(layerName);
    setLayer(layerName);
    layer()->setMode(QCPLayer::lmBuffered);
}

void Overlay::redraw()
{
    layer()->replot();
}

void Overlay::draw(QCPPainter *painter)
{
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = m_plot.picture().theme;
    const QRectF area = m_plot.lanesArea();
    const Scale scale = m_plot.scale();
    const auto visible = [&](qint64 time) { return double(time) >= scale.begin && double(time) <= scale.end(); };
    const auto xOf = [&](qint64 time) { return area.left() + std::round(scale.toPixel(static_cast<double>(time))); };
    if (measured)
        drawMeasured(*painter, scale, area);
    if (selected)
        drawSelected(*painter, scale, area);
    for (size_t i = 0; i < marks.size(); ++i) {
        if (!visible(marks[i]))
            continue;
        painter->fillRect(QRectF(xOf(marks[i]), area.top(), theme.scale, area.height()), theme.accent);
        drawFlag(*painter, xOf(marks[i]), area.top(), tr("%1 · %2").arg(i + 1).arg(text(At {marks[i]})), theme.accent);
    }
    if (hairline && visible(*hairline)) {
        painter->fillRect(QRectF(xOf(*hairline), area.top(), 1, area.height()), theme.quiet);
        const double flagHeight = lineHeight(theme.sized(0.85)) + 2 * theme.scale;
        drawFlag(*painter, xOf(*hairline), area.bottom() - flagHeight, text(At {*hairline}), theme.text);
    }
    if (hasFocus) {
        painter->setPen(QPen(theme.accent, 1.5 * theme.scale));
        painter->setBrush(Qt::NoBrush);
        static_cast<QPainter *>(painter)->drawRect(QRectF(m_plot.rect()).adjusted(1, 1, -1, -1));
    }
}

/// A small label beside a vertical line, on its other side where there is no room.
void Overlay::drawFlag(QPainter &painter, double x, double top, const QString &text, const QColor &fill) const
{
    const Theme &theme = m_plot.picture().theme;
    const double s = theme.scale;
    const QFont font = theme.sized(0.85);
    QRectF flag(x + 2 * s, top, textWidth(font, text) + 8 * s, lineHeight(font) + 2 * s);
    if (flag.right() > m_plot.lanesArea().right())
        flag.moveRight(x - 1 * s);
    painter.fillRect(flag, fill);
    drawLabel(painter, font, flag.left() + 4 * s, flag.center().y(), text, Theme::textOn(fill));
}

void Overlay::drawMeasured(QPainter &painter, const Scale &scale, const QRectF &area) const
{
    const Theme &theme = m_plot.picture().theme;
    const double s = theme.scale;
    const auto [begin, end] = std::minmax(measured->first, measured->second);
    const double left = std::clamp(scale.toPixel(static_cast<double>(begin)), 0.0, area.width());
    const double right = std::clamp(scale.toPixel(static_cast<double>(end)), 0.0, area.width());
    QColor veil = theme.accent;
    veil.setAlphaF(0.14F);
    painter.fillRect(QRectF(area.left() + left, area.top(), right - left, area.height()), veil);
    for (const double x : {left, right})
        painter.fillRect(QRectF(area.left() + std::round(x), area.top(), s, area.height()), theme.accent);
    const QString said = text(For {end - begin});
    const QFont font = theme.sized(1, true);
    const double width = textWidth(font, said) + 10 * s;
    QRectF chip(area.left() + (left + right - width) / 2, area.top() + 4 * s, width, lineHeight(font) + 4 * s);
    chip.moveLeft(std::clamp(chip.left(), area.left(), std::max(area.left(), area.right() - width)));
    drawBox(painter, chip, theme.accent);
    drawLabel(painter, font, chip.left() + 5 * s, chip.center().y(), said, Theme::textOn(theme.accent));
}

void Overlay::drawSelected(QPainter &painter, const Scale &scale, const QRectF &area) const
{
    const Theme &theme = m_plot.picture().theme;
    const double s = theme.scale;
    const double left = scale.toPixel(static_cast<double>(selected->begin));
    const double right = scale.toPixel(static_cast<double>(selected->end));
    if (right < 0 || left > area.width())
        return;
    for (const Band &band : m_plot.bands()) {
        if (band.row != selected->row)
            continue;
        const double from = std::clamp(left - 3 * s, 0.0, area.width());
        const double to = std::clamp(right + 3 * s, 0.0, area.width());
        QRectF lane(area.left() + from, area.top() + band.top - m_plot.scrolled(), to - from, band.height);
        lane = lane.adjusted(0, 2 * s, 0, -2 * s).intersected(area);
        painter.setPen(QPen(theme.accent, 2 * s));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(lane, 4 * s, 4 * s);
        return;
    }
    painter.fillRect(QRectF(area.left() + left, area.top(), 2 * s, area.height()), theme.accent); // of no lane
}

}
