// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/peaks.h"

#include <memory>

namespace interlock {

/// What a limiter is measured against, whatever its algorithm: so much in any trailing window of this length.
struct LimiterBasis
{
    qint64 window = 0; ///< µs; 0: none is known
    qint64 quota = 0; ///< cost

    bool operator==(const LimiterBasis &) const = default;
};

/// What one limiter admitted of one limited thing, in the order in which the limiter saw it, and how much that was in the
/// trailing window that ends with each. Windows are half-open, (t − T, t]: what is exactly one window old is gone.
class AdmissionTrail
{
public:
    struct Entry
    {
        qint64 judged = 0; ///< µs on the limiter's clock: windows are measured on it
        qint64 time = 0; ///< ns on the axis
        qint64 total = 0; ///< cost of all up to this one
        qint64 trailing = 0; ///< cost within the window that ends here
        quint32 event = 0;
    };

    void setBasis(const LimiterBasis &basis);
    void admit(qint64 judged, qint64 time, qint64 cost, quint32 event);

    const std::vector<Entry> &entries() const { return m_entries; }
    qint64 most() const { return m_most; }
    const Entry &mostEntry() const { return m_entries[m_mostAt]; } ///< the first that reached it. Precondition: there are entries
    /// The first admission that took the window beyond the quota.
    const Entry *firstOver() const { return m_firstOver < m_entries.size() ? &m_entries[m_firstOver] : nullptr; }

    /// From now on the largest of any stretch of trailing sums is found quickly; that takes memory, so it is asked for.
    void keepPeaks();
    const Peaks *peaks() const { return m_peaks.get(); }

private:
    void countFrom(size_t index);

    LimiterBasis m_basis;
    std::vector<Entry> m_entries;
    std::unique_ptr<Peaks> m_peaks;
    qint64 m_most = 0;
    size_t m_mostAt = 0;
    size_t m_firstOver = std::numeric_limits<size_t>::max();
};

}
