// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanepainter.h"

#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <map>

namespace interlock {

namespace {

constexpr double holdShare = 0.62; ///< of the bar's height: working is the fuller bar around holding
constexpr double waitShare = 0.44;
constexpr double roomy = 24; ///< pixels: narrower boxes have no rounded corners and no words

QString tr(const char *text)
{
    return QCoreApplication::translate("Timeline", text);
}

}

LanePainter::LanePainter(QPainter &painter, const TimelinePicture &picture, const Scale &scale, const QRectF &lane, int row)
    : m_painter(painter)
    , m_picture(picture)
    , m_theme(picture.theme)
    , m_scale(scale)
    , m_lane(lane)
    , m_row(picture.spans->rows()[size_t(row)])
    , m_font(m_theme.sized(0.85))
    , m_bold(m_theme.sized(0.85, true))
{
    // Above the bar: commands, or what changed a node's key. Below it: marks and the label of an overlap.
    const double s = m_theme.scale;
    const double height = lane.height();
    const double above = (m_row.lane.type == Lane::Type::Node ? 17 : 11) * s;
    const double under = (m_row.lane.type == Lane::Type::Node ? 4 : 18) * s;
    const double room = height - above - under;
    if (room >= 14 * s) {
        m_bar = std::min(34 * s, room);
        m_middle = lane.top() + above + m_bar / 2 + (room - m_bar) / 2;
    } else {
        m_bar = std::max(std::min(14 * s, height * 0.8), std::min(20 * s, height * 0.5));
        m_middle = lane.center().y();
    }
    m_holdShare = std::clamp(13 * s / m_bar, holdShare, 0.86); // high enough for its words
}

QRectF LanePainter::below() const
{
    const double top = m_middle + m_bar / 2 + 1;
    return QRectF(m_lane.left(), top, m_lane.width(), m_lane.bottom() - top);
}

bool LanePainter::claim(const QRectF &label)
{
    const double air = 2 * m_theme.scale;
    const QRectF around = label.adjusted(-air, 0, air, 0);
    if (around.left() < m_lane.left() || around.right() > m_lane.right() || label.top() < m_lane.top() || label.bottom() > m_lane.bottom())
        return false;
    if (std::any_of(m_labels.begin(), m_labels.end(), [&](const QRectF &taken) { return taken.intersects(around); }))
        return false;
    m_labels.push_back(around);
    return true;
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

QColor LanePainter::worked(const QColor &owner) const
{
    return mixed(owner, m_theme.name == QLatin1String("dark") ? QColor(Qt::white) : QColor(Qt::black), m_theme.name == QLatin1String("dark") ? 0.78 : 0.68);
}

QColor LanePainter::ink(const QColor &owner) const
{
    return mixed(owner, m_theme.text, 0.45);
}

QString LanePainter::tokenText(Name token) const
{
    constexpr qsizetype shown = 4;
    constexpr qsizetype whole = 8;
    const QString text = m_picture.run->text(token);
    return text.size() > whole ? text.left(shown) : text;
}

void LanePainter::draw()
{
    drawPauses();
    drawWaiting();
    drawWorking();
    drawHolding();
    drawContested();
    drawOwned();
    drawDeath();
    drawMarks();
    drawCommands();
}

void LanePainter::labelSpan(double left, double right, double height, const QStringList &texts, const QColor &color, const QFont &font)
{
    const double padding = 6 * m_theme.scale;
    const QRectF visible = box(left, right, 1);
    if (height < font.pixelSize() + 1 || visible.width() < 3 * padding)
        return;
    const QString text = fitting(font, texts, visible.width() - 2 * padding);
    if (text.isEmpty())
        return;
    const QRectF label(visible.left() + padding, m_middle - font.pixelSize() / 2., textWidth(font, text), font.pixelSize());
    if (claim(label))
        drawLabel(m_painter, font, label.left(), m_middle, text, color);
}

void LanePainter::drawPauses()
{
    const double s = m_theme.scale;
    walkSpans(
        m_row.state, m_scale, m_picture.now, [](const Span &span) { return static_cast<int>(span.kind); },
        [&](const Span &span, double left, double right) {
            if (span.kind != Span::Kind::Paused)
                return;
            const Event &event = m_picture.run->events[span.event];
            if (event.kind == Event::Kind::Fault && m_picture.run->names.bytes(event.text) == "hold")
                return drawHold(box(left, right, 1), m_picture.run->text(event.detail));
            QRectF area = box(left, right, 1);
            area.setTop(m_lane.top() + 2 * s);
            area.setBottom(m_lane.bottom() - 2 * s);
            m_painter.fillRect(area, mixed(m_theme.quiet, m_theme.background, 0.1));
            drawHatch(m_painter, area, Theme::Hatch::Falling, mixed(m_theme.quiet, m_theme.background, 0.4), s);
            const QString text = fitting(m_font, {tr("paused")}, area.width() - 10 * s);
            const QRectF patch(area.right() - textWidth(m_font, text) - 8 * s, below().top() + s, textWidth(m_font, text) + 6 * s, lineHeight(m_font));
            if (text.isEmpty() || !claim(patch))
                return;
            m_painter.fillRect(patch, m_theme.background);
            drawLabel(m_painter, m_font, patch.left() + 3 * s, patch.center().y(), text, m_theme.quiet);
        },
        [&](const Columns &columns, int) { m_painter.fillRect(column(columns, 1), m_theme.quiet); });
}

/// Many boxes of one colour, without antialiasing: that is several times as quick, and columns of pixels need none.
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

/// Held at a point of its program, while its other parts go on: a bracket below the bar.
void LanePainter::drawHold(const QRectF &bar, const QString &point)
{
    const double s = m_theme.scale;
    const double line = below().top() + 5 * s;
    if (bar.width() < 4 * s || line + 2 * s > m_lane.bottom())
        return;
    m_painter.setPen(QPen(m_theme.quiet, s, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawLine(QPointF(bar.left(), line), QPointF(bar.right(), line));
    for (const double end : {bar.left() + s / 2, bar.right() - s / 2})
        m_painter.drawLine(QPointF(end, line - 3 * s), QPointF(end, line + s / 2));
    const QString text = fitting(m_font, {tr("held %1").arg(point), tr("held")}, bar.width() - 20 * s);
    const double height = lineHeight(m_font);
    const QRectF label(bar.right() - textWidth(m_font, text) - 10 * s, line + s, textWidth(m_font, text), height);
    if (!text.isEmpty() && claim(label))
        drawLabel(m_painter, m_font, label.left(), label.center().y(), text, m_theme.quiet);
}

void LanePainter::drawWaiting()
{
    const QColor owner = m_theme.owner(m_row.owner);
    const QColor pale = mixed(owner, m_theme.background, 0.2);
    const QColor outline = mixed(owner, m_theme.background, 0.65);
    QList<QRectF> thin;
    const double share = std::max(waitShare, std::min(0.7, 13 * m_theme.scale / m_bar)); // high enough for its word
    walkSpans(
        m_row.waiting, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            const QRectF bar = box(left, right, share);
            if (bar.width() < 4) {
                thin.append(bar);
                return;
            }
            drawBox(m_painter, bar, pale, outline);
            labelSpan(left, right, bar.height(), {tr("waits")}, ink(owner), m_font);
        },
        [&](const Columns &columns, int) { thin.append(column(columns, share)); });
    fill(thin, outline);
}

void LanePainter::drawWorking()
{
    const QColor color = worked(m_theme.owner(m_row.owner));
    QList<QRectF> thin;
    walkSpans(
        m_row.working, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            const QRectF bar = box(left, right, 1);
            if (bar.width() < roomy)
                thin.append(bar);
            else
                drawBox(m_painter, bar, color);
        },
        [&](const Columns &columns, int) { thin.append(column(columns, 1)); });
    fill(thin, color);
}

void LanePainter::drawHolding()
{
    const double s = m_theme.scale;
    const QColor owner = m_theme.owner(m_row.owner);
    const QColor pale = mixed(owner, m_theme.background, 0.14);
    QList<QRectF> thin;
    walkSpans(
        m_row.holding, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &span, double left, double right) {
            const double turn = span.turn == never ? right : std::clamp(m_scale.toPixel(static_cast<double>(span.turn)), left, right);
            if (turn >= right && right - left < roomy) {
                thin.append(box(left, right, m_holdShare));
                return;
            }
            if (turn > left && box(left, turn, 1).width() >= 1) {
                drawBox(m_painter, box(left, turn, m_holdShare), owner);
                drawHatch(m_painter, box(left, turn, m_holdShare), m_theme.ownerHatch(m_row.owner), mixed(Theme::textOn(owner), owner, 0.3), s);
            }
            const QRectF rest = box(turn, right, m_holdShare);
            if (right > turn && rest.width() >= 1) {
                drawBox(m_painter, rest, pale);
                drawHatch(m_painter, rest, Theme::Hatch::Rising, owner, s);
                if (rest.width() >= 4)
                    drawBox(m_painter, rest, Qt::transparent, owner, 1.2 * s);
            }
            labelHolding(span, left, right, turn);
        },
        [&](const Columns &columns, int) { thin.append(column(columns, m_holdShare)); });
    fill(thin, owner);

    const QFont font = m_bold;
    walkSpans(
        m_row.working, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            if (right - left >= roomy)
                labelSpan(left, right, m_bar, {tr("works")}, Theme::textOn(worked(owner)), font);
        },
        [](const Columns &, int) { });
}

