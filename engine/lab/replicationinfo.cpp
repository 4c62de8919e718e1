// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/replicationinfo.h"

#include "engine/redis/infofields.h"

namespace interlock {

namespace {

/// Of a counter that begins at 0 whenever its server is started.
qint64 increase(qint64 before, qint64 after)
{
    return after < before ? after : after - before;
}

}

ReplicationInfo ReplicationInfo::from(const QByteArray &info)
{
    const InfoFields fields(info);
    ReplicationInfo replication;
    replication.isPrimary = fields.text("role") != "slave";
    replication.offset = fields.number(replication.isPrimary ? "master_repl_offset" : "slave_repl_offset");
    replication.backlogStart = fields.number("repl_backlog_first_byte_offset");
    replication.received = fields.number("total_net_repl_input_bytes");
    replication.fullCopies = fields.number("sync_full");
    replication.increments = fields.number("sync_partial_ok");
    if (replication.isPrimary)
        return replication;
    replication.follows = ServerAddress {QString::fromUtf8(fields.text("master_host")), static_cast<quint16>(fields.number("master_port"))};
    if (fields.text("master_link_status") == "up")
        replication.link = "up";
    else
        replication.link = fields.number("master_sync_in_progress") == 1 ? "syncing" : "down";
    return replication;
}

QByteArray linkFrom(const Reply &role)
{
    if (role.elements.size() < 4 || role.elements[0].text != "slave")
        return {};
    const QByteArray &state = role.elements[3].text;
    if (state == "connected")
        return "up";
    if (state == "sync")
        return "syncing";
    return state == "connecting" || state == "handshake" ? "connecting" : "down"; // "connect": it will try again
}

Synchronization synchronization(const ReplicationInfo &before, const ReplicationInfo &after, const std::optional<ReplicationInfo> &givenBefore,
    const std::optional<ReplicationInfo> &given)
{
    Synchronization done;
    done.bytes = increase(before.received, after.received);
    const ReplicationInfo nothing;
    const qint64 copies = given ? increase(givenBefore.value_or(nothing).fullCopies, given->fullCopies) : 0;
    const qint64 increments = given ? increase(givenBefore.value_or(nothing).increments, given->increments) : 0;
    if (after.offset < before.offset)
        done.isFull = true;
    else if ((copies > 0) != (increments > 0))
        done.isFull = copies > 0;
    else
        done.isFull = after.backlogStart > before.offset;
    return done;
}

}
