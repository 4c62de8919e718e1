// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/recordeddecision.h"

#include "engine/schedule/client.h"

#include <utility>

namespace interlock {

namespace {

DecisionFigures figuresOf(const DecisionRequest &request, const Decision *decision)
{
    DecisionFigures figures;
    figures.cost = request.cost;
    figures.asked = request.now.value_or(never);
    if (!decision)
        return figures;
    figures.limit = decision->limit;
    figures.remaining = decision->remaining;
    figures.retryAfter = decision->retryAfter.value_or(never);
    figures.resetAfter = decision->resetAfter;
    figures.delay = decision->delay;
    figures.level = decision->level;
    figures.now = decision->now;
    figures.serverTime = decision->serverTime;
    return figures;
}

QByteArray failureText(const DecisionRequest &request, const QString &why)
{
    switch (request.whenDown) {
    case WhenDown::Open:
        return letThrough + (": " + why.toUtf8());
    case WhenDown::Closed:
        return turnedAway + (": " + why.toUtf8());
    case WhenDown::Failed:
        break;
    }
    return why.toUtf8();
}

/// A decision that is being made. If its caller's program is destroyed meanwhile, it goes into the record without an answer.
class UnderWay
{
public:
    UnderWay(Client &client, const PlayedLimiter &limiter, const DecisionRequest &request)
        : m_client(client)
        , m_limiter(limiter)
        , m_request(request)
        , m_begun(m_client.actor().world().recorder ? m_client.actor().world().recorder->now() : 0)
    {
    }
    ~UnderWay()
    {
        const char *why = m_client.actor().whyEnding();
        if (!m_isRecorded && why)
            record(TimedDecision {Error {Error::Kind::Cancelled, QString::fromLatin1(why)}});
    }
    UnderWay(const UnderWay &) = delete;

    /// @return its number.
    qint64 record(const TimedDecision &timed)
    {
        m_isRecorded = true;
        Actor &actor = m_client.actor();
        Recorder *recorder = actor.world().recorder;
        if (!recorder)
            return -1;
        const Decision *decision = timed.decision ? &*timed.decision : nullptr;
        Event event;
        event.kind = Event::Kind::Decision;
        const auto answer = !decision ? LimiterAnswer::Failed : decision->admitted ? LimiterAnswer::Admitted : LimiterAnswer::Rejected;
        event.what = static_cast<quint8>(answer);
        event.at = timed.sent == never ? m_begun : timed.sent;
        event.sent = m_request.due;
        event.answered = timed.answered;
        // What was refused before it was sent has been answered with certainty, though not by the server: it was not counted.
        const bool isCertain = decision || timed.decision.error().kind == Error::Kind::Failed || timed.decision.error().kind == Error::Kind::Invalid;
        if (isCertain && event.answered == never)
            event.answered = recorder->now();
        event.until = isCertain ? recorder->now() : never;
        event.node = recorder->intern(m_client.node().name);
        event.key = recorder->intern(m_request.key);
        event.text = recorder->intern(m_limiter.info.name);
        if (answer == LimiterAnswer::Admitted)
            event.flags |= Event::Accepted;
        if (!m_request.probe.isEmpty()) {
            event.flags |= Event::Touched;
            event.detail = recorder->intern(m_request.probe);
        } else if (!decision) {
            event.detail = recorder->intern(failureText(m_request, timed.decision.error().text));
        }
        const size_t before = recorder->run().decisions.size();
        actor.recordDecision(event, figuresOf(m_request, decision));
        return recorder->run().decisions.size() > before ? static_cast<qint64>(before) : -1;
    }

private:
    Client &m_client;
    const PlayedLimiter &m_limiter;
    const DecisionRequest &m_request;
    qint64 m_begun;
    bool m_isRecorded = false;
};

}

Task<NumberedDecision> decideRecorded(Client &client, const PlayedLimiter &limiter, DecisionRequest request)
{
    UnderWay underWay(client, limiter, request);
    TimedDecision timed = co_await limiter.ask(client, request.redisKey, request.cost, request.now);
    const qint64 number = underWay.record(timed);
    co_return NumberedDecision {std::move(timed.decision), number};
}

}
