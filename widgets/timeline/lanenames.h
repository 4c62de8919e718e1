// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/plot.h"

namespace interlock {

/// The names of the lanes at the left, each with a quiet second line that says what it is, and the lines between lanes.
class LaneNames : public QCPLayerable
{
    Q_OBJECT

public:
    explicit LaneNames(TimelinePlot *plot);

    void setLit(std::set<int> rows)
    {
        m_lit = std::move(rows);
        forget();
    }
    /// The lanes, their places or the theme have changed: what was drawn before is no longer right.
    void forget() { m_drawn = QPixmap(); }

    /// "client", "as redis says"; where several servers show one key, the first line is the server's name and this "lock here"
    static QString secondLine(const LaneRow &row);
    static QString firstLine(const LaneRow &row);
    /// How wide the names' column is for these lanes; pixels.
    static double widthFor(const Spans &spans, const Theme &theme);

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override;

private:
    void drawNames(QPainter &painter) const;
    void drawName(QPainter &painter, const QRectF &place, const LaneRow &row, bool isLit, double &free) const;

    const TimelinePlot &m_plot;
    std::set<int> m_lit;
    QPixmap m_drawn; ///< on screens, since names seldom change but are slow to draw
};

}
