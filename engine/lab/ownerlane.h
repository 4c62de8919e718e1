// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/event.h"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace interlock {

/// What a node says of one lock key, pieced together: notifications say that it changed and in which order, beliefs say
/// who it was and for how long, readings confirm. Knows no server and no clock; all times are the run's, in ns.
///
/// Example: the notification "set" was received at 5.0 ms, and A believes in a grant that was sent at 4.0 ms, answered at
/// 5.2 ms, for 1 s. So the server set the key between 4.0 and 5.0 ms: at 4.5 ms, give or take half of that, and the
/// lock expires at 1004.5 ms.
///
/// A replica says the same later: there the key changed when it was heard of. Beliefs name in their field node the server that answered, so
/// that a grant is looked for where it can have come from: on the server itself, or on the one that it replicates.
class OwnerLane
{
public:
    enum class Cause { Set, TtlSet, TtlRemoved, Deleted, Evicted, Expired, Reloaded };

    /// The key as it was read.
    struct Reading
    {
        Name token = 0; ///< 0: there is no key
        qint64 until = never; ///< when its TTL runs out
        qint64 at = 0; ///< when the answer came; needed after reloaded()
        qint64 took = 0; ///< from asking to the answer: so much earlier may the server have looked
    };

    /// @param tell records an Owner event, complete but for lane, key and kind.
    /// @param hasNotifications false: conclude from beliefs alone.
    OwnerLane(bool hasNotifications, std::function<void(Event)> tell);

    /// From now on grants count that @p source gave (0: anybody), which is the server itself unless it is a replica.
    void setSource(Name source, bool isReplica);

    /// @return the number under which to give the reading and the time-out of this change.
    quint64 notified(Cause cause, qint64 received);
    /// The node's data are others than before, without a notification of each: what is read tells the owner, and is told for this reason. What
    /// clients believe from before is in it, or lost. @param evenIfSame tell also what was known.
    quint64 reloaded(OwnerChange why, bool evenIfSame = true);
    /// The node died with what it had, which needs no telling.
    void died();
    /// True if a reading after such a change says something that is not known yet.
    static bool wantsReading(Cause cause);
    /// What was read after the change was notified; nothing if it could not be read.
    void read(quint64 change, std::optional<Reading> reading);
    /// The belief that belongs to the change should have come by now.
    void waitedOut(quint64 change);
    /// A Granted, Renewed or Released of this key.
    void believed(const Event &belief);
    /// Without notifications: an expiry that was computed may have passed.
    void passed(qint64 now);

    /// Nothing is awaited: no belief, no reading, no notification of an expiry that must have happened.
    bool isSettled(qint64 now) const;
    /// Tells what is still awaited as well as it can be told now.
    void giveUp();
    /// When the present owner's lock expires, as far as is known; never: no owner, or no TTL.
    qint64 expiry() const { return m_owner == 0 ? never : m_until; }

private:
    struct Change
    {
        quint64 number = 0;
        Cause cause = Cause::Set;
        OwnerChange why = OwnerChange::Read; ///< of Reloaded
        bool evenIfSame = true; ///< of Reloaded
        qint64 received = 0;
        bool isRead = false;
        bool isWaitedOut = false;
        std::optional<Reading> reading;
    };

    void advance();
    bool resolve(const Change &change);
    bool resolveSet(const Change &change);
    bool resolveTtl(const Change &change);
    bool resolveDeleted(const Change &change);
    void resolveExpired(const Change &change);
    void resolveReloaded(const Change &change);
    void forgetUntil(qint64 answered);
    qint64 momentOf(const Event &belief, qint64 received) const;
    void conclude(const Event &belief);
    std::optional<Event> take(std::vector<Event> &beliefs, qint64 received) const;
    std::optional<Event> takeGrant(const Change &change);
    bool agrees(const std::optional<Reading> &reading, Name token, qint64 until, qint64 roundTrip = 0) const;
    void tell(OwnerChange what, qint64 at, Name token, qint64 until, Name detail, bool isInferred);

    bool m_hasNotifications;
    bool m_isReplica = false;
    Name m_source = 0;
    std::function<void(Event)> m_tell;
    quint64 m_lastNumber = 0;
    std::deque<Change> m_changes; // notified, not told yet
    std::vector<Event> m_grants; // believed, not matched with a change yet
    std::vector<Event> m_renewals;
    std::vector<Event> m_releases;
    std::set<Name> m_readTokens; // told without a grant, which may still come
    bool m_isAdvancing = false;
    bool m_expectsTtl = false; // the last change was a SET with a TTL, which notifies of that on its own
    Name m_owner = 0;
    qint64 m_until = never;
    qint64 m_lastAt = 0;
};

}
