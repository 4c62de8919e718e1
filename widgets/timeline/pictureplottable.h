// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace interlock {

/// What draws everything of a plot but axes and grids, beside the axes too. No axis takes its range from it, and nothing in it is selected by
/// QCustomPlot itself.
class PicturePlottable : public QCPAbstractPlottable
{
public:
    explicit PicturePlottable(QCustomPlot &plot)
        : QCPAbstractPlottable(plot.xAxis, plot.yAxis)
    {
    }
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override { found = false; return {}; }
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override { found = false; return {}; }

protected:
    void drawLegendIcon(QCPPainter *, const QRectF &) const override { }
    QRect clipRect() const override { return mParentPlot->viewport(); }
};

}
