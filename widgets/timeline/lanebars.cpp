// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanepainter.h"

#include "engine/run/verdict.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <map>

// What a lane's bars look like: waiting, holding, working, owned, paused, dead.
namespace interlock {

namespace {

constexpr double waitShare = 0.44; ///< of the bar's height
constexpr double roomy = 24; ///< pixels: narrower boxes have no rounded corners and no words

QString tr(const char *text)
{
    return QCoreApplication::translate("Timeline", text);
}

}

QString LanePainter::tokenText(Name token) const
{
    constexpr qsizetype shown = 4;
    constexpr qsizetype whole = 8;
    const QString text = m_picture.run->text(token);
    return text.size() > whole ? text.left(shown) : text;
}

void LanePainter::drawPauses()
{
    const double s = m_theme.scale;
    walkSpans(
        m_row.state, m_scale, m_picture.now, [](const Span &span) { return static_cast<int>(span.kind); },
        [&](const Span &span, double left, double right) {
            if (span.kind == Span::Kind::Held)
                return drawHold(box(left, right, 1), m_picture.run->text(m_picture.run->events[span.event].detail));
            if (span.kind != Span::Kind::Paused)
                return;
            QRectF area = box(left, right, 1);
            area.setTop(m_lane.top() + 2 * s);
            area.setBottom(m_lane.bottom() - 2 * s);
            m_painter.fillRect(area, mixed(m_theme.quiet, m_theme.background, 0.1));
            drawHatch(m_painter, area, Theme::Hatch::Falling, mixed(m_theme.quiet, m_theme.background, 0.4), s);
            const QString text = fitting(m_font, {tr("paused")}, area.width() - 10 * s);
            const QRectF patch(area.right() - textWidth(m_font, text) - 8 * s, below().top() + s, textWidth(m_font, text) + 6 * s, m_fontLine);
            if (text.isEmpty() || !claim(patch))
                return;
            m_painter.fillRect(patch, m_theme.background);
            drawLabel(m_painter, m_font, patch.left() + 3 * s, patch.center().y(), text, m_theme.quiet);
        },
        [&](const Columns &columns, int kind) {
            if (kind == static_cast<int>(Span::Kind::Paused))
                m_painter.fillRect(column(columns, 1), m_theme.quiet);
        });
}

/// Where the lane has no lock to show, while the server is the primary by its own word.
void LanePainter::drawPrimary()
{
    if (!m_row.lane.key.isEmpty())
        return;
    const double share = std::max(waitShare, std::min(0.7, 15 * m_theme.scale / m_bar)); // high enough for its word
    walkSpans(
        m_row.primary, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            const QRectF bar = box(left, right, share);
            drawBox(m_painter, bar, mixed(m_theme.accent, m_theme.background, 0.16), mixed(m_theme.accent, m_theme.background, 0.65), m_theme.scale);
            labelSpan(left, right, bar.height(), {tr("primary")}, mixed(m_theme.accent, m_theme.text, 0.7), m_font);
        },
        [&](const Columns &columns, int) { fill({column(columns, share)}, m_theme.accent); });
}

/// Held at a point of its program, while its other parts go on: a bracket below the bar, open where a label stands.
void LanePainter::drawHold(const QRectF &bar, const QString &point)
{
    const double s = m_theme.scale;
    const double line = below().top() + 5 * s;
    if (bar.width() < 4 * s || line + 2 * s > m_lane.bottom())
        return;
    drawBracket(m_painter, bar.left(), bar.right(), line, m_theme.quiet, s);
    for (const QRectF &label : m_labels) {
        const QRectF hidden = label.intersected(QRectF(bar.left(), line - 3.5 * s, bar.width(), 4.4 * s));
        if (!hidden.isEmpty())
            m_painter.fillRect(hidden, m_theme.background);
    }
    const QString text = fitting(m_font, {tr("held %1").arg(point), tr("held")}, bar.width() - 20 * s);
    const double width = textWidth(m_font, text);
    if (text.isEmpty())
        return;
    for (const bool isAnywhere : {false, true}) {
        for (const double left : {bar.right() - width - 10 * s, bar.left() + 10 * s}) {
            const QRectF label(left, line + s, width, m_fontLine);
            if ((isAnywhere || !hidesMark(label)) && claim(label))
                return drawLabel(m_painter, m_font, left, label.center().y(), text, m_theme.quiet);
        }
    }
}

