// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/limiter.h"
#include "engine/limiters/pipeline.h"
#include "tests/support/testserver.h"

#include <QEventLoop>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace interlock {

using LimiterRequests = std::vector<LimiterRequest>;

/// The reference's decisions on requests of one key.
inline std::vector<Decision> byReference(const Limiter &limiter, const LimiterRequests &requests)
{
    std::vector<Decision> decisions;
    const auto model = limiter.reference();
    for (const LimiterRequest &request : requests)
        decisions.push_back(model->decide(request.at, request.cost));
    return decisions;
}

/// The script's on a real server; fewer than asked for, and a warning, if something went wrong.
inline std::vector<Decision> byScript(Connection &connection, const Limiter &limiter, const LimiterRequests &requests)
{
    std::vector<Decision> decisions;
    size_t next = 0;
    Result<void> result = Error {Error::Kind::TimedOut, QStringLiteral("The pipeline did not finish within 60 s.")};
    QEventLoop loop; // and no polling: a hundred traces would wait for most of the time
    QTimer::singleShot(60'000, &loop, &QEventLoop::quit);
    LimiterPipeline pipeline(connection, limiter,
        {[&] { return next < requests.size() ? std::optional(requests[next++]) : std::nullopt; },
            [&](qint64, const Decision &decision) { decisions.push_back(decision); },
            [&](Result<void> ended) {
                result = std::move(ended);
                loop.quit();
            }});
    pipeline.start();
    loop.exec();
    if (!result)
        qWarning("%s", qPrintable(result.error().text));
    return decisions;
}

/// For failing tests: "at 5 cost 1: admitted, remaining 2, retry 0, …".
inline QString shown(const LimiterRequest &request, const Decision &decision)
{
    return QStringLiteral("at %1 cost %2: %3, limit %4, remaining %5, retry %6, reset %7, delay %8, level %9, now %10")
        .arg(request.at)
        .arg(request.cost)
        .arg(decision.admitted ? "admitted" : "rejected")
        .arg(decision.limit)
        .arg(decision.remaining)
        .arg(decision.retryAfter ? QString::number(*decision.retryAfter) : QStringLiteral("never"))
        .arg(decision.resetAfter)
        .arg(decision.delay)
        .arg(decision.level)
        .arg(decision.now);
}

/// The first request on which the two do not agree in every field but the server's time; empty: they agree on all.
inline QString difference(const LimiterRequests &requests, std::vector<Decision> script, const std::vector<Decision> &reference)
{
    if (script.size() != requests.size() || reference.size() != requests.size())
        return QStringLiteral("%1 requests, %2 and %3 decisions").arg(requests.size()).arg(script.size()).arg(reference.size());
    for (size_t i = 0; i < requests.size(); ++i) {
        script[i].serverTime = reference[i].serverTime;
        if (script[i] != reference[i])
            return QStringLiteral("request %1\n  script:    %2\n  reference: %3")
                .arg(i)
                .arg(shown(requests[i], script[i]), shown(requests[i], reference[i]));
    }
    return {};
}

}
