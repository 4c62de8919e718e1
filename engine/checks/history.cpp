// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/history.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace interlock {

namespace {

/// A word that is not in the table matches nothing (0 would match every empty field).
Name findWord(const Names &names, QByteArrayView text)
{
    const Name name = names.find(text);
    return name ? name : std::numeric_limits<Name>::max();
}

}

qint64 later(qint64 time, qint64 by)
{
    if (time == never)
        return never;
    qint64 sum = 0;
    if (__builtin_add_overflow(time, by, &sum))
        return by > 0 ? never : std::numeric_limits<qint64>::min();
    return sum;
}

qint64 between(qint64 from, qint64 to)
{
    qint64 difference = 0;
    if (__builtin_sub_overflow(to, from, &difference))
        return to > from ? never : std::numeric_limits<qint64>::min();
    return difference;
}

size_t History::PlaceHash::operator()(const Place &place) const
{
    quint64 mixed = (quint64(place.lane) << 32 | place.key) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 29) ^ place.token) * 0xbf58476d1ce4e5b9u;
    return size_t(mixed ^ (mixed >> 32));
}

History::History(const Run &run)
    : m_run(run)
    , m_released(findWord(run.names, "released"))
    , m_died(findWord(run.names, "died"))
    , m_crash(findWord(run.names, "crash"))
    , m_order(run.events.size())
    , m_holdByToken(run.names.size())
{
    std::iota(m_order.begin(), m_order.end(), size_t(0));
    const auto isEarlier = [&](size_t left, size_t right) { return event(left).at < event(right).at; };
    if (!std::is_sorted(m_order.begin(), m_order.end(), isEarlier))
        std::stable_sort(m_order.begin(), m_order.end(), isEarlier);
    for (const size_t index : m_order) {
        const Event &event = run.events[index];
        if (event.kind == Event::Kind::Belief)
            readBelief(index);
        else if (event.kind == Event::Kind::Resource)
            readResource(index);
        else if (event.kind == Event::Kind::Owner)
            m_owners[event.key].push_back(index);
        else if (event.kind == Event::Kind::Fault && event.text == m_crash && event.has(Event::Touched))
            m_deaths[event.lane].push_back({event.at, index});
    }
    endSectionsOfTheDead();
}

void History::addHold(size_t index)
{
    const Event &event = m_run.events[index];
    Hold hold;
    hold.lane = event.lane;
    hold.key = event.key;
    hold.token = event.text;
    hold.granted = index;
    hold.from = event.at;
    hold.answered = event.answered == never ? event.at : event.answered;
    hold.sent = event.sent == never ? hold.answered : event.sent;
    hold.isConditional = event.has(Event::Conditional);
    const size_t number = m_holds.size();
    const auto last = m_lastHold.find({event.lane, event.key, 0});
    if (last != m_lastHold.end())
        m_holds[last->second].next = number;
    m_holds.push_back(std::move(hold));
    m_lastHold[{event.lane, event.key, 0}] = number;
    m_lastHold[{event.lane, 0, 0}] = number;
    rememberToken(number);
}

/// Tokens are hardly ever used by two, so one number for each is enough for most; the rest is remembered place by place.
void History::rememberToken(size_t number)
{
    const Hold &hold = m_holds[number];
    if (hold.token == 0 || hold.token >= m_holdByToken.size())
        return;
    const std::optional<size_t> last = std::exchange(m_holdByToken[hold.token], number);
    const bool isShared = last && (m_holds[*last].lane != hold.lane || m_holds[*last].key != hold.key);
    if (!isShared && !this->isShared(hold.token))
        return;
    if (last)
        shareToken(m_holds[*last], *last);
    shareToken(hold, number);
}

void History::shareToken(const Hold &hold, size_t number)
{
    m_sharedTokens[{0, 0, hold.token}] = number;
    m_sharedTokens[{hold.lane, hold.key, hold.token}] = number;
    m_sharedTokens[{hold.lane, 0, hold.token}] = number;
    m_sharedTokens[{0, hold.key, hold.token}] = number;
}

bool History::isShared(Name token) const
{
    return !m_sharedTokens.empty() && m_sharedTokens.contains({0, 0, token});
}

/// The last hold with this token, of this lane and key; 0: of any.
std::optional<size_t> History::holdWith(Name lane, Name key, Name token) const
{
    if (token == 0 || token >= m_holdByToken.size())
        return {};
    if (isShared(token)) {
        const auto found = m_sharedTokens.find({lane, key, token});
        return found == m_sharedTokens.end() ? std::nullopt : std::optional(found->second);
    }
    const std::optional<size_t> last = m_holdByToken[token];
    const bool fits = last && (!lane || m_holds[*last].lane == lane) && (!key || m_holds[*last].key == key);
    return fits ? last : std::nullopt;
}

std::optional<size_t> History::holdOf(const Event &event) const
{
    if (const std::optional<size_t> exact = holdWith(event.lane, event.key, event.text))
        return exact;
    const auto last = m_lastHold.find({event.lane, event.key, 0});
    if (last == m_lastHold.end())
        return {};
    const Name token = m_holds[last->second].token;
    if (event.text && token && token != event.text)
        return {};
    return last->second;
}

