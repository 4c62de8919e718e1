// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace interlock {

/// Numbers and the largest of any stretch of them, which is found in some ten steps however long the stretch is: beside the
/// numbers stand the largest of each 16, of each 256, and so on.
class Peaks
{
public:
    size_t size() const { return m_levels[0].size(); }
    qint64 operator[](size_t index) const { return m_levels[0][index]; }

    void push(qint64 number)
    {
        size_t index = size();
        m_levels[0].push_back(number);
        for (size_t level = 1; level < m_levels.size(); ++level) {
            index /= fan;
            if (index < m_levels[level].size())
                m_levels[level][index] = std::max(m_levels[level][index], number);
            else
                m_levels[level].push_back(number);
        }
    }

    /// Keeps the first @p count numbers. Precondition: there are as many.
    void truncate(size_t count)
    {
        m_levels[0].resize(count);
        for (size_t level = 1; level < m_levels.size(); ++level) {
            const std::vector<qint64> &below = m_levels[level - 1];
            count = (count + fan - 1) / fan;
            m_levels[level].resize(count);
            if (count > 0)
                m_levels[level].back() = *std::max_element(below.begin() + static_cast<std::ptrdiff_t>((count - 1) * fan), below.end());
        }
    }

    /// The largest of those from @p first on, before @p last. Precondition: first < last ≤ size().
    qint64 most(size_t first, size_t last) const
    {
        qint64 most = std::numeric_limits<qint64>::min();
        for (size_t level = 0; first < last; ++level) {
            const std::vector<qint64> &numbers = m_levels[level];
            const bool isTop = level + 1 == m_levels.size();
            while (first < last && (isTop || first % fan != 0))
                most = std::max(most, numbers[first++]);
            while (first < last && last % fan != 0)
                most = std::max(most, numbers[--last]);
            first /= fan;
            last /= fan;
        }
        return most;
    }

private:
    static constexpr size_t fan = 16;
    std::array<std::vector<qint64>, 5> m_levels; // a million numbers leave 16 at the top
};

}
