// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/groupstate.h"

#include <map>

namespace interlock {

/// The state of a run's group at any time, from the record alone. Can be extended while the run grows: what tells of the group is found
/// once, and states are kept at intervals, so that asking for any time is quick in a long run, too.
class GroupHistory
{
public:
    void clear() { *this = {}; }
    /// Takes events that it has not yet taken; they may come out of order. Precondition: the same run as before, grown.
    void extend(const Run &run);

    bool hasGroup() const { return m_hasGroup; }
    const GroupNodes &nodes() const { return m_nodes; }
    /// With all events up to @p time (ns), itself included. Precondition: the run that was taken.
    GroupState at(const Run &run, qint64 time) const;
    /// What tells of the group, by its index in the run, in order of time. Whole faults stand where they began.
    const std::vector<size_t> &events() const { return m_events; }
    /// The lane of the client that used this token; 0 if none did.
    Name clientOf(Name token) const;

private:
    static constexpr size_t interval = 256; // events between two states that are kept

    void keepStates(const Run &run);

    bool m_hasGroup = false;
    GroupNodes m_nodes;
    GroupState m_start;
    size_t m_taken = 0;
    std::vector<size_t> m_events;
    std::vector<GroupState> m_states; // the i-th is that after (i + 1) × interval events
    std::map<Name, Name> m_clientOfToken;
};

}
