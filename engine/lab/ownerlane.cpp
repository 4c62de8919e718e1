// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/ownerlane.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace {

/// How far the expiry that a reading gives may lie from the computed one besides what asking took: a server tells whole
/// milliseconds by a clock that it looks at now and then.
constexpr qint64 tolerance = 20'000'000;

/// The server did it within [sent, answered], and not after it was heard of.
qint64 serverMoment(const Event &belief, qint64 received)
{
    const qint64 latest = std::min(belief.answered, received);
    return belief.sent + std::max<qint64>(latest - belief.sent, 0) / 2;
}

/// When the TTL that the belief's command asked for runs out, if the server began to count at @p at.
qint64 expiryFrom(const Event &belief, qint64 at)
{
    return belief.until == never ? never : at + (belief.until - belief.sent);
}

}

OwnerLane::OwnerLane(bool hasNotifications, std::function<void(Event)> tell)
    : m_hasNotifications(hasNotifications)
    , m_tell(std::move(tell))
{
}

void OwnerLane::setSource(Name source, bool isReplica)
{
    m_source = source;
    m_isReplica = isReplica;
}

bool OwnerLane::wantsReading(Cause cause)
{
    return cause == Cause::Set || cause == Cause::TtlSet || cause == Cause::Reloaded; // the others leave nothing to read
}

quint64 OwnerLane::reloaded(OwnerChange why, bool evenIfSame)
{
    const quint64 number = notified(Cause::Reloaded, 0);
    m_changes.back().why = why;
    m_changes.back().evenIfSame = evenIfSame;
    return number;
}

void OwnerLane::died()
{
    m_changes.clear();
    m_grants.clear();
    m_renewals.clear();
    m_releases.clear();
    m_expectsTtl = false;
    m_owner = 0;
    m_until = never;
}

quint64 OwnerLane::notified(Cause cause, qint64 received)
{
    Change change;
    change.number = ++m_lastNumber;
    change.cause = cause;
    change.received = received;
    change.isRead = !wantsReading(cause);
    m_changes.push_back(change);
    advance();
    return change.number;
}

void OwnerLane::read(quint64 number, std::optional<Reading> reading)
{
    for (Change &change : m_changes) {
        if (change.number == number) {
            change.isRead = true;
            change.reading = reading;
        }
    }
    advance();
}

void OwnerLane::waitedOut(quint64 number)
{
    for (Change &change : m_changes)
        change.isWaitedOut |= change.number == number;
    advance();
}

void OwnerLane::giveUp()
{
    for (Change &change : m_changes) {
        change.isRead = true;
        change.isWaitedOut = true;
    }
    advance();
}

bool OwnerLane::isSettled(qint64 now) const
{
    return m_changes.empty() && (!m_hasNotifications || expiry() > now);
}

void OwnerLane::believed(const Event &belief)
{
    const auto what = static_cast<Belief>(belief.what);
    if (belief.sent == never || belief.answered == never || (what == Belief::Released && belief.number != 1))
        return;
    if (!m_hasNotifications) {
        conclude(belief);
        return;
    }
    if (what == Belief::Granted) {
        if (m_readTokens.erase(belief.text) == 0)
            m_grants.push_back(belief);
    } else if (what == Belief::Renewed) {
        m_renewals.push_back(belief);
    } else if (what == Belief::Released) {
        m_releases.push_back(belief);
    }
    advance();
}

/// The belief that belongs to a change of which was heard at @p received: of those whose command had been sent by then,
/// the one that was answered first. Commands that the server carried out in one order are answered in that order.
std::optional<Event> OwnerLane::take(std::vector<Event> &beliefs, qint64 received) const
{
    auto first = beliefs.end();
    for (auto belief = beliefs.begin(); belief != beliefs.end(); ++belief) {
        const bool canBe = belief->node == 0 || m_source == 0 || belief->node == m_source;
        if (canBe && belief->sent <= received && (first == beliefs.end() || belief->answered < first->answered))
            first = belief;
    }
    if (first == beliefs.end())
        return {};
    const Event taken = *first;
    beliefs.erase(first);
    return taken;
}

