// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/copysteps.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/failoverplay.h"
#include "engine/experiments/measuring.h"
#include "engine/lab/asking.h"

#include <QCoreApplication>

namespace interlock::experiments::replication_resync {

namespace {

struct ReplicationResync
{
    Q_DECLARE_TR_FUNCTIONS(ReplicationResync)
};

constexpr qint64 kibi = 1024;
constexpr qint64 mebi = kibi * kibi;
constexpr qint64 valueSize = 4 * kibi; ///< of the data that is copied
constexpr int valuesAtOnce = 64;
constexpr qint64 mostPieces = 1024; ///< in which the gap is written
constexpr Nanoseconds lookPeriod = 10ms;
constexpr Nanoseconds chartPeriod = 50ms;
constexpr Nanoseconds patience = 60s; ///< for a copy
const QString primary = QStringLiteral("N1");
const QString replica = QStringLiteral("N2");

/// Writes a little all the time, so that there is something to be kept for the replica.
Task<> writer(Actor &actor, NodeRef node, QByteArray key, std::shared_ptr<bool> isOver)
{
    static constexpr Nanoseconds pause = 20ms;
    Client client(actor, node);
    for (int number = 1; !*isOver; ++number) {
        std::ignore = co_await client.command("SET", key, QByteArray::number(number));
        co_await actor.sleep(pause);
    }
}

/// Writes so many bytes at once.
Task<> fastWriter(Actor &actor, NodeRef node, QByteArray key, qint64 bytes)
{
    Client client(actor, node);
    const qint64 piece = std::max(kibi, bytes / mostPieces);
    for (qint64 written = 0; written < bytes; written += piece)
        std::ignore = co_await client.command("SET", key, QByteArray(piece, 'x'));
}

/// Gives the primary the data that a full copy has to carry.
Task<Result<void>> fill(Stage &stage)
{
    Client client(stage.director(), stage.node(primary));
    const qint64 values = stage.values().number(QStringLiteral("data")) * mebi / valueSize;
    for (qint64 i = 0; i < values; i += valuesAtOnce) {
        Command set("MSET");
        for (qint64 j = i; j < std::min(values, i + valuesAtOnce); ++j) {
            set.add(stage.key("data:" + QByteArray::number(j)));
            set.add(QByteArray(valueSize, 'x'));
        }
        if (const auto told = co_await tell(client, std::move(set)); !told)
            co_return told.error();
    }
    co_return co_await replication(stage, primary);
}

/// Makes the two long steps of a copy as slow as they are with a thousand times the data.
Task<Result<void>> slowDown(Stage &stage)
{
    const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(stage.scaled(stage.values().duration(QStringLiteral("slow-motion"))));
    if (const auto told = co_await tell(stage, primary, Command("CONFIG", "SET", "rdb-key-save-delay", pause.count())); !told)
        co_return told.error();
    if (const auto told = co_await tell(stage, replica, Command("CONFIG", "SET", "key-load-delay", pause.count())); !told)
        co_return told.error();
    co_return Result<void>();
}

/// What the record says of a step that has ended.
void noteStep(Stage &stage, const CopyStep &step)
{
    Event event;
    event.kind = Event::Kind::Note;
    event.at = step.from;
    event.until = step.until;
    event.lane = stage.recorder().intern(replica);
    event.text = stage.recorder().intern(stepWord(step.what));
    event.number = step.bytes;
    stage.recorder().record(event);
}

/// An anchor for each step when it begins, if there is something to be seen of it.
QString phaseOf(CopyStep::What step)
{
    switch (step) {
    case CopyStep::What::Snapshot:
        return ReplicationResync::tr("%1 writes a snapshot of all its data, and keeps what is written meanwhile.").arg(primary);
    case CopyStep::What::Transfer:
        return ReplicationResync::tr("The snapshot goes over.");
    case CopyStep::What::Load:
        return ReplicationResync::tr("%1 throws its own data away, and loads the snapshot.").arg(replica);
    default:
        return {};
    }
}

/// Where both are in the stream, counted from the oldest byte that was kept when the watching began.
/// @param applied by the replica, which stays where it is while it is away.
void draw(Stage &stage, const CopySample &sample, qint64 applied, const CopySample &first)
{
    const auto point = [&](const char *series, qint64 offset) {
        Measure measure;
        measure.series = QString::fromLatin1(series);
        measure.x = sample.at;
        measure.y = offset - first.oldest;
        recordMeasure(stage.recorder(), measure);
    };
    point("sent", sample.sent);
    point("applied", applied);
    point("oldest", sample.oldest);
}

Task<Result<InfoFields>> info(Connection &connection, Clock &clock)
{
    const Result<Reply> reply = co_await ask(connection, Command("INFO"), clock);
    if (!reply)
        co_return reply.error();
    co_return InfoFields(reply->text);
}

/// Asks both servers all the time, over connections that the record does not tell of, and records what they are about.
Task<> watch(Stage &stage, std::shared_ptr<std::optional<CopySample>> last)
{
    Clock &clock = stage.director().world().clock;
    Connection atPrimary(stage.node(primary).endpoint);
    Connection atReplica(stage.node(replica).endpoint);
    CopySteps steps;
    std::optional<CopySample> first;
    std::optional<CopyStep::What> told;
    qint64 applied = 0;
    qint64 drawn = 0;
    for (;; co_await stage.director().sleep(lookPeriod)) {
        const Result<InfoFields> ofReplica = co_await info(atReplica, clock); // first: else it could be ahead of what the primary had written
        const Result<InfoFields> ofPrimary = co_await info(atPrimary, clock);
        if (!ofPrimary || !ofReplica)
            co_return;
        const CopySample sample = CopySample::from(*ofPrimary, *ofReplica, stage.recorder().now());
        *last = sample;
        if (!first)
            first = sample;
        for (const CopyStep &step : steps.add(sample))
            noteStep(stage, step);
        if (steps.current() && steps.current() != told && !phaseOf(*steps.current()).isEmpty())
            stage.phase(phaseOf(*steps.current()));
        told = steps.current();
        if (sample.isLinked)
            applied = sample.applied;
        if (sample.at - drawn >= chartPeriod.count()) {
            draw(stage, sample, applied, *first);
            drawn = sample.at;
        }
    }
}

/// The last step of a copy, or the only one of an increment.
SeenStep::Fits isUpToDate(qint64 since)
{
    return [since](const Event &event, const Names &names) {
        const QByteArray &step = names.bytes(event.text);
        return event.kind == Event::Kind::Note && event.at >= since
            && (step == stepWord(CopyStep::What::CatchUp) || step == stepWord(CopyStep::What::Increment));
    };
}

QString missing(const CopySample &sample, qint64 applied)
{
    const QString gap = ReplicationResync::tr("%1 misses %2 bytes").arg(replica).arg(sample.sent - applied);
    if (applied + 1 >= sample.oldest)
        return ReplicationResync::tr("%1, and %2 still has all of them in its backlog. The link is whole again.").arg(gap, primary);
    return ReplicationResync::tr("%1, and the oldest %2 of them have left the backlog of %3. The link is whole again.")
        .arg(gap).arg(sample.oldest - applied - 1).arg(primary);
}

/// The replica is away while so much is written.
Task<Result<void>> leaveAGap(Stage &stage, std::shared_ptr<std::optional<CopySample>> last)
{
    if (const auto cut = co_await cutReplication(stage, primary); !cut)
        co_return cut.error();
    Client client(stage.director(), stage.node(replica));
    const Result<Reply> at = co_await client.command("INFO", "replication");
    if (!at)
        co_return at.error();
    const qint64 applied = InfoFields(at->text).number("slave_repl_offset");
    stage.phase(ReplicationResync::tr("%1 is away, and B writes.").arg(replica));
    Actor &b = stage.actor(QStringLiteral("B"), fastWriter, stage.node(primary), stage.key("gap"), stage.values().number(QStringLiteral("gap")) * kibi);
    co_await stage.ended(b);
    co_await stage.breathe(600ms);
    last->reset();
    while (!*last) // the next look is after B’s last write
        co_await stage.director().sleep(lookPeriod);
    stage.phase(missing(**last, applied));
    co_return Result<void>();
}

Task<Result<void>> play(Stage &stage)
{
    const auto isOver = std::make_shared<bool>(false);
    const auto last = std::make_shared<std::optional<CopySample>>();
    stage.phase(ReplicationResync::tr("%1 gets its data, and %2 replicates it.").arg(primary, replica));
    Actor &a = stage.actor(QStringLiteral("A"), writer, stage.node(primary), stage.key("counter"), isOver);
    if (const auto filled = co_await fill(stage); !filled)
        co_return filled.error();
    if (const auto slowed = co_await slowDown(stage); !slowed)
        co_return slowed.error();
    stage.director().spawn(watch(stage, last));
    co_await stage.breathe(800ms);

    stage.phase(ReplicationResync::tr("The link between them is cut."));
    if (const auto left = co_await leaveAGap(stage, last); !left)
        co_return left.error();
    const qint64 healed = stage.recorder().now();
    stage.strike({primary, Strike::Kind::Heal, {}});
    if (const auto linked = co_await stage.seen(saw::linked(replica, "up", healed), patience); !linked)
        co_return Error {Error::Kind::Failed, ReplicationResync::tr("%1 was not up to date within %2 s.").arg(replica).arg(patience / 1s)};
    if (const auto caughtUp = co_await stage.seen(isUpToDate(healed), patience); !caughtUp)
        co_return caughtUp.error();
    stage.phase(ReplicationResync::tr("%1 is up to date again.").arg(replica));
    co_await stage.breathe(800ms);
    *isOver = true;
    co_await stage.ended(a);
    co_return Result<void>();
}

std::optional<GroupPlan> group(const Values &values)
{
    GroupPlan plan;
    plan.replicas = 1;
    plan.sentinels = 0;
    // By way of a file, so that writing, sending and loading come one after the other; and a replica that loads answers in between.
    plan.settings = QStringList {QStringLiteral("repl-backlog-size %1kb").arg(values.number(QStringLiteral("backlog"))),
        QStringLiteral("repl-diskless-sync no"), QStringLiteral("rdbcompression no"), QStringLiteral("loading-process-events-interval-bytes 65536")};
    return plan;
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("increment"), {}, true}};
}

