// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/measureplot.h"

#include "widgets/measures/chartpainter.h"
#include "widgets/measures/measuretexts.h"
#include "widgets/measures/unitticker.h"
#include "widgets/timeline/wrapping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace interlock {

namespace {

constexpr double margin = 14; ///< pixels at scale 1
constexpr double comfortable = 230; ///< the height of a chart, at scale 1
constexpr double rowHeight = 34; ///< of a chart without x

void setUnit(QCPAxis &axis, const AxisSpan &span, const QString &unit, bool isShare, int most)
{
    const QSharedPointer<UnitTicker> ticker(new UnitTicker(unit, isShare, span.isLog));
    ticker->setMost(most);
    axis.setTicker(ticker);
    axis.setScaleType(span.isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(span.low, span.high);
}

double widestLabel(const QCPAxis &axis, const QFont &font)
{
    QVector<double> ticks;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), QLocale(), QLatin1Char('f'), 0, ticks, nullptr, &labels);
    double widest = 0;
    for (const QString &label : labels)
        widest = std::max(widest, textWidth(font, label));
    return widest;
}

QString axisTitle(const QString &title, const QString &unit)
{
    const bool isSaid = unit.isEmpty() || unit == QLatin1String("ns") || unit == QLatin1String("bytes") || unit == QLatin1String("thousandths")
        || title.contains(unit, Qt::CaseInsensitive);
    return isSaid ? title : MeasurePlot::tr("%1, %2").arg(title, unit);
}

}

/// Everything but the grids and the axes.
class MeasurePlot::Picture : public QCPLayerable
{
public:
    explicit Picture(MeasurePlot &plot)
        : QCPLayerable(&plot, QStringLiteral("main"))
        , m_plot(plot)
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return m_plot.viewport(); }
    void draw(QCPPainter *painter) override
    {
        painter->setRenderHint(QPainter::Antialiasing);
        const Theme &theme = m_plot.m_theme;
        if (m_plot.m_charts.empty())
            drawLabel(*painter, theme.font, margin * theme.scale, 8 * theme.scale + lineHeight(theme.font) / 2, tr("Nothing has been measured yet."), theme.quiet);
        for (size_t i = 0; i < m_plot.m_charts.size(); ++i)
            ChartPainter(*painter, m_plot.m_charts[i], theme, m_plot.rectOf(i)).draw();
    }

private:
    MeasurePlot &m_plot;
};

/// The marked point, in a buffer of its own, so that moving the pointer does not draw the charts again.
class MeasurePlot::Ring : public QCPLayerable
{
public:
    explicit Ring(MeasurePlot &plot)
        : QCPLayerable(&plot, QStringLiteral("overlay"))
        , m_plot(plot)
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return m_plot.viewport(); }
    void draw(QCPPainter *painter) override
    {
        if (!m_plot.m_marked)
            return;
        painter->setRenderHint(QPainter::Antialiasing);
        const Theme &theme = m_plot.m_theme;
        const double s = theme.scale;
        const QPointF at = m_plot.positionOf(*m_plot.m_marked);
        painter->setPen(QPen(theme.accent, 2.4 * s));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(at, 8 * s, 8 * s);

        const QFont font = theme.sized(0.9);
        const QRectF whole = m_plot.viewport();
        const QStringList lines = inLines(font, pointSentence(m_plot.curve(*m_plot.m_marked), m_plot.point(*m_plot.m_marked)), whole.width() * 0.6);
        double width = 0;
        for (const QString &line : lines)
            width = std::max(width, textWidth(font, line));
        const double height = lineHeight(font) * static_cast<double>(lines.size());
        const double air = 6 * s;
        QRectF box(at.x() + 14 * s, at.y() - height - 2 * air - 10 * s, width + 2 * air, height + 2 * air);
        if (box.right() > whole.right())
            box.moveRight(std::max(box.width(), at.x() - 14 * s));
        if (box.top() < whole.top())
            box.moveTop(at.y() + 14 * s);
        drawBox(*painter, box, theme.background, theme.accent, s);
        for (qsizetype i = 0; i < lines.size(); ++i)
            drawLabel(*painter, font, box.left() + air, box.top() + air + (static_cast<double>(i) + 0.5) * lineHeight(font), lines[i], theme.text);
    }

private:
    MeasurePlot &m_plot;
};