void LanePainter::drawWaiting()
{
    const QColor owner = m_theme.owner(m_row.owner);
    const QColor pale = mixed(owner, m_theme.background, 0.2);
    const QColor outline = mixed(owner, m_theme.background, 0.65);
    Narrow narrow;
    narrow.joined = joined(m_row.waiting);
    const double share = std::max(waitShare, std::min(0.7, 13 * m_theme.scale / m_bar)); // high enough for its word
    walkSpans(
        m_row.waiting, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            const QRectF bar = box(left, right, share);
            if (bar.width() < 4) {
                narrow.single.append(bar);
                return;
            }
            drawBox(m_painter, bar, pale, outline);
            labelSpan(left, right, bar.height(), {tr("waits")}, ink(owner), m_font);
        },
        [&](const Columns &columns, int) { add(narrow, columns, share); },
        narrow.joined, &m_row.blocks.waiting);
    fillBars(narrow, outline);
}

void LanePainter::drawWorking()
{
    const QColor color = workColor(m_theme.owner(m_row.owner), m_theme);
    Narrow narrow;
    narrow.joined = joined(m_row.working);
    walkSpans(
        m_row.working, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &span, double left, double right) {
            const QRectF bar = box(left, right, 1);
            if (bar.width() < roomy)
                return narrow.single.append(bar);
            drawBox(m_painter, bar, color);
            m_workLabels.push_back(uncontested(span.begin, left, right));
        },
        [&](const Columns &columns, int) { add(narrow, columns, 1); },
        narrow.joined, &m_row.blocks.working);
    fillBars(narrow, color);
}