std::optional<size_t> History::holdByToken(Name key, Name token) const
{
    return holdWith(0, key, token);
}

void History::readBelief(size_t index)
{
    const Event &event = m_run.events[index];
    const auto what = static_cast<Belief>(event.what);
    if (what == Belief::Granted) {
        addHold(index);
        return;
    }
    if (what == Belief::Ended && event.detail == m_died)
        m_deaths[event.lane].push_back({event.at, index});
    if (what != Belief::Renewed && what != Belief::Ended && what != Belief::Released)
        return;
    const std::optional<size_t> number = holdOf(event);
    Hold *hold = number ? &m_holds[*number] : nullptr;
    if (what == Belief::Renewed) {
        if (hold)
            hold->renewals.push_back(index);
    } else if (what == Belief::Ended) {
        m_endedWithoutGrant += !hold;
        if (hold && !hold->ended)
            hold->ended = index;
        if (hold && event.detail == m_released)
            hold->releaseSent = std::min(hold->releaseSent, event.at);
    } else {
        Release release;
        release.lane = event.lane;
        release.key = event.key;
        release.event = index;
        release.answered = event.answered;
        release.sent = event.sent == never ? event.at : event.sent;
        release.deleted = event.number;
        release.hold = number;
        m_releases.push_back(release);
        if (hold) {
            hold->released = index;
            hold->releaseSent = std::min(hold->releaseSent, release.sent);
            hold->releaseAnswered = std::min(hold->releaseAnswered, release.answered);
        }
    }
}

void History::readResource(size_t index)
{
    const Event &event = m_run.events[index];
    const auto what = static_cast<Resource>(event.what);
    std::vector<size_t> &open = m_openSections[{event.lane, event.key, 0}];
    if (what == Resource::Entered) {
        Stay section;
        section.lane = event.lane;
        section.key = event.key;
        section.entered = index;
        section.from = event.at;
        // The section's name need not be the lock's, so the lock is found by its token, else it is the lane's last one.
        section.hold = holdWith(event.lane, 0, event.text);
        if (const auto last = m_lastHold.find({event.lane, 0, 0}); !section.hold && last != m_lastHold.end())
            section.hold = last->second;
        open.push_back(m_sections.size());
        m_sections.push_back(section);
    } else if (what == Resource::Left) {
        // Entering twice nests: the last one entered is the first one left.
        if (open.empty()) {
            ++m_leftWithoutEntering;
            return;
        }
        Stay &section = m_sections[open.back()];
        const Name token = m_run.events[section.entered].text;
        if (event.text && token && token != event.text) {
            ++m_leftWithoutEntering;
            return;
        }
        section.left = index;
        section.until = event.at;
        open.pop_back();
    }
}

/// A client that died works no longer. Only the section in which it was last can have been ended by that, and in a record
/// with gaps not even that is certain: its leaving may be what is missing.
void History::endSectionsOfTheDead()
{
    if (!m_run.isComplete || m_run.dropped)
        return;
    for (const auto &[place, open] : m_openSections) {
        if (open.empty())
            continue;
        Stay &section = m_sections[open.back()];
        if (const std::optional<Death> end = death(section.lane, section.from)) {
            section.left = end->event;
            section.until = end->at;
            section.endedByDeath = true;
        }
    }
}

const std::vector<size_t> &History::ownerEvents(Name key) const
{
    static const std::vector<size_t> none;
    const auto found = m_owners.find(key);
    return found == m_owners.end() ? none : found->second;
}

std::optional<Death> History::death(Name lane, qint64 time) const
{
    const auto found = m_deaths.find(lane);
    if (found == m_deaths.end())
        return {};
    const auto first = std::lower_bound(found->second.begin(), found->second.end(), time,
        [](const Death &death, qint64 limit) { return death.at < limit; });
    return first == found->second.end() ? std::nullopt : std::optional(*first);
}

qint64 History::lease(const Hold &hold, qint64 time) const
{
    auto renewal = std::partition_point(hold.renewals.begin(), hold.renewals.end(), [&](size_t index) {
        const Event &event = m_run.events[index];
        return (event.answered == never ? event.at : event.answered) <= time;
    });
    return renewal == hold.renewals.begin() ? event(hold.granted).until : event(*(renewal - 1)).until;
}

qint64 History::latestExpiry(const Hold &hold) const
{
    qint64 latest = later(event(hold.granted).until, between(hold.sent, hold.answered));
    if (!hold.renewals.empty()) {
        const Event &renewal = event(hold.renewals.back());
        const bool isTimed = renewal.sent != never && renewal.answered != never;
        latest = std::max(latest, later(renewal.until, isTimed ? between(renewal.sent, renewal.answered) : 0));
    }
    return latest;
}

qint64 History::overrun(const Stay &section) const
{
    if (!section.hold || section.until == never)
        return 0;
    const qint64 end = lease(m_holds[*section.hold], section.until);
    return end == never ? 0 : std::max<qint64>(0, between(end, section.until));
}

}
