// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// How many decisions a second each limiter makes with everything recorded, beside redis-benchmark: 50 connections, one
/// request in flight on each, the very same bytes to the same server, in turns, both timed from when they are connected. The ratio is
/// the median of those of the rounds: a machine that does other work as well slows both halves of a short round. A JSON line for
/// each algorithm.
///
///     bench_limiters [rounds] [requests]      25 rounds of 10,000 requests if not said otherwise

#include "engine/limiters/recordeddecision.h"
#include "engine/redis/script.h"
#include "engine/schedule/client.h"
#include "engine/schedule/signal.h"
#include "tests/support/median.h"
#include "tests/support/redisbenchmark.h"
#include "tests/support/testserver.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

using namespace interlock;

namespace {

constexpr int clients = 50;

/// Values under which some requests are admitted and most are not, and a log does not grow for ever.
const std::vector<std::pair<QString, QList<std::pair<QString, QString>>>> limiters {
    {"fixed-window", {{"limit", "1000"}, {"window", "1s"}}},
    {"sliding-log", {{"limit", "100"}, {"window", "1s"}}}, // each of its entries costs memory and time
    {"sliding-window", {{"limit", "1000"}, {"window", "1s"}, {"buckets", "10"}}},
    {"sliding-counter", {{"limit", "1000"}, {"window", "1s"}}},
    {"token-bucket", {{"capacity", "1000"}, {"rate", "1000/s"}}},
    {"leaky-bucket", {{"capacity", "1000"}, {"rate", "1000/s"}}},
    {"gcra", {{"limit", "1000"}, {"interval", "1ms"}}},
};

/// Each keeps something else under its key.
QByteArray keyFor(const QString &algorithm)
{
    return "bench:" + algorithm.toUtf8();
}

/// What the clients of one round have in common.
struct Crowd
{
    int connected = 0;
    std::vector<std::unique_ptr<Signal>> starts; ///< each waits for its own
    int left = 0; ///< requests that nobody has sent yet: as with redis-benchmark whoever has an answer sends the next one
    int answered = 0;
};

Task<> askAgainAndAgain(Actor &actor, NodeRef node, const PlayedLimiter *limiter, Crowd *crowd, Signal *start)
{
    const QByteArray key = keyFor(limiter->info.algorithm);
    Client client(actor, std::move(node));
    crowd->connected += (co_await client.command("PING")).ok() ? 1 : 0;
    co_await start->raised(actor, 10s);
    while (crowd->left-- > 0) {
        DecisionRequest request;
        request.key = key;
        request.redisKey = key;
        const NumberedDecision decision = co_await decideRecorded(client, *limiter, std::move(request));
        crowd->answered += decision.decision.ok() ? 1 : 0;
    }
}

double enginePerSecond(const Endpoint &endpoint, const PlayedLimiter &limiter, int requests)
{
    RealClock clock;
    RealTimeScheduler scheduler;
    Recorder recorder([&clock] { return clock.now(); });
    const World world {clock, scheduler, &recorder};
    Crowd crowd;
    crowd.left = requests;
    std::vector<std::unique_ptr<Actor>> actors;
    for (int i = 0; i < clients; ++i) {
        crowd.starts.push_back(std::make_unique<Signal>());
        actors.push_back(std::make_unique<Actor>(QStringLiteral("client%1").arg(i), world, quint64(i)));
        actors.back()->run(
            askAgainAndAgain(*actors.back(), {QStringLiteral("redis"), endpoint}, &limiter, &crowd, crowd.starts.back().get()));
    }
    // redis-benchmark too connects before it takes the time.
    if (!QTest::qWaitFor([&] { return crowd.connected == clients; }, 10'000))
        qFatal("%d of %d clients are connected.", crowd.connected, clients);
    QElapsedTimer elapsed;
    elapsed.start();
    for (const auto &start : crowd.starts)
        start->raise();
    while (std::any_of(actors.begin(), actors.end(), [](const auto &actor) { return actor->isAlive(); }))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double seconds = static_cast<double>(elapsed.nsecsElapsed()) / 1e9;
    if (crowd.answered != requests || recorder.run().decisions.size() != size_t(crowd.answered))
        qFatal("%d of %d were answered, %zu decisions recorded.", crowd.answered, requests, recorder.run().decisions.size());
    return crowd.answered / seconds;
}

QJsonObject measure(const Endpoint &endpoint, const RedisBenchmark &benchmark, const Limiter &limiter, int rounds, int requests)
{
    const PlayedLimiter ours = played(limiter);
    benchmark.load(limiter.script());
    const QList<QByteArray> keys = limiter.keys(keyFor(limiter.id()));
    const QByteArrayList command = QByteArrayList {"EVALSHA", limiter.script().sha, QByteArray::number(keys.size())} + keys + limiter.arguments(1);
    const QStringList options {"-c", QString::number(clients), "-n", QString::number(requests)};
    std::vector<double> engine, reference, ratios;
    for (int round = 0; round < rounds; ++round) {
        const bool isEngineFirst = round % 2 == 0; // whoever is second finds a warmer machine
        if (!isEngineFirst)
            reference.push_back(benchmark.perSecond(options, command));
        engine.push_back(enginePerSecond(endpoint, ours, requests));
        if (isEngineFirst)
            reference.push_back(benchmark.perSecond(options, command));
        ratios.push_back(engine.back() / reference.back());
    }
    return {
        {"bench", "limiters"},
        {"algorithm", limiter.id()},
        {"engine_per_s", qRound64(median(engine))},
        {"redis_benchmark_per_s", qRound64(median(reference))},
        {"ratio", qRound(median(ratios) * 1000) / 1000.0},
        {"rounds", rounds},
        {"requests", requests},
        {"clients", clients},
    };
}

}

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1"); // the dispatcher that the session's worker has
    QCoreApplication application(argc, argv);
    const int rounds = argc > 1 ? std::max(1, atoi(argv[1])) : 25;
    const int requests = argc > 2 ? std::max(1, atoi(argv[2])) : 10'000;
    TestServer server;
    if (!server.isReady())
        qFatal("%s", qPrintable(server.error()));
    const RedisBenchmark benchmark(server.endpoint());
    for (const auto &[id, values] : limiters) {
        const Result<Limiter> limiter = Limiter::make(id, values);
        if (!limiter)
            qFatal("%s", qPrintable(limiter.error().text));
        const QJsonObject line = measure(server.endpoint(), benchmark, *limiter, rounds, requests);
        std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
        std::fflush(stdout);
    }
    return 0;
}
