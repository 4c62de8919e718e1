// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanepainter.h"

#include "widgets/timeline/markstamps.h"
#include "widgets/timeline/strokes.h"

#include <QPainter>

#include <algorithm>

namespace interlock {

namespace {

constexpr double holdShare = 0.62; ///< of the bar's height: working is the fuller bar around holding

/// QRectF::intersects() for rectangles with a width and a height: a crowded lane asks it ten thousands of times.
bool overlap(const QRectF &left, const QRectF &right)
{
    return left.left() < right.right() && right.left() < left.right() && left.top() < right.bottom() && right.top() < left.bottom();
}

}

LanePainter::LanePainter(QPainter &painter, const TimelinePicture &picture, const Scale &scale, const QRectF &lane, int row, MarkStamps *stamps)
    : m_painter(painter)
    , m_picture(picture)
    , m_theme(picture.theme)
    , m_scale(scale)
    , m_lane(lane)
    , m_place(row)
    , m_row(picture.spans->rows()[size_t(row)])
    , m_stamps(stamps)
    , m_font(m_theme.sized(0.85))
    , m_bold(m_theme.sized(0.85, true))
    , m_fontLine(lineHeight(m_font))
    , m_boldLine(lineHeight(m_bold))
{
    const Bar bar = barIn(lane.height(), m_row.lane.type, m_theme.scale);
    m_bar = bar.height;
    m_middle = lane.top() + bar.middle;
    m_holdShare = std::clamp(13 * m_theme.scale / m_bar, holdShare, 0.86); // high enough for its words
}

LanePainter::Bar LanePainter::barIn(double laneHeight, Lane::Type type, double scale)
{
    // Above the bar: commands, or what changed a node's key. Below it: marks and the label of an overlap.
    const bool isNode = type == Lane::Type::Node;
    const double above = (isNode ? 17 : 11) * scale;
    const double under = (isNode ? 4 : 18) * scale;
    const double room = laneHeight - above - under;
    if (room >= 14 * scale) {
        const double height = std::min(34 * scale, room);
        return {height, above + height / 2 + (room - height) / 2};
    }
    return {std::max(std::min(14 * scale, laneHeight * 0.8), std::min(20 * scale, laneHeight * 0.5)), laneHeight / 2};
}

bool LanePainter::showsMarks(double height, double scale)
{
    const Bar bar = barIn(height, Lane::Type::Actor, scale);
    return bar.middle + bar.height / 2 + markSize(height, scale) + markGap * scale <= height;
}

QRectF LanePainter::below() const
{
    const double top = m_middle + m_bar / 2 + 1;
    return QRectF(m_lane.left(), top, m_lane.width(), m_lane.bottom() - top);
}

QRectF LanePainter::bar() const
{
    return QRectF(m_lane.left(), m_middle - m_bar / 2, m_lane.width(), m_bar);
}

bool LanePainter::claim(const QRectF &label)
{
    const double air = 2 * m_theme.scale;
    const QRectF around = label.adjusted(-air, 0, air, 0);
    if (around.left() < m_lane.left() || around.right() > m_lane.right() || label.top() < m_lane.top() || label.bottom() > m_lane.bottom())
        return false;
    if (std::any_of(m_labels.begin(), m_labels.end(), [&](const QRectF &taken) { return overlap(taken, around); }))
        return false;
    m_labels.push_back(around);
    return true;
}

bool LanePainter::hidesMark(const QRectF &label) const
{
    const double reach = 6 * m_theme.scale; // a little more than half a mark
    const double from = m_scale.toTime(label.left() - m_lane.left() - reach);
    const double to = m_scale.toTime(label.right() - m_lane.left() + reach);
    const auto mark = std::partition_point(m_row.marks.begin(), m_row.marks.end(), [from](const Mark &each) { return static_cast<double>(each.at) < from; });
    return mark != m_row.marks.end() && static_cast<double>(mark->at) <= to;
}

QRectF LanePainter::box(double left, double right, double share) const
{
    const double from = std::round(std::clamp(left, 0.0, m_lane.width()));
    const double to = std::max(from, std::round(std::clamp(right, 0.0, m_lane.width())));
    const double height = std::max(1.0, std::round(m_bar * share));
    return QRectF(x(from), std::round(m_middle - height / 2), to - from, share > 0 ? height : 0);
}

QRectF LanePainter::column(const Columns &columns, double share) const
{
    return box(columns.first, columns.last + 1, share);
}

QColor LanePainter::colorOf(int actorRow) const
{
    return actorRow < 0 ? m_theme.quiet : m_theme.owner(m_picture.spans->rows()[size_t(actorRow)].owner);
}

QColor LanePainter::ink(const QColor &owner) const
{
    return mixed(owner, m_theme.text, 0.45);
}

void LanePainter::draw()
{
    drawPauses();
    drawPrimary();
    drawWaiting();
    drawWorking();
    drawHolding();
    drawContested();
    drawOwned();
    drawDeaths();
    drawMarks();
    drawAbsences();
    drawCommands();
}

/// Many boxes of one colour, without antialiasing: columns of pixels need none.
void LanePainter::fill(const QList<QRectF> &boxes, const QColor &color)
{
    if (boxes.isEmpty())
        return;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawRects(boxes);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
}

int LanePainter::joined(const std::vector<Span> &spans) const
{
    return joinedColumns(spans, m_scale, m_picture.now);
}

void LanePainter::add(Narrow &bars, const Columns &columns, double share) const
{
    const bool isCrowd = bars.joined > 0 && columns.last - columns.first > bars.joined;
    (isCrowd ? bars.crowds : bars.single).append(column(columns, share));
}

void LanePainter::fillBars(const Narrow &bars, const QColor &color)
{
    fill(bars.crowds, mixed(color, m_theme.background, 0.7));
    fill(bars.single, color);
}

void LanePainter::drawMarkAt(Mark::Kind kind, QPointF at, double size, const QColor &color)
{
    if (m_stamps)
        m_stamps->draw(m_painter, kind, at, size, color, m_theme.background);
    else
        drawMark(m_painter, kind, at, size, color, m_theme.background);
}

void LanePainter::labelSpan(double left, double right, double height, const QStringList &texts, const QColor &color, const QFont &font, const QColor &patch)
{
    const double padding = 6 * m_theme.scale;
    const QRectF visible = box(left, right, 1);
    if (height < font.pixelSize() + 1 || visible.width() < 3 * padding)
        return;
    const QString text = fitting(font, texts, visible.width() - 2 * padding);
    if (text.isEmpty())
        return;
    const QRectF label(visible.left() + padding, m_middle - font.pixelSize() / 2., textWidth(font, text), font.pixelSize());
    if (!claim(label))
        return;
    if (patch.isValid())
        m_painter.fillRect(label.adjusted(-padding / 2, -1, padding / 2, 1), patch);
    drawLabel(m_painter, font, label.left(), m_middle, text, color);
}

}
