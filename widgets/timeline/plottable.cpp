// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/plottable.h"

#include "widgets/timeline/overlaplabels.h"
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
    MarkStamps *stamps = painter->modes().testFlag(QCPPainter::pmNoCaching) ? nullptr : &m_stamps;
    std::vector<std::pair<int, LanePainter>> lanes;
    lanes.reserve(m_bands.size());
    for (const Band &band : m_bands) {
        const QRectF lane(area.left(), area.top() + band.top - m_scrolled, area.width(), band.height);
        if (lane.bottom() <= area.top() || lane.top() >= area.bottom())
            continue;
        if (m_lit.contains(band.row))
            painter->fillRect(lane.intersected(area), mixed(m_picture.theme.broken, m_picture.theme.background, 0.1));
        // On a screen the painter clips a lane that is half scrolled out; exported pictures never scroll.
        lanes.emplace_back(band.row, LanePainter(*painter, m_picture, scale, lane, band.row, stamps));
    }
    drawGuilty(*painter, scale, area);
    const std::vector<OverlapLabel> labels = placeOverlaps(m_picture, lanes, scale, area); // first: nothing else may take their place
    for (auto &[row, lane] : lanes)
        lane.draw();
    drawOverlaps(*painter, m_picture, labels);
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

}
