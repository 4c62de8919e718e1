// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/acknowledgedwrites.h"
#include "engine/checks/history.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/failoverplay.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock::experiments::failover_remedies {

namespace {

struct FailoverRemedies
{
    Q_DECLARE_TR_FUNCTIONS(FailoverRemedies)
};

constexpr auto connected = "connected";
constexpr auto listName = "writes";

/// A row of the table.
struct Remedy
{
    const char *word;
    const char *title;
    int copies = 0; ///< the writer asks by WAIT whether so many replicas have its write
    bool hasMinReplicas = false; ///< the primary itself refuses to write without a replica that it has heard from within a second
};

constexpr Remedy remedies[] = {
    {"none", QT_TRANSLATE_NOOP("FailoverRemedies", "None")},
    {"wait-1", QT_TRANSLATE_NOOP("FailoverRemedies", "WAIT 1"), 1},
    {"wait-2", QT_TRANSLATE_NOOP("FailoverRemedies", "WAIT 2"), 2},
    {"min-replicas", QT_TRANSLATE_NOOP("FailoverRemedies", "min-replicas-to-write 1"), 0, true},
};

/// A column of the table: what is done to the group before the writer writes.
struct Fault
{
    const char *word;
    const char *title;
    const char *phase;
    Task<Result<void>> (*begin)(Stage &stage);
    bool primarySleeps = false; ///< another is promoted before the writer writes to it; otherwise it is killed after the writing
};

Task<Result<void>> cutLink(Stage &stage)
{
    return cutReplication(stage, firstPrimary);
}

Task<Result<void>> holdLink(Stage &stage)
{
    stage.strike({firstPrimary, Strike::Kind::HoldReplication, {}});
    co_return Result<void>();
}

Task<Result<void>> stopReplicas(Stage &stage)
{
    for (const QString &server : actingServers(stage)) {
        if (server != firstPrimary)
            stage.strike({server, Strike::Kind::Pause, {}});
    }
    co_return Result<void>();
}

/// Stops the primary until all others follow another.
Task<Result<void>> letPrimarySleep(Stage &stage)
{
    const qint64 since = stage.recorder().now();
    stage.strike({firstPrimary, Strike::Kind::Pause, {}});
    const Result<QString> promoted = co_await promotion(stage, since);
    if (!promoted)
        co_return promoted.error();
    co_return co_await settlement(stage, *promoted, since);
}

constexpr Fault faults[] = {
    {"cut", QT_TRANSLATE_NOOP("FailoverRemedies", "Link cut"), QT_TRANSLATE_NOOP("FailoverRemedies", "The replicas are cut off from the primary."), cutLink},
    {"held", QT_TRANSLATE_NOOP("FailoverRemedies", "Link held"), QT_TRANSLATE_NOOP("FailoverRemedies", "What the primary sends to its replicas stays under way."), holdLink},
    {"stopped", QT_TRANSLATE_NOOP("FailoverRemedies", "Replicas stopped"), QT_TRANSLATE_NOOP("FailoverRemedies", "Both replicas are stopped."), stopReplicas},
    {"asleep", QT_TRANSLATE_NOOP("FailoverRemedies", "Primary asleep"), QT_TRANSLATE_NOOP("FailoverRemedies", "The primary is stopped until another has taken its place."), letPrimarySleep, true},
};

template<typename Row, size_t count>
QList<Option> optionsOf(const Row (&rows)[count])
{
    QList<Option> options {{QStringLiteral("all"), FailoverRemedies::tr("All")}};
    for (const Row &row : rows)
        options.append({QString::fromLatin1(row.word), FailoverRemedies::tr(row.title)});
    return options;
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return FailoverRemedies::tr(text); };
    return {
        Parameter::choice(QStringLiteral("remedy"), tr("Remedy"), tr("What is done against a loss: a row of the table, or all."), optionsOf(remedies), 0),
        Parameter::choice(QStringLiteral("fault"), tr("Fault"), tr("What strikes: a column of the table, or all."), optionsOf(faults), 0),
        Parameter::duration(QStringLiteral("writing"), tr("Writing"), tr("How long A writes."), 2500ms, 100ms, 20s),
        Parameter::duration(QStringLiteral("pause"), tr("Pause"), tr("How long A waits between two writes."), 5ms, 1ms, 1s),
        Parameter::duration(QStringLiteral("patience"), tr("Patience of WAIT"), tr("How long A waits for the replicas, each time."), 100ms, 10ms, 1500ms),
    };
}