MeasurePlot::MeasurePlot(QWidget *parent)
    : QCustomPlot(parent)
{
    plotLayout()->clear(); // of the usual axes
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins({});
    plotLayout()->setRowSpacing(0);
    plotLayout()->setColumnSpacing(0);
    setAutoAddPlottableToLegend(false);
    new Picture(*this); // owned by the plot
    m_ring = new Ring(*this);
    setTheme(m_theme);
}

void MeasurePlot::setTheme(const Theme &theme)
{
    m_theme = theme;
    setBackground(QBrush(theme.background));
    styleRects();
    layOut(size());
}

void MeasurePlot::setRun(const Run &run)
{
    m_charts = chartsOf(run);
    m_runs.clear();
    for (const MeasureChart &chart : m_charts) {
        for (const ChartCurve &each : chart.curves) {
            for (const MeasuredPoint &point : each.curve.points) {
                for (const Name child : point.runs)
                    m_runs.insert(child, run.text(child));
            }
        }
    }
    if (m_marked && !has(*m_marked))
        m_marked.reset();
    makeRects();
    styleRects();
    layOut(size());
}

bool MeasurePlot::has(const PointPlace &place) const
{
    return place.chart < m_charts.size() && place.curve < m_charts[place.chart].curves.size()
        && place.point < m_charts[place.chart].curves[place.curve].curve.points.size();
}

QStringList MeasurePlot::runsOf(const PointPlace &place) const
{
    QStringList names;
    for (const Name child : point(place).runs)
        names.append(m_runs.value(child));
    return names;
}

void MeasurePlot::makeRects()
{
    if (m_rects.size() == m_charts.size())
        return;
    plotLayout()->clear();
    m_rects.clear();
    for (size_t i = 0; i < m_charts.size(); ++i) {
        auto *rect = new QCPAxisRect(this);
        rect->setAutoMargins(QCP::msNone);
        rect->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
        rect->setMinimumSize(0, 0); // paper is as small as it is
        for (QCPAxis *axis : rect->axes()) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
        m_rects.push_back(rect);
        plotLayout()->addElement(static_cast<int>(i), 0, rect);
    }
}

void MeasurePlot::styleRects()
{
    for (QCPAxisRect *rect : m_rects) {
        for (QCPAxis *axis : rect->axes()) {
            axis->setBasePen(Qt::NoPen);
            axis->setTickPen(Qt::NoPen);
            axis->setSubTicks(false);
            axis->grid()->setPen(QPen(m_theme.grid, 1));
            axis->grid()->setZeroLinePen(QPen(m_theme.line, 1));
            axis->setTickLabelFont(m_theme.sized(0.85));
            axis->setTickLabelColor(m_theme.quiet);
            axis->setTickLabelPadding(static_cast<int>(5 * m_theme.scale));
            axis->setLabelFont(m_theme.sized(0.85));
            axis->setLabelColor(m_theme.quiet);
        }
        rect->axis(QCPAxis::atTop)->setVisible(false);
        rect->axis(QCPAxis::atRight)->setVisible(false);
    }
}

double MeasurePlot::wantedHeight(const MeasureChart &chart) const
{
    const double s = m_theme.scale;
    return chart.hasX ? comfortable * s : static_cast<double>(chart.curves.size()) * rowHeight * s + 90 * s;
}

/// Beside each other where they would be too low one below the other.
int MeasurePlot::columnsFor(const QSize &size) const
{
    const double s = m_theme.scale;
    double wanted = 0;
    for (const MeasureChart &chart : m_charts)
        wanted += wantedHeight(chart);
    const bool isWide = size.width() >= 520 * s;
    constexpr double bearable = 0.8;
    return m_charts.size() > 1 && isWide && size.height() < wanted * bearable ? 2 : 1;
}

int MeasurePlot::readableHeight(int width) const
{
    double all = 0, highest = 0;
    for (const MeasureChart &chart : m_charts) {
        all += wantedHeight(chart);
        highest = std::max(highest, wantedHeight(chart));
    }
    const bool isWide = m_charts.size() > 1 && width >= 900 * m_theme.scale;
    return static_cast<int>(isWide ? highest * std::ceil(static_cast<double>(m_charts.size()) / 2) : all);
}

