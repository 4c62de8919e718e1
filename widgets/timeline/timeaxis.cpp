// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeaxis.h"

#include "widgets/timeline/timeticker.h"

namespace interlock {

void setUpTimeAxis(QCustomPlot &plot, const Theme &theme, const qint64 &now)
{
    plot.axisRect()->setAutoMargins(QCP::msNone);
    plot.plotLayout()->setAutoMargins(QCP::msNone);
    plot.plotLayout()->setMargins({});
    plot.yAxis->setVisible(false);
    plot.xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new TimeTicker(*plot.xAxis, theme, now)));
    plot.xAxis->setBasePen(Qt::NoPen);
    plot.xAxis->setTickPen(Qt::NoPen);
    plot.xAxis->setSubTicks(false);
    plot.xAxis->grid()->setZeroLinePen(Qt::NoPen);
    plot.setNoAntialiasingOnDrag(false);
    plot.setAutoAddPlottableToLegend(false);
}

void styleTimeAxis(QCustomPlot &plot, const Theme &theme)
{
    plot.setBackground(QBrush(theme.background));
    plot.xAxis->grid()->setPen(QPen(theme.grid, 1));
    plot.xAxis->setTickLabelFont(theme.sized(0.85));
    plot.xAxis->setTickLabelColor(theme.quiet);
    plot.xAxis->setTickLabelPadding(static_cast<int>(6 * theme.scale));
}

}
