// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/experiments/measuring.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>
#include <utility>

namespace interlock::experiments::limiter_retry_storm {

namespace {

struct LimiterRetryStorm
{
    Q_DECLARE_TR_FUNCTIONS(LimiterRetryStorm)
};

/// What a client does after it was rejected.
enum class Habit { AtOnce, Fixed, Exponential, Jitter, RetryAfter, Degrade };

struct HabitInfo
{
    Habit habit;
    const char *word;
    const char *title;
};

constexpr HabitInfo habits[] = {
    {Habit::AtOnce, "at-once", QT_TRANSLATE_NOOP("LimiterRetryStorm", "Again at once")},
    {Habit::Fixed, "fixed", QT_TRANSLATE_NOOP("LimiterRetryStorm", "After a fixed time")},
    {Habit::Exponential, "exponential", QT_TRANSLATE_NOOP("LimiterRetryStorm", "Exponential delays")},
    {Habit::Jitter, "jitter", QT_TRANSLATE_NOOP("LimiterRetryStorm", "Exponential delays with jitter")},
    {Habit::RetryAfter, "retry-after", QT_TRANSLATE_NOOP("LimiterRetryStorm", "After the time that it was told")},
    {Habit::Degrade, "degrade", QT_TRANSLATE_NOOP("LimiterRetryStorm", "An answer from the cache")},
};

constexpr Nanoseconds loadInterval = 100ms;

QString loadSeries(const HabitInfo &info)
{
    return QStringLiteral("load-%1").arg(QLatin1String(info.word));
}

QString costSeries(const HabitInfo &info)
{
    return QStringLiteral("cost-%1").arg(QLatin1String(info.word));
}

/// How many requests come in each interval, told when the interval is over.
class Load
{
public:
    Load(Recorder &recorder, QString series)
        : m_recorder(recorder)
        , m_series(std::move(series))
        , m_begin(recorder.now())
    {
    }

    void count()
    {
        tellUntil((m_recorder.now() - m_begin) / interval);
        ++m_requests;
    }

    /// The interval that is going on, and an empty one after it.
    void end() { tellUntil(m_number + 2); }

private:
    static constexpr qint64 interval = loadInterval.count();

    void tellUntil(qint64 number)
    {
        for (; m_number < number; ++m_number)
            recordMeasure(m_recorder, measuredValue(m_series, m_number * interval, std::exchange(m_requests, 0)));
    }

    Recorder &m_recorder;
    QString m_series;
    qint64 m_begin;
    qint64 m_number = 0; ///< of the interval that is going on
    qint64 m_requests = 0; ///< in it
};

/// What all clients of one habit have in common, and what comes of it.
struct Crowd
{
    HabitInfo info;
    PlayedLimiters limiters; ///< one
    QByteArray prefix;
    Nanoseconds base {0}; ///< the fixed delay, and the first of the exponential ones
    Nanoseconds turnaround {0};
    Nanoseconds patience {0};
    int attempts = 0;
    int served = 0;
    int fromCache = 0;
    qint64 last = 0; ///< when the last was served, ns of the run
    std::optional<Load> load; ///< since the clients began
};

/// @param tries so far, from 1.
Nanoseconds delayAfter(const Crowd &crowd, const Decision &decision, int tries, Random &random)
{
    static constexpr int mostDoublings = 5;
    const Nanoseconds grown = crowd.base * (1 << std::min(tries - 1, mostDoublings));
    switch (crowd.info.habit) {
    case Habit::Fixed:
        return crowd.base;
    case Habit::Exponential:
        return grown;
    case Habit::Jitter:
        return random.between(0ns, grown);
    case Habit::RetryAfter:
        return std::chrono::microseconds(decision.retryAfter.value_or(0));
    case Habit::AtOnce:
    case Habit::Degrade:
        break;
    }
    return 0ns;
}

/// Wants one answer.
Task<> client(Actor &actor, NodeRef node, std::shared_ptr<Crowd> crowd)
{
    Client client(actor, node);
    const PlayedLimiter &limiter = crowd->limiters->front();
    DecisionRequest request;
    request.key = "service";
    request.redisKey = Player::redisKey(crowd->prefix, limiter, request.key);
    const Nanoseconds end = actor.now() + crowd->patience;
    for (int tries = 1; actor.now() < end; ++tries) {
        ++crowd->attempts;
        crowd->load->count();
        const NumberedDecision numbered = co_await decideRecorded(client, limiter, request);
        if (!numbered.decision)
            co_return;
        const bool isFromCache = !numbered.decision->admitted && crowd->info.habit == Habit::Degrade;
        if (numbered.decision->admitted || isFromCache) {
            ++(isFromCache ? crowd->fromCache : crowd->served);
            crowd->last = actor.world().recorder->now();
            co_return;
        }
        co_await actor.sleep(crowd->turnaround + delayAfter(*crowd, *numbered.decision, tries, actor.random()));
    }
}

QList<HabitInfo> habitsFor(const Values &values)
{
    const QString word = values.choice(QStringLiteral("habit"));
    QList<HabitInfo> chosen;
    for (const HabitInfo &info : habits) {
        if (word == QLatin1String("all") || word == QLatin1String(info.word))
            chosen.append(info);
    }
    return chosen;
}

/// All begin together, with a bucket of their own.
Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    const qint64 limit = values.number(QStringLiteral("limit"));
    const Nanoseconds window = values.duration(QStringLiteral("window"));
    const int clients = values.integer(QStringLiteral("clients"));
    std::vector<std::shared_ptr<Crowd>> crowds;
    for (const HabitInfo &info : habitsFor(values)) {
        const Result<Limiter> bucket = Limiter::make(QStringLiteral("token-bucket"), limiterValues(QStringLiteral("token-bucket"), limit, window));
        if (!bucket)
            co_return bucket.error();
        auto crowd = std::make_shared<Crowd>();
        crowd->info = info;
        crowd->limiters = std::make_shared<const std::vector<PlayedLimiter>>(
            1, played(*bucket, QString::fromLatin1(info.word), LimiterRetryStorm::tr(info.title)));
        crowd->prefix = stage.keyPrefix();
        crowd->base = values.duration(QStringLiteral("delay"));
        crowd->turnaround = values.duration(QStringLiteral("turnaround"));
        crowd->patience = values.duration(QStringLiteral("patience"));
        announce(stage, crowd->limiters, std::make_shared<const std::vector<LimiterRequest>>(1, LimiterRequest {"service", 1, 0}));
        crowds.push_back(std::move(crowd));
    }

