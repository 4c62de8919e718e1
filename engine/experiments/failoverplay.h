// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/stage.h"
#include "engine/schedule/sentinelclient.h"

#include <QStringList>

namespace interlock {

// What experiments on failover have in common. Servers and sentinels have the names of GroupPlan; times are ns of the run. Nothing here
// sleeps: all of it waits for what the servers and the sentinels themselves tell.

/// Who is the primary at the beginning.
inline const QString firstPrimary = QStringLiteral("N1");

/// Lines of configuration: a primary refuses to write without a replica from which it has heard within the last second.
QStringList refusesWithoutReplica();

/// What a client has to know to find the primary: SentinelClient(actor, group.sentinels, group.search).
struct GroupAccess
{
    SentinelEndpoint sentinels;
    SearchOptions search;
};

/// To this run's group. Clients are patient: what ends their search is the end of the run.
GroupAccess accessTo(const Stage &stage);

/// Those of the group that run and are not stopped, as the record says: N1, N2, …; S1, S2, ….
QStringList actingServers(Stage &stage);
QStringList actingSentinels(Stage &stage);

/// Sends the command and waits for its answer. An error reply is a failure here, and the sentence names the node.
/// @param client must outlive the task.
Task<Result<Reply>> tell(Client &client, Command command);
/// The same as the director, over a connection of its own.
Task<Result<Reply>> tell(Stage &stage, QString node, Command command);

/// Cuts all replicas off from the primary, and waits until each of them has noticed.
Task<Result<void>> cutReplication(Stage &stage, QString primary);

/// Cuts this replica alone off, for as long as the primary lives, and waits until it has noticed. The primary lets nobody begin to replicate it any
/// more; whoever does already goes on. Recorded as a fault "cut-replication" between the two.
Task<Result<void>> cutReplica(Stage &stage, QString primary, QString replica);

/// Waits until all acting replicas have acknowledged all that the primary has by now, for which it writes a key of its own. Failed: not within the limit.
Task<Result<void>> replication(Stage &stage, QString primary, Milliseconds limit = 10s);

/// Waits until a server takes the primary's role at @p since or later, as it says itself, and answers its name.
/// Failed: none did within the limit. The sentence tells what each sentinel said last.
Task<Result<QString>> promotion(Stage &stage, qint64 since, Nanoseconds limit = 30s);

/// Waits until all acting sentinels have published the switch to another primary at @p since or later, and all acting servers replicate @p primary
/// with their links up. Failed: not within the limit. The sentence tells what is missing.
Task<Result<void>> settlement(Stage &stage, QString primary, qint64 since, Nanoseconds limit = 30s);

/// Reads the list on this server and records each of its entries as an Owner event, one without a text if there is none: by these the check on lost
/// writes knows what is there. Precondition: nobody writes to it any more.
Task<Result<void>> readBack(Stage &stage, QString server, QByteArray list);

/// Predicates for Stage::seen(). Events before @p since do not count.
namespace saw {
/// The server says that it is now the "primary" or a "replica". @param server empty: any
SeenStep::Fits role(const char *role, qint64 since = 0, const QString &server = {});
/// The replica's link to its primary is now "up", "down", "connecting" or "syncing". @param primary empty: any
SeenStep::Fits linked(const QString &replica, const char *state, qint64 since = 0, const QString &primary = {});
/// The replica's link to its primary is no longer up.
SeenStep::Fits unlinked(const QString &replica, qint64 since = 0);
/// The same, but what does not count are the first so many events of the record: whoever is asked shortly before a cut tells of it with that time.
SeenStep::Fits unlinkedAfter(const QString &replica, size_t events);
/// The sentinel published "+sdown", "+switch-master", …. @param sentinel empty: any
SeenStep::Fits published(const char *name, qint64 since = 0, const QString &sentinel = {});
/// A sentinel died, or was killed.
SeenStep::Fits sentinelEnded(qint64 since = 0);
/// Any client’s write to a resource was accepted or refused.
SeenStep::Fits wroteSince(qint64 since);
/// An attempt for a lock that was sent at @p since or later was granted or refused.
SeenStep::Fits answeredSince(const QString &who, qint64 since);
}

}
