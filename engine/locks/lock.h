// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/task.h"
#include "engine/run/event.h"

#include <QByteArray>

#include <functional>

namespace interlock {

class Actor;
class Client;
class Watchdog;
struct Answer;

/// How a lock is taken. Only the last is right; the others are here because they are in use.
enum class Acquiring {
    SetNx, ///< SETNX, no TTL: a dead owner's lock stays for ever
    SetNxThenExpire, ///< SETNX, then EXPIRE: two commands, with the point "between SETNX and EXPIRE" between them
    Set, ///< SET with PX but without NX: takes the lock from whoever holds it
    SetNxPx, ///< SET with NX and PX: one command
};

/// How a lock is given back.
enum class Releasing {
    Del, ///< whoever's it is
    GetThenDel, ///< compares first, but in a command of its own, with the point "between GET and DEL" after it
    Script, ///< compares and deletes in one script
};

struct LockOptions
{
    QByteArray key;
    Acquiring acquiring = Acquiring::SetNxPx;
    Releasing releasing = Releasing::Script;
    /// At least 1 ms; what is below a whole millisecond is cut off. SetNx does not use it.
    Nanoseconds ttl = 30s;
    /// Key of the counter that fencing tokens are drawn from, in the key's slot; empty: no fencing tokens. SetNxPx only.
    QByteArray fencingCounter;
};

/// How long to try for a lock, and how long to wait between two tries.
struct Waiting
{
    Nanoseconds limit {0}; ///< counted from the first try; 0: one try; Nanoseconds::max(): until it is granted
    Nanoseconds leastDelay {0};
    Nanoseconds mostDelay {0}; ///< above leastDelay: each delay is drawn evenly from [leastDelay, mostDelay]

    static Waiting once() { return {}; }
    static Waiting fixed(Nanoseconds limit, Nanoseconds delay) { return {limit, delay, delay}; }
    /// Delays between half of @p mean and one and a half of it, so that clients that were refused together do not come back together.
    static Waiting random(Nanoseconds limit, Nanoseconds mean) { return {limit, mean / 2, mean + mean / 2}; }

    Nanoseconds delay(Random &random) const { return random.between(leastDelay, mostDelay); }
};

/// Connects the lock's client with the server that has taken the place of the one where it was (SentinelClient::verify(), for instance).
using Reconnecting = std::function<Task<Result<void>>()>;

/// What the server said about the caller's ownership.
enum class Ownership {
    Own, ///< it was the caller's, and what was asked was done
    Expired, ///< nobody holds the lock: it expired or was deleted; nothing was created
    Other, ///< somebody else holds it; it was not touched
};

/// A lock on one server as one of its clients sees it: takes it, keeps it, gives it back, and records what the client
/// believes about it (engine/run/event.h), if its actor's world has a recorder.
///
/// Lives in the program that uses it. If it is destroyed while held, the belief ends there and the key stays until its TTL.
class Lock
{
public:
    /// @param client must outlive the lock.
    Lock(Client &client, LockOptions options);
    ~Lock();
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

    /// Tries for the lock. False: refused until the limit, or the next try would come after it. Each call draws a token of its own.
    /// Failed: the server answered with an error. TimedOut, Closed: no answer; since the lock may have been granted all the same,
    /// it is then released by its token through a fresh connection before this returns. Invalid: options not usable, or held already.
    /// @param reconnecting if given, a server that is gone, or that is no primary any more, is no failure: the client is connected with
    /// the one that took its place and waits on there. What fails then is reconnecting.
    Task<Result<bool>> acquire(Waiting waiting = Waiting::once(), Reconnecting reconnecting = {});

    /// Gives the lock back; the belief ends when the release is sent. With Releasing::Del the answer Own says only that a key was
    /// deleted. Invalid: acquire() was never granted. Failed, TimedOut, Closed as for any command.
    Task<Result<Ownership>> release();

    /// Gives the lock a new TTL, counted from now. Invalid, and nothing sent, for less than 1 ms.
    Task<Result<Ownership>> renew(Nanoseconds ttl);
    Task<Result<Ownership>> renew(Client &through, Nanoseconds ttl);
    /// Adds to what is left of the TTL. Invalid, and nothing sent, for less than 1 ms.
    Task<Result<Ownership>> extend(Nanoseconds more);
    /// The wrong renewal: SET without a look at the owner. It creates a lock that has expired and takes one that is another's.
    Task<Result<Ownership>> renewUnchecked(Client &through, Nanoseconds ttl);

    /// Whether this client believes that it holds the lock; it does not notice an expiry by itself (see Watchdog).
    bool isHeld() const { return m_isHeld; }
    /// The value that marks the lock as this client's; empty before the first acquire().
    const QByteArray &token() const { return m_token; }
    /// Rises with every grant; 0: none.
    qint64 fencingToken() const { return m_fencingToken; }
    /// When the lock runs out at the earliest: ns on the run's clock; never: it has no TTL.
    qint64 until() const { return m_until; }
    /// When the command was sent that got the lock; ns on the run's clock.
    qint64 acquireSent() const { return m_acquireSent; }
    /// Now, on the run's clock (without a recorder: the world's clock); ns.
    qint64 now() const;

    Client &client() const { return m_client; }
    Actor &actor() const;
    const LockOptions &options() const { return m_options; }

private:
    friend class Watchdog;
    class WaitingBelief;

    // acquire.cpp
    Result<void> usable() const;
    Task<Result<bool>> attempt();
    Task<Result<bool>> attemptFenced();
    Result<bool> taken(const Answer &answer, bool isGranted, qint64 until, qint64 fencingToken = 0);
    Task<Result<bool>> expire();
    Task<> removeLeftover();
    Task<Result<void>> moveOn(Reconnecting reconnecting);

    // release.cpp
    Task<Result<Ownership>> releaseByDel();
    Task<Result<Ownership>> releaseByGetThenDel();
    Task<Result<Ownership>> releaseByScript();
    void released(const Answer &answer, qint64 deleted);

    // renew.cpp
    Task<Result<Ownership>> prolong(Client &through, const char *script, Nanoseconds duration);
    void renewed(const Answer &answer, qint64 until);
    Error renewalFailed(const Answer &answer, Error error);

    void believe(const Answer &answer, qint64 until, qint64 fencingToken);
    void endBelief(const char *why);
    Event belief(Belief what) const;
    void record(Belief what, const Answer &answer, qint64 until, qint64 number, const QString &detail = {});

    Client &m_client;
    LockOptions m_options;
    QByteArray m_token;
    qint64 m_fencingToken = 0;
    qint64 m_until = never;
    qint64 m_acquireSent = never;
    bool m_isHeld = false;
    bool m_isServerLost = false; ///< the last try was not answered, or not by a primary
    Watchdog *m_watchdog = nullptr;
};

/// Whole milliseconds, as commands take them.
inline qint64 wholeMilliseconds(Nanoseconds duration)
{
    return std::chrono::floor<Milliseconds>(duration).count();
}

}
