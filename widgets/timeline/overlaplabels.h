// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/lanepainter.h"

#include <utility>
#include <vector>

namespace interlock {

/// "two owners · 496 ms": what makes an overlap unmistakable without its colour.
struct OverlapLabel
{
    QRectF box;
    QString text;
};

/// Finds a place for each in one of the lanes that overlap, and claims it there.
/// @param lanes with their rows, as shown.
/// @param area of all lanes.
std::vector<OverlapLabel> placeOverlaps(const TimelinePicture &picture, std::vector<std::pair<int, LanePainter>> &lanes, const Scale &scale, const QRectF &area);
void drawOverlaps(QPainter &painter, const TimelinePicture &picture, const std::vector<OverlapLabel> &labels);

}
