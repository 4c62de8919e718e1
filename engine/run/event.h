// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/names.h"
#include "engine/base/time.h"

#include <QtGlobal>

namespace interlock {

/// One line of the record. 64 bytes, so that a million events fit in 64 MB; what the fields mean depends on the kind
/// and is written down once, in eventfields.cpp, from which files, tables and resources/run-format.md follow.
///
/// All times are nanoseconds on the monotonic clock since the run began; `never` where there is none.
/// Events are ordered by `at`, and by the order of recording where that is equal.
struct Event
{
    enum class Kind : quint8 {
        Command, ///< a command and its answer
        Belief, ///< what an actor thinks of a lock
        Owner, ///< what a node says of a lock's key
        Resource, ///< a protected section, or a write to the protected resource
        Node, ///< a server process: started, ready, paused, killed…
        Fault, ///< a fault and whether it touched anything. One that lasts is told twice: when it begins (Begins), for those who watch, and when it has ended (or the run has), since only then it is known what it touched
        Phase, ///< a part of the story begins: an anchor for the narration
        Note, ///< a remark for the reader
        Decision, ///< a request and what a rate limiter made of it
        Sentinel, ///< an event that a sentinel published. lane = the sentinel, text = its name ("+sdown"), node = the node it is about, number = epoch, detail = the rest as it came
        Measure, ///< a point of a curve, or a cell of a table
    };

    enum Flag : quint8 {
        Accepted = 1, ///< resource: the write was accepted; command: the answer is no error; decision: admitted
        Touched = 2, ///< fault: it touched something; decision: a probe on a copy of the key, no part of the traffic
        Inferred = 4, ///< owner: concluded from the clients' answers, not confirmed by the node
        Conditional = 8, ///< belief Granted: the server granted only if nobody held the lock (NX)
        Begins = 8, ///< fault: it goes on from here; its whole is told later
        Shortened = 16, ///< command: command or reply was too long to be kept whole
    };

    qint64 at = 0; ///< when it happened. Command, decision: when it was sent
    qint64 until = never; ///< command, decision: when the actor resumed; belief: expiry as the actor computes it; owner: expiry; fault: its end
    qint64 sent = never; ///< belief: when the command behind it was sent; decision: when it was due, if its sender keeps to a plan
    qint64 answered = never; ///< command, belief, decision: when the answer arrived; never: it did not
    qint64 number = 0; ///< fencing token; an integer reply; for how long a lock was asked (ns); decision: its index in Run::decisions
    Name lane = 0; ///< who: an actor or a node
    Name node = 0; ///< command: the node that was asked
    Name key = 0; ///< the lock's key, the section's or resource's name, what is limited
    Name text = 0; ///< command as redis-cli would take it; the owner's token; the limiter's name in the run; a text
    Name detail = 0; ///< reply as redis-cli would show it; why; of a probe, see LimiterAnswer
    Kind kind = Kind::Note;
    quint8 what = 0; ///< one of the enumerations below, by kind
    quint8 flags = 0; ///< of Flag
    quint8 connection = 0; ///< command: which connection of its actor, from 0

    bool has(Flag flag) const { return flags & flag; }
    bool operator==(const Event &) const = default;
};
static_assert(sizeof(Event) == 64);

/// `what` of a command: the type of its reply.
enum class ReplyType : quint8 { None, Nil, Status, Integer, String, Array, Error };

/// `what` of a belief. In each: lane, key, text = token.
enum class Belief : quint8 {
    Wants, ///< began to wait for the lock
    Refused, ///< an attempt was answered no (sent, answered)
    Granted, ///< holds from `at`, when the actor resumed with the grant; sent, answered; until = sent + TTL, number = fencing token (0: none)
    Renewed, ///< the holder's renewal was accepted; sent, answered; until = sent + TTL
    RenewalFailed, ///< a renewal was refused or not answered; detail says why
    Ended, ///< stopped believing: at = release sent, or when it noticed the loss or died; detail: released, lost, expired, died
    Released, ///< its release was answered; sent, answered; number = keys deleted (0 or 1); until = never
    GaveUp, ///< stopped waiting without a grant; detail says why
};

/// `what` of an owner event: why what the node says about the key changed. lane = node, text = token (empty: nobody), until = expiry (never: no TTL).
enum class OwnerChange : quint8 { Set, Renewed, Deleted, Expired, Promoted, Restarted, Read };

/// `what` of a resource event. lane = actor, key = section or resource.
enum class Resource : quint8 {
    Entered, ///< began to work in the section; text = token of the lock it works under
    Left, ///< stopped working
    Wrote, ///< wrote to the resource: number = fencing token shown, Accepted or not; text = what was written
};

/// `what` of a node event. lane = node.
enum class NodeChange : quint8 {
    Started,
    Ready,
    RoleChanged, ///< text = "primary", "replica" or "sentinel"; node = whom it replicates
    Paused,
    Resumed,
    Killed,
    Ended,
    ClockMoved,
    Offset, ///< number = bytes of the replication stream that it has sent (primary) or applied (replica)
    Linked, ///< replica: the state of its link to its primary changed. text = "up", "down", "connecting", "syncing"; node = the primary
    Synced, ///< replica: was brought up to its primary. text = "partial" or "full"; number = bytes that it was sent for that; node = the primary
};

/// `what` of a measure. In each: text = series (a line of a chart, a row of a table), lane = the run of the set that it was taken from, by
/// its name there (0: this run itself). Units are the series' own: see SeriesInfo.
enum class MeasureKind : quint8 {
    Value, ///< sent = x, number = y, until and answered = the lower and upper end of its interval (never: none)
    Share, ///< sent = x, number = y of `until` trials: shares of one series at one x are added up
    Cell, ///< key = column, detail = outcome ("lost", "refused", "kept"), number = how many writes or other things
};

/// `what` of a decision. lane = caller, key = what is limited, text = the limiter's name; its figures are in Run::decisions.
/// Detail says why there was no answer and what the caller made of that ("let through", "turned away"). Of a probe it names the
/// decision whose promise it tests by its number: "17-at" asks at its now + retryAfter, "17-before" one microsecond earlier.
enum class LimiterAnswer : quint8 {
    Admitted,
    Rejected,
    Failed, ///< no answer, or an error: neither admitted nor rejected
};

}
