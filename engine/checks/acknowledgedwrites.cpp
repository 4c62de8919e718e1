// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/acknowledgedwrites.h"

#include "engine/checks/history.h"
#include "engine/checks/serverroles.h"

#include <algorithm>

namespace interlock {

namespace {

using Fate = AcknowledgedWrite::Fate;

bool takesAway(const Event &event)
{
    const auto what = static_cast<OwnerChange>(event.what);
    return what == OwnerChange::Deleted || what == OwnerChange::Expired;
}

class Search
{
public:
    Search(const History &history, Name key)
        : m_history(history)
        , m_key(key)
    {
        ServerRoles roles(history.run());
        for (const size_t index : history.order())
            roles.read(history.event(index));
        m_found.unsettled = roles.unsettled();
        if (!m_found.unsettled) {
            m_found.primary = roles.primaries().front();
            const qint64 since = roles.find(m_found.primary)->roleSince;
            if (since != NodeState::beforeRun)
                m_found.since = since;
        }
        readOwners();
    }

    AcknowledgedWrites find()
    {
        size_t hold = 0;
        for (const size_t index : m_history.order()) {
            const Event &event = m_history.event(index);
            const bool isGrant = event.kind == Event::Kind::Belief && static_cast<Belief>(event.what) == Belief::Granted;
            const bool isWrite = event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == Resource::Wrote
                && event.has(Event::Accepted);
            const size_t number = hold;
            hold += isGrant; // holds stand in the order of their grants
            if ((!isGrant && !isWrite) || !event.text || (m_key && event.key != m_key))
                continue;
            AcknowledgedWrite write {index, Fate::NotRead, {}};
            if (!m_found.unsettled && isGrant)
                lookFor(m_history.holds()[number], write);
            else if (!m_found.unsettled)
                lookFor(event, write);
            m_found.writes.push_back(write);
        }
        return std::move(m_found);
    }

private:
    struct Place
    {
        Name key = 0;
        Name text = 0;
        auto operator<=>(const Place &) const = default;
    };

    /// What the settled primary had in a key, and when a key or a token was taken away on any node.
    void readOwners()
    {
        std::map<Place, Name> values; // by node and key
        for (const size_t index : m_history.order()) {
            const Event &event = m_history.event(index);
            if (event.kind != Event::Kind::Owner)
                continue;
            Name &value = values[{event.lane, event.key}];
            if (takesAway(event)) {
                m_taken[{event.key, 0}].push_back(event.at);
                if (value)
                    m_taken[{event.key, value}].push_back(event.at);
            }
            value = event.text;
            if (event.lane != m_found.primary)
                continue;
            m_told[event.key].push_back(index);
            if (static_cast<OwnerChange>(event.what) == OwnerChange::Read && event.at >= m_found.since)
                m_lastRead[{event.key, event.text}] = m_lastRead[{event.key, 0}] = index;
        }
    }

    /// A resource keeps all that was written to it, and a reading tells of each.
    void lookFor(const Event &event, AcknowledgedWrite &write) const
    {
        const auto isAfter = [&](const auto &found) { return found != m_lastRead.end() && m_history.event(found->second).at >= event.at; };
        const auto whole = m_lastRead.find({event.key, 0});
        const auto itself = m_lastRead.find({event.key, event.text});
        if (isAfter(itself)) {
            write.fate = Fate::Kept;
            write.reading = itself->second;
        } else if (taken({event.key, 0}, event.at) != never) {
            write.fate = Fate::Over;
        } else if (isAfter(whole)) {
            write.fate = Fate::Lost;
            write.reading = whole->second;
        }
    }

    /// A lock's key has one value at a time.
    void lookFor(const Hold &hold, AcknowledgedWrite &write) const
    {
        const qint64 end = endOf(hold);
        const qint64 begin = std::max(hold.answered, m_found.since);
        if (end <= begin) {
            write.fate = Fate::Over;
            return;
        }
        const auto told = m_told.find(hold.key);
        if (told == m_told.end())
            return;
        const std::vector<size_t> &events = told->second;
        auto next = std::partition_point(events.begin(), events.end(), [&](size_t index) { return m_history.event(index).at < hold.sent; });
        if (next != events.begin())
            --next;
        std::optional<size_t> before; // what the key was when the primary began to answer for it
        bool wasThere = false;
        for (; next != events.end(); ++next) {
            const size_t index = *next;
            const Event &event = m_history.event(index);
            if (event.at >= end)
                break;
            if (event.at <= begin)
                before = index;
            if (event.text == hold.token && event.at >= hold.sent) {
                wasThere = true;
                write.fate = Fate::Kept;
                write.reading = index;
            } else if (wasThere || event.at > begin) {
                write.fate = becameOf(hold, event);
                write.reading = index;
                return;
            }
        }
        if (!wasThere && before) {
            write.fate = Fate::Lost;
            write.reading = before;
        }
    }

    /// The primary said something else of the key while the hold still counted.
    Fate becameOf(const Hold &hold, const Event &event) const
    {
        if (takesAway(event))
            return Fate::Over;
        // Whoever is granted only what is free shows that it was gone.
        const std::optional<size_t> next = m_history.holdByToken(hold.key, event.text);
        const bool isOverwritten = event.text && !(next && m_history.holds()[*next].isConditional);
        return isOverwritten ? Fate::Over : Fate::Lost;
    }

    /// When the lock may be gone for a reason.
    qint64 endOf(const Hold &hold) const
    {
        return std::min({m_history.lease(hold), hold.releaseSent, taken({hold.key, hold.token}, hold.sent)});
    }

    /// When it was first taken away from @p time on; never: it was not.
    qint64 taken(Place place, qint64 time) const
    {
        const auto found = m_taken.find(place);
        if (found == m_taken.end())
            return never;
        const auto first = std::lower_bound(found->second.begin(), found->second.end(), time);
        return first == found->second.end() ? never : *first;
    }

    const History &m_history;
    Name m_key;
    AcknowledgedWrites m_found;
    std::map<Name, std::vector<size_t>> m_told; // by key: Owner events of the primary
    std::map<Place, size_t> m_lastRead; // of a key's text since it is the primary; text 0: of the key
    std::map<Place, std::vector<qint64>> m_taken; // when on any node; text 0: of the key, whatever was in it
};

}

qint64 AcknowledgedWrites::count(AcknowledgedWrite::Fate fate) const
{
    return std::count_if(writes.begin(), writes.end(), [fate](const AcknowledgedWrite &write) { return write.fate == fate; });
}

AcknowledgedWrites acknowledgedWrites(const History &history, Name key)
{
    return Search(history, key).find();
}

}