/// Null: all of them.
template<typename Row, size_t count>
const Row *chosen(const Row (&rows)[count], const QString &word)
{
    const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const Row &row) { return word == QLatin1String(row.word); });
    return found == std::end(rows) ? nullptr : found;
}

const Remedy *remedyOf(const Values &values)
{
    return chosen(remedies, values.choice(QStringLiteral("remedy")));
}

const Fault *faultOf(const Values &values)
{
    return chosen(faults, values.choice(QStringLiteral("fault")));
}

struct Writing
{
    QByteArray list;
    int copies = 0;
    Milliseconds patience {0};
    Nanoseconds duration {0};
    Nanoseconds pause {0};
};

/// Writes numbers, each once, to the server to which it is connected. A write without an answer is its last: whether it was done is not known.
Task<> writer(Actor &actor, NodeRef node, Writing writing)
{
    Client client(actor, node);
    std::ignore = co_await client.command("PING");
    co_await actor.reach(connected);
    const Nanoseconds end = actor.now() + writing.duration;
    for (int number = 1; actor.now() < end; ++number) {
        const Result<Reply> pushed = co_await client.command("RPUSH", writing.list, number);
        if (!pushed)
            co_return;
        bool isAccepted = !pushed->isError();
        if (isAccepted && writing.copies > 0) {
            const Result<Reply> copies = co_await client.command("WAIT", writing.copies, writing.patience.count());
            if (!copies)
                co_return;
            isAccepted = copies->integer >= writing.copies;
        }
        recordWrite(actor, writing.list, 0, QByteArray::number(number), isAccepted);
        co_await actor.sleep(writing.pause);
    }
}

void wake(Stage &stage, const QString &server)
{
    stage.strike({server, Strike::Kind::Resume, {}});
}

/// The primary dies, and whoever was stopped goes on.
void killPrimary(Stage &stage)
{
    const QStringList acting = actingServers(stage);
    stage.strike({firstPrimary, Strike::Kind::Kill, {}});
    for (const NodeInfo &node : stage.recorder().header().nodes) {
        if (node.role == QLatin1String("replica") && !acting.contains(node.name))
            wake(stage, node.name);
    }
}

Writing writingOf(const Values &values, const QByteArray &list)
{
    Writing writing;
    writing.list = list;
    writing.copies = remedyOf(values)->copies;
    writing.patience = std::chrono::ceil<Milliseconds>(values.duration(QStringLiteral("patience")));
    writing.duration = values.duration(QStringLiteral("writing"));
    writing.pause = values.duration(QStringLiteral("pause"));
    return writing;
}

Task<Result<void>> play(Stage &stage)
{
    const Fault &fault = *faultOf(stage.values());
    const Writing writing = writingOf(stage.values(), stage.key(listName));
    stage.addResource(writing.list);
    Actor &a = stage.actor(QStringLiteral("A"), writer, stage.node(firstPrimary), writing);
    stage.holdAt(a, QString::fromLatin1(connected));
    if (const auto held = co_await stage.heldAt(a, QString::fromLatin1(connected)); !held)
        co_return held.error();

    stage.phase(FailoverRemedies::tr(fault.phase));
    qint64 since = stage.recorder().now();
    if (const auto begun = co_await fault.begin(stage); !begun)
        co_return begun.error();
    stage.phase(FailoverRemedies::tr("A writes."));
    stage.proceed(a);
    if (fault.primarySleeps)
        wake(stage, firstPrimary);
    co_await stage.ended(a);

    stage.phase(FailoverRemedies::tr("The primary to which A wrote is killed."));
    if (!fault.primarySleeps)
        since = stage.recorder().now();
    killPrimary(stage);
    const Result<QString> promoted = co_await promotion(stage, since);
    if (!promoted)
        co_return promoted.error();
    if (const auto settled = co_await settlement(stage, *promoted, since); !settled)
        co_return settled.error();
    stage.phase(FailoverRemedies::tr("%1 is the primary now. What it has is read.").arg(*promoted));
    co_return co_await readBack(stage, *promoted, writing.list);
}

