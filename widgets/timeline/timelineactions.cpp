// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineimpl.h"

#include "widgets/timeline/guilt.h"

#include <QAction>
#include <QScrollBar>

#include <algorithm>

namespace interlock {

void TimelineView::Impl::addActions()
{
    addMoves();
    addAction("lanesUp", TimelineView::tr("Lanes Up"), {Qt::Key_Up}, &Impl::lanesUp);
    addAction("lanesDown", TimelineView::tr("Lanes Down"), {Qt::Key_Down}, &Impl::lanesDown);
    addAction("previous", TimelineView::tr("Previous Event"), {Qt::Key_Comma}, &Impl::previousEvent);
    addAction("next", TimelineView::tr("Next Event"), {Qt::Key_Period}, &Impl::nextEvent);
    m_violation = addAction("violation", TimelineView::tr("First Violation"), {Qt::Key_V}, &Impl::firstViolation);
    addMarks();
}

void TimelineView::Impl::lanesUp()
{
    m_scrollBar->setValue(m_scrollBar->value() - m_scrollBar->singleStep());
}

void TimelineView::Impl::lanesDown()
{
    m_scrollBar->setValue(m_scrollBar->value() + m_scrollBar->singleStep());
}

void TimelineView::Impl::click(const QPointF &at)
{
    if (m_building.isActive())
        return; // what is seen is no longer what the model shows
    m_model.select(m_spans.eventAt(m_plot->rowAt(at.y()), timeAt(at), tolerance()));
}

QString TimelineView::Impl::describeAt(const QPointF &at) const
{
    if (m_building.isActive())
        return {};
    const std::optional<size_t> event = m_spans.eventAt(m_plot->rowAt(at.y()), timeAt(at), tolerance());
    return event ? describe(*event) : QString();
}

qint64 TimelineView::Impl::snapped(qint64 time) const
{
    return m_spans.nearestEdge(time, tolerance()).value_or(time);
}

void TimelineView::Impl::step(int direction)
{
    const std::vector<Event> &events = m_model.run().events;
    if (events.empty())
        return;
    const std::optional<size_t> selected = m_model.selected();
    if (selected) {
        const bool isAtEnd = direction < 0 ? *selected == 0 : *selected + 1 >= events.size();
        if (!isAtEnd)
            m_model.select(direction < 0 ? *selected - 1 : *selected + 1);
        return;
    }
    const double edge = direction > 0 ? m_navigator.scale().begin : m_navigator.scale().end();
    const auto after = std::partition_point(events.begin(), events.end(), [edge](const Event &event) { return static_cast<double>(event.at) < edge; });
    const auto index = static_cast<size_t>(after - events.begin());
    m_model.select(direction > 0 ? std::min(index, events.size() - 1) : (index > 0 ? index - 1 : 0));
}

void TimelineView::Impl::clear()
{
    m_plot->setLit({});
    m_model.select({});
    TimeControl::clear();
}

void TimelineView::Impl::firstViolation()
{
    const std::vector<size_t> proof = interlock::firstViolation(m_model.verdict());
    const std::vector<Event> &events = m_model.run().events;
    if (proof.empty() || proof.front() >= events.size())
        return;
    qint64 begin = events[proof.front()].at;
    qint64 end = begin;
    std::set<int> lit;
    for (const size_t index : proof) {
        if (index >= events.size())
            continue;
        begin = std::min(begin, events[index].at);
        end = std::max(end, events[index].at);
        lit.insert(m_spans.rowOf(events[index]));
    }
    // Those who worked together at that moment are lit as well.
    for (const Overlap &overlap : m_spans.overlaps()) {
        if (overlap.begin <= end && overlap.end >= begin)
            lit.insert(overlap.rows.begin(), overlap.rows.end());
    }
    lit.erase(-1);
    m_plot->setLit(std::move(lit));
    const double least = m_navigator.scale().perPixel() * 20;
    m_navigator.show(static_cast<double>(begin) - least, static_cast<double>(end) + least, 0.4);
    m_model.select(proof.front());
    redraw();
}

}
