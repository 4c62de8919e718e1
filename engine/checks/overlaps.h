// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/event.h"

#include <optional>
#include <vector>

namespace interlock {

/// A time in which an owner had something to itself, or believed so: [from, until).
struct Interval
{
    Name owner = 0;
    Name key = 0; ///< only intervals of the same key can be in each other's way
    qint64 from = 0;
    qint64 until = never; ///< never: when it ended is not known; it counts for the moment of its beginning only
    size_t item = 0; ///< the caller's number for it
};

struct OverlappingPair
{
    size_t first = 0; ///< item of the interval that began first
    size_t second = 0;
    qint64 from = 0;
    qint64 until = never; ///< never: not known
};

struct Overlaps
{
    std::optional<OverlappingPair> first; ///< the earliest one
    qint64 count = 0; ///< how many pairs overlap, as far as is certain
};

/// Overlaps of different owners that are certain. Intervals that only touch do not overlap: [1, 3) and [3, 5). An interval
/// without an end overlaps those that were certainly going on when it began. Takes O(n log n).
Overlaps findOverlaps(const std::vector<Interval> &intervals);

}