QMargins MeasurePlot::marginsOf(const MeasureChart &chart, QCPAxisRect &rect, const QSizeF &size) const
{
    const double s = m_theme.scale;
    const double width = size.width();
    const QFont small = m_theme.sized(0.85);
    const QCPAxis &bottom = *rect.axis(QCPAxis::atBottom);
    double left = 0, right = 0;
    if (chart.hasX) {
        left = widestLabel(*rect.axis(QCPAxis::atLeft), small) + 8 * s;
        right = widestLabel(bottom, small) / 2;
    } else {
        left = ChartPainter::namesWidth(chart, m_theme, width) + 8 * s;
        right = ChartPainter::wordsWidth(chart, m_theme, width) + 6 * s;
    }
    double below = lineHeight(small) * (bottom.label().isEmpty() ? 1 : 2) + 12 * s;
    if (!chart.hasX)
        below += std::max(0.0, std::min<double>(size.height(), rect.maximumSize().height()) - wantedHeight(chart));
    return QMargins(qRound(left + margin * s), qRound(ChartPainter::headHeight(chart, m_theme, width)), qRound(right + margin * s), qRound(below));
}

void MeasurePlot::layOut(const QSize &size)
{
    setViewport(QRect(QPoint(), size));
    const int columns = columnsFor(size);
    const int rows = (static_cast<int>(m_charts.size()) + columns - 1) / columns;
    for (size_t i = 0; i < m_rects.size(); ++i) {
        if (m_rects[i]->layout())
            plotLayout()->take(m_rects[i]);
    }
    plotLayout()->simplify();
    QList<double> stretches(rows, 1.0);
    for (size_t i = 0; i < m_rects.size(); ++i) {
        const int row = static_cast<int>(i) / columns;
        plotLayout()->addElement(row, static_cast<int>(i) % columns, m_rects[i]);
        stretches[row] = std::max(stretches[row], wantedHeight(m_charts[i]));
        // A few rows are not spread over a large place; one beside a curve leaves the rest of its place empty, see marginsOf().
        const double most = m_charts[i].hasX || columns > 1 ? QWIDGETSIZE_MAX : wantedHeight(m_charts[i]);
        m_rects[i]->setMaximumSize(QWIDGETSIZE_MAX, static_cast<int>(most));
    }
    if (rows > 0)
        plotLayout()->setRowStretchFactors(stretches);
    const double width = static_cast<double>(size.width()) / columns;
    for (size_t i = 0; i < m_rects.size(); ++i) {
        const MeasureChart &chart = m_charts[i];
        QCPAxis &bottom = *m_rects[i]->axis(QCPAxis::atBottom);
        QCPAxis &left = *m_rects[i]->axis(QCPAxis::atLeft);
        const double height = static_cast<double>(size.height()) / rows;
        const int across = static_cast<int>(width / (95 * m_theme.scale)), upwards = static_cast<int>(height / (42 * m_theme.scale));
        left.setVisible(chart.hasX);
        if (chart.hasX) {
            setUnit(bottom, chart.x, chart.xUnit, false, across);
            setUnit(left, chart.y, chart.yUnit, chart.isShare, upwards);
            bottom.setLabel(axisTitle(chart.xTitle, chart.xUnit));
        } else {
            setUnit(bottom, chart.y, chart.yUnit, chart.isShare, across / 2);
            left.setRange(0, 1);
            bottom.setLabel({});
        }
        m_rects[i]->setMargins(marginsOf(chart, *m_rects[i], QSizeF(width, height)));
    }
    // Whoever asks for positions before it is drawn needs them now.
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
        plotLayout()->setOuterRect(QRect(QPoint(), size));
        plotLayout()->update(phase);
    }
}

std::optional<PointPlace> MeasurePlot::placeAt(const QPointF &position) const
{
    double nearest = 14 * m_theme.scale;
    std::optional<PointPlace> found;
    for (size_t i = 0; i < m_charts.size(); ++i) {
        for (size_t j = 0; j < m_charts[i].curves.size(); ++j) {
            for (size_t k = 0; k < m_charts[i].curves[j].curve.points.size(); ++k) {
                const QPointF way = positionOf({i, j, k}) - position;
                if (const double distance = std::hypot(way.x(), way.y()); distance < nearest) {
                    nearest = distance;
                    found = {i, j, k};
                }
            }
        }
    }
    return found;
}

QPointF MeasurePlot::positionOf(const PointPlace &place) const
{
    return ChartPainter::positionOf(m_charts[place.chart], rectOf(place.chart), place.curve, point(place));
}

void MeasurePlot::mark(std::optional<PointPlace> place)
{
    if (place == m_marked)
        return;
    m_marked = place;
    m_ring->layer()->replot();
}

void MeasurePlot::resizeEvent(QResizeEvent *event)
{
    layOut(event->size());
    QCustomPlot::resizeEvent(event);
}

}
