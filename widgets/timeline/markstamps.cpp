// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/markstamps.h"

#include "widgets/timeline/strokes.h"

#include <QPainter>

#include <cmath>

namespace interlock {

void MarkStamps::draw(QPainter &painter, Mark::Kind kind, QPointF at, double size, const QColor &color, const QColor &background)
{
    constexpr double reach = 0.75; ///< of the size: how far a shape and its stroke go from their middle
    constexpr size_t most = 500; // colours and sizes change with the theme
    const double ratio = painter.device()->devicePixelRatio();
    const int half = static_cast<int>(std::ceil(size * reach * ratio)) + 1;
    if (m_stamps.size() > most)
        m_stamps.clear();
    QPixmap &stamp = m_stamps[{kind, color.rgba(), background.rgba(), size, ratio}];
    if (stamp.isNull()) {
        stamp = QPixmap(2 * half + 1, 2 * half + 1);
        stamp.fill(Qt::transparent);
        stamp.setDevicePixelRatio(ratio);
        QPainter inside(&stamp);
        inside.setRenderHint(QPainter::Antialiasing);
        drawMark(inside, kind, QPointF(half + 0.5, half + 0.5) / ratio, size, color, background);
    }
    const QPointF corner(std::floor(at.x() * ratio) - half, std::floor(at.y() * ratio) - half);
    painter.drawPixmap(corner / ratio, stamp);
}

}
