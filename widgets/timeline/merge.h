// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/blocks.h"
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

/// How many columns may be empty between neighbours that become one run all the same: none where there is air, some where a
/// lane is so crowded that each box would be a hair beside a hair.
inline int joinedColumns(size_t inView, double width)
{
    constexpr double least = 8; ///< pixels for each, else it is crowded
    constexpr int joined = 3;
    return static_cast<double>(inView) * least > width ? joined : 0;
}

namespace detail {

inline qint64 endOf(const Span &span, qint64 now)
{
    return span.end == never ? std::max(now, span.begin) : span.end;
}

/// The spans that end within the view or after it, and begin before its end.
inline auto visible(const std::vector<Span> &spans, const Scale &scale, qint64 now)
{
    const auto first = std::partition_point(spans.begin(), spans.end(),
        [&](const Span &each) { return static_cast<double>(endOf(each, now)) < scale.begin; });
    const auto last = std::partition_point(first, spans.end(),
        [&](const Span &each) { return static_cast<double>(each.begin) <= scale.end(); });
    return std::pair(first, last);
}

/// How many from @p index on are one crowd, each within so many @p pixels of the one before it and none longer. At least 1.
inline std::ptrdiff_t crowd(const Blocks *blocks, std::ptrdiff_t index, std::ptrdiff_t last, const Scale &scale, double pixels)
{
    if (!blocks || pixels <= 0)
        return 1;
    constexpr double certain = 0.999; // whatever is rounded
    const auto time = static_cast<qint64>(pixels * certain * scale.perPixel());
    const auto until = static_cast<std::ptrdiff_t>(blocks->crowdedUntil(static_cast<size_t>(index), time, time));
    return std::max<std::ptrdiff_t>(1, std::min(until, last) - index);
}

}

/// The joinedColumns() of spans whose runs do not differ in style.
inline int joinedColumns(const std::vector<Span> &spans, const Scale &scale, qint64 now)
{
    const auto [first, last] = detail::visible(spans, scale, now);
    return joinedColumns(static_cast<size_t>(last - first), scale.width);
}

/// @param now ends what has no end yet.
/// @param style of a span that is narrower than a pixel: int (const Span &); runs are made of equal styles.
/// @param wide called with (const Span &, left, right): pixels, not cut at the edges of the view.
/// @param run called with (Columns, style).
/// @param joined see joinedColumns(): boxes not wider than that are merged as well. Only for spans of one style.
/// @param blocks of these spans; null if there are none. They change nothing but the time that it takes.
template<typename Style, typename Wide, typename Run>
void walkSpans(const std::vector<Span> &spans, const Scale &scale, qint64 now, Style style, Wide wide, Run run, int joined = 0, const Blocks *blocks = nullptr)
{
    auto [span, last] = detail::visible(spans, scale, now);
    Columns columns;
    int styleOfRun = -1;
    const auto flush = [&] {
        if (styleOfRun >= 0)
            run(columns, styleOfRun);
        styleOfRun = -1;
    };
    while (span != last) {
        const double left = scale.toPixel(static_cast<double>(span->begin));
        const double right = scale.toPixel(static_cast<double>(detail::endOf(*span, now)));
        const int column = static_cast<int>(std::floor(left));
        const int styleOfSpan = style(*span);
        if (right - left >= 1 + joined) {
            flush();
            wide(*span, left, right);
            ++span;
            continue;
        }
        const int lastColumn = std::max(column, static_cast<int>(std::ceil(right)) - 1);
        if (styleOfRun == styleOfSpan && column <= columns.last + 1 + joined) {
            columns.last = std::max(columns.last, lastColumn);
        } else {
            flush();
            columns = {column, lastColumn};
            styleOfRun = styleOfSpan;
        }
        const auto reach = [&](auto until) {
            const double reached = scale.toPixel(static_cast<double>(detail::endOf(*std::prev(until), now)));
            columns.last = std::max(columns.last, static_cast<int>(std::ceil(reached)) - 1);
        };
        auto next = std::next(span);
        if (joined > 0) {
            next = span + detail::crowd(blocks, span - spans.begin(), last - spans.begin(), scale, joined);
            reach(next);
        }
        // All that ends within the columns already covered is covered; and what ends so soon after them will be joined.
        const auto covered = static_cast<qint64>(std::floor(scale.toTime(columns.last + 1 + joined)));
        next = detail::gallop(next, last, [&](const Span &each) { return detail::endOf(each, now) <= covered; });
        if (joined > 0)
            reach(next);
        span = next;
    }
    flush();
}

/// @param apart pixels that a mark needs for its shape; marks closer to a neighbour than that are only columns.
/// @param single called with (const Mark &, x).
/// @param run called with (Columns, const Mark &first) for marks that stand close together.
/// @param blocks see walkSpans().
template<typename Single, typename Run>
void walkMarks(const std::vector<Mark> &marks, const Scale &scale, double apart, Single single, Run run, const Blocks *blocks = nullptr)
{
    auto mark = std::partition_point(marks.begin(), marks.end(), [&](const Mark &each) { return static_cast<double>(each.at) < scale.begin; });
    const auto last = std::partition_point(mark, marks.end(), [&](const Mark &each) { return static_cast<double>(each.at) <= scale.end(); });
    const int joined = joinedColumns(static_cast<size_t>(last - mark), scale.width);
    const auto pixel = [&scale](const Mark &each) { return scale.toPixel(static_cast<double>(each.at)); };
    double previous = mark == marks.begin() ? -1e9 : pixel(*std::prev(mark));
    Columns columns;
    const Mark *first = nullptr; // of the run that is going on
    const auto flush = [&] {
        if (first)
            run(columns, *first);
        first = nullptr;
    };
    while (mark != last) {
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
        int column = static_cast<int>(std::floor(x));
        if (first && column <= columns.last + 1 + joined) {
            columns.last = column;
        } else {
            flush();
            columns = {column, column};
            first = &*mark;
        }
        mark += detail::crowd(blocks, mark - marks.begin(), last - marks.begin(), scale, std::min<double>(joined, apart));
        column = static_cast<int>(std::floor(pixel(*std::prev(mark))));
        const auto covered = static_cast<qint64>(std::ceil(scale.toTime(column + 1 + joined)));
        mark = detail::gallop(mark, last, [&](const Mark &each) { return each.at < covered; });
        previous = pixel(*std::prev(mark));
        columns.last = std::max(columns.last, static_cast<int>(std::floor(previous)));
    }
    flush();
}

}
