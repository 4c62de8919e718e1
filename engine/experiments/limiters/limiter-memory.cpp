// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/experiments/measuring.h"

#include "engine/run/limiternote.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_memory {

namespace {

struct LimiterMemory
{
    Q_DECLARE_TR_FUNCTIONS(LimiterMemory)
};

/// After how many requests the keys are looked at: closely around 128, where Redis changes how it keeps a sorted set.
std::vector<int> stepsUpTo(int most)
{
    std::vector<int> steps {1, 10, 32, 64, 100, 120, 126, 127, 128, 129, 130, 136, 160, 200, 300, 500, 700, 1000, 2000, 5000, 10'000};
    std::erase_if(steps, [most](int step) { return step > most; });
    if (steps.empty() || steps.back() != most)
        steps.push_back(most);
    return steps;
}

/// Those that differ in what they keep.
QList<Option> weighedLimiters()
{
    QList<Option> options = limiterOptions();
    options.removeIf([](const Option &option) { return option.word == QLatin1String("token-bucket-one"); });
    return options;
}

QList<SeriesInfo> series()
{
    QList<SeriesInfo> list;
    for (const Option &option : weighedLimiters()) {
        list.append({option.word, option.label, LimiterMemory::tr("Requests"), LimiterMemory::tr("Memory of the key"), QStringLiteral("requests"), QStringLiteral("bytes")});
    }
    return list;
}

void noteBytes(Recorder &recorder, const Player::Costs &costs, int requests)
{
    recordMeasure(recorder, measuredValue(costs.limiter, requests, costs.keyBytes));
    Event event = limiterNote(recorder.names(), LimiterMeasure::KeyBytes, costs.limiter, costs.keyBytes, recorder.now());
    event.detail = recorder.intern(LimiterMemory::tr("requests admitted: %1").arg(requests));
    recorder.record(event);
}

Task<> caller(Actor &actor, NodeRef node, PlayedLimiters limiters, Player::Options options, std::vector<int> steps, Nanoseconds pause)
{
    Player player(actor, {node}, *limiters, options);
    co_await player.connect();
    Recorder &recorder = *actor.world().recorder;
    int asked = 0;
    for (const int step : steps) {
        for (; asked < step; ++asked) {
            co_await player.fewerUnderWay(200);
            player.ask({"caller", 1, 0}, never);
        }
        co_await player.allAnswered();
        const std::vector<Player::Costs> all = co_await player.lookAtKeys();
        for (const Player::Costs &costs : all)
            noteBytes(recorder, costs, step);
        co_await actor.sleep(pause);
    }
}

Task<Result<void>> play(Stage &stage)
{
    const int requests = stage.values().integer(QStringLiteral("requests"));
    static constexpr Nanoseconds window = 1h; // longer than any run: nothing is forgotten meanwhile
    std::vector<PlayedLimiter> all;
    for (const Option &option : weighedLimiters()) {
        const Result<PlayedLimiter> limiter = limiterOf(option.word, requests, window); // admits all of them
        if (!limiter)
            co_return limiter.error();
        all.push_back(*limiter);
    }
    const auto limiters = std::make_shared<const std::vector<PlayedLimiter>>(std::move(all));
    announce(stage, limiters, std::make_shared<const std::vector<LimiterRequest>>(1, LimiterRequest {"caller", 1, 0}));
    Player::Options options;
    options.prefix = stage.keyPrefix();
    stage.phase(LimiterMemory::tr("More and more requests are admitted, and the keys are weighed."));
    co_await stage.ended(stage.actor(QStringLiteral("caller"), caller, stage.node(), limiters, options, stepsUpTo(requests), stage.scaled(stage.values().duration(QStringLiteral("pause")))));
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("key-without-ttl"), {}, false}};
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-memory"), 7);
    experiment.title = LimiterMemory::tr("Memory");
    experiment.claim = LimiterMemory::tr("A log of 129 entries takes five times the memory of one of 128.");
    experiment.promise = LimiterMemory::tr("How many bytes a key takes, by how many requests it has admitted.");
    experiment.parameters = {Parameter::integer(QStringLiteral("requests"), LimiterMemory::tr("Requests"),
        LimiterMemory::tr("How many requests each limiter admits in the end."), 1000, 1, 10'000, LimiterMemory::tr("request|requests")),
        Parameter::duration(QStringLiteral("pause"), LimiterMemory::tr("Pause"), LimiterMemory::tr("Between two steps, for the eye."), 250ms, 0ns, 10s)};
    experiment.presets = {{QStringLiteral("growth"), LimiterMemory::tr("Bytes against requests"), {}, Judgement::None, {}}};
    experiment.views.prepend(QStringLiteral("measures"));
    experiment.series = series();
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
