// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Renewal serves a live owner, for a bounded time, and nobody else. Broken when a renewal was accepted
//
//     after its owner had died or had sent its release;
//     after the key was gone, as the node says: the lock was created again;
//     while another client had been granted the lock and counted on it: it prolonged that one's;
//     after the lock's validity (sent + TTL of the grant, or of the renewal before) had passed;
//     later after the lock's acquisition than the argument "maximum-lifetime" (ns) allows.
//
// A renewal counts from its sending and an acquisition from when the client went on with it, which is the kindest reading for
// the client. At the very limit is not beyond it: a lock granted at 1.0 s with a maximum lifetime of 3 s may be renewed at
// 4.0 s. A renewal that was sent in time may have been carried out late; the server that accepted it knew better.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>
#include <map>

namespace interlock::checks {

namespace {

struct Breach
{
    size_t renewal = 0;
    Sentence sentence;
    std::optional<size_t> because;
};

/// What the node's last word about the key was, up to a time.
class KeyState
{
public:
    KeyState(const History &history, Name key)
        : m_history(history)
        , m_events(history.ownerEvents(key))
    {
    }

    /// The event by which the key that carried @p token went away before @p time, unless it is there again. Times of calls must not decrease.
    std::optional<size_t> goneBy(qint64 time, Name token)
    {
        for (; m_next < m_events.size() && m_history.event(m_events[m_next]).at < time; ++m_next) {
            const Event &event = m_history.event(m_events[m_next]);
            if (event.text) {
                m_token = event.text;
                m_gone.reset();
            } else if (!m_gone) {
                m_gone = m_events[m_next];
            }
        }
        return m_gone && m_token == token ? m_gone : std::nullopt;
    }

private:
    const History &m_history;
    const std::vector<size_t> &m_events;
    size_t m_next = 0;
    Name m_token = 0;
    std::optional<size_t> m_gone;
};

class Judge
{
public:
    Judge(const History &history, qint64 maximum)
        : m_history(history)
        , m_maximum(maximum)
    {
        for (const size_t index : history.order()) {
            const Event &event = history.event(index);
            if (event.kind != Event::Kind::Belief)
                continue;
            const auto what = static_cast<Belief>(event.what);
            if (what == Belief::Granted)
                m_granted[event.key].push_back(index);
            else if (what == Belief::Renewed)
                m_renewals.push_back(index);
            else if (what == Belief::RenewalFailed && !failed)
                failed = index;
        }
        // By sending, since that is when it counts.
        std::stable_sort(m_renewals.begin(), m_renewals.end(), [&](size_t left, size_t right) { return sent(left) < sent(right); });
        for (const size_t index : m_renewals)
            judge(index);
    }

    qint64 count() const { return qint64(m_renewals.size()); }
    std::vector<Breach> breaches;
    std::optional<size_t> orphan; ///< a renewal whose grant is not recorded
    std::optional<size_t> failed;

private:
    qint64 sent(size_t index) const
    {
        const Event &event = m_history.event(index);
        return event.sent == never ? event.at : event.sent;
    }

    void judge(size_t index)
    {
        const Event &event = m_history.event(index);
        std::optional<size_t> number = m_history.holdOf(event);
        if (!number)
            number = m_history.holdByToken(event.key, event.text);
        if (!number || m_history.holds()[*number].sent > sent(index)) {
            if (!orphan)
                orphan = index;
            return;
        }
        if (std::optional<Breach> breach = breachOf(index, m_history.holds()[*number]))
            breaches.push_back(std::move(*breach));
    }

    std::optional<Breach> breachOf(size_t index, const Hold &hold)
    {
        const qint64 time = sent(index);
        const QString who = m_history.name(hold.lane);
        const At at {time};
        // The state of the key moves on with each renewal, so it is asked whatever else is found.
        const std::optional<size_t> gone = state(hold.key).goneBy(time, hold.token);
        const std::optional<Death> death = m_history.death(hold.lane, hold.from);
        if (death && death->at < time)
            return Breach {index, say("renewal.died", who, at, At {death->at}), death->event};
        if (hold.releaseSent < time)
            return Breach {index, say("renewal.released", who, at, At {hold.releaseSent}), hold.ended ? hold.ended : hold.released};
        if (gone && hold.token)
            return Breach {index, say("renewal.revived", who, at, At {m_history.event(*gone).at}), gone};
        if (const Hold *other = otherOwner(hold, time))
            return Breach {index, say("renewal.foreign", who, at, m_history.name(other->lane), At {other->from}), other->granted};
        if (const qint64 lease = leaseBefore(hold, index); lease < time)
            return Breach {index, say("renewal.expired", who, at, At {lease}, For {between(lease, time)}), {}};
        if (const qint64 age = between(hold.from, time); age > m_maximum)
            return Breach {index, say("renewal.lifetime", who, at, For {age}, For {m_maximum}), hold.granted};
        return {};
    }

