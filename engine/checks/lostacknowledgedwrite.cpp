// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lost acknowledged write: what a client was told of as done is on the settled primary, unless something deleted it or it expired.
//
//     A's write is acknowledged at 0.4, N1 is killed, N3 is promoted at 2.2 and read: it is not there     broken
//     the same, and it is there                                                                           held
//     the same, and N3 is never read; or N1 and N3 are both primaries in the end                          unknown
//     A is granted a lock of 30 s at 0.4; N3, promoted at 2.2, has no such key                            broken
//     the same with a lock of 1 s, or one that A released at 1.5                                          held: nothing was left to lose
//
// Acknowledged writes are of two forms. A Resource Wrote that was accepted is an entry (its text) of a resource, which keeps all
// that is written to it. A Belief Granted is the value (its token) of a lock's key, until its lease, its release, its deletion or
// expiry, as any node tells it, or another's unconditional grant. A grant on the condition that the key is free shows that it was.
//
// What the settled primary has, its Owner events say. Of a resource: Read events, one for each entry (one without a text if there is
// none), recorded when nobody writes any more; they count for the writes acknowledged before them. Of a lock: whatever it tells of the
// key from its promotion on, above all Promoted.
//
// Settled: in the end exactly one server that runs is a primary, and all replicas that run replicate it, as Node events say.
#include "engine/checks/acknowledgedwrites.h"
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>

namespace interlock::checks {

namespace {

using Fate = AcknowledgedWrite::Fate;

const AcknowledgedWrite *first(const AcknowledgedWrites &found, Fate fate)
{
    const auto write = std::find_if(found.writes.begin(), found.writes.end(), [fate](const AcknowledgedWrite &each) { return each.fate == fate; });
    return write == found.writes.end() ? nullptr : &*write;
}

void tellLoss(const History &history, const AcknowledgedWrites &found, const AcknowledgedWrite &write, CheckResult &result)
{
    const Event &event = history.event(write.event);
    const bool isLock = event.kind == Event::Kind::Belief;
    const bool wasPromotedLater = found.since > event.at;
    const QString who = history.name(event.lane);
    const QString primary = history.name(found.primary);
    if (isLock && wasPromotedLater)
        result.sentences.push_back(say("lost.lock", who, At {event.at}));
    else if (isLock)
        result.sentences.push_back(say("lost.lock.elsewhere", who, At {event.at}, primary));
    else
        result.sentences.push_back(say("lost.write", who, history.name(event.text), At {event.at}, primary));
    if (wasPromotedLater)
        result.sentences.push_back(say("lost.never-had", primary, At {found.since}));
    else if (found.since != AcknowledgedWrites::always)
        result.sentences.push_back(say("lost.after", primary, At {found.since}));
    result.events = {write.event};
    if (write.reading)
        result.events.push_back(*write.reading);
}

void tellUnread(const History &history, const AcknowledgedWrites &found, const AcknowledgedWrite &write, CheckResult &result)
{
    const Event &event = history.event(write.event);
    result.judgement = Judgement::Unknown;
    const QString primary = history.name(found.primary);
    if (event.kind == Event::Kind::Belief)
        result.sentences.push_back(say("lost.unread.lock", history.name(event.lane), At {event.at}, primary));
    else
        result.sentences.push_back(say("lost.unread", history.name(event.lane), history.name(event.text), At {event.at}, primary));
    result.events = {write.event};
}

}

CheckResult lostAcknowledgedWrite(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const QString key = argument(use, QStringLiteral("key"));
    const Name wanted = history.run().names.find(key.toUtf8());
    // A key that the record does not mention was written by nobody.
    const AcknowledgedWrites found = key.isEmpty() || wanted ? acknowledgedWrites(history, wanted) : AcknowledgedWrites();
    const qint64 acknowledged = qint64(found.writes.size());
    if (found.writes.empty()) {
        result.sentences.push_back(say("lost.none"));
        return concluded(history.run(), std::move(result));
    }
    if (found.unsettled) {
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(*found.unsettled);
        return concluded(history.run(), std::move(result));
    }
    const qint64 lost = found.count(Fate::Lost);
    result.facts = {{QStringLiteral("acknowledged"), acknowledged}, {QStringLiteral("lost"), lost}};
    if (const AcknowledgedWrite *write = first(found, Fate::Lost)) {
        result.judgement = Judgement::Broken;
        tellLoss(history, found, *write, result);
        if (acknowledged > 1)
            result.sentences.push_back(say("lost.count", lost, acknowledged));
        return result;
    }
    if (const AcknowledgedWrite *write = first(found, Fate::NotRead)) {
        tellUnread(history, found, *write, result);
        return concluded(history.run(), std::move(result));
    }
    if (const qint64 kept = found.count(Fate::Kept))
        result.sentences.push_back(say("lost.held", kept, history.name(found.primary)));
    if (const qint64 over = found.count(Fate::Over))
        result.sentences.push_back(say("lost.over", over));
    return concluded(history.run(), std::move(result));
}

}
