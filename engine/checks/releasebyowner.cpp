// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Release by owner: nobody's release deletes a lock that somebody else has been granted.
//
// Broken: X's delete answered 1 while Y had been granted before X sent it, Y's TTL counted from Y's send outlasts X's answer,
// and Y had sent no release. Then the key at that moment can only have been Y's. X working beyond its TTL is a note, no breach.
//
// A server did what a command asked at some instant between its sending and its answer, so two commands whose times overlap
// are not ordered by the clock alone. X's delete is [100, 102] and answered 1 in all cases; times in ms:
//
//     1. Y granted [90, 95], TTL 1000, no release of Y before 102           broken: Y's key was there until 1090
//     2. Y granted [103, 104]                                               held: after X's answer
//     3. Y granted [90, 95], X granted [96, 98]                             held: X's own grant came after Y's, so the key was X's
//     4. Y granted [10, 12] with TTL 50                                     held: Y's key was gone by 62 at the latest
//     5. Y's release sent at 99, or answered before 100                     held: Y had given its lock back
//     6. Y granted [99, 101] only if nobody held it (NX), and X's           held: Y was granted, so X's key was gone; nobody but
//        lease ran until 500: the ordinary handover                         X had deleted it, so X's delete came before Y's grant
//     7. as 6, but X's lease ended at 50, or Y did not ask for a free       unknown: X's 1 may have been for Y's key
//        key, or another owner's late release may have deleted X's key
//     8. Y granted [10, 12], its lease ends at 101                          unknown: expired just before, or deleted
//     9. Y granted [90, 95], its release sent at 101                        unknown: before or after X's delete
//
// A release without an answer may have deleted something at any time after its sending; case 6 can still clear it.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>
#include <map>

namespace interlock::checks {

namespace {

/// Handover is no doubt: Y was granted because X's delete had been carried out.
enum class Doubt { None, Handover, Breach, Order, Expiry, Releasing };

/// What is known of one key.
struct OfKey
{
    std::vector<size_t> holds; ///< by the time of sending
    std::vector<Release> deletes; ///< that answered 1 or not at all, by the time of sending
    bool isAlwaysConditional = true; ///< every grant was made only because nobody held the lock
    /// Deletes by somebody whose lease had run out: sent, and the latest answer among those up to this one.
    std::vector<std::pair<qint64, qint64>> unproven;
};

struct Finding
{
    Release release;
    size_t other = 0; ///< the hold of Y
    Doubt doubt = Doubt::None;
};

class Judge
{
public:
    explicit Judge(const History &history)
        : m_history(history)
    {
        group();
        for (auto &[key, part] : m_parts)
            judgeKey(part);
    }

    qint64 deletes = 0;
    std::vector<Finding> breaches;
    std::optional<Finding> unknown; ///< the first

private:
    const Hold &hold(size_t index) const { return m_history.holds()[index]; }

    void group()
    {
        for (size_t i = 0; i < m_history.holds().size(); ++i) {
            const Hold &each = hold(i);
            OfKey &part = m_parts[each.key];
            part.holds.push_back(i);
            part.isAlwaysConditional &= each.isConditional;
            // Its release was sent, and whether it was answered is not recorded.
            if (each.releaseSent != never && !each.released)
                part.deletes.push_back({each.lane, each.key, each.ended.value_or(each.granted), each.releaseSent, never, 0, i});
        }
        for (const Release &release : m_history.releases()) {
            if (release.deleted > 0 || release.answered == never)
                m_parts[release.key].deletes.push_back(release);
            deletes += release.deleted > 0;
        }
        for (auto &[key, part] : m_parts) {
            std::stable_sort(part.holds.begin(), part.holds.end(), [&](size_t left, size_t right) { return hold(left).sent < hold(right).sent; });
            std::stable_sort(part.deletes.begin(), part.deletes.end(), [](const Release &left, const Release &right) { return left.sent < right.sent; });
            qint64 latest = std::numeric_limits<qint64>::min();
            for (const Release &release : part.deletes) {
                if (isProvenOwn(release))
                    continue;
                latest = std::max(latest, release.answered);
                part.unproven.emplace_back(release.sent, latest);
            }
        }
    }

