// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/bands.h"
#include "widgets/timeline/lanepainter.h"
#include "widgets/timeline/markstamps.h"

#include <qcustomplot.h>

namespace interlock {

/// The lanes inside QCustomPlot. Time runs along the key axis, in ns; lanes are laid out in pixels.
class TimelinePlottable : public QCPAbstractPlottable
{
    Q_OBJECT

public:
    TimelinePlottable(QCPAxis *time, QCPAxis *lanes, const TimelinePicture &picture);

    void setBands(std::vector<Band> bands, double scrolled);
    void setLit(std::set<int> rows) { m_lit = std::move(rows); }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override;

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override { }

private:
    void drawGuilty(QCPPainter &painter, const Scale &scale, const QRectF &area);

    const TimelinePicture &m_picture;
    MarkStamps m_stamps;
    std::vector<Band> m_bands;
    double m_scrolled = 0;
    std::set<int> m_lit;
};

}
