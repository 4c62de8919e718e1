// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/firstcause.h"
#include "engine/checks/history.h"
#include "engine/checks/sentences.h"

#include <algorithm>

namespace interlock {

namespace {

/// How the first holder lost the key. The node's own word comes first; without it (or where tokens do not tell holders
/// apart) it is concluded from the clients: the earliest of a release of its own, another's release that deleted something,
/// and the end of its lease. If there is none of these and the second did not ask for a free key, it overwrote it.
class Search
{
public:
    Search(const History &history, const Hold &first, const Hold &second)
        : m_history(history)
        , m_first(first)
        , m_second(second)
    {
    }

    Cause find()
    {
        if (!askNode())
            askClients();
        addPause();
        return std::move(m_cause);
    }

private:
    QString nameOf(Name name) const { return m_history.name(name); }
    void blame(Sentence sentence, std::optional<size_t> event)
    {
        m_cause.sentences.push_back(std::move(sentence));
        if (event)
            m_cause.events.push_back(*event);
    }

    bool askNode()
    {
        if (!m_first.token || m_first.token == m_second.token)
            return false;
        bool wasOwner = false;
        for (const size_t index : m_history.ownerEvents(m_first.key)) {
            const Event &event = m_history.event(index);
            if (event.text == m_first.token) {
                wasOwner = true;
            } else if (wasOwner) {
                return tell(event, index);
            }
        }
        return false;
    }

    bool tell(const Event &event, size_t index)
    {
        switch (static_cast<OwnerChange>(event.what)) {
        case OwnerChange::Expired:
            blame(say("cause.expired", nameOf(m_first.lane), At {event.at}), index);
            return true;
        case OwnerChange::Deleted:
            tellDeletion(event, index);
            return true;
        case OwnerChange::Restarted:
            blame(say("cause.restarted", nameOf(m_first.lane), nameOf(event.lane), At {event.at}), index);
            return true;
        case OwnerChange::Promoted:
            tellPromotion(event, index);
            return true;
        case OwnerChange::Set:
            // A node that tells of expiry does so before it sets the key anew, unless a target's events are concluded ones.
            if (m_second.isConditional || m_history.lease(m_first, m_second.answered) <= m_second.sent)
                return false;
            overwritten();
            return true;
        case OwnerChange::Renewed:
        case OwnerChange::Read:
            break;
        }
        return false;
    }

    /// A replica may have had the lock and dropped it by a clock of its own.
    void tellPromotion(const Event &event, size_t index)
    {
        const std::vector<size_t> &owners = m_history.ownerEvents(m_first.key);
        const bool hadIt = std::any_of(owners.begin(), owners.end(), [&](size_t each) {
            const Event &told = m_history.event(each);
            return told.lane == event.lane && told.text == m_first.token && told.at <= event.at;
        });
        blame(say(hadIt ? "cause.promoted" : "cause.never-had", nameOf(m_first.lane), nameOf(event.lane), At {event.at}), index);
    }

    /// Nothing took the lock away, but a server that did not have it took the primary's role meanwhile.
    bool askPromotion()
    {
        const Name primary = m_history.run().names.find("primary");
        for (const size_t index : m_history.order()) {
            const Event &event = m_history.event(index);
            if (event.at > m_second.answered)
                return false;
            const bool isPromotion = event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == NodeChange::RoleChanged
                && primary && event.text == primary && event.at >= m_first.sent;
            if (isPromotion) {
                tellPromotion(event, index);
                return true;
            }
        }
        return false;
    }

    void tellDeletion(const Event &event, size_t index)
    {
        // The deleting command had been sent before the node told of it, and the latest one is the one that did it.
        const Release *deleter = nullptr;
        for (const Release &release : m_history.releases()) {
            const bool fits = release.key == m_first.key && release.deleted > 0 && release.sent >= m_first.sent && release.sent <= event.at;
            if (fits && (!deleter || release.sent > deleter->sent))
                deleter = &release;
        }
        if (!deleter)
            blame(say("cause.deleted.unknown", nameOf(m_first.lane), At {event.at}), index);
        else
            tellRelease(*deleter);
    }

    void tellRelease(const Release &release)
    {
        if (release.lane == m_first.lane)
            blame(say("cause.released", nameOf(m_first.lane), At {release.sent}), release.event);
        else
            blame(say("cause.deleted", nameOf(m_first.lane), nameOf(release.lane),
                      At {release.answered == never ? release.sent : release.answered}),
                release.event);
    }

    void askClients()
    {
        const Release *release = firstDeletion();
        const qint64 deleted = release ? release->sent : never;
        const qint64 expired = m_history.lease(m_first, m_second.answered);
        const qint64 ownRelease = m_first.releaseSent;
        const qint64 earliest = std::min({deleted, expired, ownRelease});
        if (earliest >= m_second.answered) {
            if (m_second.isConditional && !askPromotion())
                blame(say("cause.unknown", nameOf(m_first.lane), nameOf(m_second.lane)), {});
            else if (!m_second.isConditional)
                overwritten();
        } else if (earliest == expired) {
            blame(say("cause.expired", nameOf(m_first.lane), At {expired}), {});
        } else if (earliest == ownRelease) {
            blame(say("cause.released", nameOf(m_first.lane), At {ownRelease}), m_first.ended);
        } else {
            tellRelease(*release);
        }
    }

    const Release *firstDeletion() const
    {
        const Release *first = nullptr;
        for (const Release &release : m_history.releases()) {
            const bool fits = release.key == m_first.key && release.deleted > 0 && release.lane != m_first.lane
                && release.sent >= m_first.answered && release.sent < m_second.answered;
            if (fits && (!first || release.sent < first->sent))
                first = &release;
        }
        return first;
    }

    void overwritten()
    {
        blame(say("cause.overwritten", nameOf(m_first.lane), nameOf(m_second.lane), At {m_second.from}), m_second.granted);
    }

    /// A client that was stopped while its lock ran out did not do so of its own will.
    void addPause()
    {
        const Name pause = m_history.run().names.find("pause");
        if (!pause)
            return;
        for (const size_t index : m_history.order()) {
            const Event &event = m_history.event(index);
            if (event.at > m_second.answered)
                return;
            const bool fits = event.kind == Event::Kind::Fault && event.text == pause && event.has(Event::Touched)
                && event.lane == m_first.lane && event.at >= m_first.from && event.until > m_second.sent;
            if (fits && event.until != never)
                blame(say("cause.paused", nameOf(event.lane), At {event.at}, At {event.until}), index);
        }
    }

    const History &m_history;
    const Hold &m_first;
    const Hold &m_second;
    Cause m_cause;
};

}

Cause whyGranted(const History &history, size_t first, size_t second)
{
    const Hold &one = history.holds()[first];
    const Hold &two = history.holds()[second];
    return one.sent <= two.sent ? Search(history, one, two).find() : Search(history, two, one).find();
}

}
