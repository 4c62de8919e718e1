// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/overlay.h"

#include <algorithm>

namespace interlock {

Overlay::Overlay(TimelinePlot *plot)
    : PointerLayer(plot)
    , m_plot(*plot)
{
}

void Overlay::drawSelected(QPainter &painter) const
{
    if (!selected)
        return;
    const QRectF place = area();
    const double s = theme().scale;
    const double left = scale().toPixel(static_cast<double>(selected->begin));
    const double right = scale().toPixel(static_cast<double>(selected->end));
    if (right < 0 || left > place.width())
        return;
    for (const Band &band : m_plot.bands()) {
        if (band.row != selected->row)
            continue;
        const double from = std::clamp(left - 3 * s, 0.0, place.width());
        const double to = std::clamp(right + 3 * s, 0.0, place.width());
        QRectF lane(place.left() + from, place.top() + band.top - m_plot.scrolled(), to - from, band.height);
        lane = lane.adjusted(0, 2 * s, 0, -2 * s).intersected(place);
        painter.setPen(QPen(theme().accent, 2 * s));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(lane, 4 * s, 4 * s);
        return;
    }
    painter.fillRect(QRectF(place.left() + left, place.top(), 2 * s, place.height()), theme().accent); // of no lane
}

}
