// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/spans.h"

#include <QColor>
#include <QPixmap>
#include <QPointF>

#include <compare>
#include <map>

class QPainter;

namespace interlock {

/// The shapes of marks, each painted once and copied from then on: thousands of small polygons are the slowest part of a
/// crowded picture. For screens only, since a stamp stands on whole pixels; exported pictures draw the shapes themselves.
class MarkStamps
{
public:
    void draw(QPainter &painter, Mark::Kind kind, QPointF at, double size, const QColor &color, const QColor &background);

private:
    struct Key
    {
        Mark::Kind kind = Mark::Kind::Note;
        QRgb color = 0;
        QRgb background = 0;
        double size = 0;
        double ratio = 1; ///< device pixels per pixel
        auto operator<=>(const Key &) const = default;
    };

    std::map<Key, QPixmap> m_stamps;
};

}
