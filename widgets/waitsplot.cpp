// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waitsplot.h"

#include "engine/run/verdict.h"
#include "widgets/actors.h"
#include "widgets/timeline/pictureplottable.h"
#include "widgets/timeline/strokes.h"
#include "widgets/timeline/wrapping.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace interlock {

namespace {

constexpr double margin = 14; ///< pixels at scale 1

/// What waiting cost one client, the longest text first, for places of less and less width; always as many.
QStringList wordsOf(const LaneWaits &lane)
{
    const std::optional<qint64> median = percentile(lane.waits, 50);
    if (!median)
        return {WaitsPlot::tr("never granted"), WaitsPlot::tr("never granted"), WaitsPlot::tr("never")};
    const QString times = WaitsPlot::tr("%1 ×").arg(lane.acquisitions());
    const QString lengths = WaitsPlot::tr("median %1 · p99 %2").arg(text(For {*median}), text(For {percentile(lane.waits, 99).value_or(0)}));
    const QString commands = WaitsPlot::tr("%1 commands each").arg(static_cast<double>(lane.commands) / static_cast<double>(lane.acquisitions()), 0, 'f', 1);
    const QString separator = QStringLiteral(" · ");
    return {times + separator + lengths + separator + commands, times + separator + commands, times};
}

}

QString waitsSummary(const std::vector<LaneWaits> &lanes)
{
    const std::vector<qint64> waits = allWaits(lanes);
    if (waits.empty())
        return WaitsPlot::tr("No client has been granted a lock yet.");
    qint64 commands = 0;
    for (const LaneWaits &lane : lanes)
        commands += lane.commands;
    const auto inVain = std::count_if(lanes.begin(), lanes.end(), [](const LaneWaits &lane) { return lane.waits.empty(); });
    QString summary = WaitsPlot::tr("Median wait %1, 99 % within %2. %3 commands for each acquisition.")
                          .arg(text(For {percentile(waits, 50).value_or(0)}), text(For {percentile(waits, 99).value_or(0)}))
                          .arg(static_cast<double>(commands) / static_cast<double>(waits.size()), 0, 'f', 1);
    if (const std::optional<double> fair = fairnessOfAcquisitions(lanes))
        summary += QLatin1Char(' ') + WaitsPlot::tr("Fairness of acquisitions %1 (1 is even).").arg(*fair, 0, 'f', 2);
    if (inVain > 0)
        summary += QLatin1Char(' ') + WaitsPlot::tr("%1 of %2 clients were never granted it.").arg(inVain).arg(lanes.size());
    return summary;
}

/// Everything but the grid and the axis.
class WaitsPlot::Rows : public PicturePlottable
{
public:
    explicit Rows(WaitsPlot &plot)
        : PicturePlottable(plot)
        , m_plot(plot)
    {
    }

protected:
    void draw(QCPPainter *painter) override;

private:
    void drawWords(QPainter &painter, const Row &row, const QRectF &place) const;
    void drawWaits(QPainter &painter, const Row &row, const QRectF &place) const;
    const WaitsPlot &m_plot;
};

void WaitsPlot::Rows::draw(QCPPainter *painter)
{
    painter->setAntialiasing(false); // the vectorized mode of QCustomPlot would shift lines by half a pixel
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = m_plot.m_theme;
    double y = 4 * theme.scale + lineHeight(theme.font) / 2;
    for (const QString &line : m_plot.m_head) {
        drawLabel(*painter, theme.font, margin * theme.scale, y, line, theme.text);
        y += lineHeight(theme.font);
    }
    if (m_plot.m_rows.empty())
        return;
    const QRectF area = m_plot.axisRect()->rect();
    const double height = area.height() / static_cast<double>(m_plot.m_rows.size());
    // Where rows are lower than a line, only as many are named as there is room for.
    const auto every = static_cast<size_t>(std::max(1.0, std::ceil(lineHeight(theme.sized(0.85)) / std::max(1.0, height))));
    for (size_t i = 0; i < m_plot.m_rows.size(); ++i) {
        const QRectF place(area.left(), area.top() + static_cast<double>(i) * height, area.width(), height);
        drawWaits(*painter, m_plot.m_rows[i], place);
        if (i % every == 0)
            drawWords(*painter, m_plot.m_rows[i], place);
    }
}

void WaitsPlot::Rows::drawWords(QPainter &painter, const Row &row, const QRectF &place) const
{
    const Theme &theme = m_plot.m_theme;
    const QFont name = theme.sized(0.95, true);
    const QFont small = theme.sized(0.85);
    const double left = margin * theme.scale;
    drawLabel(painter, name, left, place.center().y(), elided(name, row.name, place.left() - left - 6 * theme.scale), theme.text);
    drawLabel(painter, small, place.right() + 12 * theme.scale, place.center().y(), wordsOf(row.waits).at(qsizetype(m_plot.m_wordiness)), theme.quiet);
}

