// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/sentences.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace interlock {

namespace {

/// The source texts. Where a number is counted, the second form is for one of it: English needs two, and other languages
/// get theirs from their translation of the first.
struct Template
{
    const char *id;
    const char *form;
    const char *one = nullptr;
};

const Template templates[] = {
    // Two at once
    {"overlap.granted", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 was granted the lock at %5. Both worked for %6.")},
    {"overlap.entered", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 began to work at %5. Both worked for %6.")},
    {"overlap.open", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 began to work at %5, and when it stopped is not recorded.")},
    {"overlap.watched", QT_TRANSLATE_NOOP("checks", "%1 held %2 from %3 to %4; %5 was granted it at %6. Both held it for %7.")},
    {"overlap.watched.open", QT_TRANSLATE_NOOP("checks", "%1 held %2 from %3 to %4; %5 was granted it at %6, and its release is not recorded.")},
    {"overlap.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n overlaps."), "It was the only overlap."},
    {"overlap.none", QT_TRANSLATE_N_NOOP("checks", "%n sections were worked in, never two at once."), "One section was worked in, so never two at once."},
    {"overlap.nobody", QT_TRANSLATE_NOOP("checks", "Nobody worked in a protected section.")},
    {"overlap.missing", QT_TRANSLATE_NOOP("checks", "%1 began to work at %2, and when it stopped is not recorded.")},
    {"overlap.missing.start", QT_TRANSLATE_N_NOOP("checks", "For %n sections it is recorded when their work stopped, but not when it began."),
        "For one section it is recorded when its work stopped, but not when it began."},
    {"watched.none", QT_TRANSLATE_N_NOOP("checks", "The lock was held %n times, never by two at once."), "The lock was held once, so never by two."},
    {"watched.nobody", QT_TRANSLATE_NOOP("checks", "Nobody was granted the lock.")},
    {"watched.missing", QT_TRANSLATE_NOOP("checks", "%1 was granted %2 at %3, and its release is not recorded.")},
    {"watched.missing.start", QT_TRANSLATE_N_NOOP("checks", "%n holds ended whose grant is not recorded."), "One hold ended whose grant is not recorded."},

    // Why the second could be granted
    {"cause.expired", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock expired at %2.")},
    {"cause.deleted", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock was deleted by %2 at %3.")},
    {"cause.deleted.unknown", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock was deleted at %2.")},
    {"cause.released", QT_TRANSLATE_NOOP("checks", "First cause: %1 released its lock at %2, while it was still working.")},
    {"cause.overwritten", QT_TRANSLATE_NOOP("checks", "First cause: at %3 %2 overwrote the lock that %1 held.")},
    {"cause.restarted", QT_TRANSLATE_NOOP("checks", "First cause: %2 restarted at %3 without %1’s lock.")},
    {"cause.promoted", QT_TRANSLATE_NOOP("checks", "First cause: %2, promoted at %3, no longer had %1’s lock.")},
    {"cause.never-had", QT_TRANSLATE_NOOP("checks", "First cause: replica %2, promoted at %3, never had %1’s lock.")},
    {"cause.no-lock", QT_TRANSLATE_NOOP("checks", "First cause: %1 worked without a lock.")},
    {"cause.unknown", QT_TRANSLATE_NOOP("checks", "Why %2 was granted the lock while %1 had it is not recorded.")},
    {"cause.paused", QT_TRANSLATE_NOOP("checks", "%1 was paused from %2 to %3.")},
    {"note.overrun", QT_TRANSLATE_NOOP("checks", "%1 worked %2 beyond its lock’s TTL.")},

    // Release by owner
    {"release.foreign", QT_TRANSLATE_NOOP("checks", "%1’s release, sent at %2, deleted the lock that %3 had been granted at %4.")},
    {"release.foreign.expired", QT_TRANSLATE_NOOP("checks", "%1’s own lock had expired at %2.")},
    {"release.foreign.stranger", QT_TRANSLATE_NOOP("checks", "%1 itself had not been granted the lock.")},
    {"release.foreign.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n such releases."), "It was the only such release."},
    {"release.unordered", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, and %4’s grant, between %5 and %6, cannot be ordered.")},
    {"release.expiring", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, came when %4’s lock was about to expire: whose lock it deleted is not known.")},
    {"release.releasing", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, and that of %4, sent at %5, cannot be ordered.")},
    {"release.unanswered", QT_TRANSLATE_NOOP("checks", "%1’s release, sent at %2, was not answered: whether it deleted %3’s lock is not known.")},
    {"release.held", QT_TRANSLATE_N_NOOP("checks", "%n releases deleted a lock, each its owner’s."), "One release deleted a lock, its owner’s."},
    {"release.none", QT_TRANSLATE_NOOP("checks", "No release deleted a lock.")},
    {"release.refused", QT_TRANSLATE_NOOP("checks", "%1’s release at %2 deleted nothing.")},
    {"release.kept", QT_TRANSLATE_NOOP("checks", "%1’s release at %2 deleted nothing, and %3 kept its lock.")},

    // Stuck lock
    {"stuck.one", QT_TRANSLATE_N_NOOP("checks", "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 was refused %n times until the run ended at %6."),
        "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 was refused once until the run ended at %6."},
    {"stuck.many", QT_TRANSLATE_N_NOOP("checks", "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 were refused %n times until the run ended at %6.")},
    {"stuck.ended-early", QT_TRANSLATE_NOOP("checks", "The key %1 has no TTL (TTL −1) and its owner %2 died at %3, but the record does not reach the end of the run.")},
    {"stuck.nobody-asked", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3, and nobody asked for the lock afterwards.")},
    {"stuck.freed", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; %4 was granted the lock at %5, %6 later.")},
    {"stuck.expiring", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; the key has a TTL and expires at %4 at the latest.")},
    {"stuck.free", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; the key is gone.")},
    {"stuck.nobody-died", QT_TRANSLATE_NOOP("checks", "No client died as the owner of a lock.")},

    // Renewal
    {"renewal.died", QT_TRANSLATE_NOOP("checks", "%1’s lock was renewed at %2, after %1 had died at %3.")},
    {"renewal.released", QT_TRANSLATE_NOOP("checks", "%1’s lock was renewed at %2, after %1 had released it at %3.")},
    {"renewal.revived", QT_TRANSLATE_NOOP("checks", "%1’s renewal at %2 created the lock again, which was gone since %3.")},
    {"renewal.foreign", QT_TRANSLATE_NOOP("checks", "%1’s renewal at %2 was accepted, though %3 had been granted the lock at %4.")},
    {"renewal.expired", QT_TRANSLATE_NOOP("checks", "%1 renewed its lock at %2, %4 after its validity had ended at %3.")},
    {"renewal.lifetime", QT_TRANSLATE_NOOP("checks", "%1 renewed its lock at %2, %3 after it had acquired it; the maximum lifetime is %4.")},
    {"renewal.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n such renewals."), "It was the only such renewal."},
    {"renewal.starved", QT_TRANSLATE_N_NOOP("checks", "Others were refused %n times meanwhile."), "Others were refused once meanwhile."},
    {"renewal.orphan", QT_TRANSLATE_NOOP("checks", "%1 renewed a lock at %2 whose grant is not recorded.")},
    {"renewal.argument", QT_TRANSLATE_NOOP("checks", "The maximum lifetime “%1” is not a number of nanoseconds.")},
    {"renewal.held", QT_TRANSLATE_N_NOOP("checks", "%n renewals, each by a live owner within its lock’s validity."), "One renewal, by a live owner within its lock’s validity."},
    {"renewal.none", QT_TRANSLATE_NOOP("checks", "No lock was renewed.")},
    {"renewal.failed", QT_TRANSLATE_NOOP("checks", "%1’s renewal failed at %2.")},

    // Late write
    {"write.late", QT_TRANSLATE_NOOP("checks", "%4 had written with token %5 at %6; %1’s write with token %2 at %3 was late and was accepted.")},
    {"write.lost", QT_TRANSLATE_NOOP("checks", "%1’s update “%2” is lost.")},
    {"write.lost.unnamed", QT_TRANSLATE_NOOP("checks", "%1’s update is lost.")},
    {"write.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n late writes."), "It was the only late write."},
    {"write.held", QT_TRANSLATE_N_NOOP("checks", "%n writes were accepted, none with a token below an earlier one."), "One write was accepted."},
    {"write.none", QT_TRANSLATE_NOOP("checks", "No write was accepted.")},
    {"write.refused", QT_TRANSLATE_NOOP("checks", "%1’s late write with token %2 at %3 was refused.")},
    {"write.no-token", QT_TRANSLATE_N_NOOP("checks", "%n writes showed no token and cannot be ordered by it."), "One write showed no token and cannot be ordered by it."},

    // Groups
    {"group.none", QT_TRANSLATE_NOOP("checks", "No server was the primary when the record ended.")},
    {"group.several", QT_TRANSLATE_NOOP("checks", "%1 were primaries when the record ended.")},
    {"group.follows", QT_TRANSLATE_NOOP("checks", "%1 did not replicate %2, the primary, when the record ended.")},

    // Lost acknowledged write
    {"lost.lock", QT_TRANSLATE_NOOP("checks", "The lock that %1 was granted at %2 was gone after the failover.")},
    {"lost.lock.elsewhere", QT_TRANSLATE_NOOP("checks", "The lock that %1 was granted at %2 is not on %3.")},
    {"lost.write", QT_TRANSLATE_NOOP("checks", "%1’s write “%2” was acknowledged at %3 and is not on %4.")},
    {"lost.never-had", QT_TRANSLATE_NOOP("checks", "%1, promoted at %2, never had it.")},
    {"lost.after", QT_TRANSLATE_NOOP("checks", "%1 had been promoted at %2 already.")},
    {"lost.count", QT_TRANSLATE_NOOP("checks", "Acknowledged writes that are lost: %1 of %2.")},
    {"lost.held", QT_TRANSLATE_N_NOOP("checks", "%n acknowledged writes are on %2."), "One acknowledged write is on %2."},
    {"lost.over", QT_TRANSLATE_N_NOOP("checks", "%n acknowledged writes had been taken away or had expired."), "One acknowledged write had been taken away or had expired."},
    {"lost.unread", QT_TRANSLATE_NOOP("checks", "%1’s write “%2” was acknowledged at %3, and whether it is on %4 was not read.")},
    {"lost.unread.lock", QT_TRANSLATE_NOOP("checks", "%1 was granted the lock at %2, and whether it is on %3 was not read.")},
    {"lost.none", QT_TRANSLATE_NOOP("checks", "No write was acknowledged.")},

    // New primary
    {"primary.held", QT_TRANSLATE_NOOP("checks", "%1 was killed at %2; %5 later %3 of %4 sentinels had a new primary.")},
    {"primary.late", QT_TRANSLATE_NOOP("checks", "%1 was killed at %2; only %5 later %3 of %4 sentinels had a new primary, the bound is %6.")},
    {"primary.never", QT_TRANSLATE_NOOP("checks", "%1 was killed at %2, and %3 later no majority of sentinels had a new primary: %4 of %5.")},
    {"primary.took", QT_TRANSLATE_NOOP("checks", "%1 took the primary’s role at %2.")},
    {"primary.sentinels-dead", QT_TRANSLATE_NOOP("checks", "Only %1 of %2 sentinels were alive, fewer than a majority.")},
    {"primary.gave-up", QT_TRANSLATE_NOOP("checks", "%1 gave up at %3: %2.")},
    {"primary.ended-early", QT_TRANSLATE_NOOP("checks", "%1 was killed at %2, and the record ends %3 later, before the bound of %4.")},
    {"primary.nobody-killed", QT_TRANSLATE_NOOP("checks", "The primary was not killed.")},
    {"primary.no-sentinels", QT_TRANSLATE_NOOP("checks", "The record names no sentinels.")},
    {"primary.no-bound", QT_TRANSLATE_NOOP("checks", "Within what time a new primary is promised is not said.")},
    {"primary.argument", QT_TRANSLATE_NOOP("checks", "The bound “%1” is not a number of nanoseconds.")},

    // Promotion rule
    {"rule.priority", QT_TRANSLATE_NOOP("checks", "The rules name %1: its priority number %2 is the lowest above 0.")},
    {"rule.offset", QT_TRANSLATE_NOOP("checks", "The rules name %1: of those with the lowest priority number it has the largest offset, %2.")},
    {"rule.run-id", QT_TRANSLATE_NOOP("checks", "The rules name %1: of those with the lowest priority number and the largest offset it has the smallest run id, %2….")},
    {"rule.alone", QT_TRANSLATE_NOOP("checks", "The rules name %1: it is the only replica with a priority above 0.")},
    {"rule.none-may", QT_TRANSLATE_NOOP("checks", "The rules name nobody: each replica has priority 0.")},
    {"rule.none-may.but", QT_TRANSLATE_NOOP("checks", "%1 was promoted.")},
    {"rule.other", QT_TRANSLATE_NOOP("checks", "%1 was promoted, and not %2.")},
    {"rule.nobody", QT_TRANSLATE_NOOP("checks", "The rules name %1, but nobody was promoted.")},
    {"rule.not-told", QT_TRANSLATE_NOOP("checks", "What the replicas were before the kill is not recorded.")},

    // Increment
    {"increment.full", QT_TRANSLATE_NOOP("checks", "%1 lost its link to %3 at %2 and was given a full copy, %4 bytes, at %5.")},
    {"increment.partial", QT_TRANSLATE_NOOP("checks", "%1 lost its link to %3 at %2 and was sent what it had missed, %4 bytes, at %5.")},
    {"increment.more", QT_TRANSLATE_N_NOOP("checks", "So it was %n more times."), "So it was once more."},
    {"increment.lost", QT_TRANSLATE_NOOP("checks", "%1 lost its link at %2 and was not brought up to date again.")},
    {"increment.none", QT_TRANSLATE_NOOP("checks", "No replica lost its link.")},

    // Limiters
    {"limiter.none", QT_TRANSLATE_NOOP("checks", "No limiter was asked.")},
    {"limiter.undescribed", QT_TRANSLATE_NOOP("checks", "The record does not say what kind of limiter “%1” is.")},
    {"limiter.unusable", QT_TRANSLATE_NOOP("checks", "The record’s values of the limiter %1 cannot be used. %2")},

    // Limiter bound
    {"bound.window", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 in one window, from %3 to %4; the limit is %5.")},
    {"bound.window.held", QT_TRANSLATE_NOOP("checks", "%1 admitted at most %2 in a window; the limit is %3.")},
    {"bound.trailing", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 in the %3 up to %4; the limit is %5.")},
    {"bound.trailing.twice", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 in the %3 up to %4, twice the limit of %5.")},
    {"bound.trailing.held", QT_TRANSLATE_NOOP("checks", "%1 admitted at most %2 in any %3; the limit is %4.")},
    {"bound.counter", QT_TRANSLATE_NOOP("checks", "%1 admitted beyond its count at %2: %3 in the last window, weighted, and %4 in this one make %5; the limit is %6.")},
    {"bound.counter.held", QT_TRANSLATE_NOOP("checks", "%1 counted at most %2, the last window weighted; the limit is %3.")},
    {"bound.bucket", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 in the %3 up to %4; its capacity and rate allow %5.")},
    {"bound.bucket.burst", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 at once at %3; its capacity is %4.")},
    {"bound.bucket.held", QT_TRANSLATE_NOOP("checks", "%1 was filled with %2 at most; its capacity is %3.")},
    {"bound.sliced", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 in the %3 buckets up to %4; the limit is %5.")},
    {"bound.sliced.held", QT_TRANSLATE_NOOP("checks", "%1 admitted at most %2 in %3 buckets; the limit is %4.")},
    {"bound.queue.early", QT_TRANSLATE_NOOP("checks", "%1 let a request pass at %2, %3 after it had begun with a cost of %4, which takes %5 at its rate.")},
    {"bound.queue.full", QT_TRANSLATE_NOOP("checks", "%1 had %2 waiting at %3; its capacity is %4.")},
    {"bound.queue.held", QT_TRANSLATE_NOOP("checks", "%1 let requests pass no faster than its rate, with at most %2 waiting; its capacity is %3.")},
    {"bound.open", QT_TRANSLATE_N_NOOP("checks", "%1: %n requests were not answered; they may have been admitted beyond the %3 that were. The limit is %4."),
        "%1: one request was not answered; it may have been admitted beyond the %3 that were. The limit is %4."},
    {"bound.more", QT_TRANSLATE_N_NOOP("checks", "And %n more."), "And one more."},
    {"bound.held.many", QT_TRANSLATE_NOOP("checks", "Within their bounds: %1.")},
    {"bound.no-window", QT_TRANSLATE_NOOP("checks", "What limit in what window %1 is to be measured by is not said.")},
    {"bound.argument", QT_TRANSLATE_NOOP("checks", "There is no bound named “%1”: it is own or trailing.")},

    // Exactly the limit
    {"exactly.more", QT_TRANSLATE_NOOP("checks", "%1 admitted %3 of %2 simultaneous requests, more than its limit of %4.")},
    {"exactly.fewer", QT_TRANSLATE_NOOP("checks", "%1 admitted %3 of %2 simultaneous requests, fewer than its limit of %4.")},
    {"exactly.held", QT_TRANSLATE_NOOP("checks", "%1 admitted %3 of %2 simultaneous requests; its limit is %4.")},
    {"exactly.unanswered", QT_TRANSLATE_N_NOOP("checks", "%1: %n requests were not answered, %3 were admitted; the limit is %4."),
        "%1: one request was not answered, %3 were admitted; the limit is %4."},
    {"exactly.apart", QT_TRANSLATE_NOOP("checks", "%1 was asked for %2, but not within one window.")},
    {"exactly.few", QT_TRANSLATE_NOOP("checks", "%1 was asked for %2 only, no more than its limit of %3.")},
    {"exactly.others", QT_TRANSLATE_N_NOOP("checks", "So did %n others."), "So did one other."},
    {"exactly.no-limit", QT_TRANSLATE_NOOP("checks", "What limit %1 is to be measured by is not said.")},

    // Twin equality
    {"twin.admitted", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 at %3, which its reference model rejects.")},
    {"twin.rejected", QT_TRANSLATE_NOOP("checks", "%1 rejected %2 at %3, which its reference model admits.")},
    {"twin.defect.admitted", QT_TRANSLATE_NOOP("checks", "%1 admitted %2 at %3, which its correct twin rejects.")},
    {"twin.defect.rejected", QT_TRANSLATE_NOOP("checks", "%1 rejected %2 at %3, which its correct twin admits.")},
    {"twin.defect.failed", QT_TRANSLATE_NOOP("checks", "%1 answered the request at %2 with an error; its correct twin admitted it.")},
    {"twin.figure", QT_TRANSLATE_NOOP("checks", "%1’s decision at %2 gave %3 %4; its reference model gives %5.")},
    {"twin.count", QT_TRANSLATE_NOOP("checks", "Decisions that differ: %1 of %2.")},
    {"twin.held", QT_TRANSLATE_N_NOOP("checks", "%n decisions are those of the reference model."), "One decision is that of the reference model."},
    {"twin.unanswered", QT_TRANSLATE_NOOP("checks", "A request to %1 was not answered; what came after it cannot be compared.")},
    {"twin.unusable", QT_TRANSLATE_NOOP("checks", "%1’s decision at %2 holds a time or a cost that no limiter takes.")},

    // Key without TTL
    {"ttl.left", QT_TRANSLATE_NOOP("checks", "The key %1 is left without a TTL (TTL −1), as it was read at %2.")},
    {"ttl.first", QT_TRANSLATE_N_NOOP("checks", "It is the first of %n such keys."), "It is the only such key."},
    {"ttl.touched", QT_TRANSLATE_NOOP("checks", "The key %1 had no TTL at %2, but somebody used it at %3 and nobody read its TTL again.")},
    {"ttl.cut", QT_TRANSLATE_NOOP("checks", "The key %1 had no TTL at %2.")},
    {"ttl.held", QT_TRANSLATE_N_NOOP("checks", "Each of the %n keys that were read has a TTL or is gone."), "The key that was read has a TTL or is gone."},
    {"ttl.none", QT_TRANSLATE_NOOP("checks", "Nobody read the TTL of a key.")},

    // Retry honesty
    {"retry.early", QT_TRANSLATE_NOOP("checks", "%1 rejected %3 at %2 and promised to admit it %4 later, but rejected it then.")},
    {"retry.late", QT_TRANSLATE_NOOP("checks", "%1 rejected %3 at %2 and promised to admit it %4 later, but admitted it a microsecond before that.")},
    {"retry.count", QT_TRANSLATE_NOOP("checks", "Wrong answers: %1, to probes of %2 promises.")},
    {"retry.held", QT_TRANSLATE_N_NOOP("checks", "%n promises were tried and kept to the microsecond."), "One promise was tried and kept to the microsecond."},
    {"retry.open", QT_TRANSLATE_NOOP("checks", "Promises whose trial is not complete: %1 of %2.")},
    {"retry.none", QT_TRANSLATE_NOOP("checks", "No promise was tried.")},

    // All
    {"incomplete", QT_TRANSLATE_NOOP("checks", "The record is incomplete, so more may have happened.")},
    {"incomplete.because", QT_TRANSLATE_NOOP("checks", "The record is incomplete, so more may have happened. %1")},
    {"incomplete.dropped", QT_TRANSLATE_N_NOOP("checks", "%n events beyond the limit were not recorded, so more may have happened."),
        "One event beyond the limit was not recorded, so more may have happened."},
    {"no-such-check", QT_TRANSLATE_NOOP("checks", "There is no check named “%1”.")},
    {"no-judging-check", QT_TRANSLATE_NOOP("checks", "No check judges the promise of this run.")},

    // Witnesses
    {"witness.fault", QT_TRANSLATE_NOOP("checks", "The fault did not touch anything: %1.")},
    {"witness.fault.any", QT_TRANSLATE_NOOP("checks", "No fault touched anything.")},
    {"witness.asked", QT_TRANSLATE_NOOP("checks", "%1 asked for the lock %2 of %3 times.")},
    {"witness.asked.any", QT_TRANSLATE_NOOP("checks", "Clients that asked for the lock: %1, needed: %2.")},
    {"witness.granted", QT_TRANSLATE_NOOP("checks", "%1 was granted the lock %2 of %3 times.")},
    {"witness.granted.any", QT_TRANSLATE_NOOP("checks", "Grants of the lock: %1, needed: %2.")},
    {"witness.refused", QT_TRANSLATE_NOOP("checks", "%1 was refused %2 of %3 times.")},
    {"witness.refused.any", QT_TRANSLATE_NOOP("checks", "Refused attempts: %1, needed: %2.")},
    {"witness.released", QT_TRANSLATE_NOOP("checks", "Releases by %1: %2, needed: %3.")},
    {"witness.released.any", QT_TRANSLATE_NOOP("checks", "Releases: %1, needed: %2.")},
    {"witness.renewed", QT_TRANSLATE_NOOP("checks", "Renewals by %1: %2, needed: %3.")},
    {"witness.renewed.any", QT_TRANSLATE_NOOP("checks", "Renewals: %1, needed: %2.")},
    {"witness.expired", QT_TRANSLATE_NOOP("checks", "Locks of %1 that expired: %2, needed: %3.")},
    {"witness.expired.any", QT_TRANSLATE_NOOP("checks", "Locks that expired: %1, needed: %2.")},
    {"witness.overrun", QT_TRANSLATE_NOOP("checks", "Sections in which %1 worked beyond its TTL: %2, needed: %3.")},
    {"witness.overrun.any", QT_TRANSLATE_NOOP("checks", "Sections worked in beyond the TTL: %1, needed: %2.")},
    {"witness.wrote", QT_TRANSLATE_NOOP("checks", "Writes by %1: %2, needed: %3.")},
    {"witness.wrote.any", QT_TRANSLATE_NOOP("checks", "Writes: %1, needed: %2.")},
    {"witness.decided", QT_TRANSLATE_NOOP("checks", "Decisions of %1: %2, needed: %3.")},
    {"witness.decided.any", QT_TRANSLATE_NOOP("checks", "Decisions: %1, needed: %2.")},
    {"witness.admitted", QT_TRANSLATE_NOOP("checks", "Requests that %1 admitted: %2, needed: %3.")},
    {"witness.admitted.any", QT_TRANSLATE_NOOP("checks", "Requests that were admitted: %1, needed: %2.")},
    {"witness.rejected", QT_TRANSLATE_NOOP("checks", "Requests that %1 rejected: %2, needed: %3.")},
    {"witness.rejected.any", QT_TRANSLATE_NOOP("checks", "Requests that were rejected: %1, needed: %2.")},
    {"witness.failed", QT_TRANSLATE_NOOP("checks", "Requests that %1 did not decide: %2, needed: %3.")},
    {"witness.failed.any", QT_TRANSLATE_NOOP("checks", "Requests that were not decided: %1, needed: %2.")},
    {"witness.acknowledged", QT_TRANSLATE_NOOP("checks", "Writes of %1 that were acknowledged: %2, needed: %3.")},
    {"witness.acknowledged.any", QT_TRANSLATE_NOOP("checks", "Writes that were acknowledged: %1, needed: %2.")},
    {"witness.lost", QT_TRANSLATE_NOOP("checks", "Writes of %1 that were lost: %2, needed: %3.")},
    {"witness.lost.any", QT_TRANSLATE_NOOP("checks", "Writes that were lost: %1, needed: %2.")},
    {"witness.promoted", QT_TRANSLATE_NOOP("checks", "Promotions of %1: %2, needed: %3.")},
    {"witness.promoted.any", QT_TRANSLATE_NOOP("checks", "Servers that were promoted: %1, needed: %2.")},
    {"witness.switched", QT_TRANSLATE_NOOP("checks", "Switches of %1 to a new primary: %2, needed: %3.")},
    {"witness.switched.any", QT_TRANSLATE_NOOP("checks", "Sentinels that switched to a new primary: %1, needed: %2.")},
    {"witness.as-ruled", QT_TRANSLATE_NOOP("checks", "Promotions of %1 that priority, offset and run id foretold: %2, needed: %3.")},
    {"witness.as-ruled.any", QT_TRANSLATE_NOOP("checks", "Promotions that priority, offset and run id foretold: %1, needed: %2.")},
    {"witness.synced", QT_TRANSLATE_NOOP("checks", "Times that %1 was brought up to its primary: %2, needed: %3.")},
    {"witness.synced.any", QT_TRANSLATE_NOOP("checks", "Times that a replica was brought up to its primary: %1, needed: %2.")},
    {"witness.no-such", QT_TRANSLATE_NOOP("checks", "There is no witness named “%1”.")},
};

const Template *find(const QString &id)
{
    static const QHash<QString, const Template *> byId = [] {
        QHash<QString, const Template *> table;
        for (const Template &entry : templates)
            table.insert(QString::fromLatin1(entry.id), &entry);
        return table;
    }();
    return byId.value(id);
}

QString text(const QStringList &names)
{
    constexpr qsizetype shown = 3;
    if (names.size() < 2)
        return names.value(0);
    if (names.size() <= shown)
        return QCoreApplication::translate("checks", "%1 and %2", "the last of several names")
            .arg(QStringList(names.mid(0, names.size() - 1)).join(QStringLiteral(", ")), names.last());
    return QCoreApplication::translate("checks", "%1 and %2 more", "names, and how many are left out")
        .arg(QStringList(names.mid(0, shown)).join(QStringLiteral(", ")), QString::number(names.size() - shown));
}

QString text(const Sentence::Argument &argument)
{
    if (const QString *string = std::get_if<QString>(&argument))
        return *string;
    if (const qint64 *number = std::get_if<qint64>(&argument))
        return QString::number(*number);
    if (const At *at = std::get_if<At>(&argument))
        return text(*at);
    if (const For *length = std::get_if<For>(&argument))
        return text(*length);
    return text(std::get<QStringList>(argument));
}

/// %n of a template: the first whole number among the arguments.
int count(const Sentence &sentence)
{
    for (const Sentence::Argument &argument : sentence.arguments) {
        if (const qint64 *number = std::get_if<qint64>(&argument))
            return int(std::clamp<qint64>(*number, 0, std::numeric_limits<int>::max()));
    }
    return 0;
}

QString chooseForm(const Template &entry, int n)
{
    const QString form = QCoreApplication::translate("checks", entry.form, nullptr, n);
    const bool isTranslated = form != QString::fromUtf8(entry.form).replace(QStringLiteral("%n"), QString::number(n));
    return entry.one && n == 1 && !isTranslated ? QString::fromUtf8(entry.one) : form;
}

/// Puts all arguments in at once: a client may be called "%2".
QString fill(const QString &form, const std::vector<Sentence::Argument> &arguments)
{
    QString filled;
    for (qsizetype i = 0; i < form.size(); ++i) {
        const int place = form[i] == QLatin1Char('%') && i + 1 < form.size() ? form[i + 1].digitValue() : -1;
        if (place < 1) {
            filled += form[i];
            continue;
        }
        if (size_t(place) <= arguments.size())
            filled += text(arguments[size_t(place) - 1]);
        ++i;
    }
    return filled;
}

}

bool isSentence(const QString &id)
{
    return find(id);
}

QString text(const Sentence &sentence)
{
    const Template *entry = find(sentence.id);
    return entry ? fill(chooseForm(*entry, count(sentence)), sentence.arguments) : sentence.id;
}

QString text(const std::vector<Sentence> &sentences)
{
    QStringList texts;
    for (const Sentence &sentence : sentences)
        texts.append(text(sentence));
    return texts.join(QLatin1Char(' '));
}

}
