// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/admissions.h"

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

/// The difference of two times of any size; below 0 never.
quint64 gap(qint64 from, qint64 to)
{
    return to > from ? quint64(to) - quint64(from) : 0;
}

}

Wide TrailingSum::add(qint64 time, qint64 cost)
{
    while (!m_entries.empty() && gap(m_entries.front().time, time) >= quint64(m_window)) {
        m_sum -= m_entries.front().cost;
        m_entries.pop_front();
    }
    m_entries.push_back({time, cost, m_calls++});
    m_sum += cost;
    return m_sum;
}

std::optional<TrailingMost> trailingMost(std::span<const qint64> times, std::span<const qint64> costs, qint64 window)
{
    Q_ASSERT(times.size() == costs.size() && window > 0);
    std::optional<TrailingMost> most;
    TrailingSum trailing(window);
    for (size_t i = 0; i < times.size(); ++i) {
        const qint64 sum = narrowed(trailing.add(times[i], costs[i]));
        if (!most || sum > most->most)
            most = TrailingMost {sum, trailing.first(), i};
    }
    return most;
}

std::optional<Evenness> evenness(std::span<const qint64> times)
{
    if (times.size() < 3 || times.front() == times.back())
        return {};
    Evenness result;
    result.shortest = times[1] - times[0];
    const double count = double(times.size() - 1);
    result.mean = double(times.back() - times.front()) / count;
    double squares = 0;
    for (size_t i = 1; i < times.size(); ++i) {
        const qint64 each = times[i] - times[i - 1];
        result.shortest = std::min(result.shortest, each);
        result.longest = std::max(result.longest, each);
        squares += (double(each) - result.mean) * (double(each) - result.mean);
    }
    result.variation = std::sqrt(squares / count) / result.mean;
    return result;
}

}
