// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanepainter.h"

#include "widgets/ladder/rungwords.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

// A lane's moments: commands above the bar, what changed a node's key, marks below the bar.
namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Timeline", text);
}

}

void LanePainter::drawCommands()
{
    const double s = m_theme.scale;
    const double size = 7 * s;
    const double top = m_middle - m_bar / 2 - size - 1.5 * s;
    if (top < m_lane.top())
        return;
    const QColor color = mixed(m_theme.quiet, m_theme.background, 0.75);
    const QColor crowded = mixed(m_theme.quiet, m_theme.background, 0.4);
    const double stroke = std::max(1.2, size / 6);
    QList<QRectF> strokes, ticks, runs;
    walkMarks(
        m_row.commands, m_scale, 6 * s,
        [&](const Mark &mark, double at) {
            const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
            if (mark.kind == Mark::Kind::Command)
                strokes.append(QRectF(x(place) - stroke / 2, top, stroke, size));
            else
                drawMarkAt(mark.kind, QPointF(x(place), top + size / 2), size, mark.kind == Mark::Kind::CommandFailed ? m_theme.text : color);
        },
        [&](const Columns &columns, const Mark &) {
            const QRectF run = column(columns, 1);
            (columns.last > columns.first ? runs : ticks).append(QRectF(run.left(), top + size * 0.25, run.width(), size * 0.5));
        },
        &m_row.blocks.commands);
    fill(runs, crowded);
    fill(ticks, color);
    fill(strokes, color);
}

QString LanePainter::causeText(const Mark &mark) const
{
    const Event &event = m_picture.run->events[mark.event];
    const QString by = mark.by < 0 ? QString() : m_picture.spans->rows()[size_t(mark.by)].lane.name;
    switch (mark.kind) {
    case Mark::Kind::Set:
        return tr("SET ✓");
    case Mark::Kind::Copied:
        return tr("copied");
    case Mark::Kind::Extended:
        return tr("renewed");
    case Mark::Kind::Deleted:
        return by.isEmpty() ? tr("deleted") : tr("DEL by %1").arg(by);
    case Mark::Kind::Expired:
        return tr("expired");
    case Mark::Kind::Changed:
        if (event.kind == Event::Kind::Node)
            return m_picture.run->names.bytes(event.text) == "primary" ? tr("promoted") : tr("replica now");
        return static_cast<OwnerChange>(event.what) == OwnerChange::Promoted ? tr("promoted") : tr("restarted");
    case Mark::Kind::WriteAccepted:
        return event.number > 0 ? QString::number(event.number) : tr("written");
    case Mark::Kind::WriteRefused:
        return event.number > 0 ? tr("%1 refused").arg(event.number) : tr("refused");
    case Mark::Kind::GaveUp:
        return tr("gave up");
    case Mark::Kind::ReleasedNothing:
        return tr("removed nothing");
    case Mark::Kind::RenewalFailed:
        return tr("renewal failed");
    case Mark::Kind::Fault:
        if (m_row.lane.type == Lane::Type::Node)
            return faultText(m_picture.run->names.bytes(event.text), event.number);
        // A pause says so itself, over its whole length.
        return event.until == never ? m_picture.run->text(event.text) : QString();
    case Mark::Kind::Node:
        return nodeText(event);
    case Mark::Kind::Note:
        return m_picture.run->text(event.text);
    default:
        return {};
    }
}

/// Of what needs a word; deaths and pauses have theirs over their length.
QString LanePainter::nodeText(const Event &event) const
{
    switch (static_cast<NodeChange>(event.what)) {
    case NodeChange::Started:
        return tr("started");
    case NodeChange::Resumed:
        return tr("resumed");
    case NodeChange::ClockMoved:
        return tr("clock moved");
    case NodeChange::Synced:
        return m_picture.run->names.bytes(event.text) == "full" ? tr("full copy") : tr("increment");
    default:
        return {};
    }
}

void LanePainter::drawCause(const Mark &mark, double at, std::vector<std::pair<QRectF, Mark>> &shapes)
{
    const double s = m_theme.scale;
    if (m_lane.height() < 12 * s)
        return;
    const double labelTop = m_middle - m_bar / 2 - m_boldLine;
    const double top = std::max(m_lane.top(), labelTop + 2 * s);
    const double width = std::max(1.0, std::round(1.4 * s));
    const double place = std::clamp(std::round(at), 0.0, m_lane.width() - width);
    const QRectF line(x(place), top, width, std::min(m_lane.bottom(), m_middle + m_bar / 2 + 3 * s) - top);
    m_painter.fillRect(line, causeColor(mark));
    if (labelTop < m_lane.top())
        return;
    m_labels.push_back(line);
    shapes.emplace_back(line, mark);
}

/// Right of its line, or left of it if something else stands there, or right of a small thing that does.
void LanePainter::labelCauses(const std::vector<std::pair<QRectF, Mark>> &lines)
{
    const double s = m_theme.scale;
    const double height = m_boldLine;
    for (const auto &[line, mark] : lines) {
        const QString text = causeText(mark);
        if (text.isEmpty())
            continue;
        const double width = textWidth(m_bold, text);
        for (const double left : {line.right() + 3 * s, line.left() - 3 * s - width, line.right() + 12 * s}) {
            const QRectF label(left, m_middle - m_bar / 2 - height, width, height - 2 * s);
            if (!claim(label))
                continue;
            drawLabel(m_painter, m_bold, left, label.center().y(), text, causeColor(mark));
            break;
        }
    }
}

