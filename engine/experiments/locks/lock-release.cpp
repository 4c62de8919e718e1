// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/scopedlock.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>

namespace interlock::experiments::lock_release {

namespace {

struct LockRelease
{
    Q_DECLARE_TR_FUNCTIONS(LockRelease)
};

constexpr auto atWork = "at work";

Releasing releasing(const Values &values)
{
    const QString word = values.choice(QStringLiteral("release"));
    if (word == QLatin1String("del"))
        return Releasing::Del;
    return word == QLatin1String("get-del") ? Releasing::GetThenDel : Releasing::Script;
}

Task<> worker(Actor &actor, NodeRef node, LockOptions options, Waiting waiting, Nanoseconds work)
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

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    LockOptions options;
    options.key = stage.key("lock");
    options.releasing = releasing(values);
    options.ttl = values.duration(QStringLiteral("ttl"));
    LockOptions others = options;
    others.ttl = values.duration(QStringLiteral("ttl-others"));
    const Nanoseconds work = values.duration(QStringLiteral("work"));
    const Nanoseconds patience = options.ttl + others.ttl + 10s;
    const Waiting waiting = Waiting::fixed(patience, values.duration(QStringLiteral("poll")));
    // With GET, then DEL, A is in time with its GET and held up before its DEL; otherwise its work takes too long.
    const bool gap = options.releasing == Releasing::GetThenDel;
    const QString point = gap ? QStringLiteral("between GET and DEL") : QString::fromLatin1(atWork);
    stage.watch(options.key);

    stage.phase(LockRelease::tr("A takes the lock and is held up."));
    Actor &a = stage.actor(QStringLiteral("A"), worker, stage.node(), options, Waiting::once(), work);
    stage.holdAt(a, point);
    if (const auto granted = co_await stage.seen(saw::granted(a.name())); !granted)
        co_return granted.error();
    Actor &b = stage.actor(QStringLiteral("B"), worker, stage.node(), others, waiting, work);
    stage.holdAt(b, QString::fromLatin1(atWork));
    if (const auto held = co_await stage.heldAt(a, point); !held)
        co_return held.error();

    if (const auto held = co_await stage.heldAt(b, QString::fromLatin1(atWork), patience); !held)
        co_return held.error();
    stage.phase(LockRelease::tr("A’s lock has run out, and B has taken it."));
    co_await stage.breathe(500ms);

    stage.phase(LockRelease::tr("A releases, too late."));
    stage.proceed(a);
    co_await stage.ended(a);
    co_await stage.breathe(300ms);

    stage.phase(LockRelease::tr("C asks while B works."));
    Actor &c = stage.actor(QStringLiteral("C"), worker, stage.node(), others, waiting, work);
    stage.holdAt(c, QString::fromLatin1(atWork));
    if (const auto answered = co_await stage.seen(saw::answered(QStringLiteral("C"))); !answered)
        co_return answered.error();
    co_await stage.breathe(800ms);

    stage.phase(LockRelease::tr("B releases."));
    stage.proceed(b);
    co_await stage.ended(b);
    if (const auto held = co_await stage.heldAt(c, QString::fromLatin1(atWork), patience); !held)
        co_return held.error();
    co_await stage.breathe(400ms);
    stage.proceed(c);
    co_await stage.ended(c);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("release-by-owner"), {}, true}, {QStringLiteral("mutual-exclusion"), {}, false}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("release"), LockRelease::tr("Release by"), LockRelease::tr("How everyone gives the lock back."),
            {{QStringLiteral("del"), LockRelease::tr("DEL")}, {QStringLiteral("get-del"), LockRelease::tr("GET, then DEL")},
                {QStringLiteral("script"), LockRelease::tr("Compare-and-delete script")}},
            0),
        Parameter::duration(QStringLiteral("ttl"), LockRelease::tr("TTL of A"),
            LockRelease::tr("How long A’s lock lives; A stays away for longer than that."), 1s, 200ms, 10s),
        Parameter::duration(QStringLiteral("ttl-others"), LockRelease::tr("TTL of B and C"),
            LockRelease::tr("How long the locks of the others live."), 10s, 1s, 60s),
        Parameter::duration(QStringLiteral("work"), LockRelease::tr("Work"),
            LockRelease::tr("How long a client works at least once it has the lock."), 150ms, 1ms, 5s),
        Parameter::duration(QStringLiteral("poll"), LockRelease::tr("Poll delay"),
            LockRelease::tr("How long a client waits after a refusal before it asks again."), 100ms, 10ms, 2s),
    };
}

QList<Preset> presets()
{
    const Witness hold {QStringLiteral("fault"), QStringLiteral("hold"), 1};
    const Witness granted {QStringLiteral("granted"), QStringLiteral("B"), 1};
    const Witness asked {QStringLiteral("asked"), QStringLiteral("C"), 1};
    return {
        {QStringLiteral("break"), LockRelease::tr("DEL"), {}, Judgement::Broken, {hold, granted, asked}},
        // A longer TTL: A's GET has to be in time for certain.
        {QStringLiteral("break-get-del"), LockRelease::tr("GET, then DEL"),
            {{QStringLiteral("release"), QStringLiteral("get-del")}, {QStringLiteral("ttl"), QStringLiteral("3000ms")}},
            Judgement::Broken, {hold, granted, asked}},
        {QStringLiteral("safe"), LockRelease::tr("Compare-and-delete script"),
            {{QStringLiteral("release"), QStringLiteral("script")}}, Judgement::Held, {hold, granted, asked}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("lock-release");
    experiment.family = QStringLiteral("locks");
    experiment.place = 3;
    experiment.title = LockRelease::tr("Release");
    experiment.claim = LockRelease::tr("DEL removes whoever’s lock is there.");
    experiment.promise = LockRelease::tr("Only the owner’s release removes a lock.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("timeline")};
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