void LanePainter::labelHolding(const Span &span, double left, double right, double turn)
{
    // What is contested is covered by another hatch: the label stands beside it.
    auto contested = std::partition_point(m_row.contested.begin(), m_row.contested.end(), [&](const Span &each) { return each.end <= span.begin; });
    double until = right;
    for (; contested != m_row.contested.end(); ++contested) {
        const double from = m_scale.toPixel(static_cast<double>(contested->begin));
        if (from > left + 1) {
            until = std::min(until, from);
            break;
        }
        left = std::min(right, std::max(left, contested->end == never ? right : m_scale.toPixel(static_cast<double>(contested->end))));
    }
    const QColor owner = m_theme.owner(m_row.owner);
    const double height = m_bar * m_holdShare;
    const QString token = tokenText(span.token);
    if (turn > left) {
        const auto work = std::partition_point(m_row.working.begin(), m_row.working.end(), [&](const Span &each) { return each.end <= span.begin; });
        const bool works = work != m_row.working.end() && work->begin < span.end;
        QStringList texts;
        if (works)
            texts << tr("holds · token %1 · works").arg(token);
        texts << tr("holds · token %1").arg(token) << tr("holds · %1").arg(token) << tr("holds");
        labelSpan(left, std::min(turn, until), height, texts, Theme::textOn(owner), m_bold);
    }
    const double from = std::max(turn, left);
    if (until <= from)
        return;
    const double padding = 5 * m_theme.scale;
    const QRectF rest = box(from, until, m_holdShare);
    const QString text = fitting(m_bold, {tr("thinks it holds")}, rest.width() - 3 * padding);
    if (text.isEmpty() || height < m_bold.pixelSize() + 1)
        return;
    const QRectF patch(rest.left() + padding, rest.top() + 2, textWidth(m_bold, text) + padding, rest.height() - 4);
    if (!claim(patch))
        return;
    m_painter.fillRect(patch, mixed(owner, m_theme.background, 0.14));
    drawLabel(m_painter, m_bold, patch.left() + padding / 2, m_middle, text, ink(owner));
}

