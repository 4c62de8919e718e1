// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stuck lock: the key has no TTL, its owner is dead, someone asked afterwards and nobody was granted until the run ended.
//
//     A takes the key without a TTL and dies at 0.3; B is refused until the end          broken
//     the same with a TTL of 1 s; B is granted at 1.1                                    held
//     A takes the key without a TTL and dies at 0.3; nobody asks afterwards              unknown
//     A takes the key without a TTL, dies at 0.3; the record is cut at 0.5               unknown: B may have been granted later
//     A takes the key without a TTL, and lives                                           held: its owner can still release it
//
// What the node says of the key comes first. Without a word from it, a grant without a TTL that was neither released nor
// deleted counts. The owner may never have learnt that it owns the lock: its token is in what it wanted.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>
#include <map>

namespace interlock::checks {

namespace {

/// What happened on one lock's key.
struct OfKey
{
    std::vector<size_t> asked; ///< refusals
    std::vector<size_t> granted;
    std::map<std::pair<Name, Name>, qint64> wanted; ///< lane and token: since when
};

/// An owner who died, and what became of its lock.
struct Case
{
    Name key = 0;
    Name owner = 0;
    Death death;
    bool isFree = false; ///< the key was gone when the record ended
    qint64 expiry = never; ///< of the key, if it is not gone; never: no TTL
    std::optional<size_t> keyEvent; ///< what says so
    std::vector<Name> refused; ///< lanes that asked after the death, by name
    qint64 refusals = 0;
    std::optional<size_t> lastRefusal;
    std::optional<size_t> granted; ///< the first grant after the death
    Judgement judgement = Judgement::Held;
};

class Search
{
public:
    explicit Search(const History &history)
        : m_history(history)
    {
        for (const size_t index : history.order()) {
            const Event &event = history.event(index);
            if (event.kind != Event::Kind::Belief)
                continue;
            OfKey &part = m_parts[event.key];
            switch (static_cast<Belief>(event.what)) {
            case Belief::Wants:
                part.wanted.try_emplace({event.lane, event.text}, event.at);
                break;
            case Belief::Refused:
                part.asked.push_back(index);
                break;
            case Belief::Granted:
                part.wanted.try_emplace({event.lane, event.text}, event.at);
                part.granted.push_back(index);
                break;
            default:
                break;
            }
        }
    }

    /// The worst first.
    std::vector<Case> cases()
    {
        std::vector<Case> found;
        for (const auto &[key, part] : m_parts) {
            if (std::optional<Case> each = lookAt(key, part))
                found.push_back(*each);
        }
        const auto rank = [](const Case &each) {
            return each.judgement == Judgement::Broken ? 0 : each.judgement == Judgement::Unknown ? 1 : 2;
        };
        std::stable_sort(found.begin(), found.end(), [&](const Case &left, const Case &right) { return rank(left) < rank(right); });
        return found;
    }

private:
    std::optional<Case> lookAt(Name key, const OfKey &part) const
    {
        std::optional<Case> found = lastDeadOwner(key, part);
        if (!found)
            return {};
        readKey(key, *found);
        const qint64 death = found->death.at;
        for (const size_t index : part.asked) {
            const Event &event = m_history.event(index);
            const qint64 sent = event.sent == never ? event.at : event.sent;
            if (sent < death || event.lane == found->owner)
                continue;
            ++found->refusals;
            found->lastRefusal = index;
            if (std::find(found->refused.begin(), found->refused.end(), event.lane) == found->refused.end())
                found->refused.push_back(event.lane);
        }
        std::sort(found->refused.begin(), found->refused.end(),
            [this](Name left, Name right) { return m_history.run().names.bytes(left) < m_history.run().names.bytes(right); });
        for (const size_t index : part.granted) {
            if (m_history.event(index).at >= death && m_history.event(index).lane != found->owner) {
                found->granted = index;
                break;
            }
        }
        found->judgement = judge(*found);
        return found;
    }

    Judgement judge(const Case &each) const
    {
        if (each.granted)
            return Judgement::Held;
        if (each.refusals == 0)
            return Judgement::Unknown;
        if (each.isFree || each.expiry != never)
            return Judgement::Held;
        return isWhole(m_history.run()) ? Judgement::Broken : Judgement::Unknown;
    }