std::optional<GroupPlan> group(const Values &values)
{
    GroupPlan plan;
    const Remedy *remedy = remedyOf(values);
    if (remedy && remedy->hasMinReplicas)
        plan.settings = refusesWithoutReplica();
    return plan;
}

/// A run for each cell of the table, unless the values choose one of them.
std::vector<SetChild> set(const Values &values)
{
    const Remedy *row = remedyOf(values);
    const Fault *column = faultOf(values);
    std::vector<SetChild> children;
    if (row && column)
        return children;
    for (const Remedy &remedy : remedies) {
        for (const Fault &fault : faults) {
            if ((row && row != &remedy) || (column && column != &fault))
                continue;
            const QString remedyWord = QString::fromLatin1(remedy.word);
            const QString faultWord = QString::fromLatin1(fault.word);
            children.push_back({QStringLiteral("%1-%2").arg(remedyWord, faultWord),
                FailoverRemedies::tr("%1, %2").arg(FailoverRemedies::tr(remedy.title), FailoverRemedies::tr(fault.title)),
                {{QStringLiteral("remedy"), remedyWord}, {QStringLiteral("fault"), faultWord}}});
        }
    }
    return children;
}

/// What became of the writes of one cell: acknowledged and lost, acknowledged and kept, or the client was told no.
QList<Measure> measure(const SetChild &child, const Run &run)
{
    const History history(run);
    const Name list = run.names.find(QByteArrayView(listName));
    const AcknowledgedWrites found = acknowledgedWrites(history, list);
    const qint64 refused = std::count_if(run.events.begin(), run.events.end(), [](const Event &event) {
        return event.kind == Event::Kind::Resource && event.what == static_cast<quint8>(Resource::Wrote) && !event.has(Event::Accepted);
    });
    using Fate = AcknowledgedWrite::Fate;
    if (found.unsettled || found.count(Fate::NotRead) > 0)
        return {};
    Values values(parameters());
    for (const auto &[name, text] : child.values)
        std::ignore = values.set(name, text);
    Measure cell;
    cell.kind = MeasureKind::Cell;
    cell.series = values.choice(QStringLiteral("remedy"));
    cell.column = FailoverRemedies::tr(faultOf(values)->title);
    QList<Measure> measures;
    for (const auto &[outcome, count] : {std::pair("lost", found.count(Fate::Lost)), {"refused", refused}, {"kept", found.count(Fate::Kept)}}) {
        cell.outcome = QString::fromLatin1(outcome);
        cell.y = count;
        if (count > 0)
            measures.append(cell);
    }
    return measures;
}

QList<SeriesInfo> series()
{
    QList<SeriesInfo> rows;
    for (const Remedy &remedy : remedies)
        rows.append({QString::fromLatin1(remedy.word), FailoverRemedies::tr(remedy.title), {}, FailoverRemedies::tr("Writes"), {}, {}});
    return rows;
}

QList<CheckUse> checks(const Values &values)
{
    if (!remedyOf(values) || !faultOf(values))
        return {};
    return {{QStringLiteral("lost-acknowledged-write"), {{QStringLiteral("key"), QString::fromLatin1(listName)}}, false}};
}

QString needsOwnServer(const Values &)
{
    return FailoverRemedies::tr("Servers are stopped and killed here: that is done only to those of the lab’s own.");
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("failover-remedies");
    experiment.family = QStringLiteral("failover");
    experiment.place = 2;
    experiment.title = FailoverRemedies::tr("Remedies");
    experiment.claim = FailoverRemedies::tr("Each remedy helps against some faults, and none against all.");
    experiment.promise = FailoverRemedies::tr("What becomes of acknowledged writes, by remedy and by fault.");
    experiment.parameters = parameters();
    experiment.presets = {{QStringLiteral("table"), FailoverRemedies::tr("All remedies, all faults"), {}, Judgement::None, {}}};
    experiment.views = {QStringLiteral("matrix"), QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline")};
    experiment.group = group;
    experiment.set = set;
    experiment.measure = measure;
    experiment.series = series();
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.watchesOwners = false;
    experiment.limit = 120s;
    return experiment;
}

}
