// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <map>
#include <optional>
#include <vector>

namespace interlock {

/// A server of a group as it is at some point of the record.
struct ServerRole
{
    bool isPrimary = false; ///< otherwise a replica
    bool isRunning = true; ///< a paused one runs, but does not act
    bool isPaused = false;
    Name follows = 0; ///< replica: whom it replicates
    qint64 since = std::numeric_limits<qint64>::min(); ///< primary: when it took the role; lowest: it was told before the record began
};

/// Who is the primary and who replicates whom. At first as the header says, with all replicas at the one primary; then Node events
/// are read one by one.
class ServerRoles
{
public:
    explicit ServerRoles(const Run &run);

    void read(const Event &event);

    const std::map<Name, ServerRole> &servers() const { return m_servers; }
    const ServerRole *find(Name server) const;

    /// Servers that run, are not paused and take themselves for the primary.
    std::vector<Name> primaries() const;
    /// What keeps the group from being settled, as a sentence; nothing: exactly one server acts as a primary, and every replica that
    /// runs replicates that one.
    std::optional<Sentence> unsettled() const;

private:
    void changeRole(const Event &event);

    const Run &m_run;
    std::map<Name, ServerRole> m_servers;
};

}