QColor LanePainter::causeColor(const Mark &mark) const
{
    if (m_picture.guilty.contains(mark.event))
        return m_theme.broken;
    if (const Event &event = m_picture.run->events[mark.event]; mark.kind == Mark::Kind::Changed && event.kind == Event::Kind::Node)
        return m_theme.accent;
    const bool isOwners = mark.kind == Mark::Kind::Set || mark.kind == Mark::Kind::Copied;
    return isOwners && mark.by >= 0 ? ink(colorOf(mark.by)) : m_theme.quiet;
}

void LanePainter::drawWrite(const Mark &mark, double at, std::vector<std::pair<QRectF, Mark>> &shapes)
{
    const double s = m_theme.scale;
    const double size = std::min(14 * s, m_lane.height() * 0.7);
    const bool isGuilty = m_picture.guilty.contains(mark.event);
    const QColor color = isGuilty ? m_theme.broken : colorOf(mark.by);
    const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
    drawMarkAt(mark.kind, QPointF(x(place), m_middle), size, color);
    m_labels.emplace_back(x(place) - size / 2, m_middle - size / 2, size, size);
    shapes.emplace_back(m_labels.back(), mark);
}

/// Right of those that leave room for it.
void LanePainter::labelWrites(const std::vector<std::pair<QRectF, Mark>> &shapes)
{
    for (const auto &[shape, mark] : shapes) {
        const QString text = causeText(mark);
        const QRectF label(shape.right() + shape.width() * 0.3, m_middle - m_boldLine / 2, textWidth(m_bold, text), m_boldLine);
        if (claim(label))
            drawLabel(m_painter, m_bold, label.left(), m_middle, text, m_picture.guilty.contains(mark.event) ? m_theme.broken : m_theme.text);
    }
}

/// Shapes stand at the lower edge of the bar, so that neither labels nor commands are hidden.
void LanePainter::drawShape(const Mark &mark, double at, std::vector<std::pair<QRectF, Mark>> &shapes)
{
    const double s = m_theme.scale;
    const double size = markSize(m_lane.height(), s);
    const bool isActor = m_row.lane.type == Lane::Type::Actor;
    double middle = isActor ? m_middle + m_bar / 2 + size / 2 + markGap * s : m_middle - m_bar / 2 - size;
    if (isActor && mark.kind == Mark::Kind::Died)
        middle = m_middle;
    const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
    const QRectF shape(x(place) - size / 2, middle - size / 2, size, size);
    if (shape.bottom() > m_lane.bottom() || shape.top() < m_lane.top())
        return;
    const QColor color = m_picture.guilty.contains(mark.event) ? m_theme.broken : m_theme.text;
    drawMarkAt(mark.kind, shape.center(), mark.kind == Mark::Kind::Died ? size * 1.3 : size, color);
    m_labels.push_back(shape);
    shapes.emplace_back(shape, mark);
}

void LanePainter::drawMarks()
{
    const double s = m_theme.scale;
    const Lane::Type type = m_row.lane.type;
    std::vector<std::pair<QRectF, Mark>> shapes;
    const auto single = [&](const Mark &mark, double at) {
        if (type == Lane::Type::Resource)
            drawWrite(mark, at, shapes);
        else if (mark.kind >= Mark::Kind::Set && mark.kind <= Mark::Kind::Changed)
            drawCause(mark, at, shapes);
        else
            drawShape(mark, at, shapes);
    };
    QList<QRectF> crowd;
    std::vector<std::pair<Columns, Mark>> runs;
    walkMarks(m_row.marks, m_scale, type == Lane::Type::Actor ? 5 * s : 2 * s, single,
        [&](const Columns &columns, const Mark &first) { runs.emplace_back(columns, first); }, &m_row.blocks.marks);
    // An expiry and the next owner's grant, for instance: the first of them is the cause of the others. A lane that is
    // crowded all along is only shaded.
    constexpr size_t most = 40;
    const double top = type == Lane::Type::Actor ? m_middle + m_bar / 2 + 2 * s : m_middle - m_bar / 2 - 6 * s;
    const bool hasRoom = top >= m_lane.top() && top + 5 * s <= m_lane.bottom();
    for (const auto &[columns, first] : runs) {
        if (columns.last - columns.first < 6 * s && runs.size() <= most)
            single(first, columns.first + 0.5);
        else if (const QRectF run = column(columns, 1); hasRoom)
            crowd.append(QRectF(run.left(), top, run.width(), 4 * s));
    }
    fill(crowd, mixed(m_theme.quiet, m_theme.background, 0.6));
    if (type == Lane::Type::Node)
        return labelCauses(shapes);
    if (type == Lane::Type::Resource)
        return labelWrites(shapes);
    for (const auto &[shape, mark] : shapes) {
        const QString text = causeText(mark);
        const double height = m_fontLine;
        const QRectF label(shape.right() + 3 * s, shape.center().y() - height / 2, textWidth(m_font, text), height);
        if (!text.isEmpty() && claim(label))
            drawLabel(m_painter, m_font, label.left(), shape.center().y(), text, m_theme.quiet);
    }
}

}
