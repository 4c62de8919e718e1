// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <optional>
#include <vector>

namespace interlock {

/// What waiting for one lock cost one client.
struct LaneWaits
{
    Name lane = 0;
    Name key = 0;
    std::vector<qint64> waits; ///< ns from wanting the lock to its grant, ascending; one for each acquisition
    qint64 attempts = 0; ///< tries of these acquisitions, granted ones included
    qint64 commands = 0; ///< commands that the client sent meanwhile, whatever they were for
    qint64 gaveUp = 0; ///< times that it stopped waiting without a grant

    qint64 acquisitions() const { return qint64(waits.size()); }
    qint64 total() const; ///< ns waited for all acquisitions
    bool operator==(const LaneWaits &) const = default;
};

/// Of all clients that wanted a lock, by lock and then in the order in which they first wanted it. Waiting that neither a
/// grant nor giving up has ended counts for nothing. Takes time in proportion to the events.
std::vector<LaneWaits> waitsOf(const Run &run);

/// The waits of all these lanes together, ascending.
std::vector<qint64> allWaits(const std::vector<LaneWaits> &lanes);

/// The smallest value that at least @p percent of the values do not exceed (nearest rank). @p sorted ascending, @p percent in (0, 100].
std::optional<qint64> percentile(const std::vector<qint64> &sorted, int percent);

/// Jain's fairness index, (Σx)² / (n Σx²): 1 if all have the same, 1/n if one has everything. None for no values or only zeros.
/// R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination, DEC-TR-301, 1984.
std::optional<double> fairness(const std::vector<double> &values);
/// Of the numbers of acquisitions.
std::optional<double> fairnessOfAcquisitions(const std::vector<LaneWaits> &lanes);
/// Of the mean waits of the lanes that acquired the lock.
std::optional<double> fairnessOfWaits(const std::vector<LaneWaits> &lanes);

}
