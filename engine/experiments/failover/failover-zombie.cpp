// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/acknowledgedwrites.h"
#include "engine/checks/history.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/failoverplay.h"
#include "engine/experiments/measuring.h"
#include "engine/schedule/section.h"
#include "engine/schedule/sentinelclient.h"

#include <QCoreApplication>

namespace interlock::experiments::failover_zombie {

namespace {

struct FailoverZombie
{
    Q_DECLARE_TR_FUNCTIONS(FailoverZombie)
};

constexpr auto aboutToWrite = "about to write";
constexpr auto listName = "writes";
constexpr int writesBefore = 30; ///< of each client, before anything happens
constexpr int writesAfter = 20; ///< of a client that asks, after the old primary has become a replica
constexpr Nanoseconds chartStep = 250ms;

bool asks(const Values &values)
{
    return values.choice(QStringLiteral("guard")) == QLatin1String("ask");
}

bool hasMinReplicas(const Values &values)
{
    return values.choice(QStringLiteral("guard")) == QLatin1String("min-replicas");
}

struct Writing
{
    QByteArray list;
    Nanoseconds pause {0}; ///< between two writes
    std::shared_ptr<bool> isOver = std::make_shared<bool>(false); ///< for those who would go on for ever
};

QByteArray entryOf(const Actor &actor, int number)
{
    return actor.name().toUtf8() + ' ' + QByteArray::number(number);
}

/// Believes in its connection: it writes to the server that it found first, whatever becomes of that, until the connection ends.
Task<> believer(Actor &actor, NodeRef node, Writing writing)
{
    static constexpr Nanoseconds patience = 60s; // longer than the server will be stopped
    Client client(actor, node, patience);
    for (int number = 1;; ++number) {
        const QByteArray entry = entryOf(actor, number);
        co_await actor.reach(aboutToWrite);
        const Result<Reply> pushed = co_await client.command("RPUSH", writing.list, entry);
        if (!pushed)
            co_return;
        recordWrite(actor, writing.list, 0, entry, !pushed->isError());
        if (pushed->isError("READONLY"))
            co_return;
        co_await actor.sleep(writing.pause);
    }
}

/// Asks a sentinel who the primary is, and that server for its role, before each write. It does not wait for an answer longer than sentinels
/// wait before they call a server dead: a later one may come from a server that has been replaced meanwhile.
Task<> asker(Actor &actor, GroupAccess group, Writing writing)
{
    group.search.deadline = 500ms;
    group.search.patience.limit = 1s; // it looks whether it is to go on
    SentinelClient primary(actor, group.sentinels, group.search);
    for (int number = 1; !*writing.isOver; ++number) {
        const QByteArray entry = entryOf(actor, number);
        if (const Result<void> verified = co_await primary.verify(); !verified)
            continue; // it has waited for some seconds
        co_await actor.reach(aboutToWrite);
        const Result<Reply> pushed = co_await primary.client().command("RPUSH", writing.list, entry);
        if (pushed)
            recordWrite(actor, writing.list, 0, entry, !pushed->isError());
        co_await actor.sleep(writing.pause);
    }
}

std::vector<Actor *> startClients(Stage &stage, const Writing &writing)
{
    const int count = stage.values().integer(QStringLiteral("clients"));
    std::vector<Actor *> clients;
    for (int i = 0; i < count; ++i) {
        const QString name(QChar(u'A' + i));
        clients.push_back(asks(stage.values()) ? &stage.actor(name, asker, accessTo(stage), writing)
                                               : &stage.actor(name, believer, stage.node(firstPrimary), writing));
    }
    return clients;
}

/// Stops each client just before a write, and waits until the replicas have all that was acknowledged.
Task<Result<void>> stopBeforeAWrite(Stage &stage, const std::vector<Actor *> &clients)
{
    for (Actor *client : clients) {
        if (const auto wrote = co_await stage.seen(saw::wrote(client->name()), 10s, writesBefore); !wrote)
            co_return wrote.error();
        stage.holdAt(*client, QString::fromLatin1(aboutToWrite));
    }
    for (Actor *client : clients) {
        if (const auto held = co_await stage.heldAt(*client, QString::fromLatin1(aboutToWrite)); !held)
            co_return held.error();
    }
    co_return co_await replication(stage, firstPrimary);
}

/// The old primary is left alone for as long as sentinels wait before they make a replica of it, and asked often enough to see when that is over.
/// Both only now: during a failover these periods are in its way.
Task<Result<void>> setGrace(Stage &stage)
{
    const Milliseconds grace = std::chrono::floor<Milliseconds>(stage.values().duration(QStringLiteral("grace")));
    for (const NodeRef &sentinel : stage.sentinels()) {
        const Command periods("SENTINEL", "DEBUG", "publish-period", grace.count() / 4, "info-period", 500);
        if (const auto set = co_await tell(stage, sentinel.name, periods); !set)
            co_return set.error();
    }
    co_return Result<void>();
}

/// How many of the writes were acknowledged in each interval, and how many of these are lost, as the check on lost writes counts them.
void drawWrites(Stage &stage, const QByteArray &list)
{
    const Run &run = stage.recorder().run();
    const AcknowledgedWrites found = acknowledgedWrites(History(run), run.names.find(list));
    std::vector<std::pair<qint64, qint64>> counts(size_t(stage.recorder().now() / chartStep.count()) + 1); // acknowledged, lost
    for (const AcknowledgedWrite &write : found.writes) {
        auto &[acknowledged, lost] = counts.at(size_t(run.events[write.event].at / chartStep.count()));
        ++acknowledged;
        lost += write.fate == AcknowledgedWrite::Fate::Lost;
    }
    for (size_t i = 0; i < counts.size(); ++i) {
        Measure point;
        point.x = qint64(i) * chartStep.count();
        point.series = QStringLiteral("acknowledged");
        point.y = counts[i].first;
        recordMeasure(stage.recorder(), point);
        point.series = QStringLiteral("lost");
        point.y = counts[i].second;
        recordMeasure(stage.recorder(), point);
    }
}

Task<Result<void>> play(Stage &stage)
{
    Writing writing;
    writing.list = stage.key(listName);
    writing.pause = stage.values().duration(QStringLiteral("pause"));
    stage.addResource(writing.list);
    stage.phase(FailoverZombie::tr("Clients write to %1.").arg(firstPrimary));
    const std::vector<Actor *> clients = startClients(stage, writing);
    if (const auto stopped = co_await stopBeforeAWrite(stage, clients); !stopped)
        co_return stopped.error();

    stage.phase(FailoverZombie::tr("%1 is stopped. What is written to it now waits there.").arg(firstPrimary));
    const qint64 stopped = stage.recorder().now();
    stage.strike({firstPrimary, Strike::Kind::Pause, {}});
    for (Actor *client : clients)
        stage.proceed(*client);
    const Result<QString> promoted = co_await promotion(stage, stopped);
    if (!promoted)
        co_return promoted.error();
    stage.phase(FailoverZombie::tr("%1 is promoted.").arg(*promoted));
    if (const auto settled = co_await settlement(stage, *promoted, stopped); !settled)
        co_return settled.error();
    if (const auto set = co_await setGrace(stage); !set)
        co_return set.error();
    co_await stage.breathe(500ms);

    stage.phase(FailoverZombie::tr("All others follow %1. %2 goes on where it was, as a primary.").arg(*promoted, firstPrimary));
    const qint64 resumed = stage.recorder().now();
    stage.strike({firstPrimary, Strike::Kind::Resume, {}});
    if (const auto demoted = co_await stage.seen(saw::role("replica", resumed, firstPrimary), 30s); !demoted)
        co_return demoted.error();
    stage.phase(FailoverZombie::tr("The sentinels make %1 a replica. It throws away what it has, and copies %2.").arg(firstPrimary, *promoted));
    if (const auto linked = co_await stage.seen(saw::linked(firstPrimary, "up", resumed, *promoted), 20s); !linked)
        co_return linked.error();
    if (asks(stage.values())) {
        if (const auto wrote = co_await stage.seen(saw::wroteSince(stage.recorder().now()), 10s, writesAfter); !wrote)
            co_return wrote.error();
    }
    *writing.isOver = true;
    for (Actor *client : clients)
        co_await stage.ended(*client);
    co_await stage.breathe(300ms);

    stage.phase(FailoverZombie::tr("What is left is read from %1.").arg(*promoted));
    if (const auto read = co_await readBack(stage, *promoted, writing.list); !read)
        co_return read.error();
    drawWrites(stage, writing.list);
    co_return Result<void>();
}

std::optional<GroupPlan> group(const Values &values)
{
    GroupPlan plan;
    if (hasMinReplicas(values))
        plan.settings = refusesWithoutReplica();
    return plan;
}

/// What the primary's own refusals still lose differs from run to run: that is counted, and not promised.
QList<CheckUse> checks(const Values &values)
{
    return {{QStringLiteral("lost-acknowledged-write"), {{QStringLiteral("key"), QString::fromLatin1(listName)}}, !hasMinReplicas(values)}};
}

QString needsOwnServer(const Values &)
{
    return FailoverZombie::tr("A primary is stopped here, with replicas and sentinels around it: that is done only to servers of the lab’s own.");
}

QList<SeriesInfo> series()
{
    const QString time = FailoverZombie::tr("Time");
    const QString writes = FailoverZombie::tr("Writes in 250 ms");
    return {
        {QStringLiteral("acknowledged"), FailoverZombie::tr("Acknowledged"), time, writes, QStringLiteral("ns"), {}},
        {QStringLiteral("lost"), FailoverZombie::tr("Of these lost"), time, writes, QStringLiteral("ns"), {}},
    };
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return FailoverZombie::tr(text); };
    return {
        Parameter::choice(QStringLiteral("guard"), tr("Against losses"), tr("What is done so that nothing is written to a primary that has been replaced."),
            {{QStringLiteral("none"), tr("Nothing")}, {QStringLiteral("ask"), tr("Clients ask a sentinel and ROLE")},
                {QStringLiteral("min-replicas"), tr("min-replicas-to-write 1")}},
            0),
        Parameter::integer(QStringLiteral("clients"), tr("Clients"), tr("How many write, each over a connection of its own."), 1, 1, 20, tr("clients")),
        Parameter::duration(QStringLiteral("pause"), tr("Pause"), tr("How long a client waits between two writes."), 10ms, 1ms, 200ms),
        Parameter::duration(QStringLiteral("grace"), tr("Grace of the sentinels"),
            tr("How long they leave a primary alone that came back, before they make it a replica: 8 s unless somebody changes it."), 2s, 1s, 8s),
    };
}

QList<Preset> presets()
{
    const auto tr = [](const char *text) { return FailoverZombie::tr(text); };
    const Witness stopped {QStringLiteral("fault"), QStringLiteral("pause"), 1};
    const Witness promoted {QStringLiteral("promoted"), {}, 1};
    const Witness acknowledged {QStringLiteral("acknowledged"), QStringLiteral("A"), writesBefore + writesAfter};
    const std::pair ten {QStringLiteral("clients"), QStringLiteral("10")};
    return {
        {QStringLiteral("break"), tr("Clients believe in their connections"), {}, Judgement::Broken, {stopped, promoted, acknowledged}},
        {QStringLiteral("safe"), tr("Clients ask before they write"), {{QStringLiteral("guard"), QStringLiteral("ask")}}, Judgement::Held,
            {stopped, promoted, acknowledged}},
        {QStringLiteral("min-replicas"), tr("The primary wants a replica"), {{QStringLiteral("guard"), QStringLiteral("min-replicas")}, ten},
            Judgement::None, {}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("failover-zombie");
    experiment.family = QStringLiteral("failover");
    experiment.place = 3;
    experiment.title = FailoverZombie::tr("Zombie Primary");
    experiment.claim = FailoverZombie::tr("A primary that slept through its replacement goes on saying OK.");
    experiment.promise = FailoverZombie::tr("No acknowledged write is lost.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline"), QStringLiteral("measures")};
    experiment.group = group;
    experiment.series = series();
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.watchesOwners = false;
    experiment.limit = 120s;
    return experiment;
}

}
