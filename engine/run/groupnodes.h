// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <map>
#include <vector>

namespace interlock {

/// The nodes of a run's header as its events name them. A node is its index in Header::nodes; -1 is none.
class GroupNodes
{
public:
    GroupNodes() = default;
    explicit GroupNodes(const Header &header);

    int count() const { return static_cast<int>(m_names.size()); }
    /// The node of this name; -1 if the header has none. Asking again is cheap.
    int find(const Run &run, Name name) const;
    int find(const QByteArray &name) const;
    /// By the address that the others know it by, "127.0.0.1" and "6401".
    int at(const QByteArray &host, const QByteArray &port) const;

private:
    static constexpr int unasked = -2;

    std::map<QByteArray, int> m_names;
    std::map<QByteArray, int> m_addresses;
    mutable std::vector<int> m_found; // by name in the run's table
};

}
