// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/scopedlock.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>

namespace interlock::experiments::lock_crash {

namespace {

struct LockCrash
{
    Q_DECLARE_TR_FUNCTIONS(LockCrash)
};

constexpr auto atWork = "at work";

Acquiring acquiring(const Values &values)
{
    const QString word = values.choice(QStringLiteral("acquire"));
    if (word == QLatin1String("setnx"))
        return Acquiring::SetNx;
    return word == QLatin1String("setnx-expire") ? Acquiring::SetNxThenExpire : Acquiring::SetNxPx;
}

/// Takes the lock and works until it is killed.
Task<> owner(Actor &actor, NodeRef node, LockOptions options)
{
    Client client(actor, node);
    Lock lock(client, options);
    const Result<bool> acquired = co_await lock.acquire();
    if (!acquired || !*acquired)
        co_return;
    Section section(actor, options.key, lock.token());
    co_await actor.reach(atWork);
}

Task<> waiter(Actor &actor, NodeRef node, LockOptions options, Waiting waiting, Nanoseconds work)
{
    Client client(actor, node);
    Lock lock(client, options);
    const auto body = [&]() -> Task<Result<void>> {
        Section section(actor, options.key, lock.token());
        co_await actor.sleep(work);
        co_return Result<void>();
    };
    std::ignore = co_await withLock(lock, waiting, body);
}

/// Asks the server how long the dead owner's key will live.
Task<> observer(Actor &actor, NodeRef node, QByteArray key)
{
    Client client(actor, node);
    std::ignore = co_await client.command("TTL", key);
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    LockOptions options;
    options.key = stage.key("lock");
    options.acquiring = acquiring(values);
    options.ttl = values.duration(QStringLiteral("ttl"));
    const Waiting waiting = Waiting::fixed(
        values.duration(QStringLiteral("patience")), values.duration(QStringLiteral("poll")));
    const Nanoseconds work = values.duration(QStringLiteral("work"));
    const QString point = options.acquiring == Acquiring::SetNxThenExpire
        ? QStringLiteral("between SETNX and EXPIRE")
        : QString::fromLatin1(atWork);
    stage.watch(options.key);

    stage.phase(LockCrash::tr("A takes the lock."));
    Actor &a = stage.actor(QStringLiteral("A"), owner, stage.node(), options);
    stage.holdAt(a, point);
    if (const auto held = co_await stage.heldAt(a, point); !held)
        co_return held.error();

    stage.phase(LockCrash::tr("The others ask for it."));
    std::vector<Actor *> waiters;
    for (int i = 0; i < values.integer(QStringLiteral("waiters")); ++i)
        waiters.push_back(&stage.actor(QString(QChar(u'B' + i)), waiter, stage.node(), options, waiting, work));
    for (Actor *actor : waiters) {
        if (const auto answered = co_await stage.seen(saw::answered(actor->name())); !answered)
            co_return answered.error();
    }
    co_await stage.breathe(500ms);

    stage.phase(LockCrash::tr("A dies."));
    stage.crash(a);
    co_await stage.breathe(200ms);
    Actor &reader = stage.actor(QStringLiteral("observer"), observer, stage.node(), options.key);
    co_await stage.ended(reader);
    for (Actor *actor : waiters)
        co_await stage.ended(*actor);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("stuck-lock"), {}, true}, {QStringLiteral("mutual-exclusion"), {}, false}};
}

QString needsOwnServer(const Values &values)
{
    if (acquiring(values) == Acquiring::SetNxPx)
        return {};
    return LockCrash::tr("SETNX leaves a key without a TTL behind; that is done only to a server of the lab’s own.");
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("acquire"), LockCrash::tr("Acquire by"), LockCrash::tr("How everyone takes the lock."),
            {{QStringLiteral("setnx"), LockCrash::tr("SETNX")},
                {QStringLiteral("setnx-expire"), LockCrash::tr("SETNX, then EXPIRE")},
                {QStringLiteral("set-nx-px"), LockCrash::tr("SET NX PX")}},
            1),
        Parameter::duration(QStringLiteral("ttl"), LockCrash::tr("TTL"),
            LockCrash::tr("How long a lock lives that is not released; bare SETNX has none."), 2s, 100ms, 20s),
        Parameter::integer(QStringLiteral("waiters"), LockCrash::tr("Waiters"),
            LockCrash::tr("How many others ask for the lock."), 5, 1, 20, LockCrash::tr("client|clients")),
        Parameter::duration(QStringLiteral("poll"), LockCrash::tr("Poll delay"),
            LockCrash::tr("How long a waiter waits after a refusal before it asks again."), 150ms, 10ms, 5s),
        Parameter::duration(QStringLiteral("patience"), LockCrash::tr("Patience"),
            LockCrash::tr("How long a waiter tries before it gives up."), 5s, 500ms, 60s),
        Parameter::duration(QStringLiteral("work"), LockCrash::tr("Work of a waiter"),
            LockCrash::tr("How long a waiter works once it has the lock."), 250ms, 10ms, 5s),
    };
}

QList<Preset> presets()
{
    const Witness crash {QStringLiteral("fault"), QStringLiteral("crash"), 1};
    const Witness asked {QStringLiteral("asked"), QStringLiteral("B"), 1};
    const Witness granted {QStringLiteral("granted"), QStringLiteral("A"), 1};
    return {
        {QStringLiteral("break"), LockCrash::tr("SETNX, crash before EXPIRE"), {}, Judgement::Broken, {crash, granted, asked}},
        {QStringLiteral("break-setnx"), LockCrash::tr("SETNX without any EXPIRE"),
            {{QStringLiteral("acquire"), QStringLiteral("setnx")}}, Judgement::Broken, {crash, granted, asked}},
        {QStringLiteral("safe"), LockCrash::tr("SET NX PX, the same crash"),
            {{QStringLiteral("acquire"), QStringLiteral("set-nx-px")}}, Judgement::Held, {crash, granted, asked}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("lock-crash");
    experiment.family = QStringLiteral("locks");
    experiment.place = 1;
    experiment.title = LockCrash::tr("Crash of the Owner");
    experiment.claim = LockCrash::tr("A lock without a TTL outlives its owner for ever.");
    experiment.promise = LockCrash::tr("A dead owner’s lock is freed.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("timeline")};
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 100s;
    return experiment;
}

}