    KeyState &state(Name key) { return m_states.try_emplace(key, m_history, key).first->second; }

    /// The lease as it was before this renewal.
    qint64 leaseBefore(const Hold &hold, size_t index) const
    {
        const auto own = std::find(hold.renewals.rbegin(), hold.renewals.rend(), index);
        if (own == hold.renewals.rend())
            return m_history.lease(hold, sent(index));
        const auto before = own + 1;
        return before == hold.renewals.rend() ? m_history.event(hold.granted).until : m_history.event(*before).until;
    }

    /// Another client that had been granted the lock after this hold, by @p time, and had reason to count on it.
    const Hold *otherOwner(const Hold &hold, qint64 time) const
    {
        const std::vector<size_t> &granted = m_granted.at(hold.key);
        const auto end = std::partition_point(granted.begin(), granted.end(), [&](size_t index) { return m_history.event(index).at <= time; });
        if (end == granted.begin())
            return nullptr;
        const std::optional<size_t> last = m_history.holdOf(m_history.event(*(end - 1)));
        if (!last)
            return nullptr;
        const Hold &other = m_history.holds()[*last];
        const bool counts = other.lane != hold.lane && other.sent >= hold.answered && other.answered <= time
            && other.releaseSent > time && m_history.lease(other, time) > time;
        return counts ? &other : nullptr;
    }

    const History &m_history;
    qint64 m_maximum;
    std::map<Name, std::vector<size_t>> m_granted; // by key
    std::vector<size_t> m_renewals;
    std::map<Name, KeyState> m_states;
};

qint64 refusedAfter(const History &history, const Event &renewal)
{
    qint64 refused = 0;
    for (const size_t index : history.order()) {
        const Event &event = history.event(index);
        refused += event.kind == Event::Kind::Belief && static_cast<Belief>(event.what) == Belief::Refused
            && event.key == renewal.key && event.lane != renewal.lane && event.at >= renewal.at;
    }
    return refused;
}

void tellBreach(const History &history, const Judge &judge, CheckResult &result)
{
    const Breach &first = judge.breaches.front();
    result.judgement = Judgement::Broken;
    result.sentences.push_back(first.sentence);
    result.events.push_back(first.renewal);
    if (first.because)
        result.events.push_back(*first.because);
    if (const qint64 refused = refusedAfter(history, history.event(first.renewal)); refused && first.sentence.id == QLatin1String("renewal.lifetime"))
        result.sentences.push_back(say("renewal.starved", refused));
    if (judge.breaches.size() > 1)
        result.sentences.push_back(say("renewal.first", qint64(judge.breaches.size())));
}

}

CheckResult renewal(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    qint64 maximum = never;
    if (const QString given = argument(use, QStringLiteral("maximum-lifetime")); !given.isEmpty()) {
        bool isNumber = false;
        maximum = given.toLongLong(&isNumber);
        if (!isNumber || maximum < 0) {
            result.judgement = Judgement::Unknown;
            result.sentences.push_back(say("renewal.argument", given));
            return result;
        }
    }
    const Judge judge(history, maximum);
    if (!judge.breaches.empty()) {
        tellBreach(history, judge, result);
        return result;
    }
    if (judge.orphan) {
        const Event &event = history.event(*judge.orphan);
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("renewal.orphan", history.name(event.lane), At {event.at}));
        result.events.push_back(*judge.orphan);
        return result;
    }
    result.sentences.push_back(judge.count() ? say("renewal.held", judge.count()) : say("renewal.none"));
    if (judge.failed) {
        const Event &event = history.event(*judge.failed);
        result.sentences.push_back(say("renewal.failed", history.name(event.lane), At {event.at}));
        result.events.push_back(*judge.failed);
    }
    return concluded(history.run(), std::move(result));
}

}
