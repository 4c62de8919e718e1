// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/groupnodes.h"

#include <algorithm>

namespace interlock {

GroupNodes::GroupNodes(const Header &header)
{
    for (qsizetype i = 0; i < header.nodes.size(); ++i) {
        const NodeInfo &node = header.nodes[i];
        m_names.emplace(node.name.toUtf8(), static_cast<int>(i));
        if (!node.address.isEmpty())
            m_addresses.emplace(node.address.toUtf8(), static_cast<int>(i));
    }
}

int GroupNodes::find(const Run &run, Name name) const
{
    if (name == 0)
        return -1;
    if (name >= m_found.size())
        m_found.resize(std::max<size_t>(run.names.size(), size_t(name) + 1), unasked);
    if (m_found[name] == unasked)
        m_found[name] = find(run.names.bytes(name));
    return m_found[name];
}

int GroupNodes::find(const QByteArray &name) const
{
    const auto found = m_names.find(name);
    return found == m_names.end() ? -1 : found->second;
}

int GroupNodes::at(const QByteArray &host, const QByteArray &port) const
{
    const auto found = m_addresses.find(host + ':' + port);
    return found == m_addresses.end() ? -1 : found->second;
}

}
