// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/overlaplabels.h"

#include "engine/run/verdict.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

constexpr double padding = 6; ///< at scale 1

QString tr(const char *text)
{
    return QCoreApplication::translate("Timeline", text);
}

QString textOf(const Overlap &overlap, bool isBreach, qint64 end)
{
    QString count;
    if (isBreach)
        count = overlap.owners == 2 ? tr("two owners") : tr("%1 owners").arg(overlap.owners);
    else
        count = overlap.owners == 2 ? tr("two at work") : tr("%1 at work").arg(overlap.owners);
    return tr("%1 · %2").arg(count, text(For {end - overlap.begin}));
}

/// In this order: below the bar where no mark is hidden, or on it where there is room; over marks; beyond the overlap's end
/// at last, over what follows. Nothing in a lane matters more.
enum class Place { Below, OnBar, OverMarks, BeyondBar };

bool put(QRectF &label, Place place, LanePainter &lane, double left, double right, double scale, const QRectF &area)
{
    const bool isBelow = place == Place::Below || place == Place::OverMarks;
    if (isBelow && lane.below().height() < label.height() + scale)
        return false;
    if (place == Place::OnBar && right - left < label.width() + 4 * scale)
        return false;
    label.moveTop(isBelow ? lane.below().top() + scale : lane.bar().center().y() - label.height() / 2);
    if (label.top() < area.top() || label.bottom() > area.bottom())
        return false;
    const double last = area.width() - label.width() - 3 * scale;
    // From the overlap's begin on; or up to the mark that often stands at its end.
    for (const double start : {left + 2 * scale, right - label.width() - 8 * scale}) {
        label.moveLeft(area.left() + std::min(start, last));
        if (place == Place::Below && lane.hidesMark(label))
            continue;
        if (lane.claim(label))
            return true;
        if (place != Place::Below)
            break;
    }
    return false;
}

}

std::vector<OverlapLabel> placeOverlaps(const TimelinePicture &picture, std::vector<std::pair<int, LanePainter>> &lanes, const Scale &scale, const QRectF &area)
{
    std::vector<OverlapLabel> labels;
    const double s = picture.theme.scale;
    const QFont font = picture.theme.sized(0.85, true);
    const double height = lineHeight(font) + 1.5 * s;
    constexpr int most = 2000; // in a crowded picture most overlaps go without a label
    int tried = 0;
    for (const Overlap &overlap : picture.spans->overlaps()) {
        const qint64 end = overlap.end == never ? std::max(picture.now, overlap.begin) : overlap.end;
        const double left = std::max(0.0, scale.toPixel(static_cast<double>(overlap.begin)));
        const double right = std::min(area.width(), scale.toPixel(static_cast<double>(end)));
        if (left > area.width() || tried > most)
            break;
        if (right < 0)
            continue;
        ++tried;
        const QString text = textOf(overlap, picture.overlapsBreak, end);
        const double width = textWidth(font, text) + 2 * padding * s;
        bool isPut = false;
        for (const Place place : {Place::Below, Place::OnBar, Place::OverMarks, Place::BeyondBar}) {
            for (auto &[row, lane] : lanes) {
                if (isPut || std::find(overlap.rows.begin(), overlap.rows.end(), row) == overlap.rows.end())
                    continue;
                QRectF label(0, 0, width, height);
                isPut = put(label, place, lane, left, right, s, area);
                if (isPut)
                    labels.push_back({label, text});
            }
        }
    }
    return labels;
}

void drawOverlaps(QPainter &painter, const TimelinePicture &picture, const std::vector<OverlapLabel> &labels)
{
    const QColor color = picture.overlapColor();
    const QFont font = picture.theme.sized(0.85, true);
    for (const OverlapLabel &label : labels) {
        drawBox(painter, label.box, color);
        drawLabel(painter, font, label.box.left() + padding * picture.theme.scale, label.box.center().y(), label.text, Theme::textOn(color));
    }
}

}