/// What a replica did not get from the one that it follows now, it may have got through that one from another.
std::optional<Event> OwnerLane::takeGrant(const Change &change)
{
    if (std::optional<Event> grant = take(m_grants, change.received))
        return grant;
    if (!m_isReplica || !change.reading || change.reading->token == 0)
        return {};
    const auto same = std::find_if(m_grants.begin(), m_grants.end(), [&](const Event &grant) { return grant.text == change.reading->token; });
    if (same == m_grants.end())
        return {};
    const Event grant = *same;
    m_grants.erase(same);
    return grant;
}

/// A replica hears of it when it does it.
qint64 OwnerLane::momentOf(const Event &belief, qint64 received) const
{
    return m_isReplica ? received : serverMoment(belief, received);
}

/// Changes are told in the order of notification, so the first that cannot be told yet holds up the others.
void OwnerLane::advance()
{
    if (std::exchange(m_isAdvancing, true))
        return; // somebody who was told has brought news: the loop below takes it up
    while (!m_changes.empty()) {
        const Change change = m_changes.front();
        if (!change.isRead || !resolve(change))
            break;
        if (!m_changes.empty() && m_changes.front().number == change.number) // else it died of what was told
            m_changes.pop_front();
    }
    m_isAdvancing = false;
}

bool OwnerLane::resolve(const Change &change)
{
    switch (change.cause) {
    case Cause::Set:
        return resolveSet(change);
    case Cause::TtlSet:
        return resolveTtl(change);
    case Cause::TtlRemoved:
        tell(OwnerChange::Renewed, change.received, m_owner, never, 0, false);
        return true;
    case Cause::Deleted:
        return resolveDeleted(change);
    case Cause::Evicted:
        tell(OwnerChange::Deleted, change.received, 0, never, 0, false);
        return true;
    case Cause::Expired:
        resolveExpired(change);
        return true;
    case Cause::Reloaded:
        resolveReloaded(change);
        return true;
    }
    return true;
}

bool OwnerLane::resolveSet(const Change &change)
{
    if (const std::optional<Event> grant = takeGrant(change)) {
        const qint64 at = std::max(momentOf(*grant, change.received), m_lastAt);
        const qint64 until = expiryFrom(*grant, m_isReplica ? serverMoment(*grant, change.received) : at);
        tell(OwnerChange::Set, at, grant->text, until, 0, !agrees(change.reading, grant->text, until, grant->answered - grant->sent));
        m_expectsTtl = until != never;
        return true;
    }
    if (!change.isWaitedOut)
        return false;
    // Its client died before it knew, or is none of ours. A later change may be what was read.
    const bool isOvertaken = std::any_of(m_changes.begin() + 1, m_changes.end(),
        [](const Change &later) { return later.cause == Cause::Set || later.cause == Cause::Deleted; });
    const Reading reading = change.reading.value_or(Reading());
    tell(OwnerChange::Set, change.received, reading.token, reading.until, 0, isOvertaken || reading.token == 0);
    if (reading.token != 0)
        m_readTokens.insert(reading.token);
    m_expectsTtl = !change.reading || reading.until != never;
    return true;
}

bool OwnerLane::resolveTtl(const Change &change)
{
    if (std::exchange(m_expectsTtl, false))
        return true; // told with the SET
    if (const std::optional<Event> renewal = take(m_renewals, change.received)) {
        const qint64 at = std::max(momentOf(*renewal, change.received), m_lastAt);
        const qint64 until = expiryFrom(*renewal, m_isReplica ? serverMoment(*renewal, change.received) : at);
        tell(OwnerChange::Renewed, at, m_owner, until, renewal->lane, !agrees(change.reading, m_owner, until, renewal->answered - renewal->sent));
        return true;
    }
    if (!change.isWaitedOut)
        return false;
    const bool isKnown = change.reading && change.reading->token == m_owner;
    tell(OwnerChange::Renewed, change.received, m_owner, isKnown ? change.reading->until : m_until, 0, !isKnown);
    return true;
}

