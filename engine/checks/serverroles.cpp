// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/serverroles.h"

#include "engine/checks/sentences.h"
#include "engine/run/groupreader.h"

namespace interlock {

ServerRoles::ServerRoles(const Run &run)
    : m_run(run)
    , m_nodes(run.header)
    , m_group(groupAtStart(run.header))
{
}

void ServerRoles::read(const Event &event)
{
    if (event.kind == Event::Kind::Node)
        readGroupEvent(m_run, m_nodes, event, m_group);
}

/// 0: no event speaks of it.
Name ServerRoles::nameOf(const ServerState &server) const
{
    return m_run.names.find(m_run.header.nodes[server.node].name.toUtf8());
}

std::vector<Name> ServerRoles::primaries() const
{
    std::vector<Name> acting;
    for (const ServerState &server : m_group.servers) {
        const Name name = nameOf(server);
        if (name && server.isPrimary && server.isActing())
            acting.push_back(name);
    }
    return acting;
}

std::optional<Sentence> ServerRoles::unsettled() const
{
    const std::vector<Name> acting = primaries();
    if (acting.empty())
        return say("group.none");
    if (acting.size() > 1) {
        QStringList names;
        for (const Name name : acting)
            names.append(m_run.text(name));
        names.sort();
        return say("group.several", names);
    }
    const int primary = m_nodes.find(m_run, acting.front());
    for (const ServerState &server : m_group.servers) {
        const Name name = nameOf(server);
        if (name && server.isActing() && !server.isPrimary && server.follows != primary)
            return say("group.follows", m_run.text(name), m_run.text(acting.front()));
    }
    return {};
}

}
