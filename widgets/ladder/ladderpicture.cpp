// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ladder/ladderpicture.h"

#include "engine/run/verdict.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/timeline/wrapping.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

using Kind = Rung::Kind;

constexpr double leftEdge = 10; ///< pixels at scale 1, to the dots
constexpr double toWords = 15; ///< from the dots

QString tr(const char *text)
{
    return QCoreApplication::translate("Ladder", text);
}

enum class Colour { Loss, Sentinel, Server };

Colour colourOf(const Rung &rung)
{
    switch (rung.kind) {
    case Kind::Fault:
        return rung.word == "heal" ? Colour::Server : Colour::Loss;
    case Kind::Killed:
    case Kind::Ended:
    case Kind::Paused:
    case Kind::Aborted:
    case Kind::LinkDown:
        return Colour::Loss;
    case Kind::Resumed:
    case Kind::Started:
    case Kind::Ready:
    case Kind::Promoted:
    case Kind::Demoted:
    case Kind::Connecting:
    case Kind::Syncing:
    case Kind::LinkUp:
    case Kind::Partial:
    case Kind::Full:
    case Kind::Step:
    case Kind::Switched: // the sentinel names the new primary
        return Colour::Server;
    default:
        return Colour::Sentinel;
    }
}

}

bool isMinor(const Rung &rung)
{
    switch (rung.kind) {
    case Kind::NewEpoch:
    case Kind::Tries:
    case Kind::AgreedUp:
    case Kind::PromotionSeen:
    case Kind::OrdersSent:
    case Kind::OrdersFollowed:
    case Kind::FailoverEnded:
    case Kind::Connecting:
        return true;
    default:
        return false;
    }
}

void LadderPicture::setLadders(const Run *run, const std::vector<Ladder> *ladders)
{
    m_run = run;
    m_ladders = ladders;
    m_rows.clear();
    m_pointed = -1;
}

double LadderPicture::rungHeight() const
{
    return lineHeight(m_theme.sized(0.95, true)) + 4 * m_theme.scale;
}

void LadderPicture::layOut(double width)
{
    place(width, 1e9, 1, true);
}

void LadderPicture::fit(const QSizeF &size)
{
    const double least = 230 * m_theme.scale; // of a column
    const int most = std::max(1, static_cast<int>(size.width() / least));
    for (const bool withMinor : {true, false}) {
        for (int columns = 1; columns <= most; ++columns) {
            place(size.width(), size.height(), columns, withMinor);
            if (m_missing == 0)
                return;
        }
    }
}

void LadderPicture::place(double width, double height, int columns, bool withMinor)
{
    m_rows.clear();
    m_height = 0;
    m_missing = 0;
    m_last = {};
    if (!m_ladders || !m_run)
        return;
    const double s = m_theme.scale;
    const double gap = columns > 1 ? 18 * s : 0;
    const double own = (width - gap * (columns - 1)) / columns;
    const double line = rungHeight();
    const QFont small = m_theme.sized(0.9);
    double x = 0, y = 0;
    int column = 0;
    const auto put = [&](Row row, double rowHeight) {
        const bool isLastColumn = column + 1 == columns;
        const double reserve = isLastColumn && !row.isTitle() ? line : 0; // for saying how many have no room
        const bool isFull = y > 0 && y + rowHeight + reserve > height;
        if (isFull && !isLastColumn) {
            ++column;
            x += own + gap;
            y = row.isTitle() ? 0 : m_rows.front().place.height(); // steps stand beside steps
        } else if (isFull || m_missing > 0) {
            m_missing += row.isTitle() ? 0 : 1;
            m_last = QRectF(x, y, own, line);
            return;
        }
        row.place = QRectF(x, y, own, rowHeight);
        y += rowHeight;
        m_height = std::max(m_height, y);
        m_rows.push_back(std::move(row));
    };
    for (size_t i = 0; i < m_ladders->size(); ++i) {
        const Ladder &ladder = (*m_ladders)[i];
        put({.ladder = i, .rung = -1, .place = {}, .meaning = {}}, line + (y > 0 ? 10 : 4) * s);
        for (size_t r = 0; r < ladder.rungs.size(); ++r) {
            const Rung &rung = ladder.rungs[r];
            const bool isSelected = m_selected && std::any_of(rung.told.begin(), rung.told.end(), [&](const Rung::Telling &each) { return each.event == *m_selected; });
            if (!withMinor && isMinor(rung) && !isSelected)
                continue;
            Row row {.ladder = i, .rung = static_cast<int>(r), .place = {}, .meaning = {}};
            if (isSelected)
                row.meaning = inLines(small, rungMeaning(rung), own - (leftEdge + toWords + 6) * s);
            const double more = row.meaning.isEmpty() ? 0 : static_cast<double>(row.meaning.size()) * lineHeight(small) + 4 * s;
            put(std::move(row), line + more);
        }
    }
    if (m_missing > 0)
        m_height = std::max(m_height, m_last.bottom());
}

int LadderPicture::rowAt(const QPointF &at) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.place.contains(at); });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int LadderPicture::rowOf(size_t event) const
{
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Rung *one = rung(static_cast<int>(i));
        if (one && std::any_of(one->told.begin(), one->told.end(), [event](const Rung::Telling &each) { return each.event == event; }))
            return static_cast<int>(i);
    }
    return -1;
}

int LadderPicture::momentRow() const
{
    int latest = -1;
    qint64 at = 0;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Rung *one = rung(static_cast<int>(i));
        if (one && one->at() <= m_moment && (latest < 0 || one->at() >= at)) {
            latest = static_cast<int>(i);
            at = one->at();
        }
    }
    return latest;
}

