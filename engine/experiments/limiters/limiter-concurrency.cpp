// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/limiters/defects/defect.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_concurrency {

namespace {

struct LimiterConcurrency
{
    Q_DECLARE_TR_FUNCTIONS(LimiterConcurrency)
};

const QString separate = QStringLiteral("separate-commands");

QString roundText(int round)
{
    return LimiterConcurrency::tr("Round %1: all ask at once.").arg(round);
}

QByteArray roundKey(int round)
{
    return "round-" + QByteArray::number(round);
}

/// What every client does in each round, when the director says so: one request.
Task<> client(Actor &actor, NodeRef node, PlayedLimiters limiters, Player::Options options, int rounds)
{
    Player player(actor, {node}, *limiters, options);
    co_await player.connect();
    for (int round = 1; round <= rounds; ++round) {
        const auto said = [text = roundText(round).toUtf8()](const Event &event, const Names &names) {
            return event.kind == Event::Kind::Phase && names.bytes(event.text) == text;
        };
        if (const auto seen = co_await actor.seen(said, 30s); !seen)
            co_return;
        player.ask({roundKey(round), 1, 0}, never);
        co_await player.allAnswered();
    }
}

Result<PlayedLimiter> limiterFor(const Values &values)
{
    static constexpr Nanoseconds window = 1h; // longer than any run
    const qint64 limit = values.number(QStringLiteral("limit"));
    const QString word = values.choice(QStringLiteral("limiter"));
    if (word != separate)
        return limiterOf(word, limit, window);
    const Result<DefectiveLimiter> limiter = DefectiveLimiter::make(separate, limiterValues(QStringLiteral("fixed-window"), limit, window));
    if (!limiter)
        return limiter.error();
    return played(*limiter, {});
}

SeenStep::Fits connected()
{
    return [](const Event &event, const Names &names) { return event.kind == Event::Kind::Command && names.bytes(event.text) == "PING"; };
}

SeenStep::Fits decided(const QByteArray &key)
{
    return [key](const Event &event, const Names &names) { return event.kind == Event::Kind::Decision && names.bytes(event.key) == key; };
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    const Result<PlayedLimiter> limiter = limiterFor(values);
    if (!limiter)
        co_return limiter.error();
    const auto limiters = std::make_shared<const std::vector<PlayedLimiter>>(1, *limiter);
    const int clients = values.integer(QStringLiteral("clients"));
    const int rounds = values.integer(QStringLiteral("rounds"));
    std::vector<LimiterRequest> requests;
    for (int round = 1; round <= rounds; ++round)
        requests.push_back({roundKey(round), 1, 0});
    announce(stage, limiters, std::make_shared<const std::vector<LimiterRequest>>(std::move(requests)));

    Player::Options options;
    options.prefix = stage.keyPrefix();
    std::vector<Actor *> actors;
    for (int i = 1; i <= clients; ++i)
        actors.push_back(&stage.actor(LimiterConcurrency::tr("client %1").arg(i), client, stage.node(), limiters, options, rounds));
    if (const auto ready = co_await stage.seen(connected(), 20s, clients); !ready)
        co_return ready.error();
    for (int round = 1; round <= rounds; ++round) {
        stage.phase(roundText(round));
        if (const auto all = co_await stage.seen(decided(roundKey(round)), 20s, clients); !all)
            co_return all.error();
        co_await stage.breathe(values.duration(QStringLiteral("pause")));
    }
    for (Actor *actor : actors)
        co_await stage.ended(*actor);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &values)
{
    return {{QStringLiteral("exactly-the-limit"), {{QStringLiteral("limit"), QString::number(values.number(QStringLiteral("limit")))}}, true}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("limiter"), LimiterConcurrency::tr("Decide by"), LimiterConcurrency::tr("How a request is decided."),
            QList<Option> {{separate, LimiterConcurrency::tr("Read, decide, write")}} + limiterOptions(), 0),
        Parameter::integer(QStringLiteral("limit"), LimiterConcurrency::tr("Limit"),
            LimiterConcurrency::tr("How many requests are admitted."), 5, 1, 1000, LimiterConcurrency::tr("request|requests")),
        Parameter::integer(QStringLiteral("clients"), LimiterConcurrency::tr("Clients"),
            LimiterConcurrency::tr("How many ask at once, once in each round."), 50, 2, 200, LimiterConcurrency::tr("client|clients")),
        Parameter::integer(QStringLiteral("rounds"), LimiterConcurrency::tr("Rounds"),
            LimiterConcurrency::tr("How often they do so, each time for another key."), 5, 1, 20, LimiterConcurrency::tr("round|rounds")),
        Parameter::duration(QStringLiteral("pause"), LimiterConcurrency::tr("Pause"), LimiterConcurrency::tr("Between two rounds, for the eye."), 700ms, 0ns, 10s),
    };
}

QList<Preset> presets()
{
    const auto limiter = [](const char *word) { return std::pair {QStringLiteral("limiter"), QString::fromLatin1(word)}; };
    const Witness admitted {QStringLiteral("admitted"), {}, 25};
    const Witness rejected {QStringLiteral("rejected"), {}, 200};
    return {
        {QStringLiteral("break"), LimiterConcurrency::tr("Read, decide, write in separate commands"), {}, Judgement::Broken, {admitted}},
        {QStringLiteral("safe"), LimiterConcurrency::tr("Fixed window in a script"), {limiter("fixed-window-first-hit")}, Judgement::Held, {admitted, rejected}},
        {QStringLiteral("safe-log"), LimiterConcurrency::tr("Sliding log in a script"), {limiter("sliding-log")}, Judgement::Held, {admitted, rejected}},
        {QStringLiteral("safe-bucket"), LimiterConcurrency::tr("Token bucket in a script"), {limiter("token-bucket")}, Judgement::Held, {admitted, rejected}},
    };
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-concurrency"), 3);
    experiment.title = LimiterConcurrency::tr("Many at Once");
    experiment.claim = LimiterConcurrency::tr("Read, decide, write: all who read before anyone has written pass.");
    experiment.promise = LimiterConcurrency::tr("Exactly the limit passes.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
