// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/spans.h"

#include <algorithm>

/// How a row's layers of spans and marks grow, for the .cpp files of Spans.
namespace interlock::spanlayers {

/// @return its index.
inline size_t insert(std::vector<Mark> &marks, const Mark &mark)
{
    auto place = marks.end();
    while (place != marks.begin() && std::prev(place)->at > mark.at)
        --place;
    return static_cast<size_t>(marks.insert(place, mark) - marks.begin());
}

inline void addMark(LaneRow &row, const Mark &mark)
{
    row.blocks.marks.forget(insert(row.marks, mark));
}

inline void addCommand(LaneRow &row, const Mark &mark)
{
    row.blocks.commands.forget(insert(row.commands, mark));
}

inline Span *open(std::vector<Span> &spans)
{
    return !spans.empty() && spans.back().end == never ? &spans.back() : nullptr;
}

inline void close(std::vector<Span> &spans, qint64 at)
{
    if (Span *span = open(spans))
        span->end = std::max(span->begin, at);
}

/// Begins a span at the end of its layer; one that is still open there ends.
inline Span &begin(std::vector<Span> &spans, Span::Kind kind, const Event &event, quint32 index)
{
    close(spans, event.at);
    const qint64 earliest = spans.empty() ? event.at : std::max(event.at, spans.back().end);
    spans.push_back({.begin = earliest, .token = event.text, .event = index, .kind = kind});
    return spans.back();
}

/// Whether this is what an actor or a fault says of a death.
inline bool isDeath(const QByteArray &text)
{
    return text == "died" || text == "crash" || text == "crashed" || text == "kill" || text == "killed";
}

}
