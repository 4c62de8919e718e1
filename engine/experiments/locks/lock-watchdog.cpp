// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/scopedlock.h"
#include "engine/locks/watchdog.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>

namespace interlock::experiments::lock_watchdog {

namespace {

struct LockWatchdog
{
    Q_DECLARE_TR_FUNCTIONS(LockWatchdog)
};

constexpr auto stuck = "stuck";
constexpr auto atWork = "at work";

enum class Trouble { None, Stuck, Paused };

/// A's program: works under a lock that a watchdog renews, and looks every 50 ms whether the lock is still its own.
Task<> owner(Actor &actor, NodeRef node, LockOptions options, WatchdogOptions watching, Nanoseconds work)
{
    static constexpr Nanoseconds piece = 50ms;
    Client client(actor, node);
    Lock lock(client, options);
    const Result<bool> acquired = co_await lock.acquire();
    if (!acquired || !*acquired)
        co_return;
    Watchdog watchdog(lock, watching);
    {
        Section section(actor, options.key, lock.token());
        co_await actor.reach(stuck);
        for (Nanoseconds done {0}; done < work && lock.isHeld(); done += piece)
            co_await actor.sleep(piece);
    }
    if (lock.isHeld())
        std::ignore = co_await lock.release();
}

Task<> waiter(Actor &actor, NodeRef node, LockOptions options, Waiting waiting, Nanoseconds work)
{
    Client client(actor, node);
    Lock lock(client, options);
    const auto body = [&]() -> Task<Result<void>> {
        Section section(actor, options.key, lock.token());
        co_await actor.sleep(work);
        co_await actor.reach(atWork);
        co_return Result<void>();
    };
    std::ignore = co_await withLock(lock, waiting, body);
}

Trouble trouble(const Values &values)
{
    const QString word = values.choice(QStringLiteral("trouble"));
    if (word == QLatin1String("stuck"))
        return Trouble::Stuck;
    return word == QLatin1String("paused") ? Trouble::Paused : Trouble::None;
}

SeenStep::Fits renewedAfter(const Actor &actor, qint64 time)
{
    return [lane = actor.lane(), time](const Event &event, const Names &) {
        return event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(Belief::Renewed) && event.lane == lane
            && event.sent > time;
    };
}

/// A hangs in the middle of its work. With a maximum lifetime B gets the lock at its end; without, B waits in vain.
Task<Result<void>> watchStuckOwner(Stage &stage, Actor &a, Actor &b, const Event &granted, Nanoseconds lifetime, bool isBounded)
{
    if (!isBounded) {
        const SeenStep::Fits late = renewedAfter(a, granted.sent + lifetime.count());
        if (const auto renewed = co_await stage.seen(late, lifetime + 30s); !renewed)
            co_return renewed.error();
        stage.phase(LockWatchdog::tr("A hangs, its watchdog does not: the lock is renewed beyond its maximum lifetime."));
    }
    co_await stage.ended(b);
    co_await stage.breathe(300ms);
    stage.phase(LockWatchdog::tr("Somebody ends A’s process."));
    stage.crash(a);
    co_return Result<void>();
}

/// A is paused until its lock has run out and B has it.
Task<Result<void>> watchPausedOwner(Stage &stage, Actor &a, Actor &b, bool checksOwner, Nanoseconds limit)
{
    co_await stage.breathe(300ms);
    stage.phase(LockWatchdog::tr("A is paused, and its watchdog with it."));
    stage.pause(a);
    stage.holdAt(b, QString::fromLatin1(atWork));
    if (const auto held = co_await stage.heldAt(b, QString::fromLatin1(atWork), limit); !held)
        co_return held.error();
    stage.phase(LockWatchdog::tr("A’s lock has run out, and B has taken it."));
    co_await stage.breathe(400ms);

    stage.phase(LockWatchdog::tr("A goes on."));
    const qint64 resumed = stage.recorder().now();
    stage.resume(a);
    if (checksOwner) {
        co_await stage.ended(a);
    } else if (const auto renewed = co_await stage.seen(renewedAfter(a, resumed), limit); !renewed) {
        co_return renewed.error();
    }
    co_await stage.breathe(600ms);
    stage.proceed(b);
    co_await stage.ended(b);
    co_await stage.ended(a);
    co_return Result<void>();
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    LockOptions options;
    options.key = stage.key("lock");
    options.ttl = values.duration(QStringLiteral("ttl"));
    LockOptions others = options;
    others.ttl = std::max<Nanoseconds>(options.ttl, 10s);
    WatchdogOptions watching;
    watching.checksOwner = values.toggle(QStringLiteral("check"));
    const bool isBounded = values.toggle(QStringLiteral("bounded"));
    const Nanoseconds lifetime = values.duration(QStringLiteral("lifetime"));
    if (isBounded)
        watching.lifetime = lifetime;
    const Nanoseconds patience = values.duration(QStringLiteral("patience"));
    const Waiting waiting = Waiting::fixed(patience, values.duration(QStringLiteral("poll")));
    const Trouble what = trouble(values);
    stage.watch(options.key);

    stage.phase(LockWatchdog::tr("A takes the lock; its watchdog renews it."));
    Actor &a = stage.actor(
        QStringLiteral("A"), owner, stage.node(), options, watching, values.duration(QStringLiteral("work")));
    if (what == Trouble::Stuck)
        stage.holdAt(a, QString::fromLatin1(stuck));
    const Result<Event> granted = co_await stage.seen(saw::granted(a.name()));
    if (!granted)
        co_return granted.error();
    Actor &b = stage.actor(QStringLiteral("B"), waiter, stage.node(), others, waiting, Nanoseconds(400ms));

    switch (what) {
    case Trouble::None:
        break;
    case Trouble::Stuck:
        co_return co_await watchStuckOwner(stage, a, b, *granted, lifetime, isBounded);
    case Trouble::Paused:
        co_return co_await watchPausedOwner(stage, a, b, watching.checksOwner, patience + 10s);
    }
    co_await stage.ended(a);
    co_await stage.ended(b);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &values)
{
    const QString lifetime = QString::number(values.duration(QStringLiteral("lifetime")).count());
    return {{QStringLiteral("renewal"), {{QStringLiteral("maximum-lifetime"), lifetime}}, true},
        {QStringLiteral("release-by-owner"), {}, false}, {QStringLiteral("mutual-exclusion"), {}, false}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("trouble"), LockWatchdog::tr("Trouble of A"), LockWatchdog::tr("What happens to the owner."),
            {{QStringLiteral("none"), LockWatchdog::tr("None: its work takes long")},
                {QStringLiteral("stuck"), LockWatchdog::tr("Its program hangs, its watchdog does not")},
                {QStringLiteral("paused"), LockWatchdog::tr("Its process is paused")}},
            1),
        Parameter::toggle(QStringLiteral("bounded"), LockWatchdog::tr("Keeps the maximum lifetime"),
            LockWatchdog::tr("Whether the watchdog stops renewing when the lock has reached its maximum lifetime."), false),
        Parameter::toggle(QStringLiteral("check"), LockWatchdog::tr("Checks the owner"),
            LockWatchdog::tr("Renews by a script that compares the token; otherwise by SET."), true),
        Parameter::duration(QStringLiteral("ttl"), LockWatchdog::tr("TTL"),
            LockWatchdog::tr("How long A’s lock lives; it is renewed after a third of that."), 3s, 300ms, 20s),
        Parameter::duration(QStringLiteral("lifetime"), LockWatchdog::tr("Maximum lifetime"),
            LockWatchdog::tr("How long after its acquisition a lock may be renewed: the promise."), 4s, 500ms, 60s),
        Parameter::duration(QStringLiteral("work"), LockWatchdog::tr("Work of A"),
            LockWatchdog::tr("How long A works if nothing happens to it."), 2s, 10ms, 60s),
        Parameter::duration(QStringLiteral("poll"), LockWatchdog::tr("Poll delay"),
            LockWatchdog::tr("How long B waits after a refusal before it asks again."), 150ms, 10ms, 5s),
        Parameter::duration(QStringLiteral("patience"), LockWatchdog::tr("Patience"),
            LockWatchdog::tr("How long B tries before it gives up."), 6500ms, 100ms, 60s),
    };
}

QList<Preset> presets()
{
    using Set = QList<std::pair<QString, QString>>;
    const auto set = [](const char *name, const char *value) {
        return std::pair {QString::fromLatin1(name), QString::fromLatin1(value)};
    };
    const Witness asked {QStringLiteral("asked"), QStringLiteral("B"), 1};
    const Witness granted {QStringLiteral("granted"), QStringLiteral("B"), 1};
    const Witness renewed {QStringLiteral("renewed"), QStringLiteral("A"), 1};
    const Witness pause {QStringLiteral("fault"), QStringLiteral("pause"), 1};
    const Witness hold {QStringLiteral("fault"), QStringLiteral("hold"), 1};
    return {
        {QStringLiteral("break"), LockWatchdog::tr("No end: a stuck owner"), {}, Judgement::Broken, {hold, renewed, asked}},
        {QStringLiteral("break-revive"), LockWatchdog::tr("No owner check: a paused owner"),
            Set {set("trouble", "paused"), set("check", "off"), set("ttl", "1500ms")}, Judgement::Broken, {pause, renewed, granted}},
        {QStringLiteral("safe"), LockWatchdog::tr("Work longer than the TTL"),
            Set {set("trouble", "none"), set("bounded", "on"), set("lifetime", "20s"), set("work", "5s"), set("patience", "20s")},
            Judgement::Held, {renewed, granted}},
        {QStringLiteral("safe-stuck"), LockWatchdog::tr("Maximum lifetime: a stuck owner"), Set {set("bounded", "on")},
            Judgement::Held, {hold, renewed, granted}},
        {QStringLiteral("safe-paused"), LockWatchdog::tr("Paused beyond the TTL"),
            Set {set("trouble", "paused"), set("bounded", "on"), set("ttl", "1500ms"), set("lifetime", "10s")}, Judgement::Held,
            {pause, granted}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("lock-watchdog");
    experiment.family = QStringLiteral("locks");
    experiment.place = 6;
    experiment.title = LockWatchdog::tr("Watchdog");
    experiment.claim = LockWatchdog::tr("A watchdog without end keeps a dead program’s lock alive.");
    experiment.promise = LockWatchdog::tr("Renewal serves a live owner, for a bounded time, and nobody else.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("timeline")};
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 180s;
    return experiment;
}

}
