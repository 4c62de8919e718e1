// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waitsview.h"

#include "widgets/runmodel.h"
#include "widgets/waitsplot.h"

namespace interlock {

WaitsView::WaitsView(const RunModel &run, QWidget *parent)
    : QScrollArea(parent)
    , m_run(run)
    , m_plot(new WaitsPlot)
{
    setAccessibleName(tr("Waits"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setWidget(m_plot);
    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &WaitsView::countAgain);
    connect(&run, &RunModel::reset, this, &WaitsView::countAgain);
    connect(&run, &RunModel::grown, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
}

void WaitsView::setTheme(const Theme &theme)
{
    m_plot->setTheme(theme);
    redraw();
}

void WaitsView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    countAgain();
}

void WaitsView::countAgain()
{
    if (!isVisible())
        return;
    m_plot->setRun(m_run.run());
    setAccessibleDescription(m_plot->summary());
    redraw();
}

void WaitsView::redraw()
{
    m_plot->setMinimumHeight(m_plot->readableHeight());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}
