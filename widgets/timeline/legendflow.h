// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/timeline/strokes.h"

#include <QList>
#include <QPainter>
#include <QRectF>

#include <functional>

namespace interlock {

/// A symbol and what it means.
struct LegendEntry
{
    QString text;
    std::function<void(QPainter &, const QRectF &)> draw; ///< into 12 pixels of height at scale 1
    double symbol = 22; ///< its width, pixels at scale 1
};

/// Entries one after the other, in as many lines as it takes.
/// @param painter null: only measure.
/// @return the height that they need at this width; 0 for none.
inline double drawLegendFlow(QPainter *painter, const QRectF &place, const QList<LegendEntry> &entries, const Theme &theme)
{
    if (entries.isEmpty())
        return 0;
    const double s = theme.scale;
    const QFont font = theme.sized(0.85);
    const double margin = 14 * s;
    const double line = lineHeight(font) + 4 * s;
    double x = place.left() + margin;
    double y = place.top();
    for (const LegendEntry &entry : entries) {
        const double symbol = entry.symbol * s;
        const double width = symbol + 4 * s + textWidth(font, entry.text);
        if (x > place.left() + margin && x + width > place.right() - margin) {
            x = place.left() + margin;
            y += line;
        }
        if (painter) {
            entry.draw(*painter, QRectF(x, y + (line - 12 * s) / 2, symbol, 12 * s));
            drawLabel(*painter, font, x + symbol + 4 * s, y + line / 2, entry.text, theme.quiet);
        }
        x += width + 14 * s;
    }
    return y + line - place.top();
}

}
