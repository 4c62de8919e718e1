// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/sentinelclient.h"

#include <utility>

namespace interlock {

namespace {

/// The server did not carry it out, or never saw it.
bool wasRefused(const Answer &answer)
{
    if (!answer.reply)
        return answer.reply.error().kind == Error::Kind::Failed;
    return answer.reply->isError("READONLY") || answer.reply->isError("LOADING") || answer.reply->isError("MASTERDOWN");
}

/// Whether the server carried it out is unknown.
bool isUnanswered(const Answer &answer)
{
    return !answer.reply && (answer.reply.error().kind == Error::Kind::TimedOut || answer.reply.error().kind == Error::Kind::Closed);
}

bool isAt(const Client &client, const ServerAddress &address)
{
    const Endpoint &endpoint = client.node().endpoint;
    return endpoint.host == address.host && endpoint.port == address.port;
}

}

SentinelClient::SentinelClient(Actor &actor, SentinelEndpoint sentinels, SearchOptions options)
    : m_actor(actor)
    , m_patience(options.patience)
    , m_random(actor.random().next())
    , m_search(actor, sentinels, std::move(options))
    , m_watch(m_search.sentinels(), sentinels.primaryName, m_patience, actor.random().next(), actor.world().clock,
          {[this](const NodeRef &sentinel, const PrimarySwitch &change) { heard(sentinel, change); }, [this] { listensAgain(); }})
{
    m_follower = m_actor.spawn(follow());
}

SentinelClient::~SentinelClient()
{
    m_actor.stop(m_follower);
}

Task<Result<void>> SentinelClient::connect()
{
    if (isThere())
        co_return Result<void>();
    const quint64 searches = m_searches;
    const Turns::Turn turn = co_await m_turns.next(m_actor);
    if (isThere())
        co_return Result<void>();
    if (m_searches != searches && !m_found) // or all who waited would search, and fail, one after the other
        co_return m_found;
    co_return co_await settle();
}

Task<Result<void>> SentinelClient::verify()
{
    const Turns::Turn turn = co_await m_turns.next(m_actor);
    co_return co_await settle();
}

/// Precondition: it is the caller's turn.
Task<Result<void>> SentinelClient::settle()
{
    const quint64 doubts = m_doubts; // further ones may come meanwhile
    Result<std::unique_ptr<Client>> found = co_await m_search.find(m_client.get());
    ++m_searches;
    m_found = found ? Result<void>() : found.error();
    if (found) {
        m_settledDoubts = doubts;
        if (*found)
            adopt(std::move(*found));
    }
    co_return m_found;
}

void SentinelClient::adopt(std::unique_ptr<Client> found)
{
    if (!m_client) {
        m_client = std::move(found);
        return;
    }
    const NodeRef before = m_client->node();
    m_client->moveTo(std::move(*found));
    if (m_client->node().endpoint == before.endpoint)
        return; // the same server over a new connection
    ++m_moves;
    if (Recorder *recorder = m_actor.world().recorder) {
        Event event;
        event.kind = Event::Kind::Note;
        event.at = recorder->now();
        event.node = recorder->intern(m_client->node().name);
        event.text = recorder->intern(QByteArrayView("The client moved to another primary."));
        event.detail = recorder->intern(QStringLiteral("%1 → %2").arg(before.name, m_client->node().name));
        m_actor.record(event);
    }
}

void SentinelClient::heard(const NodeRef &sentinel, const PrimarySwitch &change)
{
    m_search.learn(sentinel, change.from);
    if (m_client && isAt(*m_client, change.to))
        return; // one of the others was faster
    ++m_doubts;
    m_doubted.raise();
}

void SentinelClient::listensAgain()
{
    m_search.forgetDeposed();
    if (!m_client)
        return;
    ++m_doubts;
    m_doubted.raise();
}

/// A companion, so that a client whose program is at work moves as well, and one that is paused does not.
Task<> SentinelClient::follow()
{
    for (;;) {
        co_await m_doubted.raised(m_actor, Nanoseconds::max());
        (void)co_await connect(); // if it fails, the next command tries again
    }
}

Task<Result<Reply>> SentinelClient::send(Command command, Unanswered unanswered)
{
    const Attempt attempt = [this, command = std::move(command)] { return once(command); };
    Answer answer = co_await carryOut(attempt, unanswered);
    co_return std::move(answer.reply);
}

Task<Answer> SentinelClient::evaluate(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Unanswered unanswered)
{
    const Attempt attempt = [&] { return m_client->evaluate(script, keys, arguments); };
    co_return co_await carryOut(attempt, unanswered);
}

Task<Answer> SentinelClient::once(Command command)
{
    co_return co_await TimedCommandStep(*m_client, std::move(command));
}

Task<Answer> SentinelClient::carryOut(Attempt attempt, Unanswered unanswered)
{
    const Nanoseconds end = m_actor.now() + m_patience.limit;
    for (int sent = 1;; ++sent) {
        if (!isThere()) {
            const Result<void> connected = co_await connect();
            if (!connected)
                co_return Answer {connected.error()};
        }
        Answer answer = co_await attempt();
        const bool isToBeRepeated = wasRefused(answer) || (unanswered == Unanswered::SendAgain && isUnanswered(answer));
        if (!isToBeRepeated)
            co_return answer;
        ++m_doubts;
        const Nanoseconds pause = m_patience.pause(sent, m_random);
        if (sent >= m_patience.tries || m_actor.now() + pause >= end)
            co_return answer;
        co_await m_actor.sleep(pause);
    }
}

}