QString needsOwnServer(const Values &)
{
    return ReplicationResync::tr("The link between a primary and its replica is cut here: that is done only to servers of the lab’s own.");
}

QList<SeriesInfo> series()
{
    const QString time = ReplicationResync::tr("Time");
    const QString offset = ReplicationResync::tr("Bytes of the stream");
    const auto line = [&](const char *name, const QString &title) {
        return SeriesInfo {QString::fromLatin1(name), title, time, offset, QStringLiteral("ns"), QStringLiteral("bytes")};
    };
    return {line("sent", ReplicationResync::tr("%1 has written").arg(primary)), line("applied", ReplicationResync::tr("%1 has applied").arg(replica)),
        line("oldest", ReplicationResync::tr("Oldest byte in the backlog"))};
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return ReplicationResync::tr(text); };
    return {
        Parameter::integer(QStringLiteral("backlog"), tr("Backlog"), tr("How much of the stream the primary keeps for those who come back."), 256, 16, 65'536, tr("KiB")),
        Parameter::integer(QStringLiteral("gap"), tr("Gap"), tr("How much is written while the replica is away."), 1024, 1, 65'536, tr("KiB")),
        Parameter::integer(QStringLiteral("data"), tr("Data"), tr("How much the primary holds, which a full copy has to carry."), 8, 1, 64, tr("MiB")),
        Parameter::duration(QStringLiteral("slow-motion"), tr("Slow motion"),
            tr("How long the servers rest at each 4 KiB of a snapshot, so that the steps of a copy can be seen."), 400us, 0us, 5ms),
    };
}

QList<Preset> presets()
{
    const auto tr = [](const char *text) { return ReplicationResync::tr(text); };
    const Witness cut {QStringLiteral("fault"), QStringLiteral("cut-replication"), 1};
    const Witness synced {QStringLiteral("synced"), replica, 1};
    return {
        {QStringLiteral("break"), tr("A gap larger than the backlog"), {}, Judgement::Broken, {cut, synced}},
        {QStringLiteral("safe"), tr("A gap within the backlog"), {{QStringLiteral("gap"), QStringLiteral("64")}}, Judgement::Held, {cut, synced}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("replication-resync");
    experiment.family = QStringLiteral("failover");
    experiment.place = 5;
    experiment.title = ReplicationResync::tr("Resync");
    experiment.claim = ReplicationResync::tr("Whoever is away for too long is sent everything anew.");
    experiment.promise = ReplicationResync::tr("A reconnecting replica needs only the increment.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline"), QStringLiteral("measures")};
    experiment.group = group;
    experiment.series = series();
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.watchesOwners = false;
    experiment.limit = 150s;
    return experiment;
}

}
