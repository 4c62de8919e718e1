// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/admissiontrail.h"

#include <algorithm>
#include <limits>

namespace interlock {

void AdmissionTrail::setBasis(const LimiterBasis &basis)
{
    m_basis = basis;
    m_most = 0;
    m_mostAt = 0;
    m_firstOver = std::numeric_limits<size_t>::max();
    countFrom(0);
}

void AdmissionTrail::admit(qint64 judged, qint64 time, qint64 cost, quint32 event)
{
    auto place = m_entries.end();
    while (place != m_entries.begin() && std::prev(place)->judged > judged) // nearly always the end
        --place;
    const auto index = static_cast<size_t>(place - m_entries.begin());
    m_entries.insert(place, Entry {judged, time, index == 0 ? 0 : m_entries[index - 1].total, 0, event});
    if (m_mostAt >= index && m_most > 0)
        ++m_mostAt;
    if (m_firstOver < m_entries.size() && m_firstOver >= index)
        ++m_firstOver;
    for (size_t i = index; i < m_entries.size(); ++i)
        m_entries[i].total += cost;
    countFrom(index);
}

void AdmissionTrail::keepPeaks()
{
    if (m_peaks)
        return;
    m_peaks = std::make_unique<Peaks>();
    for (const Entry &entry : m_entries)
        m_peaks->push(entry.trailing);
}

/// Trailing sums from an entry on; one more admission only makes those behind it larger.
void AdmissionTrail::countFrom(size_t index)
{
    if (m_peaks)
        m_peaks->truncate(index);
    for (size_t i = index; i < m_entries.size(); ++i) {
        Entry &entry = m_entries[i];
        // Half-open: what is exactly a window old is gone.
        const auto inside = std::partition_point(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(i),
            [&](const Entry &each) { return each.judged <= entry.judged - m_basis.window; });
        entry.trailing = entry.total - (inside == m_entries.begin() ? 0 : std::prev(inside)->total);
        if (m_peaks)
            m_peaks->push(entry.trailing);
        if (m_basis.window == 0)
            continue;
        if (entry.trailing > m_most || (entry.trailing == m_most && i < m_mostAt)) {
            m_most = entry.trailing;
            m_mostAt = i;
        }
        if (entry.trailing > m_basis.quota)
            m_firstOver = std::min(m_firstOver, i);
    }
}

}
