// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/wide.h"

#include <deque>
#include <optional>
#include <span>

namespace interlock {

/// What came within the last window: (t − window, t], so that an entry exactly one window old is gone. Times in any unit, costs
/// at least 0.
class TrailingSum
{
public:
    /// @p window at least 1, in the unit of the times.
    explicit TrailingSum(qint64 window)
        : m_window(window)
    {
    }

    /// Moves to @p time, which is not before the last one, and adds a cost there. The sum in the window that ends there.
    Wide add(qint64 time, qint64 cost);
    Wide sum() const { return m_sum; }
    /// Index of the first call of add() whose cost is still in the window. Precondition: there is one.
    size_t first() const { return m_entries.front().index; }

private:
    struct Entry
    {
        qint64 time = 0;
        qint64 cost = 0;
        size_t index = 0;
    };

    qint64 m_window;
    Wide m_sum = 0;
    size_t m_calls = 0;
    std::deque<Entry> m_entries;
};

/// A window and what was admitted in it.
struct TrailingMost
{
    qint64 most = 0;
    size_t first = 0; ///< index of the first that is in it
    size_t last = 0; ///< and of the last, at whose time the window ends

    bool operator==(const TrailingMost &) const = default;
};

/// The most that any trailing window holds, in time proportional to the number of entries; the earliest if several hold as much.
/// @p times ascending, @p costs as many, @p window at least 1 in the unit of the times. Nothing for no entries.
std::optional<TrailingMost> trailingMost(std::span<const qint64> times, std::span<const qint64> costs, qint64 window);

/// How evenly entries are spread, by the gaps between neighbours.
struct Evenness
{
    qint64 shortest = 0; ///< gap, in the unit of the times
    qint64 longest = 0;
    double mean = 0;
    double variation = 0; ///< standard deviation ÷ mean: 0 for equal gaps, 1 as by chance, above for bursts

    bool operator==(const Evenness &) const = default;
};

/// @p times ascending. Nothing for fewer than three, or if all are equal.
std::optional<Evenness> evenness(std::span<const qint64> times);

}
