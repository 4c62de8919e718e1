// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/measures/measurechart.h"
#include "widgets/theme.h"

#include <qcustomplot.h>

#include <QHash>

namespace interlock {

/// A point in one of the charts.
struct PointPlace
{
    size_t chart = 0;
    size_t curve = 0;
    size_t point = 0;

    auto operator<=>(const PointPlace &) const = default;
};

/// What a run measured, as charts: one for each pair of axes, with a line and marks for each series. The window and the exported
/// scenes draw this one.
class MeasurePlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit MeasurePlot(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Adds up anew; the run need not outlive the call.
    void setRun(const Run &run);
    /// Places charts and margins for this size, in pixels; to be called before the plot is drawn elsewhere than in its widget.
    void layOut(const QSize &size);
    /// So that every chart can be read at this width, in pixels.
    int readableHeight(int width) const;

    const std::vector<MeasureChart> &charts() const { return m_charts; }
    const MeasuredCurve &curve(const PointPlace &place) const { return m_charts[place.chart].curves[place.curve].curve; }
    const MeasuredPoint &point(const PointPlace &place) const { return curve(place).points[place.point]; }
    bool has(const PointPlace &place) const;
    QStringList runsOf(const PointPlace &place) const; ///< by their names in the set

    /// The point that is meant at this position in the widget; none: it is too far from all.
    std::optional<PointPlace> placeAt(const QPointF &position) const;
    QPointF positionOf(const PointPlace &place) const;
    /// Rings it and says what it tells.
    void mark(std::optional<PointPlace> place);
    std::optional<PointPlace> marked() const { return m_marked; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Picture;
    class Ring;
    friend class ChartPainter;

    void makeRects();
    void styleRects();
    int columnsFor(const QSize &size) const;
    double wantedHeight(const MeasureChart &chart) const;
    QMargins marginsOf(const MeasureChart &chart, QCPAxisRect &rect, const QSizeF &size) const;
    QCPAxisRect &rectOf(size_t chart) const { return *m_rects[chart]; }

    Theme m_theme = Theme::light();
    std::vector<MeasureChart> m_charts;
    std::vector<QCPAxisRect *> m_rects; // owned by the plot
    QHash<Name, QString> m_runs; ///< names of the set's runs
    std::optional<PointPlace> m_marked;
    Ring *m_ring; // owned by the plot
};

}
