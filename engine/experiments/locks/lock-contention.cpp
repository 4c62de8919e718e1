// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/scopedlock.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>

namespace interlock::experiments::lock_contention {

namespace {

struct LockContention
{
    Q_DECLARE_TR_FUNCTIONS(LockContention)
};

constexpr auto atWork = "at work";

/// How a client spends its time.
struct Habits
{
    Waiting waiting;
    int rounds = 1;
    Nanoseconds work {0};
    Nanoseconds rest {0}; ///< between two rounds, at most
};

Task<> worker(Actor &actor, NodeRef node, LockOptions options, Habits habits)
{
    Client client(actor, node);
    Lock lock(client, options);
    const auto body = [&]() -> Task<Result<void>> {
        Section section(actor, options.key, lock.token());
        co_await actor.reach(atWork);
        co_await actor.sleep(habits.work);
        co_return Result<void>();
    };
    for (int i = 0; i < habits.rounds; ++i) {
        if (i > 0)
            co_await actor.sleep(actor.random().between(habits.rest / 2, habits.rest));
        const Result<Scoped> outcome = co_await withLock(lock, habits.waiting, body);
        if (!outcome || *outcome == Scoped::Refused)
            co_return;
    }
}

/// A to Z, then A2 to Z2.
QString clientName(int i)
{
    const QString letter(QChar(u'A' + i % 26));
    return i < 26 ? letter : letter + QString::number(1 + i / 26);
}

Habits habitsFrom(const Values &values, const Stage &stage)
{
    const Nanoseconds patience = values.duration(QStringLiteral("patience"));
    const Nanoseconds poll = values.duration(QStringLiteral("poll"));
    Habits habits;
    habits.waiting = values.toggle(QStringLiteral("random")) ? Waiting::random(patience, poll) : Waiting::fixed(patience, poll);
    habits.rounds = values.integer(QStringLiteral("rounds"));
    habits.work = values.duration(QStringLiteral("work"));
    habits.rest = stage.scaled(500ms);
    return habits;
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    LockOptions options;
    options.key = stage.key("lock");
    options.acquiring = values.choice(QStringLiteral("acquire")) == QLatin1String("set") ? Acquiring::Set : Acquiring::SetNxPx;
    options.ttl = values.duration(QStringLiteral("ttl"));
    const Habits habits = habitsFrom(values, stage);
    const int clients = values.integer(QStringLiteral("clients"));
    stage.watch(options.key);

    // A stays at its work until a second client has asked: so every run shows what happens to one who comes meanwhile.
    stage.phase(LockContention::tr("A takes the lock and works."));
    Actor &a = stage.actor(clientName(0), worker, stage.node(), options, habits);
    stage.holdAt(a, QString::fromLatin1(atWork));
    if (const auto held = co_await stage.heldAt(a, QString::fromLatin1(atWork)); !held)
        co_return held.error();

    stage.phase(LockContention::tr("The others come."));
    std::vector<Actor *> others;
    for (int i = 1; i < clients; ++i)
        others.push_back(&stage.actor(clientName(i), worker, stage.node(), options, habits));
    if (const auto answered = co_await stage.seen(saw::answered(others.front()->name())); !answered)
        co_return answered.error();
    co_await stage.breathe(300ms);
    stage.proceed(a);
    co_await stage.ended(a);
    for (Actor *actor : others)
        co_await stage.ended(*actor);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("mutual-exclusion"), {}, true}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("acquire"), LockContention::tr("Acquire by"),
            LockContention::tr("How everyone takes the lock."),
            {{QStringLiteral("set"), LockContention::tr("SET without NX")}, {QStringLiteral("set-nx"), LockContention::tr("SET NX")}}, 0),
        Parameter::integer(QStringLiteral("clients"), LockContention::tr("Clients"),
            LockContention::tr("How many clients want the lock."), 5, 2, 50, LockContention::tr("client|clients")),
        Parameter::integer(QStringLiteral("rounds"), LockContention::tr("Rounds"),
            LockContention::tr("How often each client takes the lock."), 4, 1, 20, LockContention::tr("round|rounds")),
        Parameter::duration(QStringLiteral("work"), LockContention::tr("Work"),
            LockContention::tr("How long a client works under the lock."), 350ms, 1ms, 5s),
        Parameter::duration(QStringLiteral("ttl"), LockContention::tr("TTL"),
            LockContention::tr("How long a lock lives that is not released. Shorter than the work, it runs out too early."), 10s, 50ms, 60s),
        Parameter::duration(QStringLiteral("poll"), LockContention::tr("Poll delay"),
            LockContention::tr("How long a client waits after a refusal before it asks again."), 100ms, 5ms, 5s),
        Parameter::toggle(QStringLiteral("random"), LockContention::tr("Random delay"),
            LockContention::tr("Draws each delay between half of the poll delay and one and a half of it."), false),
        Parameter::duration(QStringLiteral("patience"), LockContention::tr("Patience"),
            LockContention::tr("How long a client tries before it gives up."), 30s, 100ms, 60s),
    };
}

QList<Preset> presets()
{
    const std::pair<QString, QString> setNx {QStringLiteral("acquire"), QStringLiteral("set-nx")};
    const Witness asked {QStringLiteral("asked"), QStringLiteral("B"), 1};
    const Witness refused {QStringLiteral("refused"), {}, 1};
    return {
        {QStringLiteral("break"), LockContention::tr("SET without NX"), {}, Judgement::Broken, {asked}},
        {QStringLiteral("safe"), LockContention::tr("SET NX, fixed delay"), {setNx}, Judgement::Held, {asked, refused}},
        {QStringLiteral("safe-random"), LockContention::tr("SET NX, random delay"),
            {setNx, {QStringLiteral("random"), QStringLiteral("on")}}, Judgement::Held, {asked, refused}},
        {QStringLiteral("safe-many"), LockContention::tr("SET NX, 50 clients"),
            {setNx, {QStringLiteral("clients"), QStringLiteral("50")}, {QStringLiteral("rounds"), QStringLiteral("1")},
                {QStringLiteral("work"), QStringLiteral("60ms")}, {QStringLiteral("poll"), QStringLiteral("200ms")},
                {QStringLiteral("random"), QStringLiteral("on")}},
            Judgement::Held, {asked, refused}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("lock-contention");
    experiment.family = QStringLiteral("locks");
    experiment.place = 2;
    experiment.title = LockContention::tr("Contention");
    experiment.claim = LockContention::tr("SET without NX takes the lock from whoever holds it.");
    experiment.promise = LockContention::tr("Two owners never work at once.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("timeline"), QStringLiteral("waits")};
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
