// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineview.h"

#include "widgets/runmodel.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/spans.h"

#include <QVBoxLayout>

namespace interlock {

class TimelineView::Impl : public QObject
{
public:
    Impl(RunModel &model, TimelineView &view);

    void reset();
    void grow();

    RunModel &m_model;
    TimelinePlot *m_plot;
    Spans m_spans;
};

TimelineView::Impl::Impl(RunModel &model, TimelineView &view)
    : QObject(&view)
    , m_model(model)
    , m_plot(new TimelinePlot(&view))
{
    auto *layout = new QVBoxLayout(&view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    connect(&model, &RunModel::reset, this, &Impl::reset);
    connect(&model, &RunModel::grown, this, &Impl::grow);
    reset();
}

void TimelineView::Impl::reset()
{
    m_spans.clear();
    m_spans.extend(m_model.run());
    m_plot->setRun(&m_model.run(), &m_spans);
    grow();
}

void TimelineView::Impl::grow()
{
    m_spans.extend(m_model.run());
    m_plot->setNow(m_model.now());
    m_plot->layOut(m_plot->size());
    m_plot->setScale(m_plot->scale().showing(0, static_cast<double>(m_model.now()), 0.02));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

TimelineView::TimelineView(RunModel &model, QWidget *parent)
    : QWidget(parent)
    , m_impl(new Impl(model, *this))
{
}

void TimelineView::setTheme(const Theme &theme)
{
    m_impl->m_plot->setTheme(theme);
    m_impl->m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QList<QAction *> TimelineView::viewActions() const
{
    return actions();
}

}
