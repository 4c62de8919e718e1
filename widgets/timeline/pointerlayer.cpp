// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/pointerlayer.h"

#include "engine/run/verdict.h"
#include "widgets/timeline/strokes.h"

#include <algorithm>

namespace interlock {

PointerLayer::PointerLayer(TimePlot *plot)
    : QCPLayerable(plot)
    , m_plot(*plot)
{
    setLayer(QLatin1String(layerName));
    layer()->setMode(QCPLayer::lmBuffered);
}

void PointerLayer::redraw()
{
    layer()->replot();
}

void PointerLayer::draw(QCPPainter *painter)
{
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &look = theme();
    const QRectF place = area();
    const Scale shown = scale();
    const auto visible = [&](qint64 time) { return double(time) >= shown.begin && double(time) <= shown.end(); };
    const auto xOf = [&](qint64 time) { return place.left() + std::round(shown.toPixel(static_cast<double>(time))); };
    if (measured)
        drawMeasured(*painter);
    drawSelected(*painter);
    for (size_t i = 0; i < marks.size(); ++i) {
        if (!visible(marks[i]))
            continue;
        painter->fillRect(QRectF(xOf(marks[i]), place.top(), look.scale, place.height()), look.accent);
        drawFlag(*painter, xOf(marks[i]), place.top(), tr("%1 · %2").arg(i + 1).arg(text(At {marks[i]})), look.accent);
    }
    if (hairline && visible(*hairline)) {
        painter->fillRect(QRectF(xOf(*hairline), place.top(), 1, place.height()), look.quiet);
        const double flagHeight = lineHeight(look.sized(0.85)) + 2 * look.scale;
        drawFlag(*painter, xOf(*hairline), place.bottom() - flagHeight, text(At {*hairline}), look.text);
    }
    if (hasFocus) {
        painter->setPen(QPen(look.accent, 1.5 * look.scale));
        painter->setBrush(Qt::NoBrush);
        static_cast<QPainter *>(painter)->drawRect(QRectF(m_plot.rect()).adjusted(1, 1, -1, -1));
    }
}

/// A small label beside a vertical line, on its other side where there is no room.
void PointerLayer::drawFlag(QPainter &painter, double x, double top, const QString &text, const QColor &fill) const
{
    const double s = theme().scale;
    const QFont font = theme().sized(0.85);
    QRectF flag(x + 2 * s, top, textWidth(font, text) + 8 * s, lineHeight(font) + 2 * s);
    if (flag.right() > area().right())
        flag.moveRight(x - 1 * s);
    painter.fillRect(flag, fill);
    drawLabel(painter, font, flag.left() + 4 * s, flag.center().y(), text, Theme::textOn(fill));
}

void PointerLayer::drawMeasured(QPainter &painter) const
{
    const Theme &look = theme();
    const QRectF place = area();
    const double s = look.scale;
    const auto [begin, end] = std::minmax(measured->first, measured->second);
    const double left = std::clamp(scale().toPixel(static_cast<double>(begin)), 0.0, place.width());
    const double right = std::clamp(scale().toPixel(static_cast<double>(end)), 0.0, place.width());
    QColor veil = look.accent;
    veil.setAlphaF(0.14F);
    painter.fillRect(QRectF(place.left() + left, place.top(), right - left, place.height()), veil);
    for (const double x : {left, right})
        painter.fillRect(QRectF(place.left() + std::round(x), place.top(), s, place.height()), look.accent);
    const QString said = text(For {end - begin});
    const QFont font = look.sized(1, true);
    const double width = textWidth(font, said) + 10 * s;
    QRectF chip(place.left() + (left + right - width) / 2, place.top() + 4 * s, width, lineHeight(font) + 4 * s);
    chip.moveLeft(std::clamp(chip.left(), place.left(), std::max(place.left(), place.right() - width)));
    drawBox(painter, chip, look.accent);
    drawLabel(painter, font, chip.left() + 5 * s, chip.center().y(), said, Theme::textOn(look.accent));
}

}