/// A dot for each wait, a thick bar at the median, a thin one at the 99th percentile.
void WaitsPlot::Rows::drawWaits(QPainter &painter, const Row &row, const QRectF &place) const
{
    const Theme &theme = m_plot.m_theme;
    const double s = theme.scale;
    const double middle = place.center().y();
    const auto x = [this](qint64 wait) { return mKeyAxis->coordToPixel(static_cast<double>(wait) / m_plot.m_unit); };
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(QPointF(place.left(), middle), QPointF(place.right(), middle));
    if (row.waits.waits.empty())
        return;

    const double radius = std::clamp(place.height() * 0.18, 1.2 * s, 4.5 * s);
    const QColor colour = theme.owner(row.owner);
    QColor fill = colour;
    fill.setAlpha(150);
    painter.setPen(QPen(mixed(colour, theme.text, 0.7), 0.8 * s));
    painter.setBrush(fill);
    double last = -1;
    for (const qint64 wait : row.waits.waits) {
        const double at = x(wait);
        if (at - last < 0.5 && last >= 0) // a hundred thousand waits would look the same
            continue;
        painter.drawEllipse(QPointF(at, middle), radius, radius);
        last = at;
    }
    const double height = std::min(place.height() * 0.8, 22 * s);
    const auto bar = [&](int percent, double width) {
        const double at = x(percentile(row.waits.waits, percent).value_or(0));
        painter.fillRect(QRectF(at - width / 2, middle - height / 2, width, height), theme.text);
    };
    bar(99, s);
    bar(50, 3 * s);
}

WaitsPlot::WaitsPlot(QWidget *parent)
    : QCustomPlot(parent)
    , m_picture(new Rows(*this))
{
    axisRect()->setAutoMargins(QCP::msNone);
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins({});
    yAxis->setVisible(false);
    xAxis->setBasePen(Qt::NoPen);
    xAxis->setTickPen(Qt::NoPen);
    xAxis->setSubTicks(false);
    xAxis->ticker()->setTickCount(4);
    xAxis->setNumberFormat(QStringLiteral("f"));
    xAxis->setNumberPrecision(0);
    setAutoAddPlottableToLegend(false);
    setTheme(m_theme);
}

void WaitsPlot::setTheme(const Theme &theme)
{
    m_theme = theme;
    setBackground(QBrush(theme.background));
    xAxis->grid()->setPen(QPen(theme.grid, 1));
    xAxis->grid()->setZeroLinePen(QPen(theme.line, 1));
    xAxis->setTickLabelFont(theme.sized(0.85));
    xAxis->setTickLabelColor(theme.quiet);
    xAxis->setLabelFont(theme.sized(0.85));
    xAxis->setLabelColor(theme.quiet);
    layOut(size());
}

void WaitsPlot::setRun(const Run &run)
{
    const std::vector<LaneWaits> lanes = waitsOf(run);
    const bool hasOneLock = std::all_of(lanes.begin(), lanes.end(), [&](const LaneWaits &lane) { return lane.key == lanes.front().key; });
    m_rows.clear();
    qint64 longest = 0;
    for (const LaneWaits &lane : lanes) {
        const QString name = run.text(lane.lane);
        const QString title = hasOneLock ? name : tr("%1 · %2").arg(name, run.text(lane.key));
        m_rows.push_back({title, actorIndex(run.header, name), lane});
        if (!lane.waits.empty())
            longest = std::max(longest, lane.waits.back());
    }
    m_summary = waitsSummary(lanes);
    m_unit = longest < 10'000'000'000 ? 1e6 : 1e9;
    const double shown = longest > 0 ? static_cast<double>(longest) / m_unit : 1;
    xAxis->setRange(-0.015 * shown, 1.03 * shown);
    xAxis->setNumberPrecision(shown < 5 ? 1 : 0);
    layOut(size());
}

void WaitsPlot::layOut(const QSize &size)
{
    const double s = m_theme.scale;
    const double width = size.width();
    const QFont name = m_theme.sized(0.95, true);
    const QFont small = m_theme.sized(0.85);
    double names = 0;
    std::array<double, 3> words {};
    for (const Row &row : m_rows) {
        const QStringList variants = wordsOf(row.waits);
        names = std::max(names, textWidth(name, row.name));
        for (size_t i = 0; i < words.size(); ++i)
            words[i] = std::max(words[i], textWidth(small, variants.at(qsizetype(i))));
    }
    names = std::min(names, width * 0.2);
    m_wordiness = 0;
    while (m_wordiness + 1 < words.size() && words[m_wordiness] > width * 0.45)
        ++m_wordiness;
    m_head = inLines(m_theme.font, m_summary, width - 2 * margin * s);

    const QString unit = m_unit < 1e9 ? tr("ms") : tr("s");
    const double left = names + margin * s + 12 * s;
    const double right = m_rows.empty() ? margin * s : words[m_wordiness] + 24 * s;
    QStringList labels {tr("wait for the lock, %1; thick bar: median, thin bar: 99th percentile (p99)"), tr("wait, %1; bars: median, p99"), tr("wait, %1")};
    xAxis->setLabel(fitting(small, labels.replaceInStrings(QStringLiteral("%1"), unit), width - left - right + 2 * std::min(left, right) - 8 * s));
    const double top = 8 * s + static_cast<double>(m_head.size()) * lineHeight(m_theme.font) + 4 * s;
    const double bottom = 2 * lineHeight(small) + 16 * s;
    const int row = static_cast<int>(46 * s);
    // A few rows are not spread over a large place.
    const double spare = size.height() - top - bottom - row * static_cast<double>(m_rows.size());
    axisRect()->setMargins(QMargins(qRound(left), qRound(top), qRound(right), qRound(bottom + std::max(0.0, spare))));
    xAxis->setVisible(!m_rows.empty());
}

int WaitsPlot::readableHeight() const
{
    const double line = lineHeight(m_theme.sized(0.95)) + 4 * m_theme.scale;
    return static_cast<int>(line * (6 + static_cast<double>(m_rows.size())));
}

void WaitsPlot::resizeEvent(QResizeEvent *event)
{
    layOut(event->size());
    QCustomPlot::resizeEvent(event);
}

}
