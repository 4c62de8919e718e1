// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/spans.h"

#include <algorithm>
#include <cstdlib>

namespace interlock {

namespace {

/// The layers in the order in which a click finds them, the topmost first.
std::vector<const std::vector<Span> *> layers(const LaneRow &row)
{
    return {&row.contested, &row.working, &row.holding, &row.waiting, &row.owned, &row.state};
}

/// The first span that ends after @p time.
std::vector<Span>::const_iterator endingAfter(const std::vector<Span> &spans, qint64 time)
{
    return std::partition_point(spans.begin(), spans.end(), [time](const Span &span) { return span.end <= time; });
}

/// Null if there is none.
const Mark *nearestMark(const std::vector<Mark> &marks, qint64 time)
{
    const auto after = std::partition_point(marks.begin(), marks.end(), [time](const Mark &mark) { return mark.at < time; });
    const Mark *nearest = after != marks.end() ? &*after : nullptr;
    if (after != marks.begin() && (!nearest || time - std::prev(after)->at < nearest->at - time))
        nearest = &*std::prev(after);
    return nearest;
}

class Nearest
{
public:
    Nearest(qint64 time, qint64 tolerance)
        : m_time(time)
        , m_distance(tolerance + 1)
    {
    }
    void offer(qint64 edge)
    {
        if (edge == never || std::abs(edge - m_time) >= m_distance)
            return;
        m_distance = std::abs(edge - m_time);
        m_edge = edge;
    }
    std::optional<qint64> edge() const { return m_edge; }

private:
    qint64 m_time;
    qint64 m_distance;
    std::optional<qint64> m_edge;
};

}

std::optional<qint64> Spans::nearestEdge(qint64 time, qint64 tolerance) const
{
    Nearest nearest(time, tolerance);
    for (const LaneRow &row : m_rows) {
        for (const std::vector<Span> *spans : layers(row)) {
            // Of spans in order, only the one around the time and its neighbours can be nearest.
            auto span = endingAfter(*spans, time);
            if (span != spans->begin())
                --span;
            for (int i = 0; i < 3 && span != spans->end(); ++i, ++span) {
                nearest.offer(span->begin);
                nearest.offer(span->end);
                if (span->kind == Span::Kind::Holding && span->turn < span->end)
                    nearest.offer(span->turn);
            }
        }
        for (const std::vector<Mark> *marks : {&row.marks, &row.commands}) {
            if (const Mark *mark = nearestMark(*marks, time))
                nearest.offer(mark->at);
        }
    }
    return nearest.edge();
}

std::optional<size_t> Spans::eventAt(int index, qint64 time, qint64 tolerance) const
{
    if (index < 0 || size_t(index) >= m_rows.size())
        return {};
    const LaneRow &row = m_rows[size_t(index)];
    for (const std::vector<Mark> *marks : {&row.marks, &row.commands}) {
        const Mark *mark = nearestMark(*marks, time);
        if (mark && std::abs(mark->at - time) <= tolerance)
            return mark->event;
    }
    for (const std::vector<Span> *spans : layers(row)) {
        const auto span = endingAfter(*spans, time);
        if (span != spans->end() && span->begin - tolerance <= time)
            return span->event;
    }
    return {};
}

std::pair<qint64, qint64> Spans::extentOf(const Run &run, size_t index) const
{
    const Event &event = run.events[index];
    const int place = rowOf(event);
    if (place >= 0) {
        for (const std::vector<Span> *spans : layers(m_rows[size_t(place)])) {
            auto span = std::partition_point(spans->begin(), spans->end(), [&](const Span &each) { return each.begin < event.at; });
            for (; span != spans->end() && span->begin == event.at; ++span) {
                if (span->event == index)
                    return {span->begin, span->end == never ? std::max(m_last, run.duration) : span->end};
            }
        }
    }
    if (event.kind == Event::Kind::Command && event.answered != never)
        return {event.at, event.answered};
    return {event.at, event.at};
}

}
