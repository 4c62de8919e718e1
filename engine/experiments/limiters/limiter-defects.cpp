// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/limiterplay.h"
#include "engine/limiters/defects/defect.h"

#include <QCoreApplication>

namespace interlock::experiments::limiter_defects {

namespace {

struct LimiterDefects
{
    Q_DECLARE_TR_FUNCTIONS(LimiterDefects)
};

const QString withoutExpire = QStringLiteral("incr-without-expire");
const QString withoutTtl = QStringLiteral("keys-without-ttl");
constexpr auto answered = "answered";

using Requests = std::vector<LimiterRequest>;

/// So many bursts of so many at once.
Requests bursts(int count, qint64 size, qint64 apart)
{
    Requests requests;
    for (int i = 0; i < count; ++i)
        requests.insert(requests.end(), static_cast<size_t>(size), {"caller", 1, i * apart});
    return requests;
}

Requests evenly(qint64 apart, qint64 duration)
{
    return bursts(static_cast<int>(duration / apart), 1, apart);
}

/// Each from another caller in turn.
Requests fromMany(Requests requests, int callers)
{
    for (size_t i = 0; i < requests.size(); ++i)
        requests[i].key = "caller-" + QByteArray::number(1 + static_cast<int>(i) % callers);
    return requests;
}

/// A defect of the experiment: the preset's name without "break-", and the traffic under which it shows, by limit and window (µs).
struct Shown
{
    const char *defect;
    const char *preset;
    Requests (*traffic)(qint64 limit, qint64 window);
};

/// What a token takes to come.
qint64 tokenTime(qint64 limit, qint64 window)
{
    return std::max<qint64>(1, window / limit);
}

const Shown shown[] = {
    {"incr-without-expire", "", [](qint64 limit, qint64 window) { return evenly(tokenTime(limit, window) / 2, 4 * window); }},
    {"expire-on-every-hit", "expire-every-hit", [](qint64 limit, qint64 window) { return evenly(tokenTime(limit, window) / 2, 4 * window); }},
    {"expire-on-admitted-only", "expire-admitted", [](qint64 limit, qint64 window) { return evenly(window / 2, (limit + 5) * window / 2); }},
    {"record-before-count", "record-first", [](qint64 limit, qint64 window) { return evenly(tokenTime(limit, window) / 2, 4 * window); }},
    {"equal-members", "equal-members", [](qint64 limit, qint64 window) { return bursts(5, 4 * limit, window * 11 / 10); }},
    {"refill-floored", "floored", [](qint64 limit, qint64 window) { return evenly(tokenTime(limit, window) / 4, 4 * window); }},
    {"refill-floored-on-success", "floored-success", [](qint64 limit, qint64 window) { return evenly(tokenTime(limit, window) * 3 / 5, 5 * window); }},
    {"undeclared-key", "undeclared-key", [](qint64 limit, qint64 window) { return fromMany(evenly(tokenTime(limit, window) / 6, 4 * window), 12); }},
    {"ttl-shorter-than-refill", "short-ttl", [](qint64 limit, qint64 window) { return bursts(12, limit, tokenTime(limit, window) * 13 / 10); }},
    {"keys-without-ttl", "no-ttl", [](qint64 limit, qint64 window) { return fromMany(evenly(tokenTime(limit, window) / 4, 4 * window), 5); }},
};

QString defectOf(const Values &values)
{
    return values.choice(QStringLiteral("defect"));
}

bool isDefective(const Values &values)
{
    return values.toggle(QStringLiteral("defective"));
}

bool crashes(const Values &values)
{
    return defectOf(values) == withoutExpire;
}

/// The correct one first; the defect is drawn over it.
Result<std::vector<PlayedLimiter>> limitersFor(const Values &values)
{
    const Defect &defect = *DefectiveLimiter::find(defectOf(values));
    const QList<std::pair<QString, QString>> numbers
        = limiterValues(defect.algorithm, values.number(QStringLiteral("limit")), values.duration(QStringLiteral("window")));
    const Result<DefectiveLimiter> defective = DefectiveLimiter::make(defect.id, numbers);
    if (!defective)
        return defective.error();
    std::vector<PlayedLimiter> limiters {played(defective->twin())};
    if (isDefective(values))
        limiters.push_back(played(*defective, limiters.front().info.name));
    return limiters;
}

Requests requestsFor(const Values &values)
{
    const qint64 limit = values.number(QStringLiteral("limit"));
    const qint64 window = values.duration(QStringLiteral("window")) / 1us;
    if (auto common = trafficOf(values, limit, window))
        return std::move(*common);
    const auto known = std::find_if(std::begin(shown), std::end(shown), [&](const Shown &one) { return defectOf(values) == QLatin1String(one.defect); });
    return known->traffic(limit, window);
}

/// One request to each limiter, and then it dies.
Task<> dying(Actor &actor, std::vector<NodeRef> nodes, Playing playing)
{
    Player player(actor, nodes, *playing.limiters, playing.options);
    co_await player.connect();
    player.ask({"caller", 1, 0}, never);
    co_await player.allAnswered();
    co_await actor.reach(answered);
}

/// A makes the first hit and dies: in the middle of the defect's two commands, or, where there is one script, behind its answer.
Task<Result<void>> letFirstDie(Stage &stage, Playing playing)
{
    const QString point = isDefective(stage.values()) ? DefectiveLimiter::find(withoutExpire)->point : QString::fromLatin1(answered);
    stage.phase(LimiterDefects::tr("A makes the first hit and dies."));
    Actor &a = stage.actor(QStringLiteral("A"), dying, stage.nodes(), playing);
    stage.holdAt(a, point);
    if (const auto held = co_await stage.heldAt(a, point); !held)
        co_return held.error();
    const auto decided = [](const Event &event, const Names &) { return event.kind == Event::Kind::Decision; };
    if (const auto seen = co_await stage.seen(decided); !seen) // of the correct limiter
        co_return seen.error();
    co_await stage.breathe(300ms);
    stage.crash(a);
    co_return Result<void>();
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    Result<std::vector<PlayedLimiter>> limiters = limitersFor(values);
    if (!limiters)
        co_return limiters.error();
    Playing playing;
    playing.limiters = std::make_shared<const std::vector<PlayedLimiter>>(std::move(*limiters));
    playing.requests = std::make_shared<const Requests>(requestsFor(values));
    playing.options.onCallersClock = isOnCallersClock(values);
    playing.options.prefix = stage.keyPrefix();
    announce(stage, playing.limiters, playing.requests);
    if (crashes(values)) {
        if (playing.options.onCallersClock)
            co_return Error {Error::Kind::Invalid, LimiterDefects::tr("INCR and EXPIRE go by the server’s clock.")};
        if (const Result<void> died = co_await letFirstDie(stage, playing); !died)
            co_return died;
    }
    stage.phase(LimiterDefects::tr("The same requests for both."));
    co_await stage.ended(stage.actor(QStringLiteral("caller"), playRequests, stage.nodes(), playing));
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &values)
{
    const bool isAboutTtl = defectOf(values) == withoutTtl; // it decides rightly
    QList<CheckUse> uses {{QStringLiteral("twin-equality"), {}, !isAboutTtl}};
    if (!isOnCallersClock(values))
        uses.append({QStringLiteral("key-without-ttl"), {}, isAboutTtl});
    return uses;
}

/// Only there is a key's slot of any importance.
QStringList cluster(const Values &values)
{
    if (defectOf(values) != QLatin1String("undeclared-key"))
        return {};
    return {QStringLiteral("node-1"), QStringLiteral("node-2"), QStringLiteral("node-3")};
}

QString needsOwnServer(const Values &values)
{
    if (!isDefective(values) || (!crashes(values) && defectOf(values) != withoutTtl))
        return {};
    return LimiterDefects::tr("This defect leaves keys without a TTL behind; that is done only to a server of the lab’s own.");
}

QList<Parameter> parameters()
{
    QList<Option> defects;
    for (const Shown &one : shown)
        defects.append({QString::fromLatin1(one.defect), DefectiveLimiter::find(QString::fromLatin1(one.defect))->title});
    return {
        Parameter::choice(QStringLiteral("defect"), LimiterDefects::tr("Defect"), LimiterDefects::tr("What is wrong with the limiter."), defects, 0),
        Parameter::toggle(QStringLiteral("defective"), LimiterDefects::tr("With the defect"),
            LimiterDefects::tr("Shows the defect beside its correct twin, or the twin alone."), true),
        Parameter::integer(QStringLiteral("limit"), LimiterDefects::tr("Limit"), LimiterDefects::tr("How many requests are admitted in a window; a bucket holds as many."),
            5, 1, 1000, LimiterDefects::tr("request|requests")),
        Parameter::duration(QStringLiteral("window"), LimiterDefects::tr("Window"), LimiterDefects::tr("How long a window is; a bucket is filled in that time."),
            1s, 100ms, 60s),
        trafficParameter({QStringLiteral("fitting"), LimiterDefects::tr("So that the defect shows")}),
        clockParameter(),
    };
}

QList<Preset> presets()
{
    QList<Preset> broken, held;
    for (const Shown &one : shown) {
        const Defect &defect = *DefectiveLimiter::find(QString::fromLatin1(one.defect));
        const QString suffix = *one.preset ? u'-' + QString::fromLatin1(one.preset) : QString();
        const std::pair which {QStringLiteral("defect"), defect.id};
        QList<Witness> witnesses {{QStringLiteral("admitted"), {}, 3}};
        if (defect.id == withoutExpire)
            witnesses.append({QStringLiteral("fault"), QStringLiteral("crash"), 1});
        broken.append({QStringLiteral("break") + suffix, defect.title, {which}, Judgement::Broken, witnesses});
        held.append({QStringLiteral("safe") + suffix, LimiterDefects::tr("The correct twin of: %1").arg(defect.title),
            {which, {QStringLiteral("defective"), QStringLiteral("off")}}, Judgement::Held, witnesses});
    }
    return broken + held;
}

}

Experiment describe()
{
    Experiment experiment = limiterExperiment(QStringLiteral("limiter-defects"), 4);
    experiment.title = LimiterDefects::tr("Defects");
    experiment.claim = LimiterDefects::tr("A counter without its EXPIRE rejects everyone for ever.");
    experiment.promise = LimiterDefects::tr("Admits what its correct twin admits, and leaves no key without a TTL.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.cluster = cluster;
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 700s;
    return experiment;
}

}