    stage.phase(LimiterRetryStorm::tr("All want an answer at the same moment."));
    const qint64 begin = stage.recorder().now();
    std::vector<Actor *> actors;
    for (const std::shared_ptr<Crowd> &crowd : crowds) {
        crowd->load.emplace(stage.recorder(), loadSeries(crowd->info));
        for (int i = 1; i <= clients; ++i) {
            const QString name = QStringLiteral("%1 %2").arg(crowd->limiters->front().info.name).arg(i);
            actors.push_back(&stage.actor(name, client, stage.node(), crowd));
        }
    }
    for (Actor *actor : actors)
        co_await stage.ended(*actor);
    for (const std::shared_ptr<Crowd> &crowd : crowds) {
        note(stage, LimiterRetryStorm::tr("%1: served %2 of %3, from a cache %5, requests %4; the last after %6 s.")
                        .arg(crowd->limiters->front().info.title)
                        .arg(crowd->served)
                        .arg(clients)
                        .arg(crowd->attempts)
                        .arg(crowd->fromCache)
                        .arg(static_cast<double>(crowd->last - begin) / 1e9, 0, 'f', 2));
        crowd->load->end();
        if (const int answers = crowd->served + crowd->fromCache; answers > 0)
            recordMeasure(stage.recorder(), measuredValue(costSeries(crowd->info), never, qint64(crowd->attempts) * 1'000 / answers));
    }
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("limiter-bound"), {{QStringLiteral("bound"), QStringLiteral("own")}}, false}, {QStringLiteral("twin-equality"), {}, false}};
}

QList<SeriesInfo> series()
{
    QList<SeriesInfo> list;
    for (const HabitInfo &info : habits) {
        list.append({loadSeries(info), LimiterRetryStorm::tr(info.title), LimiterRetryStorm::tr("Time"), LimiterRetryStorm::tr("Requests in %1 ms").arg(loadInterval / 1ms),
            QStringLiteral("ns"), QStringLiteral("requests")});
    }
    for (const HabitInfo &info : habits)
        list.append({costSeries(info), LimiterRetryStorm::tr(info.title), {}, LimiterRetryStorm::tr("Requests for each answer"), {}, QStringLiteral("thousandths")});
    return list;
}

QList<Option> habitOptions()
{
    QList<Option> options {{QStringLiteral("all"), LimiterRetryStorm::tr("All of them, side by side")}};
    for (const HabitInfo &info : habits)
        options.append({QString::fromLatin1(info.word), LimiterRetryStorm::tr(info.title)});
    return options;
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return LimiterRetryStorm::tr(text); };
    return {
        Parameter::choice(QStringLiteral("habit"), tr("After a rejection"), tr("What the clients do."), habitOptions(), 0),
        Parameter::integer(QStringLiteral("clients"), tr("Clients"), tr("How many want an answer, with each habit."), 20, 1, 200, tr("client|clients")),
        Parameter::integer(QStringLiteral("limit"), tr("Limit"), tr("How many the bucket holds."), 5, 1, 1000, tr("request|requests")),
        Parameter::duration(QStringLiteral("window"), tr("Refill"), tr("How long an empty bucket takes to be full."), 1s, 10ms, 60s),
        Parameter::duration(QStringLiteral("delay"), tr("Delay"), tr("The fixed delay, and the first of the exponential ones, which double five times."), 100ms, 1ms, 10s),
        Parameter::duration(QStringLiteral("turnaround"), tr("Turnaround"), tr("What a client needs between an answer and its next request."), 10ms, 1ms, 1s),
        Parameter::duration(QStringLiteral("patience"), tr("Patience"), tr("How long a client tries before it gives up."), 10s, 100ms, 60s),
    };
}

QList<Preset> presets()
{
    QList<Preset> presets {{QStringLiteral("all"), LimiterRetryStorm::tr("All habits side by side"), {}, Judgement::None, {}}};
    for (const HabitInfo &info : habits)
        presets.append({QString::fromLatin1(info.word), LimiterRetryStorm::tr(info.title), {{QStringLiteral("habit"), QString::fromLatin1(info.word)}}, Judgement::None, {}});
    return presets;
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-retry-storm"), 6);
    experiment.title = LimiterRetryStorm::tr("Retry Storm");
    experiment.claim = LimiterRetryStorm::tr("Asking again at once serves nobody sooner and sends many times the requests.");
    experiment.promise = LimiterRetryStorm::tr("How many requests an answer takes, and when the last client has one, by what clients do after a rejection.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views.prepend(QStringLiteral("measures"));
    experiment.series = series();
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
