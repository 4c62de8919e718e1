// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ladder/rungwords.h"

#include <QCoreApplication>

// What each step means and which setting governs it, as Redis's page "High availability with Redis Sentinel" and the page on replication tell.
namespace interlock {

namespace {

using Kind = Rung::Kind;

QString tr(const char *text)
{
    return QCoreApplication::translate("Ladder", text);
}

QString faultMeaning(const QByteArray &word)
{
    if (word == "cut-replication")
        return tr("What the primary writes no longer reaches its replicas, yet it goes on to say OK. min-replicas-to-write would make it refuse.");
    if (word == "lag-replication")
        return tr("Replicas get what the primary writes, but later. What lies within the lag when the primary dies is lost; WAIT makes a client wait for it.");
    if (word == "hold-replication")
        return tr("What the primary writes stays under way to its replicas. min-replicas-max-lag decides for how long it still counts them as alive.");
    if (word == "cut-clients" || word == "delay-clients")
        return tr("Only the clients are struck: sentinels and replicas see nothing of it. No setting of the servers helps, only the clients’ own time-outs.");
    if (word == "isolate")
        return tr("Nobody reaches it, and it reaches nobody, though it runs. After down-after-milliseconds the sentinels call it down.");
    if (word == "heal")
        return tr("All its links are whole again. A replica comes back within repl-timeout at the latest, often within a second.");
    return tr("It was done on purpose. The parameters of the experiment say when.");
}

QString abortMeaning(const QByteArray &word)
{
    if (word == "-failover-abort-no-good-slave")
        return tr("The leader found no replica that it may promote: too long without a link, no recent answer, or replica-priority 0. It tries again after twice failover-timeout.");
    if (word == "-failover-abort-not-elected")
        return tr("No sentinel got the votes of a majority, so nobody may act. The next attempt comes after twice failover-timeout, with a random delay.");
    if (word == "-failover-abort-slave-timeout")
        return tr("The chosen replica did not take the role in time. That time is failover-timeout.");
    return tr("The leader gave this failover up. The next attempt comes after twice failover-timeout.");
}

QString stepMeaning(const QByteArray &word)
{
    if (word == "snapshot")
        return tr("The primary’s child process writes all data, as they are at one moment. With repl-diskless-sync they go straight into the connection; repl-diskless-sync-delay "
                  "lets it wait for further replicas.");
    if (word == "buffer")
        return tr("What clients write meanwhile is kept for the replica. If that outgrows client-output-buffer-limit replica, the copy fails and begins anew.");
    if (word == "transfer")
        return tr("The snapshot goes over the link. repl-timeout is how long a silence the two put up with.");
    if (word == "load")
        return tr("The replica drops its old data and reads the snapshot. Until it is done it answers LOADING, unless replica-serve-stale-data and repl-diskless-load say otherwise.");
    if (word == "catch-up")
        return tr("The replica applies what was kept for it, and from now on follows. How much that was depends on the writes during the copy, not on a setting.");
    if (word == "increment")
        return tr("All that it missed was still in the primary’s backlog. repl-backlog-size decides how large a gap may be.");
    return tr("A part of the story. The lesson tells what it means.");
}

}

QString rungMeaning(const Rung &rung)
{
    switch (rung.kind) {
    case Kind::Fault:
        return faultMeaning(rung.word);
    case Kind::Killed:
        return tr("The process is gone, with all that was only in its memory. appendonly decides what it would find again, and nothing brings back what no replica has.");
    case Kind::Ended:
        return tr("The process ended without anybody’s doing. Its log says why; appendonly decides what it would find again.");
    case Kind::Paused:
        return tr("The process stands still and forgets nothing. After down-after-milliseconds without an answer the sentinels call it down, though it is not dead.");
    case Kind::Resumed:
        return tr("The process goes on where it stood, and believes what it believed then. An old primary takes writes until a sentinel converts it; min-replicas-to-write "
                  "shortens that.");
    case Kind::Started:
        return tr("The process runs again with the role of its configuration file. What it has of the data depends on appendonly and save.");
    case Kind::Ready:
        return tr("It answers again. Sentinels notice it by their next ping, at most a second later.");
    case Kind::CallsDown:
        return tr("Subjectively down: this sentinel alone has had no valid answer for too long. How long that is says down-after-milliseconds.");
    case Kind::CallsUp:
        return tr("The sentinel has an answer again and takes its word back. A down-after-milliseconds too small makes this happen often.");
    case Kind::AgreedDown:
        return tr("Objectively down: so many sentinels say so that a failover may begin. How many that takes is the quorum of SENTINEL MONITOR.");
    case Kind::AgreedUp:
        return tr("No longer so many sentinels say that it is down. The quorum of SENTINEL MONITOR counts, and each word is good for five seconds only.");
    case Kind::NewEpoch:
        return tr("A new round: in each epoch a sentinel has one vote. Nothing sets it; it counts attempts, and the highest configuration wins in the end.");
    case Kind::Tries:
        return tr("This sentinel stands for election in order to lead the failover. After failover-timeout without success it waits twice that long.");
    case Kind::Votes:
        return tr("Each sentinel votes for the first that asks it in this epoch. To lead takes a majority of all known sentinels, and at least the quorum.");
    case Kind::Elected:
        return tr("It has the votes of a majority of all sentinels, dead ones included, and leads this failover. It takes that majority even where the quorum is smaller.");
    case Kind::Selected:
        return tr("The leader chose the replica to promote: lowest replica-priority (0: never), then the largest offset, then the smallest run id. One whose link "
                  "was down for longer than ten times down-after-milliseconds was left out.");
    case Kind::PromotionSent:
        return tr("The leader sent it REPLICAOF NO ONE. failover-timeout bounds how long it waits for it to take the role.");
    case Kind::Promoted:
        return tr("From here on it takes writes as a primary, with the data that it has: what it never got is gone. WAIT and min-replicas-to-write narrow that beforehand.");
    case Kind::PromotionSeen:
        return tr("The leader read the new role from the replica’s INFO, which it asks for once a second during a failover. Until then clients are not told.");
    case Kind::OrdersSent:
        return tr("The leader told another replica to follow the new primary. parallel-syncs says how many at a time.");
    case Kind::OrdersFollowed:
        return tr("The leader saw that this replica follows the new primary. What does not follow within failover-timeout is told once more and no longer waited for.");
    case Kind::Switched:
        return tr("From now on this sentinel names the new primary to clients that ask. Followers learn it from the leader’s message; the leader itself switches last, when the replicas follow or "
                  "failover-timeout is over.");
    case Kind::Converted:
        return tr("The old primary came back as one, and a sentinel told it to replicate the new one. It waits some seconds before it does, so that a newer configuration can arrive.");
    case Kind::FailoverEnded:
        return tr("The leader’s work is done: all replicas that it reaches follow, or it no longer waits for them. That wait is failover-timeout.");
    case Kind::Aborted:
        return abortMeaning(rung.word);
    case Kind::Tilted:
        return tr("Its own clock jumped, or it stood still: it no longer trusts what it measured and only watches. TILT lasts 30 s, and nothing sets that.");
    case Kind::TiltEnded:
        return tr("It trusts its clock again and acts. TILT lasts 30 s, and nothing sets that.");
    case Kind::Demoted:
        return tr("It gave up the role of a primary and drops what only it had been told. Acknowledged writes among that are lost; min-replicas-to-write keeps them few.");
    case Kind::LinkDown:
        return tr("The replica no longer hears its primary. If nothing closes the connection, it takes repl-timeout to notice.");
    case Kind::Connecting:
        return tr("The replica tries to reach its primary, again each second. No setting changes that.");
    case Kind::Syncing:
        return tr("The two agree on how much is missing: the increment, if it is in the backlog, else everything. repl-backlog-size decides.");
    case Kind::LinkUp:
        return tr("The replica follows again and gets each write as it happens. Until its first answer, within a second, min-replicas-to-write does not count it.");
    case Kind::Partial:
        return tr("All that it missed was still in the primary’s backlog, so only that was sent. repl-backlog-size decides how large a gap may be.");
    case Kind::Full:
        return tr("What it missed was no longer in the primary’s backlog, so everything was sent. A larger repl-backlog-size would have spared that.");
    case Kind::Step:
        return stepMeaning(rung.word);
    }
    return {};
}

}
