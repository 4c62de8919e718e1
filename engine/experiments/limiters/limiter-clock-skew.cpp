// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/limiters/defects/defect.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_clock_skew {

namespace {

struct LimiterClockSkew
{
    Q_DECLARE_TR_FUNCTIONS(LimiterClockSkew)
};

/// Callers' clocks begin here, so that one that is behind does not go below 0.
constexpr Nanoseconds beginning = 1h;

bool stamps(const Values &values)
{
    return values.choice(QStringLiteral("time")) == QLatin1String("caller");
}

/// Asks once and again, 50 ms apart, by its own clock or by the server's.
Task<> caller(Actor &actor, NodeRef node, PlayedLimiters limiters, QByteArray prefix, int requests, std::optional<Nanoseconds> behind)
{
    Client client(actor, node);
    const PlayedLimiter &limiter = limiters->front();
    for (int i = 0; i < requests; ++i) {
        DecisionRequest request;
        request.key = "shared";
        request.redisKey = Player::redisKey(prefix, limiter, request.key);
        if (behind)
            request.now = (beginning + Nanoseconds(actor.world().recorder->now()) - *behind) / 1us;
        std::ignore = co_await decideRecorded(client, limiter, request);
        co_await actor.sleep(50ms);
    }
}

Result<PlayedLimiter> limiterFor(const Values &values)
{
    const qint64 limit = values.number(QStringLiteral("limit"));
    const Nanoseconds refill = values.duration(QStringLiteral("refill"));
    if (!stamps(values))
        return limiterOf(QStringLiteral("token-bucket"), limit, refill);
    const Result<DefectiveLimiter> limiter
        = DefectiveLimiter::make(QStringLiteral("caller-clock"), limiterValues(QStringLiteral("token-bucket"), limit, refill));
    if (!limiter)
        return limiter.error();
    return played(*limiter, {});
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    const Result<PlayedLimiter> limiter = limiterFor(values);
    if (!limiter)
        co_return limiter.error();
    const auto limiters = std::make_shared<const std::vector<PlayedLimiter>>(1, *limiter);
    announce(stage, limiters, std::make_shared<const std::vector<LimiterRequest>>(1, LimiterRequest {"shared", 1, 0}));
    const int requests = values.integer(QStringLiteral("requests"));
    const Nanoseconds behind = values.duration(QStringLiteral("behind"));

    struct Turn
    {
        QString name;
        QString phase;
        Nanoseconds behind;
    };
    const Turn turns[] = {{QStringLiteral("A"), LimiterClockSkew::tr("A asks, whose clock is right."), 0ns},
        {QStringLiteral("B"), LimiterClockSkew::tr("B asks, whose clock is behind."), behind},
        {QStringLiteral("A"), LimiterClockSkew::tr("A asks again."), 0ns}};
    for (const Turn &turn : turns) {
        stage.phase(turn.phase);
        const std::optional<Nanoseconds> stamped = stamps(values) ? std::optional(turn.behind) : std::nullopt;
        co_await stage.ended(stage.actor(turn.name, caller, stage.node(), limiters, stage.keyPrefix(), requests, stamped));
        co_await stage.breathe(700ms);
    }
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("limiter-bound"), {{QStringLiteral("bound"), QStringLiteral("own")}, {QStringLiteral("clock"), QStringLiteral("server")}}, true}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("time"), LimiterClockSkew::tr("Time"), LimiterClockSkew::tr("Whose clock the limiter goes by."),
            {{QStringLiteral("caller"), LimiterClockSkew::tr("Each caller’s, as it comes")},
                {QStringLiteral("server"), LimiterClockSkew::tr("The server’s, and never back")}},
            0),
        Parameter::integer(QStringLiteral("limit"), LimiterClockSkew::tr("Capacity"), LimiterClockSkew::tr("How many tokens the bucket holds."),
            4, 1, 100, LimiterClockSkew::tr("token|tokens")),
        Parameter::duration(QStringLiteral("refill"), LimiterClockSkew::tr("Refill"), LimiterClockSkew::tr("How long an empty bucket takes to be full."),
            10s, 1s, 60s),
        Parameter::duration(QStringLiteral("behind"), LimiterClockSkew::tr("Behind"), LimiterClockSkew::tr("How far the second caller’s clock is behind."),
            10s, 0ns, 30min),
        Parameter::integer(QStringLiteral("requests"), LimiterClockSkew::tr("Requests"), LimiterClockSkew::tr("How often each asks in its turn."), 6, 1, 100,
            LimiterClockSkew::tr("request|requests")),
    };
}

QList<Preset> presets()
{
    const Witness admitted {QStringLiteral("admitted"), {}, 4};
    const Witness rejected {QStringLiteral("rejected"), {}, 1};
    return {
        {QStringLiteral("break"), LimiterClockSkew::tr("Each caller stamps its own time"), {}, Judgement::Broken, {admitted}},
        {QStringLiteral("safe"), LimiterClockSkew::tr("The server’s time"), {{QStringLiteral("time"), QStringLiteral("server")}}, Judgement::Held,
            {admitted, rejected}},
    };
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-clock-skew"), 5);
    experiment.title = LimiterClockSkew::tr("Whose Clock");
    experiment.claim = LimiterClockSkew::tr("A caller whose clock is 10 s behind gives everyone a second helping.");
    experiment.promise = LimiterClockSkew::tr("The bound holds on the server’s clock.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