void LanePainter::drawContested()
{
    const double s = m_theme.scale;
    const QColor pale = mixed(m_theme.broken, m_theme.background, 0.2);
    QList<QRectF> thin;
    walkSpans(
        m_row.contested, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            const QRectF bar = box(left, right, 1);
            if (bar.width() < 8 * s) {
                thin.append(bar.width() < 1 ? bar.adjusted(0, 0, 1, 0) : bar);
                return;
            }
            drawBox(m_painter, bar, pale);
            drawHatch(m_painter, bar, Theme::Hatch::Rising, m_theme.broken, s);
            drawBox(m_painter, bar, Qt::transparent, m_theme.broken, 2 * s);
        },
        [&](const Columns &columns, int) { thin.append(column(columns, 1)); });
    fill(thin, m_theme.broken);
}

void LanePainter::drawOwned()
{
    const double s = m_theme.scale;
    std::map<int, QList<QRectF>> thin;
    const auto actor = [this](const Span &span) { return m_picture.spans->actorOf(span.token); };
    walkSpans(
        m_row.owned, m_scale, m_picture.now, [&](const Span &span) { return actor(span) + 1; },
        [&](const Span &span, double left, double right) {
            const int row = actor(span);
            const QColor owner = colorOf(row);
            const QRectF bar = box(left, right, 0.88);
            const QColor body = span.inferred ? mixed(owner, m_theme.background, 0.25) : owner;
            if (!span.inferred && bar.width() < roomy) {
                thin[row + 1].append(bar);
                return;
            }
            drawBox(m_painter, bar, body, span.inferred && bar.width() >= 4 ? owner : QColor(), 1.5 * s, span.inferred);
            if (row >= 0 && !span.inferred)
                drawHatch(m_painter, bar, m_theme.ownerHatch(m_picture.spans->rows()[size_t(row)].owner), mixed(Theme::textOn(owner), owner, 0.3), s);
            const QString token = tokenText(span.token);
            const QString who = row < 0 ? QString() : m_picture.spans->rows()[size_t(row)].lane.name;
            QStringList texts;
            const QString both = who.isEmpty() ? token : tr("%1 (%2)").arg(token, who);
            if (span.inferred)
                texts << tr("%1 · inferred").arg(both);
            if (span.turn == never && !span.inferred)
                texts << tr("%1 · no TTL").arg(both);
            texts << both << (who.isEmpty() ? token : who);
            labelSpan(left, right, bar.height(), texts, span.inferred ? ink(owner) : Theme::textOn(owner), m_bold);
        },
        [&](const Columns &columns, int style) { thin[style].append(column(columns, 0.88)); });
    for (const auto &[style, boxes] : thin)
        fill(boxes, colorOf(style - 1));
}

