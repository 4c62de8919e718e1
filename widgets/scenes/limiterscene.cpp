// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/limiterscene.h"

#include "widgets/limiters/limiterplot.h"
#include "widgets/limiters/limitertexts.h"
#include "widgets/timeline/wrapping.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace interlock {

namespace {

constexpr double margin = 14;

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

/// Cells in columns that share the width by what they need, words wrapped.
class WordTable
{
public:
    WordTable(QList<QStringList> rows, const Theme &theme, double width)
        : m_rows(std::move(rows))
        , m_theme(theme)
    {
        const qsizetype columns = m_rows.first().size();
        std::vector<double> least(static_cast<size_t>(columns)), wanted(static_cast<size_t>(columns));
        for (const QStringList &row : m_rows) {
            for (qsizetype i = 0; i < columns; ++i) {
                for (const QString &word : row.at(i).split(QLatin1Char(' ')))
                    least[static_cast<size_t>(i)] = std::max(least[static_cast<size_t>(i)], textWidth(fontOf(row, i), word));
                wanted[static_cast<size_t>(i)] = std::max(wanted[static_cast<size_t>(i)], textWidth(fontOf(row, i), row.at(i)));
            }
        }
        const double room = width - gap * static_cast<double>(columns - 1);
        const double needed = std::accumulate(least.begin(), least.end(), 0.0), liked = std::accumulate(wanted.begin(), wanted.end(), 0.0);
        m_isCut = needed > room;
        for (size_t i = 0; i < least.size(); ++i) {
            if (needed >= room) // words have to be cut
                m_widths.push_back(least[i] * room / needed);
            else
                m_widths.push_back(least[i] + (wanted[i] - least[i]) * std::min(1.0, (room - needed) / std::max(1.0, liked - needed)));
        }
    }

    bool isCut() const { return m_isCut; } ///< not every word has its room

    /// @return where it ends. Rows that do not fit above @p bottom are counted in a last line.
    double draw(QPainter &painter, double left, double top, double bottom) const
    {
        const QFont font = m_theme.sized(0.85);
        const double line = lineHeight(font);
        double y = top;
        for (qsizetype r = 0; r < m_rows.size(); ++r) {
            const QList<QStringList> cells = wrapped(m_rows.at(r));
            const auto most = std::max_element(cells.begin(), cells.end(), [](const QStringList &a, const QStringList &b) { return a.size() < b.size(); })->size();
            const double height = static_cast<double>(most) * line + 4;
            const double reserve = r + 1 < m_rows.size() ? line : 0; // for the line that says how many are missing
            if (y + height + reserve > bottom && r > 0) {
                drawLabel(painter, font, left, y + line / 2, tr("… and %1 more").arg(m_rows.size() - r), m_theme.quiet);
                return y + line;
            }
            double x = left;
            for (qsizetype i = 0; i < cells.size(); ++i) {
                for (qsizetype n = 0; n < cells[i].size(); ++n) {
                    const QString text = elided(fontOf(m_rows.at(r), i), cells[i][n], m_widths[static_cast<size_t>(i)] + 1);
                    drawLabel(painter, fontOf(m_rows.at(r), i), x, y + 2 + (static_cast<double>(n) + 0.5) * line, text, r == 0 ? m_theme.quiet : m_theme.text);
                }
                x += m_widths[static_cast<size_t>(i)] + gap;
            }
            y += height;
            painter.fillRect(QRectF(left, y, x - gap - left, 1), r == 0 ? m_theme.line : m_theme.grid);
        }
        return y;
    }

private:
    static constexpr double gap = 9;

    QFont fontOf(const QStringList &row, qsizetype column) const { return m_theme.sized(0.85, column == 0 || &row == &m_rows.first()); }
    QList<QStringList> wrapped(const QStringList &row) const
    {
        QList<QStringList> cells;
        for (qsizetype i = 0; i < row.size(); ++i)
            cells.append(inLines(fontOf(row, i), row.at(i), m_widths[static_cast<size_t>(i)] + 0.5));
        return cells;
    }

    QList<QStringList> m_rows; // the first has the titles
    const Theme &m_theme;
    std::vector<double> m_widths;
    bool m_isCut = false;
};

/// As many columns beside each other as there is room for, the others in tables below; each begins with the first column.
double drawInBlocks(QPainter &painter, const QList<QStringList> &rows, const Theme &theme, const QRectF &place)
{
    double y = place.top();
    qsizetype next = 1;
    while (next < rows.first().size() && y + 3 * lineHeight(theme.sized(0.85)) < place.bottom()) {
        const auto block = [&](qsizetype end) {
            QList<QStringList> cut;
            for (const QStringList &row : rows)
                cut.append(QStringList {row.first()} + row.mid(next, end - next));
            return cut;
        };
        qsizetype end = rows.first().size();
        while (end > next + 1 && WordTable(block(end), theme, place.width()).isCut())
            --end;
        y = WordTable(block(end), theme, place.width()).draw(painter, place.left(), y, place.bottom()) + lineHeight(theme.sized(0.85));
        next = end;
    }
    return y;
}

QStringList titlesOf(const QList<LimiterColumn> &columns)
{
    QStringList titles;
    for (const LimiterColumn &column : columns)
        titles.append(column.title);
    return titles;
}

}

bool areLimitersCrowded(const Run &run, const QSizeF &size)
{
    constexpr double around = 150, each = 34; // pixels: title, verdict, axis and legend; a row with two lines of words
    const QList<LimiterInfo> &limiters = run.header.limiters;
    const auto isBeneath = [&](const LimiterInfo &limiter) {
        return std::any_of(limiters.begin(), limiters.end(), [&](const LimiterInfo &other) { return other.twin == limiter.name; });
    };
    const auto rows = limiters.size() - std::count_if(limiters.begin(), limiters.end(), isBeneath);
    return size.height() < around + each * static_cast<double>(rows);
}

void drawLimiterScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    const QSize size(static_cast<int>(place.width()), static_cast<int>(place.height()));
    if (size.width() < 1 || size.height() < 1)
        return;
    LimiterRecord record;
    record.extend(run);
    const bool isTrace = !run.decisions.empty() && isOnTraceClock(run.decisions.front());
    const qint64 end = std::max(isTrace ? 0 : run.duration, record.last());
    LimiterPlot plot;
    plot.setTheme(theme);
    plot.setLeastRow(0); // paper does not scroll
    plot.setRun(&run, &record);
    plot.setRows(record.rows({}));
    plot.setNow(end);
    for (size_t i = 0; i < record.series().size(); ++i)
        plot.setFigures(i, measure(run, record, i));
    plot.layOut(size); // twice: the legend's height depends on the scale, and that on the width
    plot.setScale(plot.scale().showing(0, static_cast<double>(end), 0.02));
    plot.layOut(size);
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, size.width(), size.height());
    painter.restore();
}

void drawLimiterTableScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    LimiterRecord record;
    record.extend(run);
    QList<QStringList> measured {titlesOf(measuredColumns())}, compared {titlesOf(comparedColumns())};
    for (size_t i = 0; i < record.series().size(); ++i) {
        const LimiterFigures figures = measure(run, record, i);
        measured.append(measuredCells(record.series()[i].info(), figures));
        compared.append(comparedCells(record.series()[i].info(), figures));
    }
    const QRectF inner = place.adjusted(margin, 0, -margin, 0);
    const double next = drawInBlocks(painter, measured, theme, inner);
    drawInBlocks(painter, compared, theme, QRectF(inner.left(), next, inner.width(), inner.bottom() - next));
}

}
