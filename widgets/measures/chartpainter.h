// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/measures/measurechart.h"
#include "widgets/theme.h"

#include <QRectF>

class QPainter;
class QCPAxisRect;

namespace interlock {

/// Draws what a chart holds into its place: title, legend, lines, marks, intervals and words. Grid and axes are the plot's.
class ChartPainter
{
public:
    ChartPainter(QPainter &painter, const MeasureChart &chart, const Theme &theme, QCPAxisRect &rect);

    void draw();

    /// Where a point lies, in pixels. @param curve its number in the chart.
    static QPointF positionOf(const MeasureChart &chart, QCPAxisRect &rect, size_t curve, const MeasuredPoint &point);
    /// What title and legend need above the axes at this width, pixels.
    static double headHeight(const MeasureChart &chart, const Theme &theme, double width);
    /// What rows of a chart without x need on either side.
    static double namesWidth(const MeasureChart &chart, const Theme &theme, double width);
    static double wordsWidth(const MeasureChart &chart, const Theme &theme, double width);

    static QColor colorOf(const Theme &theme, int style);
    static void drawPoint(QPainter &painter, QPointF at, double size, int style, const QColor &color, const QColor &background);

private:
    void drawHead();
    void drawCurve(size_t number);
    void drawLine(const ChartCurve &each, const std::vector<QPointF> &places);
    void drawIntervals(const ChartCurve &each, const std::vector<QPointF> &places, bool asBand);
    void drawMarks(const ChartCurve &each, const std::vector<QPointF> &places);
    void drawCounts(const ChartCurve &each, const std::vector<QPointF> &places);
    void drawJump(const ChartCurve &each, const std::vector<QPointF> &places);
    void drawRow(size_t number);
    double yPixel(double value) const;

    QPainter &m_painter;
    const MeasureChart &m_chart;
    const Theme &m_theme;
    QCPAxisRect &m_rect;
    QRectF m_area;
    std::vector<QRectF> m_taken; ///< by words and marks
};

}
