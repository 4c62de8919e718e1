// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"
#include "widgets/timeline/merge.h"
#include "widgets/timeline/scale.h"
#include "widgets/timeline/spans.h"

#include <QRectF>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

class QPainter;

namespace interlock {

class MarkStamps;

/// What all lanes of one picture share.
struct TimelinePicture
{
    const Run *run = nullptr;
    const Spans *spans = nullptr;
    Theme theme;
    qint64 now = 0; ///< ns: what has not ended is drawn up to here
    std::set<size_t> guilty; ///< events that broke the promise: their marks are vermilion
    bool overlapsBreak = true; ///< two at work are part of a breach: vermilion; else they are only told

    QColor overlapColor() const { return overlapsBreak ? theme.broken : theme.unknown; }
};

/// Draws one lane into a rectangle. Nothing is drawn outside of it, since not every paint device can clip.
class LanePainter
{
public:
    /// @param stamps null where shapes must not be pixels: in exported pictures.
    LanePainter(QPainter &painter, const TimelinePicture &picture, const Scale &scale, const QRectF &lane, int row, MarkStamps *stamps);

    void draw();

    /// Whether an actor's lane of this height has room below its bar for marks. Pixels; @p scale is the theme's.
    static bool showsMarks(double height, double scale);

    /// Where a label may stand that other lanes' drawing places here: below the bar.
    QRectF below() const;
    QRectF bar() const; ///< over the lane's whole length
    bool claim(const QRectF &label); ///< false if it would touch a label that is there
    bool hidesMark(const QRectF &label) const; ///< whether a mark below the bar of an actor's lane would lie under this label

private:
    /// How high a lane's bar is and where its middle lies, in pixels below the lane's top.
    struct Bar
    {
        double height = 0;
        double middle = 0;
    };
    static constexpr double markGap = 1.5; ///< between a bar and the marks below it, at scale 1
    static double markSize(double laneHeight, double scale) { return std::min(9 * scale, laneHeight * 0.5); }
    static Bar barIn(double laneHeight, Lane::Type type, double scale);

    /// Boxes too narrow for anything but their colour. Crowds stand for many, of which not each is drawn.
    struct Narrow
    {
        int joined = 0; ///< see joinedColumns()
        QList<QRectF> single, crowds;
    };

    void fill(const QList<QRectF> &boxes, const QColor &color);
    void fillBars(const Narrow &bars, const QColor &color);
    void drawMarkAt(Mark::Kind kind, QPointF at, double size, const QColor &color);
    int joined(const std::vector<Span> &spans) const;
    void drawPauses();
    void drawHold(const QRectF &bar, const QString &point);
    void drawWaiting();
    void drawWorking();
    void drawHolding();
    void drawContested();
    void drawPrimary();
    void drawOwned();
    void drawAbsences();
    void drawDeaths();
    void drawDeath(const Span &span);
    void drawCommands();
    void drawMarks();
    void drawCause(const Mark &mark, double x, std::vector<std::pair<QRectF, Mark>> &shapes);
    void labelCauses(const std::vector<std::pair<QRectF, Mark>> &lines);
    QColor causeColor(const Mark &mark) const;
    void drawShape(const Mark &mark, double x, std::vector<std::pair<QRectF, Mark>> &shapes);
    void drawWrite(const Mark &mark, double x, std::vector<std::pair<QRectF, Mark>> &shapes);
    void labelWrites(const std::vector<std::pair<QRectF, Mark>> &shapes);
    bool isHatchedAt(double pixel) const;
    std::pair<double, double> uncontested(qint64 begin, double left, double right) const;
    void labelHolding(const Span &span, double left, double right, double turn);
    void labelSpan(double left, double right, double height, const QStringList &texts, const QColor &color, const QFont &font, const QColor &patch = {});

    /// The part of [left, right] (scale's pixels) that is visible, over the bar's height times @p share.
    QRectF box(double left, double right, double share) const;
    QRectF column(const Columns &columns, double share) const;
    void add(Narrow &bars, const Columns &columns, double share) const;
    double x(double pixel) const { return m_lane.left() + pixel; }
    QColor colorOf(int actorRow) const;
    QString tokenText(Name token) const;
    QString causeText(const Mark &mark) const;
    QString nodeText(const Event &event) const;
    QColor ink(const QColor &owner) const; ///< the owner's colour where it must be read as text

    QPainter &m_painter;
    const TimelinePicture &m_picture;
    const Theme &m_theme;
    Scale m_scale;
    QRectF m_lane;
    const int m_place; // of the row
    const LaneRow &m_row;
    MarkStamps *m_stamps;
    double m_middle = 0; ///< of the bar
    double m_bar = 0; ///< its height
    double m_holdShare = 0; ///< of the bar's height
    QFont m_font;
    QFont m_bold;
    double m_fontLine; ///< lineHeight() of the fonts: asked for each mark
    double m_boldLine;
    std::vector<QRectF> m_labels;
    std::vector<std::pair<double, double>> m_workLabels; ///< where they may stand in working spans; drawn when holding has been drawn over those
};

}