    /// Its sender's lease had not run out when the answer came. If that is so of all deletes of a key, and all grants were
    /// conditional, none can have been the first to hit another's lock.
    bool isProvenOwn(const Release &release) const
    {
        return release.answered != never && release.hold && m_history.lease(hold(*release.hold), release.sent) > release.answered;
    }

    void judgeKey(const OfKey &part)
    {
        std::vector<size_t> going; // holds that may still be in force
        size_t next = 0;
        for (const Release &release : part.deletes) {
            for (; next < part.holds.size() && hold(part.holds[next]).sent < release.sent; ++next)
                going.push_back(part.holds[next]);
            std::erase_if(going, [&](size_t index) { return isOver(hold(index), release.sent); });
            Finding worst {release};
            for (const size_t index : going)
                consider(part, index, worst);
            // Those granted while the release was under way. What was granted after a handover was granted after the release.
            qint64 limit = release.answered;
            for (size_t i = next; i < part.holds.size() && hold(part.holds[i]).sent < limit && worst.doubt == Doubt::None; ++i) {
                if (consider(part, part.holds[i], worst) == Doubt::Handover)
                    limit = std::min(limit, hold(part.holds[i]).answered);
            }
            if (worst.doubt == Doubt::Breach)
                breaches.push_back(worst);
            else if (worst.doubt != Doubt::None && (!unknown || release.sent < unknown->release.sent))
                unknown = worst;
        }
    }

    /// Its key is gone for certain, then and later.
    bool isOver(const Hold &each, qint64 time) const
    {
        return each.releaseAnswered <= time || m_history.latestExpiry(each) < time
            || (each.next && hold(*each.next).answered <= time);
    }

    Doubt consider(const OfKey &part, size_t index, Finding &worst) const
    {
        const Doubt doubt = doubtOf(part, worst.release, hold(index));
        const bool isWorse = worst.doubt == Doubt::None || (doubt == Doubt::Breach && worst.doubt != Doubt::Breach)
            || (doubt == Doubt::Breach && hold(index).answered > hold(worst.other).answered);
        if (doubt != Doubt::None && doubt != Doubt::Handover && isWorse) {
            worst.doubt = doubt;
            worst.other = index;
        }
        return doubt;
    }

    /// May X's release have deleted the lock of Y?
    Doubt doubtOf(const OfKey &part, const Release &x, const Hold &y) const
    {
        if (y.lane == x.lane || y.sent >= x.answered)
            return Doubt::None;
        const Hold *own = x.hold ? &hold(*x.hold) : nullptr;
        if (own && y.answered <= own->sent)
            return Doubt::None;
        if (y.releaseSent <= x.sent || isOver(y, x.sent))
            return Doubt::None;
        if (y.answered > x.sent || (own && y.sent < own->answered))
            return isHandover(part, x, own, y) ? Doubt::Handover : Doubt::Order;
        if (x.answered == never)
            return Doubt::Order;
        if (m_history.lease(y, x.sent) <= x.answered)
            return Doubt::Expiry;
        return y.releaseSent <= x.answered ? Doubt::Releasing : Doubt::Breach;
    }

    /// Y could be granted only because X's delete had been carried out (case 6).
    bool isHandover(const OfKey &part, const Release &x, const Hold *own, const Hold &y) const
    {
        if (!own || !y.isConditional || !part.isAlwaysConditional)
            return false;
        if (m_history.lease(*own, x.sent) <= std::min(x.answered, y.answered))
            return false;
        // No other delete that might not have been of its sender's own lock, between X's grant and Y's. X's own delete may be
        // in that list, as one without an answer.
        const auto after = std::lower_bound(part.unproven.begin(), part.unproven.end(), std::pair(y.answered, std::numeric_limits<qint64>::min()));
        if (x.answered == never)
            return y.answered > own->answered && onlyUnprovenIs(part, x, own->sent, y.answered);
        return after == part.unproven.begin() || (after - 1)->second <= own->sent;
    }

    bool onlyUnprovenIs(const OfKey &part, const Release &x, qint64 from, qint64 until) const
    {
        for (const Release &release : part.deletes) {
            if (release.sent >= until)
                break;
            if (release.event != x.event && release.answered > from && !isProvenOwn(release))
                return false;
        }
        return true;
    }