void LanePainter::drawHolding()
{
    const double s = m_theme.scale;
    const QColor owner = m_theme.owner(m_row.owner);
    const QColor pale = mixed(owner, m_theme.background, 0.14);
    Narrow narrow;
    narrow.joined = joined(m_row.holding);
    walkSpans(
        m_row.holding, m_scale, m_picture.now, [](const Span &) { return 0; },
        [&](const Span &span, double left, double right) {
            const double turn = span.turn == never ? right : std::clamp(m_scale.toPixel(static_cast<double>(span.turn)), left, right);
            if (turn >= right && right - left < roomy) {
                narrow.single.append(box(left, right, m_holdShare));
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
        [&](const Columns &columns, int) { add(narrow, columns, m_holdShare); },
        narrow.joined, &m_row.blocks.holding);
    fillBars(narrow, owner);

    for (const auto &[left, right] : m_workLabels)
        labelSpan(left, right, m_bar, {tr("works")}, Theme::textOn(workColor(owner, m_theme)), m_bold, isHatchedAt(left + 12 * s) ? workColor(owner, m_theme) : QColor());
}

/// Whether the actor only thinks that it holds there.
bool LanePainter::isHatchedAt(double pixel) const
{
    const double time = m_scale.toTime(pixel);
    const auto hold = std::partition_point(m_row.holding.begin(), m_row.holding.end(), [time](const Span &each) { return static_cast<double>(each.end) <= time; });
    return hold != m_row.holding.end() && static_cast<double>(hold->begin) <= time && static_cast<double>(hold->turn) <= time;
}

/// The widest part of a span, from @p left to @p right, that no contest covers with its hatch: words are read there.
std::pair<double, double> LanePainter::uncontested(qint64 begin, double left, double right) const
{
    left = std::clamp(left, 0.0, m_lane.width());
    right = std::clamp(right, left, m_lane.width());
    std::pair<double, double> widest(left, left);
    const auto offer = [&](double from, double to) {
        if (to - from > widest.second - widest.first)
            widest = {from, to};
    };
    constexpr int enough = 64; // of more than that none leaves room for words
    auto contest = std::partition_point(m_row.contested.begin(), m_row.contested.end(), [&](const Span &each) { return each.end <= begin; });
    for (int i = 0; i < enough && contest != m_row.contested.end() && left < right; ++i, ++contest) {
        offer(left, std::min(right, m_scale.toPixel(static_cast<double>(contest->begin))));
        left = std::max(left, contest->end == never ? right : m_scale.toPixel(static_cast<double>(contest->end)));
    }
    offer(left, right);
    return widest;
}

void LanePainter::labelHolding(const Span &span, double left, double right, double turn)
{
    const QColor owner = m_theme.owner(m_row.owner);
    const double height = m_bar * m_holdShare;
    const QString token = tokenText(span.token);
    if (const auto [from, to] = uncontested(span.begin, left, turn); to > from) {
        const auto work = std::partition_point(m_row.working.begin(), m_row.working.end(), [&](const Span &each) { return each.end <= span.begin; });
        const bool works = work != m_row.working.end() && work->begin < span.end;
        QStringList texts;
        if (works)
            texts << tr("holds · token %1 · works").arg(token);
        texts << tr("holds · token %1").arg(token) << tr("holds · %1").arg(token) << tr("holds");
        labelSpan(from, to, height, texts, Theme::textOn(owner), m_bold);
    }
    const auto [from, to] = uncontested(span.begin, turn, right);
    const double padding = 5 * m_theme.scale;
    const QRectF rest = box(from, to, m_holdShare);
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
    const QColor color = m_picture.overlapColor();
    const QColor pale = mixed(color, m_theme.background, 0.2);
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
            drawHatch(m_painter, bar, m_picture.overlapsBreak ? Theme::Hatch::Rising : Theme::Hatch::Falling, color, s);
            drawBox(m_painter, bar, Qt::transparent, color, (m_picture.overlapsBreak ? 2 : 1.2) * s);
        },
        [&](const Columns &columns, int) { thin.append(column(columns, 1)); },
        joined(m_row.contested));
    fill(thin, color);
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

/// An actor dies once, a server can be started again.
void LanePainter::drawDeaths()
{
    for (const Span &span : m_row.state) {
        if (span.kind == Span::Kind::Dead)
            drawDeath(span);
    }
}

void LanePainter::drawDeath(const Span &span)
{
    const double s = m_theme.scale;
    const double from = m_scale.toPixel(static_cast<double>(span.begin));
    const double to = m_scale.toPixel(static_cast<double>(span.end == never ? std::max(m_picture.now, span.begin) : span.end));
    const QRectF line = box(from, to, 0);
    if (from > m_lane.width() || to < 0)
        return;
    m_painter.setPen(QPen(m_theme.quiet, 1.5 * s, Qt::DotLine, Qt::FlatCap));
    m_painter.drawLine(QPointF(line.left(), m_middle), QPointF(line.right(), m_middle));
    QStringList texts {tr("died · dead from here on"), tr("died · dead"), tr("dead")};
    if (m_row.lane.type == Lane::Type::Node) {
        const QString when = text(At {span.begin});
        const bool isKilled = static_cast<NodeChange>(m_picture.run->events[span.event].what) == NodeChange::Killed;
        const bool hadKey = std::any_of(m_row.owned.begin(), m_row.owned.end(), [&](const Span &each) { return each.end == span.begin; });
        texts = {isKilled ? tr("killed at %1").arg(when) : tr("ended at %1").arg(when), isKilled ? tr("killed") : tr("ended"), tr("dead")};
        if (hadKey)
            texts.prepend(tr("killed at %1, %2 and all").arg(when, m_row.lane.key));
        drawMarkAt(Mark::Kind::Died, QPointF(x(std::clamp(from, 0.0, m_lane.width())) + 6 * s, m_middle), 9 * s, m_theme.text);
    }
    const QString label = fitting(m_font, texts, line.width() - 20 * s);
    const QRectF place(line.left() + 14 * s, m_middle - m_fontLine - 1, textWidth(m_font, label), m_fontLine);
    if (!label.isEmpty() && claim(place))
        drawLabel(m_painter, m_font, place.left(), place.center().y(), label, m_theme.text);
}

/// Says in words what did not come to a replica.
void LanePainter::drawAbsences()
{
    const double s = m_theme.scale;
    const auto from = static_cast<qint64>(std::max(0.0, m_scale.begin));
    const auto to = static_cast<qint64>(std::max(0.0, m_scale.end()));
    for (const Absence &absence : m_picture.spans->absencesOf(m_place, from, to, m_picture.now)) {
        const QRectF room = box(m_scale.toPixel(static_cast<double>(absence.begin)), m_scale.toPixel(static_cast<double>(absence.end)), 1);
        QStringList texts {tr("never arrived")};
        if (absence.cut) {
            const Event &fault = m_picture.run->events[*absence.cut];
            texts.prepend(tr("never arrived: %1 at %2").arg(faultText(m_picture.run->names.bytes(fault.text), fault.number), text(At {fault.at})));
        }
        const QString words = fitting(m_font, texts, room.width() - 8 * s);
        const QRectF label(room.left() + 4 * s, m_middle - m_fontLine / 2, textWidth(m_font, words), m_fontLine);
        if (!words.isEmpty() && claim(label))
            drawLabel(m_painter, m_font, label.left(), m_middle, words, m_theme.quiet);
    }
}

}
