// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/replicationnews.h"

namespace interlock {

namespace {
constexpr qint64 offsetInterval = 100'000'000; // ns between two offsets of one server
}

ReplicationNews::ReplicationNews(const std::vector<GroupNode> &nodes, Recorder &recorder)
    : m_recorder(recorder)
{
    for (const GroupNode &node : nodes) {
        if (node.role == NodeRole::Sentinel)
            continue;
        const Name name = recorder.intern(node.name);
        m_order.push_back(name);
        m_servers[name];
        m_names[ServerAddress {node.announced.host, node.announced.port}.shown()] = name;
    }
}

void ReplicationNews::begin()
{
    m_hasBegun = true;
    for (const Name name : m_order) {
        Server &server = m_servers[name];
        tellChanges(name, server, *server.said, 0);
        tellOffset(name, server, 0);
    }
}

void ReplicationNews::heard(Name name, const ReplicationInfo &info, qint64 asked)
{
    Server &server = m_servers[name];
    const std::optional<ReplicationInfo> before = std::exchange(server.said, info);
    if (!m_hasBegun)
        return;
    const qint64 now = m_recorder.now();
    const bool hasOtherPrimary = server.told && (server.told->isPrimary || server.told->follows != info.follows);
    tellChanges(name, server, info, now);
    followLink(name, server, before, hasOtherPrimary, now);
    tellOffset(name, server, now);
    concludeIfUpToDate(name, server);
    if (!info.isPrimary)
        return;
    for (const Name one : m_order) {
        Server &replica = m_servers[one];
        const bool isItsOwn = replica.said && nameOf(replica.said->follows) == name;
        if (isItsOwn && replica.absence && replica.absence->up <= asked && !replica.absence->given) {
            replica.absence->given = info;
            concludeIfUpToDate(one, replica);
        }
    }
}

void ReplicationNews::tellChanges(Name name, Server &server, const ReplicationInfo &info, qint64 at)
{
    const bool hasRole = server.told && server.told->isPrimary == info.isPrimary && server.told->follows == info.follows;
    const bool hasLink = hasRole && server.told->link == info.link;
    server.told = info;
    if (!hasRole) {
        Event role = event(name, NodeChange::RoleChanged, at);
        role.text = m_recorder.intern(info.isPrimary ? "primary" : "replica");
        role.node = nameOf(info.follows);
        m_recorder.record(role);
    }
    if (info.isPrimary || hasLink)
        return;
    Event link = event(name, NodeChange::Linked, at);
    link.text = m_recorder.intern(info.link);
    link.node = nameOf(info.follows);
    m_recorder.record(link);
}

void ReplicationNews::followLink(Name name, Server &server, const std::optional<ReplicationInfo> &before, bool hasOtherPrimary, qint64 at)
{
    const ReplicationInfo &info = *server.said;
    const bool isUp = !info.isPrimary && info.link == "up";
    if (server.absence && server.absence->after && (!isUp || hasOtherPrimary))
        conclude(name, server); // it was not seen up to date, and now it is away again
    if (info.isPrimary) {
        server.absence.reset();
        return;
    }
    const bool isNew = !before; // after a restart
    if (!server.absence && (!isUp || hasOtherPrimary || isNew)) {
        server.absence.emplace();
        server.absence->before = before.value_or(ReplicationInfo());
        for (const auto &[other, one] : m_servers) {
            if (one.said)
                server.absence->others[other] = *one.said;
        }
    }
    if (isUp && server.absence && !server.absence->after) {
        server.absence->after = info;
        server.absence->up = at;
    }
}

/// A link is up before what was missed has come over it.
void ReplicationNews::concludeIfUpToDate(Name name, Server &server)
{
    if (server.absence && server.absence->given && server.said->offset >= server.absence->given->offset)
        conclude(name, server);
}

void ReplicationNews::conclude(Name name, Server &server)
{
    const Absence absence = *server.absence;
    server.absence.reset();
    const Name primary = nameOf(absence.after->follows);
    std::optional<ReplicationInfo> givenBefore;
    if (const auto other = absence.others.find(primary); other != absence.others.end())
        givenBefore = other->second;
    ReplicationInfo after = *absence.after;
    if (absence.given && server.said->offset >= absence.given->offset) // what came later is not part of it
        after.received = server.said->received - (server.said->offset - absence.given->offset);
    const Synchronization done = synchronization(absence.before, after, givenBefore, absence.given);
    Event synced = event(name, NodeChange::Synced, absence.up);
    synced.text = m_recorder.intern(done.isFull ? "full" : "partial");
    synced.number = done.bytes;
    synced.node = primary;
    m_recorder.record(synced);
}

void ReplicationNews::tellOffset(Name name, Server &server, qint64 at)
{
    if (server.said->offset == server.offset || (server.offset >= 0 && at - server.offsetAt < offsetInterval))
        return;
    server.offset = server.said->offset;
    server.offsetAt = at;
    Event offset = event(name, NodeChange::Offset, at);
    offset.number = server.offset;
    m_recorder.record(offset);
}

void ReplicationNews::died(Name name)
{
    Server &server = m_servers[name];
    if (server.absence && server.absence->after)
        conclude(name, server);
    server.said.reset();
    server.absence.reset();
    server.offset = -1;
    if (server.told)
        server.told->link.clear();
}

void ReplicationNews::end()
{
    for (auto &[name, server] : m_servers) {
        if (server.absence && server.absence->after)
            conclude(name, server);
    }
}

Name ReplicationNews::nameOf(const std::optional<ServerAddress> &address) const
{
    const auto known = address ? m_names.find(address->shown()) : m_names.end();
    return known == m_names.end() ? 0 : known->second;
}

Event ReplicationNews::event(Name server, NodeChange what, qint64 at) const
{
    Event event;
    event.kind = Event::Kind::Node;
    event.what = static_cast<quint8>(what);
    event.at = at;
    event.lane = server;
    return event;
}

}
