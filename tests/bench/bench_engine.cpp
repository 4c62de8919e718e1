// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// How many decisions a second the engine makes with everything recorded, beside redis-benchmark: 50 connections, one
/// command in flight on each, the same script on the same server, in turns. Prints one JSON line.
///
///     bench_engine [rounds] [commands]        5 rounds of 100,000 commands if not said otherwise

#include "engine/schedule/client.h"
#include "tests/support/median.h"
#include "tests/support/redisbenchmark.h"
#include "tests/support/testserver.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include <malloc.h>

using namespace interlock;

namespace {

constexpr int clients = 50;
constexpr auto key = "bench:limit";
constexpr auto window = "60000"; // ms
constexpr auto limit = "1000000000";

Script limiter()
{
    return Script::fromText(QStringLiteral("bench/fixed-window"),
        "local count = redis.call('INCR', KEYS[1])\n"
        "if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end\n"
        "if count <= tonumber(ARGV[2]) then return 1 end\n"
        "return 0\n");
}

size_t allocated()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

struct Tally
{
    int answered = 0;
    int failed = 0;
};

Task<> decide(Actor &actor, NodeRef node, const Script *script, int count, Tally *tally)
{
    Client client(actor, std::move(node));
    const QList<QByteArray> keys {key};
    const QList<QByteArray> arguments {window, limit};
    for (int i = 0; i < count; ++i) {
        const Answer answer = co_await client.evaluate(*script, keys, arguments);
        const bool isDecision = answer.reply.ok() && answer.reply->isInteger(1);
        ++(isDecision ? tally->answered : tally->failed);
    }
}

/// The figures of one run of the engine.
struct EngineRound
{
    double perSecond = 0;
    double bytesPerEvent = 0;
};

EngineRound runEngine(const Endpoint &endpoint, const Script &script, int commands)
{
    const size_t before = allocated();
    RealClock clock;
    RealTimeScheduler scheduler;
    Recorder recorder([&clock] { return clock.now(); });
    const World world {clock, scheduler, &recorder};
    Tally tally;
    std::vector<std::unique_ptr<Actor>> actors;
    QElapsedTimer elapsed;
    elapsed.start();
    for (int i = 0; i < clients; ++i) {
        actors.push_back(std::make_unique<Actor>(QStringLiteral("client%1").arg(i), world, quint64(i)));
        actors.back()->run(
            decide(*actors.back(), {QStringLiteral("redis"), endpoint}, &script, commands / clients, &tally));
    }
    while (std::any_of(actors.begin(), actors.end(), [](const auto &actor) { return actor->isAlive(); }))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double seconds = static_cast<double>(elapsed.nsecsElapsed()) / 1e9;
    if (tally.failed > 0 || tally.answered != commands / clients * clients
        || recorder.events().size() < size_t(tally.answered))
        qFatal("%d commands failed, %d were answered, %zu events recorded.", tally.failed, tally.answered,
            recorder.events().size());
    const double bytes = static_cast<double>(allocated() - before) / static_cast<double>(recorder.events().size());
    return {tally.answered / seconds, bytes};
}

}

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1"); // the dispatcher that the session's worker has
    QCoreApplication application(argc, argv);
    const int rounds = argc > 1 ? std::max(1, atoi(argv[1])) : 5;
    const int commands = argc > 2 ? std::max(clients, atoi(argv[2])) : 100'000;

    TestServer server;
    if (!server.isReady())
        qFatal("%s", qPrintable(server.error()));
    const Script script = limiter();
    const RedisBenchmark benchmark(server.endpoint());
    benchmark.load(script);
    const auto runBenchmark = [&] {
        return benchmark.perSecond({"-c", QString::number(clients), "-n", QString::number(commands)},
            {"EVALSHA", script.sha, "1", key, window, limit});
    };

    std::vector<double> engine;
    std::vector<double> reference;
    std::vector<double> ratios;
    std::vector<double> bytes;
    for (int round = 0; round < rounds; ++round) {
        const bool isEngineFirst = round % 2 == 0; // whoever is second finds a warmer machine
        if (!isEngineFirst)
            reference.push_back(runBenchmark());
        const EngineRound figures = runEngine(server.endpoint(), script, commands);
        if (isEngineFirst)
            reference.push_back(runBenchmark());
        engine.push_back(figures.perSecond);
        bytes.push_back(figures.bytesPerEvent);
        ratios.push_back(engine.back() / reference.back());
        std::fprintf(
            stderr, "round %d: engine %.0f/s, redis-benchmark %.0f/s\n", round + 1, engine.back(), reference.back());
    }
    const QJsonObject line {
        {"bench", "engine"},
        {"engine_per_s", qRound64(median(engine))},
        {"redis_benchmark_per_s", qRound64(median(reference))},
        {"ratio", qRound(median(ratios) * 1000) / 1000.0},
        {"rounds", rounds},
        {"commands", commands},
        {"clients", clients},
        {"bytes_per_event", qRound(median(bytes) * 10) / 10.0},
    };
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    return 0;
}
