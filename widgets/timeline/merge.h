// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/scale.h"
#include "widgets/timeline/spans.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace interlock {

/// Walks over what is visible of sorted spans or marks so that the work depends on the pixels, not on the number of events:
/// what lies wholly inside one column of pixels is stepped over by a galloping search, and neighbouring columns
/// of one style become one run.

namespace detail {

/// The first element from @p from on for which @p isBefore is false; quick when it is near. Precondition: partitioned.
template<typename Iterator, typename IsBefore>
Iterator gallop(Iterator from, Iterator last, IsBefore isBefore)
{
    typename std::iterator_traits<Iterator>::difference_type step = 1;
    Iterator low = from;
    while (last - low > step && isBefore(*(low + step))) {
        low += step;
        step *= 2;
    }
    return std::partition_point(low, std::min(last, low + step + 1), isBefore);
}

}

/// A run of pixel columns, [first, last] inclusive, in the scale's pixels.
struct Columns
{
    int first = 0;
    int last = 0;
};

/// @param now ends what has no end yet.
/// @param style of a span that is narrower than a pixel: int (const Span &); runs are made of equal styles.
/// @param wide called with (const Span &, left, right): pixels, not cut at the edges of the view.
/// @param run called with (Columns, style).
template<typename Style, typename Wide, typename Run>
void walkSpans(const std::vector<Span> &spans, const Scale &scale, qint64 now, Style style, Wide wide, Run run)
{
    const auto endOf = [now](const Span &span) { return span.end == never ? std::max(now, span.begin) : span.end; };
    const double viewEnd = scale.end();
    const double viewBegin = scale.begin;
    auto span = std::partition_point(spans.begin(), spans.end(),
        [&](const Span &each) { return static_cast<double>(endOf(each)) < viewBegin; });
    Columns columns;
    int styleOfRun = -1;
    const auto flush = [&] {
        if (styleOfRun >= 0)
            run(columns, styleOfRun);
        styleOfRun = -1;
    };
    while (span != spans.end() && static_cast<double>(span->begin) <= viewEnd) {
        const double left = scale.toPixel(static_cast<double>(span->begin));
        const double right = scale.toPixel(static_cast<double>(endOf(*span)));
        const int column = static_cast<int>(std::floor(left));
        const int styleOfSpan = style(*span);
        if (right - left >= 1) {
            flush();
            wide(*span, left, right);
            ++span;
            continue;
        }
        const int lastColumn = std::max(column, static_cast<int>(std::ceil(right)) - 1);
        if (styleOfRun == styleOfSpan && column <= columns.last + 1) {
            columns.last = std::max(columns.last, lastColumn);
        } else {
            flush();
            columns = {column, lastColumn};
            styleOfRun = styleOfSpan;
        }
        // All that ends within the columns already covered is covered.
        const double covered = scale.toTime(columns.last + 1);
        span = detail::gallop(std::next(span), spans.end(), [&](const Span &each) { return static_cast<double>(endOf(each)) <= covered; });
    }
    flush();
}

/// @param apart pixels that a mark needs for its shape; marks closer to a neighbour than that are only columns.
/// @param single called with (const Mark &, x).
/// @param run called with (Columns, const Mark &first) for marks that stand close together.
template<typename Single, typename Run>
void walkMarks(const std::vector<Mark> &marks, const Scale &scale, double apart, Single single, Run run)
{
    auto mark = std::partition_point(marks.begin(), marks.end(), [&](const Mark &each) { return static_cast<double>(each.at) < scale.begin; });
    const auto pixel = [&scale](const Mark &each) { return scale.toPixel(static_cast<double>(each.at)); };
    double previous = mark == marks.begin() ? -1e9 : pixel(*std::prev(mark));
    Columns columns;
    const Mark *first = nullptr; // of the run that is going on
    const auto flush = [&] {
        if (first)
            run(columns, *first);
        first = nullptr;
    };
    while (mark != marks.end() && static_cast<double>(mark->at) <= scale.end()) {
        const double x = pixel(*mark);
        const auto following = std::next(mark);
        const bool isLonely = x - previous >= apart && (following == marks.end() || pixel(*following) - x >= apart);
        if (isLonely) {
            flush();
            single(*mark, x);
            previous = x;
            mark = following;
            continue;
        }
        const int column = static_cast<int>(std::floor(x));
        if (first && column <= columns.last + 1) {
            columns.last = column;
        } else {
            flush();
            columns = {column, column};
            first = &*mark;
        }
        const double covered = scale.toTime(column + 1);
        mark = detail::gallop(following, marks.end(), [&](const Mark &each) { return static_cast<double>(each.at) < covered; });
        previous = pixel(*std::prev(mark));
    }
    flush();
}

}
