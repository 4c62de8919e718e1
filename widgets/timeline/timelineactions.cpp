// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineimpl.h"

#include "widgets/timeline/guilt.h"

#include <QAction>

#include <algorithm>

namespace interlock {

QAction *TimelineView::Impl::addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (Impl::*what)())
{
    auto *action = new QAction(text, &m_view);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    // Letters and arrows mean other things in tables and fields.
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, what);
    m_view.addAction(action);
    return action;
}

void TimelineView::Impl::addActions()
{
    addAction("zoomIn", TimelineView::tr("Zoom In"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, &Impl::zoomIn);
    addAction("zoomOut", TimelineView::tr("Zoom Out"), {Qt::Key_S, Qt::Key_Minus}, &Impl::zoomOut);
    addAction("earlier", TimelineView::tr("Earlier"), {Qt::Key_A, Qt::Key_Left}, &Impl::panLeft);
    addAction("later", TimelineView::tr("Later"), {Qt::Key_D, Qt::Key_Right}, &Impl::panRight);
    addAction("lanesUp", TimelineView::tr("Lanes Up"), {Qt::Key_Up}, &Impl::lanesUp);
    addAction("lanesDown", TimelineView::tr("Lanes Down"), {Qt::Key_Down}, &Impl::lanesDown);
    addAction("start", TimelineView::tr("Go to Start"), {Qt::Key_Home}, &Impl::goToStart);
    addAction("end", TimelineView::tr("Go to End"), {Qt::Key_End}, &Impl::goToEnd);
    addAction("focus", TimelineView::tr("Focus Selection"), {Qt::Key_F}, &Impl::focusSelection);
    addAction("fit", TimelineView::tr("Show Whole Run"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, &Impl::fit);
    addAction("back", TimelineView::tr("Back to Last View"), {Qt::Key_Backspace}, &Impl::goBack);
    addAction("previous", TimelineView::tr("Previous Event"), {Qt::Key_Comma}, &Impl::previousEvent);
    addAction("next", TimelineView::tr("Next Event"), {Qt::Key_Period}, &Impl::nextEvent);
    m_violation = addAction("violation", TimelineView::tr("First Violation"), {Qt::Key_V}, &Impl::firstViolation);
    addAction("mark", TimelineView::tr("Set Mark"), {Qt::Key_M}, &Impl::setMark);
    addAction("clear", TimelineView::tr("Clear Marks and Selection"), {Qt::Key_Escape}, &Impl::clear);
    m_follow = addAction("follow", TimelineView::tr("Follow"), {Qt::Key_L}, &Impl::toggleFollow);
    m_follow->setCheckable(true);
}

void TimelineView::Impl::zoomAtFocus(double factor)
{
    // At the pointer if it is here, else at the selection, else in the middle.
    double pixel = m_navigator.scale().width / 2;
    if (m_overlay->hairline)
        pixel = m_navigator.scale().toPixel(static_cast<double>(*m_overlay->hairline));
    else if (m_overlay->selected)
        pixel = m_navigator.scale().toPixel(static_cast<double>(m_overlay->selected->begin));
    if (pixel < 0 || pixel > m_navigator.scale().width)
        pixel = m_navigator.scale().width / 2;
    move([&] { m_navigator.zoom(pixel, factor); });
}

void TimelineView::Impl::focusSelection()
{
    if (m_isFocused || !m_overlay->selected)
        return fit();
    double begin = static_cast<double>(m_overlay->selected->begin);
    double end = static_cast<double>(m_overlay->selected->end);
    if (end <= begin) { // a moment has no length: come closer
        const double length = m_navigator.scale().length / 10;
        begin -= length / 2;
        end = begin + length;
    }
    move([&] { m_navigator.show(begin, end); });
    m_isFocused = true;
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

void TimelineView::Impl::setMark()
{
    if (m_overlay->hairline)
        m_overlay->marks.push_back(*m_overlay->hairline);
    else if (m_overlay->selected)
        m_overlay->marks.push_back(m_overlay->selected->begin);
    m_overlay->redraw();
}

void TimelineView::Impl::clear()
{
    m_overlay->marks.clear();
    m_overlay->measured.reset();
    m_plot->setLit({});
    m_model.select({});
    Q_EMIT m_view.pointed(QString());
    redraw();
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

void TimelineView::Impl::toggleFollow()
{
    m_navigator.setFollowing(m_follow->isChecked());
    redraw();
}

}
