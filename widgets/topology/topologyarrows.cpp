// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/topologypainter.h"

#include "widgets/timeline/strokes.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

// The arrows of a group: the ways of the replication stream, and the sentinels' votes.
namespace interlock {

namespace {

using Link = ReplicationLink::State;

bool overlaps(const std::vector<QRectF> &taken, const QRectF &label)
{
    return std::any_of(taken.begin(), taken.end(), [&](const QRectF &each) { return each.intersects(label); });
}

}

void TopologyPainter::drawLink(const ReplicationLink &link)
{
    const QPainterPath way = m_layout.wayBetween(link.from, link.to, m_s);
    if (way.length() < 8 * m_s)
        return;
    QColor color = m_theme.quiet;
    Qt::PenStyle style = Qt::SolidLine;
    double width = 1.8;
    switch (link.state) {
    case Link::Up:
        color = m_theme.accent;
        width = 2.2;
        break;
    case Link::Lagging:
    case Link::Held:
        color = m_theme.unknown;
        break;
    case Link::Syncing:
        color = m_theme.accent;
        style = Qt::DashLine;
        break;
    case Link::Cut:
        color = m_theme.broken;
        style = Qt::DotLine;
        break;
    case Link::Connecting:
    case Link::Down:
    case Link::Unknown:
        style = Qt::DotLine;
        break;
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(color, width * m_s, style, Qt::FlatCap));
    const double head = 9 * m_s;
    const bool flows = link.state == Link::Up || link.state == Link::Lagging || link.state == Link::Syncing;
    m_painter.drawPath(way);
    const double tip = way.angleAtPercent(1);
    if (flows)
        drawArrowHead(way.pointAtPercent(1), tip, color);
    if (link.state == Link::Held) { // a bar that nothing passes
        const QPointF at = way.pointAtPercent(std::max(0.5, 1 - 1.5 * head / way.length()));
        const double radians = (tip + 90) * M_PI / 180;
        const QPointF across(6 * m_s * std::cos(radians), -6 * m_s * std::sin(radians));
        m_painter.setPen(QPen(color, 3 * m_s, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(at - across, at + across);
    }
    labelLink(way, linkTexts(link), color);
}

void TopologyPainter::drawArrowHead(const QPointF &tip, double degrees, const QColor &color)
{
    const double radians = degrees * M_PI / 180;
    const QPointF along(std::cos(radians), -std::sin(radians));
    const QPointF across(-along.y(), along.x());
    const double length = 10 * m_s, half = 5 * m_s;
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPolygon(QPolygonF {tip, tip - along * length + across * half, tip - along * length - across * half});
}

/// Beside the middle of the way, outside of the group's middle where it is steep and above it where it is level.
void TopologyPainter::labelLink(const QPainterPath &way, const QStringList &texts, const QColor &color)
{
    const QPointF middle = way.pointAtPercent(0.5);
    const QPointF span = way.pointAtPercent(1) - way.pointAtPercent(0);
    const bool isLevel = std::abs(span.x()) > 2.5 * std::abs(span.y());
    const double height = lineHeight(m_bold);
    const double air = 7 * m_s;
    const QRectF within = m_layout.area.adjusted(2 * m_s, 0, -2 * m_s, 0);
    for (const QString &text : texts) {
        const double width = textWidth(m_bold, text);
        if (text.isEmpty())
            continue;
        QRectF label(0, 0, width, height);
        const bool isLeft = middle.x() <= m_layout.area.center().x();
        if (isLevel)
            label.moveCenter(middle - QPointF(0, height / 2 + 3 * m_s));
        else
            label.moveTopLeft(QPointF(isLeft ? middle.x() - air - width : middle.x() + air, middle.y() - height / 2));
        const double room = isLevel ? std::abs(span.x()) + 20 * m_s : within.width();
        if (width > room || label.left() < within.left() || label.right() > within.right() || overlaps(m_labels, label))
            continue;
        m_labels.push_back(label);
        patched(m_bold, {label.left(), label.center().y()}, text, color, m_theme.background);
        return;
    }
}

/// Below the sentinels, from each voter to the one it votes for, until it knows another primary.
void TopologyPainter::drawVotes()
{
    for (const TopologyLayout::Place &voter : m_layout.sentinels) {
        const SentinelState &sentinel = *m_group.sentinel(voter.node);
        const int candidate = sentinel.vote ? sentinel.vote->candidate : -1;
        const QRectF target = m_layout.boxOf(candidate);
        if (candidate < 0 || candidate == voter.node || target.isNull())
            continue;
        const bool isRightwards = target.center().x() > voter.box.center().x();
        const double side = (isRightwards ? -1 : 1) * target.width() * 0.22;
        const QPointF start(voter.box.center().x(), voter.box.bottom() + 2 * m_s);
        const QPointF end(target.center().x() + side, target.bottom() + 3 * m_s);
        QPainterPath way(start);
        way.cubicTo(start + QPointF(0, 15 * m_s), end + QPointF(-side * 0.2, 17 * m_s), end);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.accent, 1.6 * m_s, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawPath(way);
        drawArrowHead(end, 90, m_theme.accent);
    }
}

}
