// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/plottable.h"

#include "engine/run/verdict.h"
#include "widgets/timeline/strokes.h"

namespace interlock {

namespace {

/// The axis' range and length as the struct that knows the arithmetic.
Scale scaleOf(const QCPAxis &axis, double width)
{
    return {.begin = axis.range().lower, .length = axis.range().size(), .width = width};
}

}

TimelinePlottable::TimelinePlottable(QCPAxis *time, QCPAxis *lanes, const TimelinePicture &picture)
    : QCPAbstractPlottable(time, lanes)
    , m_picture(picture)
{
    setAntialiased(true);
    setAntialiasedFill(true);
}

void TimelinePlottable::setBands(std::vector<Band> bands, double scrolled)
{
    m_bands = std::move(bands);
    m_scrolled = scrolled;
}

QCPRange TimelinePlottable::getKeyRange(bool &found, QCP::SignDomain) const
{
    found = true;
    return QCPRange(0, static_cast<double>(std::max<qint64>(m_picture.now, 1)));
}

QCPRange TimelinePlottable::getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const
{
    found = false;
    return {};
}

void TimelinePlottable::draw(QCPPainter *painter)
{
    if (!m_picture.run || !m_picture.spans || !mKeyAxis)
        return;
    // QCPPainter moves everything by half a pixel for antialiased lines; boxes would get blurred edges from that.
    painter->setAntialiasing(false);
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF area = mKeyAxis->axisRect()->rect();
    const Scale scale = scaleOf(*mKeyAxis, area.width());
    std::vector<std::pair<int, LanePainter>> lanes;
    lanes.reserve(m_bands.size());
    for (const Band &band : m_bands) {
        const QRectF lane(area.left(), area.top() + band.top - m_scrolled, area.width(), band.height);
        if (lane.bottom() <= area.top() || lane.top() >= area.bottom())
            continue;
        if (m_lit.contains(band.row))
            painter->fillRect(lane.intersected(area), mixed(m_picture.theme.broken, m_picture.theme.background, 0.1));
        // On a screen the painter clips a lane that is half scrolled out; exported pictures never scroll.
        lanes.emplace_back(band.row, LanePainter(*painter, m_picture, scale, lane, band.row));
    }
    drawGuilty(*painter, scale, area);
    const std::vector<OverlapLabel> labels = placeOverlaps(lanes, scale, area); // first: nothing else may take their place
    for (auto &[row, lane] : lanes)
        lane.draw();
    const Theme &theme = m_picture.theme;
    for (const OverlapLabel &label : labels) {
        drawBox(*painter, label.box, theme.broken);
        drawLabel(*painter, theme.sized(0.85, true), label.box.left() + 6 * theme.scale, label.box.center().y(), label.text, Theme::textOn(theme.broken));
    }
}

/// A thin dashed line through all lanes where the promise was broken.
void TimelinePlottable::drawGuilty(QCPPainter &painter, const Scale &scale, const QRectF &area)
{
    constexpr int most = 20;
    int drawn = 0;
    painter.setPen(QPen(m_picture.theme.broken, m_picture.theme.scale, Qt::DashLine, Qt::FlatCap));
    for (const size_t event : m_picture.guilty) {
        if (event >= m_picture.run->events.size())
            continue;
        const double x = scale.toPixel(static_cast<double>(m_picture.run->events[event].at));
        if (x < 0 || x > area.width() || ++drawn > most)
            continue;
        static_cast<QPainter &>(painter).drawLine(QPointF(area.left() + x, area.top()), QPointF(area.left() + x, area.bottom()));
    }
}

/// "two owners · 496 ms" below the upper of the lanes that overlap, where it fits.
std::vector<TimelinePlottable::OverlapLabel> TimelinePlottable::placeOverlaps(std::vector<std::pair<int, LanePainter>> &lanes, const Scale &scale, const QRectF &area) const
{
    std::vector<OverlapLabel> labels;
    const Theme &theme = m_picture.theme;
    const double s = theme.scale;
    const QFont font = theme.sized(0.85, true);
    const double height = lineHeight(font) + 1.5 * s;
    const auto &overlaps = m_picture.spans->overlaps();
    constexpr int most = 2000; // in a crowded picture most overlaps go without a label
    int tried = 0;
    for (const Overlap &overlap : overlaps) {
        const qint64 end = overlap.end == never ? std::max(m_picture.now, overlap.begin) : overlap.end;
        const double left = std::max(0.0, scale.toPixel(static_cast<double>(overlap.begin)));
        const double right = std::min(area.width(), scale.toPixel(static_cast<double>(end)));
        if (left > area.width() || tried > most)
            break;
        if (right < 0)
            continue;
        ++tried;
        const QString count = overlap.owners == 2 ? tr("two owners") : tr("%1 owners").arg(overlap.owners);
        const QString text = tr("%1 · %2").arg(count, interlock::text(For {end - overlap.begin}));
        const double width = textWidth(font, text) + 12 * s;
        for (auto &[row, lane] : lanes) {
            if (std::find(overlap.rows.begin(), overlap.rows.end(), row) == overlap.rows.end())
                continue;
            const QRectF below = lane.below();
            QRectF label(area.left() + std::min(left + 2 * s, area.width() - width - 3 * s), below.top() + s, width, height);
            if (below.height() < height + s) // no room below: on the bar itself, if it is long enough
                label.moveTop(below.top() - height - s);
            if ((below.height() < height + s && right - left < width + 4 * s) || label.bottom() > area.bottom() || label.top() < area.top() || !lane.claim(label))
                continue;
            labels.push_back({label, text});
            break;
        }
    }
    return labels;
}

}
