// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterimpl.h"
#include "widgets/limiters/why.h"

#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace interlock {

void LimiterView::Impl::addActions()
{
    addMoves();
    addAction("rowUp", LimiterView::tr("Same Request in the Row Above"), {Qt::Key_Up}, &Impl::rowUp);
    addAction("rowDown", LimiterView::tr("Same Request in the Row Below"), {Qt::Key_Down}, &Impl::rowDown);
    addAction("previous", LimiterView::tr("Previous Request"), {Qt::Key_Comma}, &Impl::previousRequest);
    addAction("next", LimiterView::tr("Next Request"), {Qt::Key_Period}, &Impl::nextRequest);
    m_excess = addAction("excess", LimiterView::tr("First Above the Limit"), {Qt::Key_V}, &Impl::firstExcess);
    addAction("compare", LimiterView::tr("Choose Limiters"), {Qt::Key_C}, &Impl::chooseLimiters);
    addMarks();
}

void LimiterView::Impl::chooseLimiters()
{
    m_compare->showMenu();
}

void LimiterView::Impl::toggle(const QString &limiter, bool isShown)
{
    if (isShown)
        m_hidden.removeAll(limiter);
    else if (!m_hidden.contains(limiter))
        m_hidden.append(limiter);
    setHidden(m_hidden);
    Q_EMIT m_view.hiddenChanged(m_hidden);
}

void LimiterView::Impl::showAll()
{
    for (const DecisionSeries &series : m_record.series())
        m_hidden.removeAll(series.info().name);
    setHidden(m_hidden);
    Q_EMIT m_view.hiddenChanged(m_hidden);
}

std::optional<LimiterRecord::Place> LimiterView::Impl::selectedPlace() const
{
    if (m_building.isActive() || !m_model.selected())
        return {};
    return m_record.find(*m_shown, *m_model.selected());
}

void LimiterView::Impl::select(LimiterRecord::Place place)
{
    m_model.select(m_record.series()[place.series].points()[place.point].event);
    for (size_t i = 0; i < m_plot->picture().rows.size(); ++i) {
        const LimiterRow &row = m_plot->picture().rows[i];
        if (row.series != place.series && row.twin != place.series)
            continue;
        const QRectF where = m_plot->placeOf(i);
        if (where.top() < m_plot->rowsArea().top() || where.bottom() > m_plot->rowsArea().bottom())
            m_scrollBar->setValue(static_cast<int>(static_cast<double>(i) * m_plot->rowHeight()));
    }
}

/// Above the base line the admitted ones are meant, below it the others: they stand there.
std::optional<LimiterRecord::Place> LimiterView::Impl::placeAt(const QPointF &at) const
{
    const std::optional<size_t> index = m_plot->rowAt(at.y());
    if (!index || m_building.isActive())
        return {};
    const LimiterRow row = m_plot->picture().rows[*index];
    const LimiterHeights heights = m_plot->heights();
    const double base = LimiterRowPainter::baseOf(m_plot->placeOf(*index), heights);
    const bool isBelow = at.y() > base;
    const DecisionSeries &series = m_record.series()[row.series];
    const qint64 time = timeAt(at), reach = std::max(tolerance(), heights.step);
    std::optional<size_t> point = series.nearest(time, reach, isBelow ? LimiterAnswer::Rejected : LimiterAnswer::Admitted);
    if (!point)
        point = series.nearest(time, reach);
    return point ? std::optional(LimiterRecord::Place {row.series, *point}) : std::nullopt;
}

void LimiterView::Impl::click(const QPointF &at)
{
    if (const std::optional<LimiterRecord::Place> place = placeAt(at))
        select(*place);
    else
        m_model.select({});
}

QString LimiterView::Impl::describeAt(const QPointF &at) const
{
    const std::optional<LimiterRecord::Place> place = placeAt(at);
    return place ? why(*place) : QString();
}

void LimiterView::Impl::clear()
{
    m_model.select({});
    TimeControl::clear();
}

void LimiterView::Impl::step(int direction)
{
    const std::vector<LimiterRow> &rows = m_plot->picture().rows;
    if (rows.empty() || m_building.isActive())
        return;
    if (const std::optional<LimiterRecord::Place> place = selectedPlace()) {
        const size_t count = m_record.series()[place->series].points().size();
        const bool isAtEnd = direction < 0 ? place->point == 0 : place->point + 1 >= count;
        if (!isAtEnd)
            select({place->series, direction < 0 ? place->point - 1 : place->point + 1});
        return;
    }
    // None yet: the first or the last that is in view.
    const std::vector<DecisionPoint> &points = m_record.series()[rows.front().series].points();
    const double edge = direction > 0 ? m_navigator.scale().begin : m_navigator.scale().end();
    const auto after = std::partition_point(points.begin(), points.end(), [edge](const DecisionPoint &point) { return static_cast<double>(point.time) < edge; });
    const auto index = static_cast<size_t>(after - points.begin());
    if (!points.empty())
        select({rows.front().series, direction > 0 ? std::min(index, points.size() - 1) : (index > 0 ? index - 1 : 0)});
}

/// The same request as another limiter saw it; where that is not known, the one nearest in time.
void LimiterView::Impl::stepRow(int direction)
{
    const std::optional<LimiterRecord::Place> place = selectedPlace();
    if (!place)
        return step(1);
    std::vector<size_t> order; // of all limiters that are seen, from the top
    for (const LimiterRow &row : m_plot->picture().rows) {
        order.push_back(row.series);
        if (row.twin)
            order.push_back(*row.twin);
    }
    const auto here = std::find(order.begin(), order.end(), place->series) - order.begin();
    const auto there = here + direction;
    if (there < 0 || there >= static_cast<std::ptrdiff_t>(order.size()))
        return;
    const size_t series = order[static_cast<size_t>(there)];
    if (const std::optional<LimiterRecord::Place> same = m_record.sameRequest(*m_shown, *place, series))
        return select(*same);
    const qint64 time = m_record.series()[place->series].points()[place->point].time;
    if (const std::optional<size_t> point = m_record.series()[series].nearest(time, m_plot->picture().now))
        select({series, *point});
}

/// The first admission in any row that took a window beyond the limit.
void LimiterView::Impl::firstExcess()
{
    const AdmissionTrail::Entry *first = nullptr;
    for (const LimiterRow &row : m_plot->picture().rows) {
        const AdmissionTrail *trail = m_record.series()[row.series].busiest();
        if (trail && trail->firstOver() && (!first || trail->firstOver()->time < first->time))
            first = trail->firstOver();
    }
    if (first)
        m_model.select(first->event);
    else
        say(LimiterView::tr("No limiter admitted more than its limit in any window."));
}

}
