// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/pipeline.h"

#include "engine/redis/script.h"

#include <utility>

namespace interlock {

namespace {

constexpr size_t most = 1000; // under way: enough to keep the server busy, little enough for its buffers
constexpr Nanoseconds deadline = 30s; // a thousand may have to be answered first

}

LimiterPipeline::LimiterPipeline(Connection &connection, const Limiter &limiter, Calls calls)
    : m_connection(connection)
    , m_limiter(limiter)
    , m_calls(std::move(calls))
{
}

LimiterPipeline::~LimiterPipeline()
{
    m_connection.forget(this);
}

void LimiterPipeline::start()
{
    m_connection.send(Command("SCRIPT", "LOAD", m_limiter.script().body), deadline, this);
}

void LimiterPipeline::fill()
{
    // Those that a lost script made come again must not be overtaken.
    while (!m_isLast && m_sentAgain == 0 && m_underWay.size() < most) {
        std::optional<LimiterRequest> request = m_calls.next();
        if (!request)
            m_isLast = true;
        else
            send("EVALSHA", m_limiter.script().sha, {m_asked++, std::move(*request)});
    }
    if (m_isLast && m_underWay.empty())
        finish({});
}

void LimiterPipeline::send(const char *verb, const QByteArray &what, UnderWay request)
{
    const QList<QByteArray> keys = m_limiter.keys(request.request.key);
    Command command(verb, what, keys.size());
    for (const QByteArray &key : keys)
        command.add(key);
    for (const QByteArray &argument : m_limiter.arguments(request.request.cost, request.request.at))
        command.add(argument);
    m_underWay.push_back(std::move(request));
    m_connection.send(command, deadline, this);
}

void LimiterPipeline::replied(Reply reply, Nanoseconds)
{
    if (!std::exchange(m_isLoaded, true)) {
        if (reply.isError())
            finish(Error {Error::Kind::Failed, QString::fromUtf8(reply.text)});
        else
            fill();
        return;
    }
    UnderWay answered = std::move(m_underWay.front());
    m_underWay.pop_front();
    if (answered.isSecondTry)
        --m_sentAgain;
    if (!answered.isSecondTry && reply.isError("NOSCRIPT")) { // nothing was done
        answered.isSecondTry = true;
        ++m_sentAgain;
        send("EVAL", m_limiter.script().body, std::move(answered));
        return;
    }
    const Result<Decision> decision = decisionFrom(reply);
    if (!decision) {
        finish(decision.error());
        return;
    }
    m_calls.decided(answered.number, *decision);
    fill();
}

void LimiterPipeline::failed(Error error)
{
    finish(std::move(error));
}

void LimiterPipeline::finish(Result<void> result)
{
    m_connection.forget(this);
    if (!std::exchange(m_isFinished, true))
        std::exchange(m_calls.finished, {})(std::move(result));
}

}
