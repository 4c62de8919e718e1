// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_boundary {

namespace {

struct LimiterBoundary
{
    Q_DECLARE_TR_FUNCTIONS(LimiterBoundary)
};

const QString all = QStringLiteral("all");

/// A burst as large as the limit shortly before each of three edges, and another one shortly behind it. Far enough from the
/// edge that a busy machine does not carry one across.
std::vector<LimiterRequest> edges(qint64 limit, qint64 window)
{
    std::vector<LimiterRequest> requests;
    for (int edge = 2; edge <= 4; ++edge) {
        for (const qint64 at : {edge * window - window / 5, edge * window + window * 3 / 20})
            requests.insert(requests.end(), static_cast<size_t>(limit), {"caller", 1, at});
    }
    return requests;
}

std::vector<LimiterRequest> requestsFor(const Values &values)
{
    const qint64 limit = values.number(QStringLiteral("limit"));
    const qint64 window = values.duration(QStringLiteral("window")) / 1us;
    if (auto common = trafficOf(values, limit, window))
        return std::move(*common);
    return edges(limit, window);
}

Result<std::vector<PlayedLimiter>> limitersFor(const Values &values)
{
    QStringList words {values.choice(QStringLiteral("limiter"))};
    if (words.first() == all) {
        words.clear();
        for (const Option &option : limiterOptions())
            words.append(option.word);
    }
    std::vector<PlayedLimiter> limiters;
    for (const QString &word : std::as_const(words)) {
        const Result<PlayedLimiter> limiter = limiterOf(word, values.number(QStringLiteral("limit")), values.duration(QStringLiteral("window")));
        if (!limiter)
            return limiter.error();
        limiters.push_back(*limiter);
    }
    return limiters;
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    Result<std::vector<PlayedLimiter>> limiters = limitersFor(values);
    if (!limiters)
        co_return limiters.error();
    Playing playing;
    playing.limiters = std::make_shared<const std::vector<PlayedLimiter>>(std::move(*limiters));
    playing.requests = std::make_shared<const std::vector<LimiterRequest>>(requestsFor(values));
    playing.options.onCallersClock = isOnCallersClock(values);
    playing.options.prefix = stage.keyPrefix();
    if (!playing.options.onCallersClock) {
        playing.alignedTo = values.duration(QStringLiteral("window")) / 1us;
        playing.trickleUntil = values.choice(QStringLiteral("traffic")) == QLatin1String("edges") ? playing.alignedTo : 0;
    }
    announce(stage, playing.limiters, playing.requests);

    stage.phase(LimiterBoundary::tr("Requests come on both sides of the windows’ edges."));
    co_await stage.ended(stage.actor(QStringLiteral("caller"), playRequests, stage.nodes(), playing));
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &values)
{
    const QString limit = QString::number(values.number(QStringLiteral("limit")));
    const QString window = QString::number(values.duration(QStringLiteral("window")) / 1us);
    const bool judges = values.choice(QStringLiteral("limiter")) != all;
    return {{QStringLiteral("limiter-bound"),
                {{QStringLiteral("bound"), QStringLiteral("trailing")}, {QStringLiteral("limit"), limit}, {QStringLiteral("window"), window}}, judges},
        {QStringLiteral("limiter-bound"), {{QStringLiteral("bound"), QStringLiteral("own")}}, false},
        {QStringLiteral("twin-equality"), {}, false}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("limiter"), LimiterBoundary::tr("Limiter"),
            LimiterBoundary::tr("Who decides. All of them together give a table and no verdict."),
            limiterOptions() + QList<Option> {{all, LimiterBoundary::tr("All of them")}}, 0),
        Parameter::integer(QStringLiteral("limit"), LimiterBoundary::tr("Limit"),
            LimiterBoundary::tr("How many requests are admitted in a window."), 10, 1, 1000, LimiterBoundary::tr("request|requests")),
        Parameter::duration(QStringLiteral("window"), LimiterBoundary::tr("Window"),
            LimiterBoundary::tr("How long a window is."), 2s, 100ms, 60s),
        trafficParameter({QStringLiteral("edges"), LimiterBoundary::tr("A burst before and behind each edge")}),
        clockParameter(),
    };
}

QList<Preset> presets()
{
    const auto limiter = [](const char *word) { return std::pair {QStringLiteral("limiter"), QString::fromLatin1(word)}; };
    const auto table = [&](const char *traffic) {
        return QList<std::pair<QString, QString>> {limiter("all"), {QStringLiteral("limit"), QStringLiteral("100")},
            {QStringLiteral("window"), QStringLiteral("60s")}, {QStringLiteral("traffic"), QString::fromLatin1(traffic)},
            {QStringLiteral("clock"), QStringLiteral("caller")}};
    };
    const Witness admitted {QStringLiteral("admitted"), {}, 10};
    const Witness rejected {QStringLiteral("rejected"), {}, 1};
    return {
        {QStringLiteral("break"), LimiterBoundary::tr("Fixed window"), {}, Judgement::Broken, {admitted}},
        {QStringLiteral("break-counter"), LimiterBoundary::tr("Sliding counter"), {limiter("sliding-counter")}, Judgement::Broken, {admitted}},
        {QStringLiteral("break-bucket"), LimiterBoundary::tr("Token bucket as large as the limit"), {limiter("token-bucket")},
            Judgement::Broken, {admitted}},
        {QStringLiteral("safe"), LimiterBoundary::tr("Sliding log"), {limiter("sliding-log")}, Judgement::Held, {admitted, rejected}},
        {QStringLiteral("safe-bucket-of-one"), LimiterBoundary::tr("Token bucket that holds one"), {limiter("token-bucket-one")},
            Judgement::Held, {{QStringLiteral("admitted"), {}, 6}, rejected}}, // one of each burst
        {QStringLiteral("table-a"), LimiterBoundary::tr("All, traffic A, 100 per minute, in exact time"), table("a"), Judgement::None, {}},
        {QStringLiteral("table-b"), LimiterBoundary::tr("All, traffic B, 100 per minute, in exact time"), table("b"), Judgement::None, {}},
    };
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-boundary"), 2);
    experiment.title = LimiterBoundary::tr("Edge of a Window");
    experiment.claim = LimiterBoundary::tr("A fixed window lets twice its limit through, in less than a window.");
    experiment.promise = LimiterBoundary::tr("Never more than the limit in any window.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 700s;
    return experiment;
}

}
