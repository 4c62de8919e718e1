// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeplot.h"

#include <algorithm>

namespace interlock {

TimePlot::TimePlot(QWidget *parent)
    : QCustomPlot(parent)
{
}

Scale TimePlot::scale() const
{
    return {.begin = xAxis->range().lower, .length = xAxis->range().size(), .width = std::max(1.0, rowsArea().width())};
}

void TimePlot::setScale(const Scale &scale)
{
    xAxis->setRange(scale.begin, scale.end());
}

void TimePlot::setScrolled(double pixels)
{
    m_scrolled = std::clamp(pixels, 0.0, std::max(0.0, rowsHeight() - rowsArea().height()));
}

void TimePlot::resizeEvent(QResizeEvent *event)
{
    layOut(event->size());
    QCustomPlot::resizeEvent(event);
}

}
