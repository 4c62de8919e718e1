// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/failoverplay.h"
#include "engine/locks/lock.h"
#include "engine/schedule/section.h"
#include "engine/schedule/taskgroup.h"

#include <QCoreApplication>

namespace interlock::experiments::failover_lock_loss {

namespace {

struct FailoverLockLoss
{
    Q_DECLARE_TR_FUNCTIONS(FailoverLockLoss)
};

constexpr auto atWork = "at work";
constexpr auto lockName = "lock";
constexpr int writesBefore = 20; ///< so many of the others' writes have been answered before A comes
constexpr int lagSteps = 4; ///< the curve's points are 0 and so many equal steps up to the lag

bool isChoice(const Values &values, const char *parameter, const char *word)
{
    return values.choice(QString::fromLatin1(parameter)) == QLatin1String(word);
}

/// What a client does with its lock.
struct Habits
{
    LockOptions lock;
    Waiting waiting;
    int copies = 0; ///< so many replicas have to acknowledge the lock before its owner believes in it
    Milliseconds patience {0}; ///< for their acknowledgement
    Nanoseconds work {0};
};

/// Whether as many replicas as the client asks for have the lock. WAIT counts for what was sent before it on the same connection.
Task<bool> isCopied(Client &client, Habits habits)
{
    if (habits.copies == 0)
        co_return true;
    const Result<Reply> copies = co_await client.command("WAIT", habits.copies, habits.patience.count());
    co_return copies && copies->integer >= habits.copies;
}

Task<> worker(Actor &actor, GroupAccess group, Habits habits)
{
    SentinelClient primary(actor, group.sentinels, group.search);
    if (const Result<void> found = co_await primary.connect(); !found)
        co_return;
    Lock lock(primary.client(), habits.lock);
    const Reconnecting reconnecting = [&primary] { return primary.verify(); };
    const Result<bool> granted = co_await lock.acquire(habits.waiting, reconnecting);
    if (!granted || !*granted)
        co_return;
    if (co_await isCopied(primary.client(), habits)) {
        Section section(actor, habits.lock.key, lock.token());
        co_await actor.sleep(habits.work);
        co_await actor.reach(atWork);
    }
    // The lock moves with the client, to the server that is the primary by now.
    if (const Result<void> found = co_await primary.connect(); found)
        std::ignore = co_await lock.release();
}

/// Writes as fast as it is answered, until it is not answered any more.
Task<> write(Actor &actor, NodeRef node, QByteArray key, QByteArray value)
{
    Client client(actor, node);
    for (;;) {
        if (const Result<Reply> written = co_await client.command("SET", key, value, "PX", 60'000); !written)
            co_return;
    }
}

/// Others who keep the primary busy with writes that have nothing to do with the lock.
Task<> crowd(Actor &actor, NodeRef node, QByteArray key, int writers, qsizetype bytes)
{
    TaskGroup group(actor);
    for (int i = 0; i < writers; ++i)
        group.add(write(actor, node, key + QByteArray::number(i), QByteArray(bytes, 'x')));
    co_await group.allEnded();
}

Habits habitsOfA(const Values &values, const QByteArray &key)
{
    Habits habits;
    habits.lock.key = key;
    habits.lock.ttl = values.duration(QStringLiteral("ttl"));
    habits.copies = isChoice(values, "remedy", "wait-1") ? 1 : isChoice(values, "remedy", "wait-2") ? 2 : 0;
    habits.patience = std::chrono::ceil<Milliseconds>(values.duration(QStringLiteral("patience")));
    habits.work = values.duration(QStringLiteral("work"));
    return habits;
}

/// B asks until it is granted, whatever A does against a loss.
Habits habitsOfB(const Values &values, const QByteArray &key)
{
    Habits habits;
    habits.lock.key = key;
    habits.lock.ttl = values.duration(QStringLiteral("ttl"));
    habits.waiting = Waiting::fixed(habits.lock.ttl + 60s, values.duration(QStringLiteral("poll")));
    habits.work = 500ms;
    return habits;
}

Task<Result<void>> stageReplication(Stage &stage)
{
    const Values &values = stage.values();
    if (isChoice(values, "replication", "cut")) {
        stage.phase(FailoverLockLoss::tr("The replicas are cut off from the primary."));
        co_return co_await cutReplication(stage, firstPrimary);
    }
    if (isChoice(values, "replication", "lag"))
        stage.strike({firstPrimary, Strike::Kind::LagReplication, values.duration(QStringLiteral("lag"))});
    co_return Result<void>();
}

Task<Result<void>> startCrowd(Stage &stage)
{
    const int writers = stage.values().integer(QStringLiteral("load"));
    if (writers == 0)
        co_return Result<void>();
    stage.phase(FailoverLockLoss::tr("Others keep the primary busy."));
    Actor &others = stage.actor(QStringLiteral("others"), crowd, stage.node(firstPrimary), stage.key("load:"), writers,
        qsizetype(1000) * stage.values().integer(QStringLiteral("size")));
    const auto wrote = [lane = others.lane()](const Event &event, const Names &) { return event.kind == Event::Kind::Command && event.lane == lane; };
    if (const auto busy = co_await stage.seen(wrote, 10s, writesBefore); !busy)
        co_return busy.error();
    co_return Result<void>();
}

/// A has gone to work, or has given its lock up.
SeenStep::Fits hasDecided(const QString &who)
{
    return [entered = saw::entered(who), lane = who.toUtf8()](const Event &event, const Names &names) {
        const bool isEnd = event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(Belief::Ended);
        return entered(event, names) || (isEnd && names.bytes(event.lane) == lane);
    };
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    const GroupAccess group = accessTo(stage);
    const QByteArray key = stage.key(lockName);
    const Habits habitsB = habitsOfB(values, key);
    stage.watch(key);
    if (const auto staged = co_await stageReplication(stage); !staged)
        co_return staged.error();
    if (const auto loaded = co_await startCrowd(stage); !loaded)
        co_return loaded.error();

    stage.phase(FailoverLockLoss::tr("A takes the lock."));
    Actor &a = stage.actor(QStringLiteral("A"), worker, group, habitsOfA(values, key));
    stage.holdAt(a, QString::fromLatin1(atWork));
    const Result<Event> decided = co_await stage.seen(hasDecided(a.name()), 20s);
    if (!decided)
        co_return decided.error();
    Actor *b = nullptr;
    if (isChoice(values, "kill", "asked") && decided->kind == Event::Kind::Resource) {
        stage.phase(FailoverLockLoss::tr("A works, and B asks for the lock."));
        b = &stage.actor(QStringLiteral("B"), worker, group, habitsB);
        if (const auto answered = co_await stage.seen(saw::answered(b->name())); !answered)
            co_return answered.error();
    }
    if (isChoice(values, "kill", "asked"))
        co_await stage.breathe(500ms);
    if (isChoice(values, "kill", "random"))
        co_await stage.director().sleep(stage.random().between(0ns, values.duration(QStringLiteral("span"))));

    stage.phase(FailoverLockLoss::tr("The primary is killed."));
    const qint64 killed = stage.recorder().now();
    stage.strike({firstPrimary, Strike::Kind::Kill, {}});
    if (!b)
        b = &stage.actor(QStringLiteral("B"), worker, group, habitsB);
    const Result<QString> promoted = co_await promotion(stage, killed);
    if (!promoted)
        co_return promoted.error();
    stage.phase(FailoverLockLoss::tr("%1 takes the primary’s role.").arg(*promoted));
    if (const auto answered = co_await stage.seen(saw::answeredSince(b->name(), killed)); !answered)
        co_return answered.error();
    co_await stage.breathe(1200ms);

    if (decided->kind == Event::Kind::Resource) {
        if (const auto held = co_await stage.heldAt(a, QString::fromLatin1(atWork), values.duration(QStringLiteral("work")) + 10s); !held)
            co_return held.error();
        stage.phase(FailoverLockLoss::tr("A is done."));
    }
    stage.proceed(a);
    co_await stage.ended(a);
    co_await stage.ended(*b);
    co_return co_await settlement(stage, *promoted, killed);
}

std::optional<GroupPlan> group(const Values &)
{
    return GroupPlan {};
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return FailoverLockLoss::tr(text); };
    return {
        Parameter::choice(QStringLiteral("mode"), tr("Mode"), tr("One run to look at, or many that are counted, each on a group of servers of its own."),
            {{QStringLiteral("run"), tr("One run")}, {QStringLiteral("statistics"), tr("Statistics")}, {QStringLiteral("lag"), tr("Loss against lag")}}, 0),
        Parameter::choice(QStringLiteral("replication"), tr("Replication"), tr("What becomes of what the primary sends to its replicas."),
            {{QStringLiteral("whole"), tr("Whole")}, {QStringLiteral("cut"), tr("Cut before SET")}, {QStringLiteral("lag"), tr("Late by the lag")}}, 1),
        Parameter::duration(QStringLiteral("lag"), tr("Lag"),
            tr("How much later it arrives, where it is late; the greatest lag of the curve."), 400ms, 0ms, 5s),
        Parameter::choice(QStringLiteral("remedy"), tr("Remedy"), tr("What A asks for before it believes in its lock; without it A gives the lock up."),
            {{QStringLiteral("none"), tr("None")}, {QStringLiteral("wait-1"), tr("WAIT 1")}, {QStringLiteral("wait-2"), tr("WAIT 2")}}, 0),
        Parameter::duration(QStringLiteral("patience"), tr("Patience of WAIT"), tr("How long A waits for the replicas."), 500ms, 10ms, 1500ms),
        Parameter::choice(QStringLiteral("kill"), tr("Primary killed"), tr("When the primary dies, counted from when A goes to work."),
            {{QStringLiteral("asked"), tr("When B has asked")}, {QStringLiteral("at-once"), tr("At once")}, {QStringLiteral("random"), tr("Within the span")}}, 0),
        Parameter::duration(QStringLiteral("span"), tr("Span"), tr("The kill comes at a moment drawn from it, where it comes within the span; the curve’s do."), 400ms, 1ms, 5s),
        Parameter::duration(QStringLiteral("ttl"), tr("Lock TTL"), tr("How long a lock lives that is not released."), 30s, 5s, 120s),
        Parameter::duration(QStringLiteral("work"), tr("Work of A"), tr("How long A works at least; it goes on until B has been answered after the failover."), 3s, 10ms, 20s),
        Parameter::duration(QStringLiteral("poll"), tr("Poll delay"), tr("How long B waits after a refusal before it asks again."), 100ms, 10ms, 2s),
        Parameter::integer(QStringLiteral("load"), tr("Write load"), tr("How many others write to the primary meanwhile, as fast as it answers."), 0, 0, 16, tr("clients")),
        Parameter::integer(QStringLiteral("size"), tr("Size of a write"), tr("How much each of the others writes at a time."), 500, 1, 4000, tr("kB")),
        Parameter::integer(QStringLiteral("runs"), tr("Runs"), tr("How many are counted; of the curve, for each lag."), 30, 1, 200, tr("runs")),
    };
}

std::vector<SetChild> statisticsOf(int runs)
{
    std::vector<SetChild> children;
    for (int run = 1; run <= runs; ++run) {
        children.push_back({QStringLiteral("run-%1").arg(run, 2, 10, QChar(u'0')), FailoverLockLoss::tr("Run %1").arg(run),
            {{QStringLiteral("mode"), QStringLiteral("run")}, {QStringLiteral("work"), QStringLiteral("10ms")}}});
    }
    return children;
}

std::vector<SetChild> curveOf(Milliseconds most, int runs)
{
    std::vector<SetChild> children;
    for (int step = 0; step <= lagSteps; ++step) {
        const QString lag = QString::number(most.count() * step / lagSteps);
        for (int run = 1; run <= runs; ++run) {
            children.push_back({QStringLiteral("lag-%1ms-%2").arg(lag).arg(run, 2, 10, QChar(u'0')),
                FailoverLockLoss::tr("Lag %1 ms, run %2").arg(lag).arg(run),
                {{QStringLiteral("mode"), QStringLiteral("run")}, {QStringLiteral("work"), QStringLiteral("10ms")},
                    {QStringLiteral("replication"), QStringLiteral("lag")}, {QStringLiteral("lag"), lag + QStringLiteral("ms")},
                    {QStringLiteral("kill"), QStringLiteral("random")}}});
        }
    }
    return children;
}

std::vector<SetChild> set(const Values &values)
{
    const int runs = values.integer(QStringLiteral("runs"));
    if (isChoice(values, "mode", "statistics"))
        return statisticsOf(runs);
    if (isChoice(values, "mode", "lag"))
        return curveOf(std::chrono::floor<Milliseconds>(values.duration(QStringLiteral("lag"))), runs);
    return {};
}

CheckUse lossCheck()
{
    return {QStringLiteral("lost-acknowledged-write"), {{QStringLiteral("key"), QString::fromLatin1(lockName)}}, false};
}

/// One trial: the lock was lost, or it was not. A run of the curve has a lag of its own.
QList<Measure> measure(const SetChild &child, const Run &run)
{
    const CheckResult result = findCheck(lossCheck().check)(run, lossCheck());
    if (result.judgement == Judgement::Unknown)
        return {};
    Measure measure;
    measure.kind = MeasureKind::Share;
    measure.series = QStringLiteral("statistics");
    measure.y = result.judgement == Judgement::Broken;
    measure.low = 1;
    Values values(parameters());
    for (const auto &[name, text] : child.values) {
        if (name == QLatin1String("lag") && values.set(name, text)) {
            measure.series = QStringLiteral("lag");
            measure.x = values.number(name);
        }
    }
    return {measure};
}

QList<SeriesInfo> series()
{
    const QString lost = FailoverLockLoss::tr("Locks lost");
    return {
        {QStringLiteral("statistics"), FailoverLockLoss::tr("Killed after the acknowledgement"), {}, lost, {}, {}},
        {QStringLiteral("lag"), FailoverLockLoss::tr("Killed within the span"), FailoverLockLoss::tr("Replication lag"), lost, QStringLiteral("ns"), {}},
    };
}

QList<CheckUse> checks(const Values &values)
{
    if (!isChoice(values, "mode", "run"))
        return {};
    return {{QStringLiteral("mutual-exclusion-work"), {}, true}, lossCheck()};
}

QString needsOwnServer(const Values &)
{
    return FailoverLockLoss::tr("A primary is killed here, with replicas and sentinels around it: that is done only to servers of the lab’s own.");
}

QList<Preset> presets()
{
    const auto tr = [](const char *text) { return FailoverLockLoss::tr(text); };
    const std::pair whole {QStringLiteral("replication"), QStringLiteral("whole")};
    const std::pair waitForTwo {QStringLiteral("remedy"), QStringLiteral("wait-2")};
    const Witness cut {QStringLiteral("fault"), QStringLiteral("cut-replication"), 1};
    const Witness killed {QStringLiteral("fault"), QStringLiteral("kill"), 1};
    const Witness promoted {QStringLiteral("promoted"), {}, 1};
    const Witness granted {QStringLiteral("granted"), QStringLiteral("A"), 1};
    const Witness asked {QStringLiteral("asked"), QStringLiteral("B"), 1};
    const Witness refused {QStringLiteral("refused"), QStringLiteral("B"), 2};
    const Witness grantedToB {QStringLiteral("granted"), QStringLiteral("B"), 1};
    return {
        {QStringLiteral("break"), tr("Replication cut, primary killed"), {}, Judgement::Broken, {cut, killed, promoted, granted, asked}},
        {QStringLiteral("safe"), tr("WAIT 2, primary killed"), {whole, waitForTwo}, Judgement::Held, {killed, promoted, granted, refused}},
        {QStringLiteral("safe-abort"), tr("Replication cut, WAIT says 0"), {waitForTwo}, Judgement::Held, {cut, killed, promoted, granted, grantedToB}},
        // An idle primary has sent the lock on before its client hears of it.
        {QStringLiteral("statistics"), tr("Killed at once, counted"),
            {{QStringLiteral("mode"), QStringLiteral("statistics")}, whole, {QStringLiteral("kill"), QStringLiteral("at-once")},
                {QStringLiteral("load"), QStringLiteral("4")}},
            Judgement::None, {}},
        {QStringLiteral("lag"), tr("Loss against lag"),
            {{QStringLiteral("mode"), QStringLiteral("lag")}, {QStringLiteral("replication"), QStringLiteral("lag")},
                {QStringLiteral("kill"), QStringLiteral("random")}, {QStringLiteral("runs"), QStringLiteral("6")}},
            Judgement::None, {}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("failover-lock-loss");
    experiment.family = QStringLiteral("failover");
    experiment.place = 1;
    experiment.title = FailoverLockLoss::tr("Lock Loss");
    experiment.claim = FailoverLockLoss::tr("The primary said OK, died, and took the lock with it.");
    experiment.promise = FailoverLockLoss::tr("Two owners never work at once, whatever dies.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline"), QStringLiteral("measures")};
    experiment.group = group;
    experiment.allowsStrikes = true;
    experiment.set = set;
    experiment.measure = measure;
    experiment.series = series();
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 120s;
    return experiment;
}

}