void LanePainter::drawDeath()
{
    if (m_row.state.empty())
        return;
    const double s = m_theme.scale;
    for (auto span = m_row.state.rbegin(); span != m_row.state.rend(); ++span) {
        if (span->kind != Span::Kind::Dead)
            continue;
        const double from = m_scale.toPixel(static_cast<double>(span->begin));
        const double to = m_scale.toPixel(static_cast<double>(span->end == never ? std::max(m_picture.now, span->begin) : span->end));
        const QRectF line = box(from, to, 0);
        if (from > m_lane.width() || to < 0)
            return;
        m_painter.setPen(QPen(m_theme.quiet, 1.5 * s, Qt::DotLine, Qt::FlatCap));
        m_painter.drawLine(QPointF(line.left(), m_middle), QPointF(line.right(), m_middle));
        const QString text = fitting(m_font, {tr("died · dead from here on"), tr("died · dead"), tr("dead")}, line.width() - 20 * s);
        const QRectF label(line.left() + 12 * s, m_middle - lineHeight(m_font) - 1, textWidth(m_font, text), lineHeight(m_font));
        if (!text.isEmpty() && claim(label))
            drawLabel(m_painter, m_font, label.left(), label.center().y(), text, m_theme.text);
        return;
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
    QList<QRectF> ticks, runs;
    walkMarks(
        m_row.commands, m_scale, 6 * s,
        [&](const Mark &mark, double at) {
            const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
            drawMark(m_painter, mark.kind, QPointF(x(place), top + size / 2), size,
                mark.kind == Mark::Kind::CommandFailed ? m_theme.text : color, m_theme.background);
        },
        [&](const Columns &columns, const Mark &) {
            const QRectF run = column(columns, 1);
            (columns.last > columns.first ? runs : ticks).append(QRectF(run.left(), top + size * 0.25, run.width(), size * 0.5));
        });
    fill(runs, crowded);
    fill(ticks, color);
}

QString LanePainter::causeText(const Mark &mark) const
{
    const Event &event = m_picture.run->events[mark.event];
    const QString by = mark.by < 0 ? QString() : m_picture.spans->rows()[size_t(mark.by)].lane.name;
    switch (mark.kind) {
    case Mark::Kind::Set:
        return tr("SET ✓");
    case Mark::Kind::Extended:
        return tr("renewed");
    case Mark::Kind::Deleted:
        return by.isEmpty() ? tr("deleted") : tr("DEL by %1").arg(by);
    case Mark::Kind::Expired:
        return tr("expired");
    case Mark::Kind::Changed:
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
        // A pause says so itself, over its whole length.
        return event.until == never ? m_picture.run->text(event.text) : QString();
    case Mark::Kind::Note:
        return m_picture.run->text(event.text);
    default:
        return {};
    }
}

void LanePainter::drawCause(const Mark &mark, double at, std::vector<std::pair<QRectF, Mark>> &shapes)
{
    const double s = m_theme.scale;
    if (m_lane.height() < 12 * s)
        return;
    const double labelTop = m_middle - m_bar / 2 - lineHeight(m_bold);
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

/// Right of its line, or left of it if something else stands there.
void LanePainter::labelCauses(const std::vector<std::pair<QRectF, Mark>> &lines)
{
    const double s = m_theme.scale;
    const double height = lineHeight(m_bold);
    for (const auto &[line, mark] : lines) {
        const QString text = causeText(mark);
        QRectF label(line.right() + 3 * s, m_middle - m_bar / 2 - height, textWidth(m_bold, text), height - 2 * s);
        if (text.isEmpty())
            continue;
        if (!claim(label)) {
            label.moveRight(line.left() - 3 * s);
            if (!claim(label))
                continue;
        }
        drawLabel(m_painter, m_bold, label.left(), label.center().y(), text, causeColor(mark));
    }
}

QColor LanePainter::causeColor(const Mark &mark) const
{
    if (m_picture.guilty.contains(mark.event))
        return m_theme.broken;
    return mark.kind == Mark::Kind::Set && mark.by >= 0 ? ink(colorOf(mark.by)) : m_theme.quiet;
}

void LanePainter::drawWrite(const Mark &mark, double at)
{
    const double s = m_theme.scale;
    const double size = std::min(14 * s, m_lane.height() * 0.7);
    const bool isGuilty = m_picture.guilty.contains(mark.event);
    const QColor color = isGuilty ? m_theme.broken : colorOf(mark.by);
    const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
    drawMark(m_painter, mark.kind, QPointF(x(place), m_middle), size, color, m_theme.background);
    const QString text = causeText(mark);
    const QRectF label(x(place) + size * 0.8, m_middle - lineHeight(m_bold) / 2, textWidth(m_bold, text), lineHeight(m_bold));
    if (claim(label))
        drawLabel(m_painter, m_bold, label.left(), m_middle, text, isGuilty ? m_theme.broken : m_theme.text);
}

/// Shapes stand at the lower edge of the bar, so that neither labels nor commands are hidden.
void LanePainter::drawShape(const Mark &mark, double at, std::vector<std::pair<QRectF, Mark>> &shapes)
{
    const double s = m_theme.scale;
    const double size = std::min(9 * s, m_lane.height() * 0.5);
    const bool isActor = m_row.lane.type == Lane::Type::Actor;
    double middle = isActor ? m_middle + m_bar / 2 + size / 2 + 1.5 * s : m_middle - m_bar / 2 - size;
    if (isActor && mark.kind == Mark::Kind::Died)
        middle = m_middle;
    const double place = std::clamp(at, size / 2, m_lane.width() - size / 2);
    const QRectF shape(x(place) - size / 2, middle - size / 2, size, size);
    if (shape.bottom() > m_lane.bottom() || shape.top() < m_lane.top())
        return;
    const QColor color = m_picture.guilty.contains(mark.event) ? m_theme.broken : m_theme.text;
    drawMark(m_painter, mark.kind, shape.center(), mark.kind == Mark::Kind::Died ? size * 1.3 : size, color, m_theme.background);
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
            drawWrite(mark, at);
        else if (mark.kind >= Mark::Kind::Set && mark.kind <= Mark::Kind::Changed)
            drawCause(mark, at, shapes);
        else
            drawShape(mark, at, shapes);
    };
    QList<QRectF> crowd;
    std::vector<std::pair<Columns, Mark>> runs;
    walkMarks(m_row.marks, m_scale, type == Lane::Type::Actor ? 5 * s : 2 * s, single,
        [&](const Columns &columns, const Mark &first) { runs.emplace_back(columns, first); });
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
    for (const auto &[shape, mark] : shapes) {
        const QString text = mark.kind == Mark::Kind::WriteAccepted || mark.kind == Mark::Kind::WriteRefused ? QString() : causeText(mark);
        const double height = lineHeight(m_font);
        const QRectF label(shape.right() + 3 * s, shape.center().y() - height / 2, textWidth(m_font, text), height);
        if (!text.isEmpty() && claim(label))
            drawLabel(m_painter, m_font, label.left(), shape.center().y(), text, m_theme.quiet);
    }
}

}
