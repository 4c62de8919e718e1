// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterfigures.h"
#include "widgets/theme.h"
#include "widgets/timeline/legendflow.h"
#include "widgets/timeline/scale.h"

#include <QRectF>

class QPainter;

namespace interlock {

/// What all rows of one picture of limiters share.
struct LimiterPicture
{
    const Run *run = nullptr;
    const LimiterRecord *record = nullptr;
    Theme theme;
    std::vector<LimiterRow> rows;
    std::vector<LimiterFigures> figures; ///< by series; those that are not measured yet are missing
    qint64 now = 0; ///< ns: how far the picture reaches

    const DecisionSeries &series(size_t number) const { return record->series()[number]; }
    const LimiterFigures *figuresOf(size_t number) const { return number < figures.size() ? &figures[number] : nullptr; }
};

/// How costs become pixels: the same in all rows, so that they can be compared.
struct LimiterHeights
{
    qint64 step = 1; ///< ns: the interval of a bar
    double unit = 1; ///< pixels for a unit of cost, of lines
    int magnified = 1; ///< bars are so many times higher: narrow ones would be too low beside a long window's limit
    int reduced = 1; ///< bars of rejected cost are so many times lower than those of admitted cost
    double down = 0; ///< pixels below the base line
    double foot = 0; ///< pixels below that, which stay free
    bool hasLabels = true; ///< rows are high enough for words above the bars
    double lines = 1; ///< factor on the widths of lines: thinner in low rows

    double bar() const { return unit * magnified; }
    double barDown() const { return bar() / reduced; }
};

LimiterHeights heightsFor(const LimiterPicture &picture, const Scale &scale, double rowHeight);

/// Draws one limiter, or a defect over its correct twin. Nothing is drawn outside of the row, since not every paint device can clip.
class LimiterRowPainter
{
public:
    /// @param place of the whole row. @param area where time runs in it.
    LimiterRowPainter(QPainter &painter, const LimiterPicture &picture, const LimiterHeights &heights, const Scale &scale, const QRectF &place, const QRectF &area,
        const LimiterRow &row);

    void draw();

    /// Where bars stand in a row, pixels.
    static double baseOf(const QRectF &place, const LimiterHeights &heights);
    /// How wide the column of names is for these rows, and that of figures; pixels.
    static double namesWidth(const LimiterPicture &picture, double width);
    static double figuresWidth(const LimiterPicture &picture, double width);

private:
    enum class Style { Plain, Correct, Defect };

    void drawName();
    void drawFigures();
    void drawEdges();
    void drawBars();
    void drawOutline(const DecisionSeries &series, Style style);
    void drawFailed(const std::vector<DecisionBin> &bins);
    void drawLimit();
    void drawLevel();
    void drawTrailing(const DecisionSeries &series, Style style);
    template<typename YOf, typename IsShown>
    void drawThrough(const std::vector<LineColumn> &columns, const QPen &pen, YOf yOf, IsShown isShown);
    void drawExcess();
    void drawDifference();

    std::vector<DecisionBin> binsOf(const DecisionSeries &series) const;
    double binX(size_t bin) const; ///< its left edge, within the area
    QPen lineOf(Style style, const QColor &color) const;
    /// Up to where the run has come, in columns of pixels.
    size_t columns() const;
    bool isCrowded() const; ///< many decisions in view for so many columns
    bool exceeds() const; ///< above the limit, which a defect's correct twin keeps

    QPainter &m_painter;
    const LimiterPicture &m_picture;
    const Theme &m_theme;
    const LimiterHeights &m_heights;
    Scale m_scale;
    QRectF m_place;
    QRectF m_area;
    LimiterRow m_row;
    const DecisionSeries &m_series;
    double m_base;
    qint64 m_firstBin = 0; ///< its number, counted from time 0
    size_t m_bins = 0;
};

/// Explains what occurs in the picture.
QList<LegendEntry> limiterLegend(const LimiterPicture &picture, const LimiterHeights &heights);

/// The colours of answers: never alone, see the shapes.
inline QColor admittedColor(const Theme &theme) { return theme.owner(0); }
inline QColor rejectedColor(const Theme &theme) { return theme.owner(1); }
inline QColor levelColor(const Theme &theme) { return theme.owner(2); }

}
