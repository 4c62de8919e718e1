// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/serverroles.h"

#include "engine/checks/sentences.h"

namespace interlock {

ServerRoles::ServerRoles(const Run &run)
    : m_run(run)
{
    Name primary = 0;
    for (const NodeInfo &node : run.header.nodes) {
        const Name name = run.names.find(node.name.toUtf8());
        if (name && node.role == QLatin1String("primary"))
            m_servers[primary = name].isPrimary = true;
        else if (name && node.role == QLatin1String("replica"))
            m_servers[name];
    }
    for (auto &[name, server] : m_servers) {
        if (!server.isPrimary)
            server.follows = primary;
    }
}

void ServerRoles::read(const Event &event)
{
    if (event.kind != Event::Kind::Node)
        return;
    const auto what = static_cast<NodeChange>(event.what);
    if (what == NodeChange::RoleChanged) {
        changeRole(event);
        return;
    }
    const auto found = m_servers.find(event.lane);
    if (found == m_servers.end())
        return;
    ServerRole &server = found->second;
    switch (what) {
    case NodeChange::Started:
    case NodeChange::Ready:
        server.isRunning = true;
        server.isPaused = false;
        break;
    case NodeChange::Killed:
    case NodeChange::Ended:
        server.isRunning = false;
        break;
    case NodeChange::Paused:
        server.isPaused = true;
        break;
    case NodeChange::Resumed:
        server.isPaused = false;
        break;
    case NodeChange::Linked:
    case NodeChange::Synced:
        if (!server.isPrimary && event.node)
            server.follows = event.node;
        break;
    default:
        break;
    }
}

void ServerRoles::changeRole(const Event &event)
{
    const QByteArray &role = m_run.names.bytes(event.text);
    if (role == "primary") {
        ServerRole &server = m_servers[event.lane];
        if (!server.isPrimary)
            server.since = event.at;
        server.isPrimary = true;
        server.follows = 0;
    } else if (role == "replica") {
        ServerRole &server = m_servers[event.lane];
        server.isPrimary = false;
        server.follows = event.node;
    }
}

const ServerRole *ServerRoles::find(Name server) const
{
    const auto found = m_servers.find(server);
    return found == m_servers.end() ? nullptr : &found->second;
}

std::vector<Name> ServerRoles::primaries() const
{
    std::vector<Name> acting;
    for (const auto &[name, server] : m_servers) {
        if (server.isPrimary && server.isRunning && !server.isPaused)
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
    for (const auto &[name, server] : m_servers) {
        const bool isAway = !server.isRunning || server.isPaused || server.isPrimary;
        if (!isAway && server.follows != acting.front())
            return say("group.follows", m_run.text(name), m_run.text(acting.front()));
    }
    return {};
}

}
