// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineview.h"

#include "widgets/eventrows.h"
#include "widgets/timeline/guilt.h"
#include "widgets/timeline/timelineimpl.h"

#include <QAction>
#include <QHBoxLayout>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace interlock {

TimelineView::Impl *TimelineView::Impl::make(RunModel &model, TimelineView &view)
{
    auto *plot = new TimelinePlot(&view);
    return new Impl(model, view, plot, new Overlay(plot), new QScrollBar(Qt::Vertical, &view));
}

TimelineView::Impl::Impl(RunModel &model, TimelineView &view, TimelinePlot *plot, Overlay *overlay, QScrollBar *scrollBar)
    : TimeControl(view, *plot, *overlay, *scrollBar)
    , m_model(model)
    , m_view(view)
    , m_plot(plot)
    , m_overlay(overlay)
    , m_scrollBar(scrollBar)
{
    auto *layout = new QHBoxLayout(&view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_scrollBar);
    m_scrollBar->setAccessibleName(TimelineView::tr("Lanes"));
    m_plot->setMinimumSize(160, 80);
    view.setAccessibleName(TimelineView::tr("Ownership timeline"));
    addActions();
    connect(&model, &RunModel::reset, this, &Impl::reset);
    connect(&model, &RunModel::grown, this, &Impl::grow);
    connect(&model, &RunModel::selectionChanged, this, &Impl::showSelection);
    m_building.setSingleShot(true);
    m_building.setInterval(0);
    connect(&m_building, &QTimer::timeout, this, &Impl::takeSome);
    reset();
}

void TimelineView::Impl::setTheme(const Theme &theme)
{
    m_plot->setTheme(theme);
    redraw();
}

void TimelineView::Impl::setHairline(std::optional<qint64> time)
{
    if (time == m_overlay->hairline)
        return;
    m_overlay->hairline = time;
    m_overlay->redraw();
}

void TimelineView::Impl::reset()
{
    if (!m_model.isContinued()) {
        m_overlay->marks.clear();
        m_overlay->measured.reset();
        m_navigator.reset(static_cast<double>(m_model.now()));
    }
    m_overlay->selected.reset();
    m_selectedTime.reset();
    m_plot->setLit({});
    m_violation->setEnabled(!interlock::firstViolation(m_model.verdict()).empty());
    m_navigator.setFollowing(m_model.isLive());
    followAction()->setEnabled(m_model.isLive());
    selectionMoved();
    m_next.clear();
    takeSome();
}

/// A long run is taken in steps, between which the window answers; until it is complete, the picture before it stays.
void TimelineView::Impl::takeSome()
{
    constexpr size_t step = 20'000; // some milliseconds
    if (m_next.extend(m_model.run(), step))
        return m_building.start();
    m_building.stop();
    m_spans = std::exchange(m_next, Spans());
    m_rows = 0;
    m_plot->setRun(&m_model.run(), &m_spans);
    m_shown = m_model.sharedRun(); // only now may the one before it go
    m_plot->setGuilty(guiltyEvents(m_model.verdict()));
    m_plot->setBroken(overlapsBreakThePromise(m_shown->header, m_model.verdict(), m_model.isLive()));
    showExtent();
}

void TimelineView::Impl::grow()
{
    if (m_building.isActive())
        return; // its next step takes this as well
    m_spans.extend(*m_shown);
    showExtent();
}

void TimelineView::Impl::showExtent()
{
    const qint64 now = std::max(m_model.now(), m_spans.last());
    m_plot->setNow(now);
    m_navigator.setEnd(static_cast<double>(now));
    if (m_rows != m_spans.rows().size()) {
        m_rows = m_spans.rows().size();
        m_plot->layOut(m_plot->size());
        placeScrollBar();
    }
    redraw();
}

void TimelineView::Impl::showSelection()
{
    m_overlay->selected.reset();
    m_selectedTime.reset();
    selectionMoved();
    if (const std::optional<size_t> event = m_model.selected()) {
        const int row = m_spans.rowOf(m_model.run().events[*event]);
        const auto [begin, end] = m_spans.extentOf(m_model.run(), *event);
        m_overlay->selected = {row, begin, end};
        m_selectedTime = {begin, end};
        m_navigator.reveal(static_cast<double>(begin));
        for (const Band &band : m_plot->bands()) {
            if (band.row != row)
                continue;
            const double page = m_plot->rowsArea().height();
            if (band.top < m_plot->scrolled() || band.top + band.height > m_plot->scrolled() + page)
                m_scrollBar->setValue(static_cast<int>(band.top + band.height / 2 - page / 2));
        }
        m_view.setAccessibleDescription(describe(*event));
        Q_EMIT m_view.pointed(describe(*event));
    }
    redraw();
}

QString TimelineView::Impl::describe(size_t index) const
{
    const EventRow row = eventRow(m_model.run(), index);
    QStringList parts {row.answer, row.note};
    parts.removeAll(QString());
    const QString what = row.who.isEmpty() ? row.command : TimelineView::tr("%1: %2").arg(row.who, row.command);
    return parts.isEmpty() ? what : TimelineView::tr("%1 (%2)").arg(what, parts.join(QStringLiteral(", ")));
}

TimelineView::TimelineView(RunModel &model, QWidget *parent)
    : QWidget(parent)
    , m_impl(Impl::make(model, *this))
{
}

void TimelineView::setTheme(const Theme &theme)
{
    m_impl->setTheme(theme);
}

void TimelineView::setHairline(std::optional<qint64> time)
{
    m_impl->setHairline(time);
}

QList<QAction *> TimelineView::viewActions() const
{
    return actions();
}

}