const Rung *LadderPicture::rung(int row) const
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || m_rows[size_t(row)].isTitle())
        return nullptr;
    const Row &found = m_rows[size_t(row)];
    return &(*m_ladders)[found.ladder].rungs[size_t(found.rung)];
}

void LadderPicture::draw(QPainter &painter, const QPointF &origin, const QRectF &visible) const
{
    const int moment = momentRow();
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        if (!row.place.intersects(visible))
            continue;
        const QRectF at = row.place.translated(origin);
        if (row.isTitle()) {
            drawTitle(painter, row, at);
            continue;
        }
        if (static_cast<int>(i) == moment)
            painter.fillRect(at, mixed(m_theme.accent, m_theme.background, 0.12));
        else if (static_cast<int>(i) == m_pointed)
            painter.fillRect(at, m_theme.grid);
        drawRung(painter, row, at, static_cast<int>(i) == moment);
    }
    if (m_missing > 0) {
        const QFont small = m_theme.sized(0.9);
        drawLabel(painter, small, origin.x() + m_last.left() + leftEdge * m_theme.scale, origin.y() + m_last.center().y(), tr("… and %1 more steps").arg(m_missing), m_theme.quiet);
    }
}

void LadderPicture::drawTitle(QPainter &painter, const Row &row, const QRectF &at) const
{
    const Ladder &ladder = (*m_ladders)[row.ladder];
    const QFont bold = m_theme.sized(0.95, true);
    const QFont small = m_theme.sized(0.85);
    const double middle = at.bottom() - rungHeight() / 2;
    const double left = at.left() + 4 * m_theme.scale;
    const double right = at.right() - 6 * m_theme.scale;
    const QString title = elided(bold, ladderTitle(*m_run, ladder), right - left);
    drawLabel(painter, bold, left, middle, title, m_theme.quiet);
    const QString begin = fitting(small, {tr("0 is %1 of the run").arg(text(At {ladder.begin()})), tr("0 is %1").arg(text(At {ladder.begin()}))}, right - left - textWidth(bold, title) - 10 * m_theme.scale);
    drawLabel(painter, small, right - textWidth(small, begin), middle, begin, m_theme.quiet);
}

void LadderPicture::drawRung(QPainter &painter, const Row &row, const QRectF &at, bool isMoment) const
{
    const Ladder &ladder = (*m_ladders)[row.ladder];
    const Rung &rung = ladder.rungs[size_t(row.rung)];
    const double s = m_theme.scale;
    const double middle = at.top() + rungHeight() / 2;
    const double dot = at.left() + leftEdge * s;
    const bool isReached = rung.at() <= m_moment;
    const bool isLast = row.rung + 1 == static_cast<int>(ladder.rungs.size());
    painter.setPen(QPen(m_theme.line, 1.5 * s, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(dot, row.rung == 0 ? middle : at.top()), QPointF(dot, isLast ? middle : at.bottom()));
    drawDot(painter, rung, QPointF(dot, middle), isReached);

    const QColor ink = isReached ? m_theme.text : m_theme.quiet;
    const QFont words = m_theme.sized(0.95, isLandmark(rung) || isMoment);
    const QFont small = m_theme.sized(0.85);
    const double right = at.right() - 6 * s;
    const QString since = sinceText(rung.at() - ladder.begin());
    drawLabel(painter, small, right - textWidth(small, since), middle, since, ink);
    double left = dot + toWords * s;
    double room = right - textWidth(small, QStringLiteral("−0.000 s")) - 8 * s - left;
    const QString label = shortened(words, rungLabel(*m_run, rung), room);
    drawLabel(painter, words, left, middle, label, ink);
    left += textWidth(words, label) + 6 * s;
    room -= textWidth(words, label) + 6 * s;
    const QString tellers = rungTellers(*m_run, rung);
    if (textWidth(small, tellers) > room)
        return;
    drawLabel(painter, small, left, middle, tellers, m_theme.quiet);
    room -= textWidth(small, tellers) + 10 * s;
    if (row.rung > 0) {
        const qint64 length = rung.at() - ladder.rungs[size_t(row.rung) - 1].at();
        const QString step = QLatin1Char('+') + text(For {length});
        if (textWidth(small, step) <= room && length > 0 && rung.at() > ladder.begin())
            drawLabel(painter, small, right - textWidth(small, QStringLiteral("−0.000 s")) - 12 * s - textWidth(small, step), middle, step, mixed(m_theme.quiet, m_theme.background, 0.8));
    }
    const QFont meaning = m_theme.sized(0.9);
    double y = at.top() + rungHeight();
    for (const QString &line : row.meaning) {
        drawLabel(painter, meaning, dot + toWords * s, y + lineHeight(meaning) / 2, line, m_theme.text);
        y += lineHeight(meaning);
    }
}

void LadderPicture::drawDot(QPainter &painter, const Rung &rung, const QPointF &at, bool isReached) const
{
    const double s = m_theme.scale;
    const Colour who = colourOf(rung);
    const QColor colour = who == Colour::Loss ? m_theme.broken : who == Colour::Server ? m_theme.accent : m_theme.quiet;
    painter.setPen(QPen(colour, 1.6 * s));
    painter.setBrush(isReached ? colour : m_theme.background);
    const double radius = 4 * s;
    if (who == Colour::Server) { // each has a shape of its own as well
        painter.drawRect(QRectF(at.x() - radius * 0.9, at.y() - radius * 0.9, radius * 1.8, radius * 1.8));
    } else if (who == Colour::Loss) {
        painter.drawPolygon(QPolygonF {at + QPointF(0, -radius * 1.25), at + QPointF(radius * 1.25, 0), at + QPointF(0, radius * 1.25), at + QPointF(-radius * 1.25, 0)});
    } else {
        painter.drawEllipse(at, radius, radius);
    }
}

}