    /// Whoever owned the key last and died while it did.
    std::optional<Case> lastDeadOwner(Name key, const OfKey &part) const
    {
        std::optional<Case> found;
        const auto consider = [&](Name lane, qint64 since, qint64 until) {
            const std::optional<Death> death = m_history.death(lane, since);
            if (death && death->at < until && (!found || death->at > found->death.at)) {
                found.emplace();
                found->key = key;
                found->owner = lane;
                found->death = *death;
            }
        };
        for (const size_t index : part.granted) {
            const std::optional<size_t> number = m_history.holdOf(m_history.event(index));
            if (number)
                considerHold(m_history.holds()[*number], consider);
        }
        // A token that the node has seen, of a client that did not live to learn of its grant.
        for (const size_t index : m_history.ownerEvents(key)) {
            const Event &event = m_history.event(index);
            if (!event.text || m_history.holdByToken(key, event.text))
                continue;
            for (const auto &[who, since] : part.wanted) {
                if (who.second == event.text)
                    consider(who.first, since, never);
            }
        }
        return found;
    }

    template<typename Consider>
    void considerHold(const Hold &hold, const Consider &consider) const
    {
        // Who sent a release, or stopped believing for another reason than death, was no owner when it died.
        qint64 until = hold.releaseSent;
        const std::optional<Death> death = m_history.death(hold.lane, hold.from);
        if (hold.ended && death && m_history.event(*hold.ended).at < death->at)
            until = std::min(until, m_history.event(*hold.ended).at);
        if (m_history.lease(hold) != never && death && m_history.lease(hold) < death->at)
            return;
        consider(hold.lane, hold.from, until);
    }

    void readKey(Name key, Case &found) const
    {
        const std::vector<size_t> &owners = m_history.ownerEvents(key);
        if (!owners.empty()) {
            const Event &last = m_history.event(owners.back());
            found.isFree = last.text == 0;
            found.expiry = last.until;
            found.keyEvent = owners.back();
            return;
        }
        // Without a word from the node: what the last grant said.
        for (auto hold = m_history.holds().rbegin(); hold != m_history.holds().rend(); ++hold) {
            if (hold->key != key)
                continue;
            found.expiry = m_history.lease(*hold);
            found.keyEvent = hold->granted;
            break;
        }
        for (const Release &release : m_history.releases())
            found.isFree |= release.key == key && release.deleted > 0 && release.sent >= found.death.at;
    }

    const History &m_history;
    std::map<Name, OfKey> m_parts;
};

Sentence tell(const History &history, const Case &each)
{
    const QString key = history.name(each.key);
    const QString owner = history.name(each.owner);
    const At death {each.death.at};
    if (each.granted) {
        const Event &granted = history.event(*each.granted);
        return say("stuck.freed", key, owner, death, history.name(granted.lane), At {granted.at},
            For {between(each.death.at, granted.at)});
    }
    const bool hasTtl = each.isFree || each.expiry != never;
    if (!hasTtl && !isWhole(history.run()))
        return say("stuck.ended-early", key, owner, death);
    if (each.judgement == Judgement::Unknown)
        return say("stuck.nobody-asked", key, owner, death);
    if (each.isFree)
        return say("stuck.free", key, owner, death);
    if (hasTtl)
        return say("stuck.expiring", key, owner, death, At {each.expiry});
    QStringList names;
    for (const Name lane : each.refused)
        names.append(history.name(lane));
    const qint64 end = std::max(history.run().duration, history.event(history.order().back()).at);
    return say(names.size() == 1 ? "stuck.one" : "stuck.many", key, owner, death, names, each.refusals, At {end});
}

}

CheckResult stuckLock(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const std::vector<Case> cases = Search(history).cases();
    if (cases.empty()) {
        result.sentences.push_back(say("stuck.nobody-died"));
        return concluded(history.run(), std::move(result));
    }
    const Case &worst = cases.front();
    result.judgement = worst.judgement;
    result.sentences.push_back(tell(history, worst));
    result.events.push_back(worst.death.event);
    for (const std::optional<size_t> &event : {worst.keyEvent, worst.granted, worst.lastRefusal}) {
        if (event)
            result.events.push_back(*event);
    }
    if (!worst.granted && !worst.isFree && worst.expiry == never)
        result.facts = {{QStringLiteral("ttl"), -1}};
    return concluded(history.run(), std::move(result));
}

}
