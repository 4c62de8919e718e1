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

/// "TTF": admitted, admitted, rejected.
inline QString pattern(const std::vector<Decision> &decisions)
{
    QString text;
    for (const Decision &decision : decisions)
        text += decision.admitted ? u'T' : u'F';
    return text;
}

inline LimiterRequests unitRequests(const QByteArray &key, const std::vector<qint64> &times)
{
    LimiterRequests requests;
    for (const qint64 at : times)
        requests.push_back({key, 1, at});
    return requests;
}

inline constexpr qint64 second = 1'000'000;

/// A: 100 requests at 59.9 s, then one each 0.1 s to 119.9 s.
inline std::vector<qint64> trafficA()
{
    std::vector<qint64> times(100, 59'900'000);
    for (qint64 at = 60 * second; at <= 119'900'000; at += 100'000)
        times.push_back(at);
    return times;
}

/// B: 4 a second for 600 s.
inline std::vector<qint64> trafficB()
{
    std::vector<qint64> times;
    for (qint64 at = 0; at < 600 * second; at += 250'000)
        times.push_back(at);
    return times;
}

/// The most admitted in any (t − 60 s, t].
inline int mostInAMinute(const LimiterRequests &requests, const std::vector<Decision> &decisions)
{
    std::vector<qint64> admitted;
    for (size_t i = 0; i < requests.size(); ++i) {
        if (decisions[i].admitted)
            admitted.push_back(requests[i].at);
    }
    int most = 0;
    for (size_t end = 0, begin = 0; end < admitted.size(); ++end) {
        while (admitted[begin] <= admitted[end] - 60 * second)
            ++begin;
        most = std::max(most, static_cast<int>(end - begin + 1));
    }
    return most;
}

/// How many were admitted, and the most in any minute: a line of the table of worst cases.
inline QList<int> admittedAndMost(const LimiterRequests &requests, const std::vector<Decision> &decisions)
{
    return {static_cast<int>(pattern(decisions).count('T')), mostInAMinute(requests, decisions)};
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
