// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/groupstate.h"
#include "engine/run/verdict.h"

#include <optional>
#include <vector>

namespace interlock {

/// Who is the primary and who replicates whom. At first as the header says, with all replicas at the one primary; then Node events
/// are read one by one.
class ServerRoles
{
public:
    explicit ServerRoles(const Run &run);

    void read(const Event &event);

    /// Null: the header has no server of that name.
    const ServerState *find(Name server) const { return m_group.server(m_nodes.find(m_run, server)); }

    /// Servers that run, are not paused and take themselves for the primary.
    std::vector<Name> primaries() const;
    /// What keeps the group from being settled, as a sentence; nothing: exactly one server acts as a primary, and every replica that
    /// runs replicates that one.
    std::optional<Sentence> unsettled() const;

private:
    Name nameOf(const ServerState &server) const;

    const Run &m_run;
    GroupNodes m_nodes;
    GroupState m_group;
};

}
