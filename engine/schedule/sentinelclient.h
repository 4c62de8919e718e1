// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/primarysearch.h"
#include "engine/schedule/sentinelwatch.h"
#include "engine/schedule/signal.h"
#include "engine/schedule/turns.h"

#include <functional>
#include <memory>

namespace interlock {

/// An actor's connection to the primary that sentinels watch, whichever server that is: it finds it, and follows it when the sentinels say
/// that another has taken its place. Lives in the program that uses it.
///
///     SentinelClient primary(actor, sentinels);
///     co_await primary.command("SET", key, value);            // to the primary, also after a failover
///     co_await primary.idempotent("GET", key);                // and again if the answer did not come
///
/// Whatever takes a Client works on its client(), which stays the same object wherever it is connected:
///
///     co_await primary.connect();
///     Lock lock(primary.client(), options);
///     co_await lock.acquire();
///     …
///     co_await primary.connect();                             // moves if it has to, and the lock with it
///     co_await lock.release();
class SentinelClient
{
public:
    SentinelClient(Actor &actor, SentinelEndpoint sentinels, SearchOptions options = {});
    ~SentinelClient();
    SentinelClient(const SentinelClient &) = delete;
    SentinelClient &operator=(const SentinelClient &) = delete;

    /// Is there, at once, unless it has reason for doubt: nothing was found yet, the connection has ended, or a sentinel named another server.
    /// Failed: not found, see PrimarySearch::find().
    Task<Result<void>> connect();
    /// Does not believe that it is there before a sentinel and the server itself have said so now, and moves if they say otherwise.
    Task<Result<void>> verify();

    /// The one connection. Precondition: connect(), verify() or a command found the primary before. Its own commands are not sent again.
    Client &client() const { return *m_client; }
    /// Where it is; null: nothing was found yet.
    const NodeRef *node() const { return m_client ? &m_client->node() : nullptr; }
    /// How often it went on at another server.
    int moves() const { return m_moves; }
    /// How many sentinels would tell it of another primary now.
    int listening() const { return m_watch.listening(); }

    /// To the primary. What was refused, since the server is a replica (READONLY, MASTERDOWN) or has not read its data yet (LOADING), or was never
    /// sent, is sent again within the bounds of the patience. A command whose answer is missing is not: it may have been carried out.
    /// Answers what came last. TimedOut, Closed: no answer. Failed: no primary was found.
    template<typename... Arguments>
    Task<Result<Reply>> command(const Arguments &...arguments)
    {
        return send(Command(arguments...), Unanswered::Tell);
    }
    /// For a command that may be carried out twice: sent again without an answer, too.
    template<typename... Arguments>
    Task<Result<Reply>> idempotent(const Arguments &...arguments)
    {
        return send(Command(arguments...), Unanswered::SendAgain);
    }
    /// What to do about a missing answer.
    enum class Unanswered { Tell, SendAgain };
    Task<Result<Reply>> send(Command command, Unanswered unanswered);
    /// The same for a script, see Client::evaluate().
    Task<Answer> evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Unanswered unanswered = Unanswered::Tell);

private:
    using Attempt = std::function<Task<Answer>()>;

    bool isThere() const { return m_client && m_client->isUsable() && m_settledDoubts == m_doubts; }
    Task<Answer> carryOut(Attempt attempt, Unanswered unanswered);
    Task<Answer> once(Command command);
    Task<Result<void>> settle();
    void adopt(std::unique_ptr<Client> found);
    void heard(const NodeRef &sentinel, const PrimarySwitch &change);
    void listensAgain();
    Task<> follow();

    Actor &m_actor;
    Patience m_patience;
    Random m_random;
    PrimarySearch m_search;
    std::unique_ptr<Client> m_client;
    int m_moves = 0;
    quint64 m_doubts = 1; ///< so many reasons to doubt so far
    quint64 m_settledDoubts = 0; ///< so many of them before the last search that succeeded
    Turns m_turns; ///< at searching
    quint64 m_searches = 0; ///< that have ended
    Result<void> m_found; ///< the last one
    Signal m_doubted;
    SentinelWatch m_watch;
    quint64 m_follower = 0; ///< the companion that moves without being asked
};

}
