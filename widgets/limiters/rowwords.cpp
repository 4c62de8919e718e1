// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a row: its name at the left, its figures at the right.
#include "widgets/limiters/limiterpicture.h"

#include "engine/run/verdict.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

constexpr double margin = 14; ///< pixels at scale 1

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiters", text);
}

QString mostLine(const DecisionSeries &series)
{
    if (series.basis().window == 0 || !series.busiest())
        return {};
    return tr("most in %1: %2").arg(text(For {series.basis().window * 1'000})).arg(series.busiest()->most());
}

/// Of the limits' numbers, which stand beside their lines.
double numbersWidth(const LimiterPicture &picture)
{
    double widest = 0;
    for (const LimiterRow &row : picture.rows)
        widest = std::max(widest, textWidth(picture.theme.sized(0.85), QString::number(picture.series(row.series).basis().quota)));
    return widest + 4 * picture.theme.scale;
}

}

double LimiterRowPainter::namesWidth(const LimiterPicture &picture, double width)
{
    const Theme &theme = picture.theme;
    double widest = 60 * theme.scale;
    for (const LimiterRow &row : picture.rows) {
        const DecisionSeries &series = picture.series(row.series);
        widest = std::max({widest, textWidth(theme.sized(1, true), series.info().title), textWidth(theme.sized(0.9, true), mostLine(series))});
        if (row.twin)
            widest = std::max(widest, textWidth(theme.sized(0.85), tr("over %1").arg(picture.series(*row.twin).info().title)));
    }
    return std::min(std::ceil(widest + margin * theme.scale + 8 * theme.scale + numbersWidth(picture)) + 1, width * 0.36);
}

double LimiterRowPainter::figuresWidth(const LimiterPicture &picture, double width)
{
    constexpr double roomy = 560; // pixels at scale 1: the picture itself goes first
    return width < roomy * picture.theme.scale ? margin * picture.theme.scale : 128 * picture.theme.scale;
}

void LimiterRowPainter::drawName()
{
    const double s = m_theme.scale;
    const double left = m_place.left() + margin * s;
    const double width = m_area.left() - left - 8 * s;
    const double beside = width - numbersWidth(m_picture);
    const QFont title = m_theme.sized(1, true), bold = m_theme.sized(0.9, true), small = m_theme.sized(0.85);
    struct Line
    {
        QFont font;
        QString text;
        QColor color;
        double room;
    };
    QList<Line> lines {{title, m_series.info().title, m_theme.text, m_heights.hasLabels ? width : beside}};
    if (m_row.twin)
        lines.append({small, tr("over %1").arg(m_picture.series(*m_row.twin).info().title), m_theme.quiet, beside});
    const bool isOver = m_series.busiest() && m_series.busiest()->firstOver();
    lines.append({bold, mostLine(m_series), exceeds() ? m_theme.broken : isOver ? m_theme.quiet : m_theme.held, beside});
    if (m_series.basis().window > 0)
        lines.append({small, tr("limit %1").arg(m_series.basis().quota), m_theme.quiet, beside});
    double y = m_place.top() + std::clamp((m_place.height() - lineHeight(title)) / 2, 1.0, 6 * s);
    for (const Line &line : lines) {
        const double height = lineHeight(line.font);
        if (line.text.isEmpty())
            continue;
        if (y + height > m_place.bottom() - 1)
            return;
        drawLabel(m_painter, line.font, left, y + height / 2, elided(line.font, line.text, line.room), line.color);
        y += height;
    }
}

/// What was measured, one below the other: as many as the row has room for.
void LimiterRowPainter::drawFigures()
{
    const double s = m_theme.scale;
    const double left = m_area.right() + 14 * s, right = m_place.right() - margin * s;
    const QFont name = m_theme.sized(0.85), number = m_theme.sized(0.95, true);
    const double height = lineHeight(number);
    if (right - left < 60 * s)
        return;
    QList<std::tuple<QString, QString, QColor>> lines;
    const auto count = [&](const QString &what, LimiterAnswer answer, const QColor &color) {
        lines.append({what, QString::number(m_series.requests(answer)), color});
        if (m_row.twin)
            lines.append({tr("its twin"), QString::number(m_picture.series(*m_row.twin).requests(answer)), m_theme.quiet});
    };
    count(tr("admitted"), LimiterAnswer::Admitted, m_theme.text);
    count(tr("rejected"), LimiterAnswer::Rejected, m_theme.text);
    if (m_series.requests(LimiterAnswer::Failed) > 0)
        count(tr("no answer"), LimiterAnswer::Failed, m_theme.unknown);
    if (const LimiterFigures *figures = m_picture.figuresOf(m_row.series)) {
        if (figures->keyBytes)
            lines.append({tr("bytes/key"), QString::number(*figures->keyBytes), m_theme.text});
        if (figures->latency99)
            lines.append({tr("p99"), text(For {*figures->latency99}), m_theme.text});
    }
    const double fitting = std::min(static_cast<double>(lines.size()), std::max(1.0, std::floor(m_place.height() / height)));
    double y = m_place.top() + std::clamp((m_place.height() - fitting * height) / 2, 0.0, 3 * s);
    for (const auto &[what, value, color] : lines) {
        if (y + height > m_place.bottom() - 0.5)
            return;
        drawLabel(m_painter, name, left, y + height / 2, what, m_theme.quiet);
        drawLabel(m_painter, number, right - textWidth(number, value), y + height / 2, value, color);
        y += height;
    }
}

}