    const History &m_history;
    std::map<Name, OfKey> m_parts;
};

void tellBreach(const History &history, const Judge &judge, CheckResult &result)
{
    const auto first = std::min_element(judge.breaches.begin(), judge.breaches.end(),
        [](const Finding &left, const Finding &right) { return left.release.sent < right.release.sent; });
    const Release &release = first->release;
    const Hold &other = history.holds()[first->other];
    const QString who = history.name(release.lane);
    result.judgement = Judgement::Broken;
    result.sentences.push_back(say("release.foreign", who, At {release.sent}, history.name(other.lane), At {other.from}));
    result.events = {release.event, other.granted};
    if (!release.hold) {
        result.sentences.push_back(say("release.foreign.stranger", who));
    } else {
        const Hold &own = history.holds()[*release.hold];
        result.events.push_back(own.granted);
        if (const qint64 lease = history.lease(own, release.sent); lease <= release.sent)
            result.sentences.push_back(say("release.foreign.expired", who, At {lease}));
    }
    if (judge.breaches.size() > 1)
        result.sentences.push_back(say("release.foreign.first", qint64(judge.breaches.size())));
}

void tellUnknown(const History &history, const Finding &finding, CheckResult &result)
{
    const Release &release = finding.release;
    const Hold &other = history.holds()[finding.other];
    const QString x = history.name(release.lane);
    const QString y = history.name(other.lane);
    const At sent {release.sent};
    const At answered {release.answered};
    result.judgement = Judgement::Unknown;
    result.events = {release.event, other.granted};
    if (release.answered == never)
        result.sentences.push_back(say("release.unanswered", x, sent, y));
    else if (finding.doubt == Doubt::Expiry)
        result.sentences.push_back(say("release.expiring", x, sent, answered, y));
    else if (finding.doubt == Doubt::Releasing)
        result.sentences.push_back(say("release.releasing", x, sent, answered, y, At {other.releaseSent}));
    else
        result.sentences.push_back(say("release.unordered", x, sent, answered, y, At {other.sent}, At {other.answered}));
}

/// The owner whose lock a release that deleted nothing left alone: granted before it was sent, and holding on after its answer.
std::optional<size_t> keeper(const History &history, const Release &release)
{
    std::optional<size_t> kept;
    for (size_t i = 0; i < history.holds().size(); ++i) {
        const Hold &hold = history.holds()[i];
        const bool isKept = hold.key == release.key && hold.lane != release.lane && hold.answered <= release.sent
            && hold.releaseSent > release.answered && history.lease(hold, release.sent) > release.answered;
        if (isKept)
            kept = i;
    }
    return kept;
}

void tellRefusal(const History &history, CheckResult &result)
{
    for (const Release &release : history.releases()) {
        if (release.deleted > 0 || release.answered == never)
            continue;
        const QString who = history.name(release.lane);
        const std::optional<size_t> kept = keeper(history, release);
        if (kept)
            result.sentences.push_back(say("release.kept", who, At {release.sent}, history.name(history.holds()[*kept].lane)));
        else
            result.sentences.push_back(say("release.refused", who, At {release.sent}));
        result.events.push_back(release.event);
        return;
    }
}

void noteOverrun(const History &history, CheckResult &result)
{
    for (const Stay &section : history.sections()) {
        if (const qint64 beyond = history.overrun(section)) {
            result.sentences.push_back(say("note.overrun", history.name(section.lane), For {beyond}));
            return;
        }
    }
}

}

CheckResult releaseByOwner(const History &history, const CheckUse &use)
{
    const Judge judge(history);
    CheckResult result = resultOf(use);
    if (!judge.breaches.empty()) {
        tellBreach(history, judge, result);
    } else if (judge.unknown) {
        tellUnknown(history, *judge.unknown, result);
    } else {
        result.sentences.push_back(judge.deletes ? say("release.held", judge.deletes) : say("release.none"));
        tellRefusal(history, result);
    }
    noteOverrun(history, result);
    return concluded(history.run(), std::move(result));
}

}
