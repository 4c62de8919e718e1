// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/decide.h"

#include "engine/schedule/client.h"

#include <QCoreApplication>

namespace interlock {

Task<Result<Decision>> decide(Client &client, const Limiter &limiter, QByteArray key, qint64 cost, std::optional<qint64> now)
{
    TimedDecision timed = co_await decideTimed(client, limiter, std::move(key), cost, now);
    co_return std::move(timed.decision);
}

Task<TimedDecision> decideTimed(Client &client, const Limiter &limiter, QByteArray key, qint64 cost, std::optional<qint64> now)
{
    if (cost < 0 || cost > mostNumber || now.value_or(0) < 0 || now.value_or(0) > mostNumber) {
        Error error {Error::Kind::Invalid,
            QCoreApplication::translate("Limiter", "Costs and times are whole numbers from 0 to %1.").arg(mostNumber)};
        co_return TimedDecision {std::move(error)};
    }
    const Answer answer = co_await client.evaluate(limiter.script(), limiter.keys(key), limiter.arguments(cost, now));
    if (!answer.reply)
        co_return TimedDecision {answer.reply.error(), answer.sent, answer.answered};
    co_return TimedDecision {decisionFrom(*answer.reply), answer.sent, answer.answered};
}

}