bool OwnerLane::resolveDeleted(const Change &change)
{
    const std::optional<Event> release = take(m_releases, change.received);
    if (!release && !change.isWaitedOut)
        return false;
    // A primary that lets a key expire has its replicas delete it.
    if (!release && m_isReplica && expiry() <= change.received + tolerance) {
        resolveExpired(change);
        return true;
    }
    const qint64 at = release ? momentOf(*release, change.received) : change.received;
    tell(OwnerChange::Deleted, at, 0, never, release ? release->lane : 0, false);
    return true;
}

void OwnerLane::resolveExpired(const Change &change)
{
    tell(OwnerChange::Expired, std::min(expiry(), change.received), 0, never, 0, false);
}

void OwnerLane::resolveReloaded(const Change &change)
{
    if (!change.reading)
        return; // it could not be read: nobody knows
    const Reading reading = *change.reading;
    const bool isBelieved = reading.token == m_owner
        || std::any_of(m_grants.begin(), m_grants.end(), [&](const Event &grant) { return grant.text == reading.token; });
    forgetUntil(reading.at);
    if (!change.evenIfSame && agrees(reading, m_owner, m_until))
        return;
    tell(change.why, reading.at, reading.token, reading.until, 0, false);
    if (reading.token != 0 && !isBelieved)
        m_readTokens.insert(reading.token);
}

void OwnerLane::forgetUntil(qint64 answered)
{
    for (std::vector<Event> *beliefs : {&m_grants, &m_renewals, &m_releases})
        std::erase_if(*beliefs, [answered](const Event &belief) { return belief.answered <= answered; });
}

/// @param roundTrip of the command from which @p until was computed.
bool OwnerLane::agrees(const std::optional<Reading> &reading, Name token, qint64 until, qint64 roundTrip) const
{
    if (!reading || reading->token != token)
        return false;
    if (until == never || reading->until == never)
        return until == reading->until;
    return std::abs(reading->until - until) <= tolerance + reading->took + roundTrip;
}

void OwnerLane::tell(OwnerChange what, qint64 at, Name token, qint64 until, Name detail, bool isInferred)
{
    Event event;
    event.what = static_cast<quint8>(what);
    event.at = std::max(at, m_lastAt);
    event.text = token;
    event.until = until;
    event.detail = detail;
    event.flags = isInferred ? Event::Inferred : 0;
    m_lastAt = event.at;
    m_owner = token;
    m_until = until;
    m_expectsTtl = false;
    m_tell(event);
}

void OwnerLane::passed(qint64 now)
{
    if (!m_hasNotifications && expiry() <= now)
        tell(OwnerChange::Expired, m_until, 0, never, 0, true);
}

/// Without a word from the node. An owner whose lock was given to another had lost it by then.
void OwnerLane::conclude(const Event &belief)
{
    const qint64 at = serverMoment(belief, belief.answered);
    switch (static_cast<Belief>(belief.what)) {
    case Belief::Granted:
        if (belief.has(Event::Conditional) && expiry() != never)
            tell(OwnerChange::Expired, std::min(m_until, at), 0, never, 0, true);
        passed(at);
        tell(OwnerChange::Set, at, belief.text, expiryFrom(belief, std::max(at, m_lastAt)), 0, true);
        break;
    case Belief::Renewed:
        tell(OwnerChange::Renewed, at, belief.text, expiryFrom(belief, std::max(at, m_lastAt)), belief.lane, true);
        break;
    case Belief::Released:
        tell(OwnerChange::Deleted, at, 0, never, belief.lane, true);
        break;
    default:
        break;
    }
}

}
