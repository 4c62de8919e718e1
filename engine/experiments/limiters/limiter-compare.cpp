// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/limiters/accesslog.h"
#include "engine/limiters/traffic.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_compare {

namespace {

struct LimiterCompare
{
    Q_DECLARE_TR_FUNCTIONS(LimiterCompare)
};

/// Of all limiters together; a record of more is slow to draw. "interlock limit" decides longer traces.
constexpr size_t mostDecisions = 200'000;

QString trafficOf(const Values &values)
{
    return values.choice(QStringLiteral("traffic"));
}

bool isOwn(const Values &values)
{
    return trafficOf(values) == QLatin1String("own");
}

QStringList wordsFor(const Values &values)
{
    const QStringList windows {QStringLiteral("fixed-window"), QStringLiteral("fixed-window-first-hit"), QStringLiteral("sliding-log"),
        QStringLiteral("sliding-window"), QStringLiteral("sliding-counter")};
    const QStringList buckets {QStringLiteral("token-bucket"), QStringLiteral("leaky-bucket"), QStringLiteral("leaky-bucket-queue"),
        QStringLiteral("gcra")};
    const QString which = values.choice(QStringLiteral("limiters"));
    if (which == QLatin1String("windows"))
        return windows;
    return which == QLatin1String("buckets") ? buckets : windows + buckets;
}

Result<Trace> fileTrace(Stage &stage)
{
    const QString path = stage.values().file(QStringLiteral("trace"));
    if (path.isEmpty())
        return Error {Error::Kind::Invalid, LimiterCompare::tr("This traffic comes from a file: set trace to its path.")};
    if (trafficOf(stage.values()) == QLatin1String("trace")) {
        Result<Trace> trace = readTrace(path);
        if (trace && trace->stepsBack > 0)
            note(stage, LimiterCompare::tr("Requests that are earlier than the one before them and are sent at once: %1.").arg(trace->stepsBack));
        return trace;
    }
    Result<AccessLog> log = readAccessLog(path);
    if (!log)
        return log.error();
    if (const QString remarks = log->remarks(); !remarks.isEmpty())
        note(stage, remarks);
    return std::move(log->trace);
}

Result<Trace> madeTrace(Stage &stage)
{
    const Values &values = stage.values();
    TrafficPlan traffic;
    traffic.shape = trafficOf(values);
    traffic.rate = {values.number(QStringLiteral("rate")), 1'000'000};
    traffic.duration = values.duration(QStringLiteral("length")) / 1us;
    traffic.burst = values.number(QStringLiteral("burst"));
    traffic.window = values.duration(QStringLiteral("window")) / 1us;
    traffic.seed = stage.random().next();
    return makeTraffic(traffic);
}

Result<std::vector<LimiterRequest>> requestsFor(Stage &stage, size_t limiters)
{
    const Values &values = stage.values();
    if (isOwn(values))
        return std::vector<LimiterRequest> {{"you", 1, 0}};
    const bool isFile = trafficOf(values) == QLatin1String("trace") || trafficOf(values) == QLatin1String("log");
    const Result<Trace> trace = isFile ? fileTrace(stage) : madeTrace(stage);
    if (!trace)
        return trace.error();
    const size_t most = mostDecisions / limiters;
    if (trace->rows.size() > most)
        note(stage, LimiterCompare::tr("Of %1 requests the first %2 are played. “interlock limit” decides all of them.").arg(trace->rows.size()).arg(most));
    return requestsOf(*trace, most, isFile && !isOnCallersClock(values) ? trace->rows.front().at : 0);
}

/// One request to all limiters each time that the person asks. The first is ours, so that there is something to see.
Task<> playPresses(Actor &actor, std::vector<NodeRef> nodes, Playing playing, Signal *presses, Nanoseconds length)
{
    Player player(actor, nodes, *playing.limiters, playing.options);
    co_await player.connect();
    const Recorder &recorder = *actor.world().recorder;
    const qint64 end = recorder.now() + length.count();
    bool isAsked = true;
    while (isAsked) {
        player.ask({"you", 1, recorder.now() / 1'000}, recorder.now());
        isAsked = co_await presses->raised(actor, Nanoseconds(end - recorder.now()));
    }
    co_await player.allAnswered();
    co_await lookAfterwards(actor, player);
}

/// Kills the server when no request is under way, so that what follows failed without any doubt, and brings it back after a
/// third of the time: empty, as it keeps nothing on a disk.
Task<Result<void>> killInBetween(Stage &stage, Nanoseconds length)
{
    const auto killed = [](const Event &event, const Names &) { return event.kind == Event::Kind::Fault && event.has(Event::Touched); };
    if (const auto seen = co_await stage.seen(killed, length + 5s); !seen)
        co_return seen.error();
    co_await stage.director().sleep(length / 3);
    stage.phase(LimiterCompare::tr("The server comes back."));
    co_return co_await stage.restartServer();
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    std::vector<PlayedLimiter> limiters;
    for (const QString &word : wordsFor(values)) {
        const Result<PlayedLimiter> limiter = limiterOf(word, values.number(QStringLiteral("limit")), values.duration(QStringLiteral("window")));
        if (!limiter)
            co_return limiter.error();
        limiters.push_back(*limiter);
    }
    Result<std::vector<LimiterRequest>> requests = requestsFor(stage, limiters.size());
    if (!requests)
        co_return requests.error();
    const Nanoseconds length = values.duration(QStringLiteral("length"));
    const bool kills = values.toggle(QStringLiteral("kill"));
    if (kills && (isOwn(values) || isOnCallersClock(values)))
        co_return Error {Error::Kind::Invalid, LimiterCompare::tr("The server is killed only under traffic that comes by itself on the server’s clock.")};

    Playing playing;
    playing.limiters = std::make_shared<const std::vector<PlayedLimiter>>(std::move(limiters));
    playing.requests = std::make_shared<const std::vector<LimiterRequest>>(std::move(*requests));
    playing.options.onCallersClock = isOnCallersClock(values);
    playing.options.connections = values.integer(QStringLiteral("connections"));
    playing.options.speed = values.integer(QStringLiteral("speed"));
    playing.options.whenDown = values.choice(QStringLiteral("when-down")) == QLatin1String("open") ? WhenDown::Open : WhenDown::Closed;
    playing.options.prefix = stage.keyPrefix();
    if (kills) {
        playing.options.onIdle = [&stage, isKilled = false, when = stage.recorder().now() + length.count() / 3]() mutable { // the player outlives this frame
            if (isKilled || stage.recorder().now() < when)
                return;
            isKilled = true;
            stage.phase(LimiterCompare::tr("The server is killed."));
            stage.killServer();
        };
    }
    if (trafficOf(values) == QLatin1String("boundary-burst") && !playing.options.onCallersClock) {
        playing.alignedTo = values.duration(QStringLiteral("window")) / 1us; // the edge of the aligned window, for all of them
        playing.trickleUntil = playing.alignedTo * 4 / 5;
    }
    announce(stage, playing.limiters, playing.requests);

    stage.phase(LimiterCompare::tr("All limiters get the same requests."));
    if (isOwn(values)) {
        Actor &person = stage.actor(QStringLiteral("you"), playPresses, stage.nodes(), playing, &stage.presses(), length);
        co_await stage.ended(person);
        co_return Result<void>();
    }
    Actor &caller = stage.actor(QStringLiteral("caller"), playRequests, stage.nodes(), playing);
    if (kills) {
        if (const Result<void> restarted = co_await killInBetween(stage, length); !restarted)
            co_return restarted;
    }
    co_await stage.ended(caller);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &values)
{
    // A killed server forgets, so the model, which does not, is no measure for it.
    QList<CheckUse> uses {{QStringLiteral("limiter-bound"), {{QStringLiteral("bound"), QStringLiteral("own")}}, !isOwn(values)},
        {QStringLiteral("retry-honesty"), {}, false}};
    if (!values.toggle(QStringLiteral("kill")))
        uses.append({QStringLiteral("twin-equality"), {}, false});
    if (!isOnCallersClock(values))
        uses.append({QStringLiteral("key-without-ttl"), {}, false});
    return uses;
}

QString needsOwnServer(const Values &values)
{
    return values.toggle(QStringLiteral("kill")) ? LimiterCompare::tr("Only a server of the lab’s own is killed.") : QString();
}

QList<Option> trafficOptions()
{
    QList<Option> options;
    for (const TrafficShape &shape : trafficShapes())
        options.append({shape.id, shape.title});
    return options
        + QList<Option> {{QStringLiteral("own"), LimiterCompare::tr("Your own: a click or R for each")},
            {QStringLiteral("trace"), LimiterCompare::tr("A trace")}, {QStringLiteral("log"), LimiterCompare::tr("An access log")}};
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return LimiterCompare::tr(text); };
    return {
        Parameter::choice(QStringLiteral("traffic"), tr("Traffic"), tr("How the requests come."), trafficOptions(), 2),
        Parameter::integer(QStringLiteral("rate"), tr("Rate"), tr("How many requests come in a second."), 30, 1, 1000, tr("request/s|requests/s")),
        Parameter::integer(QStringLiteral("burst"), tr("Burst"), tr("How many come at once, of traffic with bursts."), 20, 1, 1000, tr("request|requests")),
        Parameter::duration(QStringLiteral("length"), tr("Length"), tr("For how long requests come."), 6s, 500ms, 120s),
        Parameter::integer(QStringLiteral("limit"), tr("Limit"), tr("How many requests each limiter admits in a window; a bucket holds as many."),
            20, 1, 60'000, tr("request|requests")),
        Parameter::duration(QStringLiteral("window"), tr("Window"), tr("How long a window is; a bucket is filled in that time."), 2s, 10ms, 60s),
        Parameter::choice(QStringLiteral("limiters"), tr("Limiters"), tr("Who decides."),
            {{QStringLiteral("all"), tr("All")}, {QStringLiteral("windows"), tr("Those with windows")}, {QStringLiteral("buckets"), tr("Those with a level")}}, 0),
        Parameter::file(QStringLiteral("trace"), tr("File"),
            tr("A trace (lines of at_us,cost or at_us,cost,key) or an access log in common or combined format, for that traffic."),
            tr("Traces and access logs (*.csv *.log *.txt);;All files (*)")),
        Parameter::integer(QStringLiteral("speed"), tr("Speed"),
            tr("How many times faster than its own times the traffic is played. The limiters’ windows stay as they are."), 1, 1, 100, tr("time|times")),
        clockParameter(),
        Parameter::integer(QStringLiteral("connections"), tr("Connections"), tr("Of the caller to the server, for each limiter."), 2, 1, 16, tr("connection|connections")),
        Parameter::toggle(QStringLiteral("kill"), tr("Kill the server"), tr("Kills the server after a third of the time; it is back, and empty, after another third."), false),
        Parameter::choice(QStringLiteral("when-down"), tr("When it is down"), tr("What the caller does with a request that no limiter answers."),
            {{QStringLiteral("open"), tr("Lets it through")}, {QStringLiteral("closed"), tr("Turns it away")}}, 1),
    };
}

QList<Preset> presets()
{
    const auto traffic = [](const char *word) { return std::pair {QStringLiteral("traffic"), QString::fromLatin1(word)}; };
    const Witness admitted {QStringLiteral("admitted"), {}, 9};
    const Witness rejected {QStringLiteral("rejected"), {}, 9};
    using Pairs = QList<std::pair<QString, QString>>;
    const auto safe = [&](const char *word, const QString &title, const Pairs &others = {}) {
        return Preset {QStringLiteral("safe-") + QString::fromLatin1(word), title, Pairs {traffic(word)} + others, Judgement::Held, {admitted, rejected}};
    };
    Preset onOff = safe("on-off", LimiterCompare::tr("On and off"));
    onOff.witnesses = {admitted}; // short times of on may admit all
    return {
        {QStringLiteral("safe"), LimiterCompare::tr("A burst before the edge of a window"), {}, Judgement::Held, {admitted, rejected}},
        safe("steady", LimiterCompare::tr("Steady requests")),
        safe("burst", LimiterCompare::tr("A burst in each window"), {{QStringLiteral("burst"), QStringLiteral("40")}}),
        safe("poisson", LimiterCompare::tr("Requests at random")),
        safe("ramp", LimiterCompare::tr("More and more requests"), {{QStringLiteral("rate"), QStringLiteral("60")}}),
        onOff,
        {QStringLiteral("safe-server-killed"), LimiterCompare::tr("The server is killed and comes back"),
            {traffic("burst"), {QStringLiteral("kill"), QStringLiteral("on")}, {QStringLiteral("limit"), QStringLiteral("10")},
                {QStringLiteral("window"), QStringLiteral("1s")}, {QStringLiteral("length"), QStringLiteral("8100ms")}},
            Judgement::Held, {{QStringLiteral("fault"), QStringLiteral("kill"), 1}, {QStringLiteral("failed"), {}, 9}, admitted, rejected}},
        {QStringLiteral("own"), LimiterCompare::tr("Your own requests: click Request, or press R"),
            {traffic("own"), {QStringLiteral("length"), QStringLiteral("10s")}, {QStringLiteral("limit"), QStringLiteral("5")}}, Judgement::None, {}},
    };
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-compare"), 1);
    experiment.title = LimiterCompare::tr("Side by Side");
    experiment.claim = LimiterCompare::tr("Nine limiters, one limit, the very same requests: the answers differ.");
    experiment.promise = LimiterCompare::tr("Each limiter keeps its own bound.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.needsOwnServer = needsOwnServer;
    experiment.asksPerson = isOwn;
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 600s;
    return experiment;
}

}
