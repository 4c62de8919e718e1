// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/failoverplay.h"
#include "engine/redis/infofields.h"
#include "engine/run/promotion.h"
#include "engine/schedule/sentinelclient.h"

#include <QCoreApplication>

namespace interlock::experiments::failover_election {

namespace {

struct FailoverElection
{
    Q_DECLARE_TR_FUNCTIONS(FailoverElection)
};

constexpr int replicas = 2;
constexpr int sentinels = 3;
constexpr int majority = sentinels / 2 + 1;
constexpr int behindWrites = 50; ///< of a kilobyte, that a replica misses which is to have less than the other

/// A sentinel passes over a replica from which it has not heard for five of its pings.
constexpr Milliseconds newsValidity = 5 * 300ms;

/// Of the sentinels, where the leader dies: whoever gave it his vote tries again after twice this. With the 4 s of all other presets one waits for 8 s.
constexpr Milliseconds shortFailoverTimeout = 2s;

/// How many sentinels are dead when the primary dies.
int deadSentinels(const Values &values)
{
    return values.integer(QStringLiteral("dead"));
}

bool leaderDies(const Values &values)
{
    return values.toggle(QStringLiteral("leader-dies"));
}

QString priorityOf(const QString &replica)
{
    return QStringLiteral("priority-") + replica.mid(1);
}

/// Reads from whichever server is the primary, so that one sees for how long there is none.
Task<> reader(Actor &actor, GroupAccess group, QByteArray key, std::shared_ptr<bool> isOver)
{
    static constexpr Nanoseconds pause = 100ms;
    group.search.deadline = 500ms;
    group.search.patience.limit = 1s; // where no primary is found, the end of the run has to be
    SentinelClient primary(actor, group.sentinels, group.search);
    while (!*isOver) {
        std::ignore = co_await primary.idempotent("GET", key);
        co_await actor.sleep(pause);
    }
}

/// Lets N3 miss some writes. Its link has not been down for long when the primary dies, so that it may still be promoted.
Task<Result<void>> leaveBehind(Stage &stage)
{
    static const QString behind = QStringLiteral("N3");
    stage.phase(FailoverElection::tr("%1 loses its link, and the primary goes on writing.").arg(behind));
    if (const auto cut = co_await cutReplica(stage, firstPrimary, behind); !cut)
        co_return cut.error();
    Client client(stage.director(), stage.node(firstPrimary));
    for (int i = 0; i < behindWrites; ++i) {
        const Result<Reply> set = co_await client.command("SET", stage.key("ballast"), QByteArray(1024, 'x'));
        if (!set)
            co_return set.error();
    }
    co_return Result<void>();
}

/// What Sentinel's choice will go by, as each replica itself says it.
Task<Result<std::vector<Candidate>>> askCandidates(Stage &stage)
{
    std::vector<Candidate> candidates;
    for (const NodeRef &node : stage.nodes()) {
        if (node.name == firstPrimary)
            continue;
        const Result<Reply> replication = co_await tell(stage, node.name, Command("INFO", "replication"));
        if (!replication)
            co_return replication.error();
        const Result<Reply> server = co_await tell(stage, node.name, Command("INFO", "server"));
        if (!server)
            co_return server.error();
        const InfoFields fields(replication->text);
        candidates.push_back({node.name, fields.number("slave_priority"), fields.number("slave_repl_offset"),
            InfoFields(server->text).text("run_id")});
    }
    co_return candidates;
}

bool haveSameOffset(const std::vector<Candidate> &candidates)
{
    return std::all_of(candidates.begin(), candidates.end(), [&](const Candidate &each) { return each.offset == candidates.front().offset; });
}

void note(Stage &stage, const QString &lane, const char *text, qint64 number, const QByteArray &detail = {})
{
    Event event;
    event.kind = Event::Kind::Note;
    event.at = stage.recorder().now();
    event.lane = stage.recorder().intern(lane);
    event.text = stage.recorder().intern(text);
    event.number = number;
    event.detail = stage.recorder().intern(detail);
    stage.recorder().record(event);
}

QString prediction(const std::vector<Candidate> &candidates)
{
    const std::optional<Choice> choice = choosePromotion(candidates);
    if (!choice)
        return FailoverElection::tr("The rules name nobody: each replica has priority 0.");
    const Candidate &named = candidates[choice->candidate];
    switch (choice->why) {
    case Precedence::Priority:
        return FailoverElection::tr("The rules name %1: its priority number, %2, is the lowest above 0.").arg(named.name).arg(named.priority);
    case Precedence::Offset:
        return FailoverElection::tr("The rules name %1: priorities are equal, and it has the most, %2 bytes.").arg(named.name).arg(named.offset);
    case Precedence::RunId:
        return FailoverElection::tr("The rules name %1: priorities and offsets are equal, and its run id is the smallest, %2….")
            .arg(named.name, QString::fromLatin1(named.runId.first(std::min<qsizetype>(named.runId.size(), 8))));
    case Precedence::Alone:
        break;
    }
    return FailoverElection::tr("The rules name %1: the others have priority 0.").arg(named.name);
}

/// Tells who is to be promoted, before anybody dies. What sentinels publish goes through the primary to its replicas as well, so two that have the
/// same may differ while they are asked: then they are asked again.
Task<Result<void>> predict(Stage &stage)
{
    static constexpr int tries = 20;
    const bool isBehind = stage.values().toggle(QStringLiteral("behind"));
    Result<std::vector<Candidate>> candidates = co_await askCandidates(stage);
    for (int i = 1; candidates && !isBehind && !haveSameOffset(*candidates) && i < tries; ++i)
        candidates = co_await askCandidates(stage);
    if (!candidates)
        co_return candidates.error();
    for (const Candidate &each : *candidates) {
        note(stage, each.name, notedPriority, each.priority);
        note(stage, each.name, notedOffset, each.offset);
        note(stage, each.name, notedRunId, 0, each.runId);
    }
    stage.phase(prediction(*candidates));
    co_return Result<void>();
}

/// How long ago this sentinel last heard from the replica from which it heard last.
Task<Result<Milliseconds>> ageOfNews(Stage &stage, QString sentinel)
{
    const Result<Reply> described = co_await tell(stage, sentinel, Command("SENTINEL", "REPLICAS", stage.primaryName()));
    if (!described)
        co_return described.error();
    Milliseconds youngest = newsValidity;
    for (const Reply &replica : described->elements) {
        for (size_t i = 0; i + 1 < replica.elements.size(); i += 2) {
            if (replica.elements[i].text == "info-refresh")
                youngest = std::min(youngest, Milliseconds(replica.elements[i + 1].text.toLongLong()));
        }
    }
    co_return youngest;
}

/// Waits until what the sentinels know of the replicas is too old to choose by. So each of them asks again after the kill, when nothing changes any
/// more, and goes by what is true then.
Task<Result<void>> outdateNews(Stage &stage)
{
    for (const QString &sentinel : actingSentinels(stage)) {
        for (;;) {
            const Result<Milliseconds> age = co_await ageOfNews(stage, sentinel);
            if (!age)
                co_return age.error();
            if (*age >= newsValidity)
                break;
            co_await stage.director().sleep(newsValidity - *age);
        }
    }
    co_return Result<void>();
}

Task<Result<void>> shortenRetries(Stage &stage)
{
    for (const QString &sentinel : actingSentinels(stage)) {
        const Command command("SENTINEL", "SET", stage.primaryName(), "failover-timeout", static_cast<int>(shortFailoverTimeout.count()));
        if (const auto told = co_await tell(stage, sentinel, command); !told)
            co_return told.error();
    }
    co_return Result<void>();
}

/// Whoever is elected crashes; when the first has, the others are told not to.
Task<Result<void>> armSentinels(Stage &stage, const char *what)
{
    for (const QString &sentinel : actingSentinels(stage)) {
        if (const auto told = co_await tell(stage, sentinel, Command("SENTINEL", "SIMULATE-FAILURE", what)); !told)
            co_return told.error();
    }
    co_return Result<void>();
}

Task<Result<void>> awaitLeadersDeath(Stage &stage, qint64 since, Nanoseconds limit)
{
    const Result<Event> ended = co_await stage.seen(saw::sentinelEnded(since), limit);
    if (!ended)
        co_return ended.error();
    stage.phase(FailoverElection::tr("%1 was elected, and died. The others wait before they try again.")
                    .arg(stage.recorder().run().text(ended->lane)));
    co_return co_await armSentinels(stage, "help"); // answers what could be simulated, and simulates nothing any more
}

Task<Result<void>> prepare(Stage &stage)
{
    const Values &values = stage.values();
    if (values.toggle(QStringLiteral("behind"))) {
        if (const auto left = co_await leaveBehind(stage); !left)
            co_return left.error();
    }
    for (int i = 0; i < deadSentinels(values); ++i) {
        const QString name = stage.sentinels()[stage.sentinels().size() - 1 - size_t(i)].name;
        stage.phase(FailoverElection::tr("%1 is killed.").arg(name));
        stage.strike({name, Strike::Kind::Kill, {}});
        co_await stage.breathe(300ms);
    }
    if (leaderDies(values)) {
        if (const auto shortened = co_await shortenRetries(stage); !shortened)
            co_return shortened.error();
        if (const auto armed = co_await armSentinels(stage, "crash-after-election"); !armed)
            co_return armed.error();
    }
    co_return Result<void>();
}

/// The primary is dead since @p killed: waits for another, and for those who follow it, at most for the bound.
Task<Result<void>> follow(Stage &stage, qint64 killed)
{
    const Nanoseconds bound = stage.values().duration(QStringLiteral("bound"));
    const Nanoseconds end = Nanoseconds(killed) + bound;
    if (leaderDies(stage.values()) && deadSentinels(stage.values()) < majority) {
        if (const auto died = co_await awaitLeadersDeath(stage, killed, bound); !died)
            co_return died.error();
    }
    const auto left = [&] { return std::max<Nanoseconds>(1ms, end - Nanoseconds(stage.recorder().now())); };
    const Result<Event> promoted = co_await stage.seen(saw::role("primary", killed), left());
    if (!promoted) { // it is judged by the record, which has to go on until the bound
        stage.phase(FailoverElection::tr("No other primary in this time."));
        co_return Result<void>();
    }
    const QString name = stage.recorder().run().text(promoted->lane);
    stage.phase(FailoverElection::tr("%1 is promoted.").arg(name));
    const Result<Event> switched = co_await stage.seen(saw::published("+switch-master", killed), left(), majority);
    if (switched)
        co_return co_await settlement(stage, name, killed);
    co_return Result<void>();
}

Task<Result<void>> play(Stage &stage)
{
    const QByteArray key = stage.key("greeting");
    const auto isOver = std::make_shared<bool>(false);
    stage.phase(FailoverElection::tr("A reads from the primary."));
    Actor &a = stage.actor(QStringLiteral("A"), reader, accessTo(stage), key, isOver);
    if (const auto prepared = co_await prepare(stage); !prepared)
        co_return prepared.error();
    if (const auto predicted = co_await predict(stage); !predicted)
        co_return predicted.error();
    co_await stage.breathe(1500ms);
    if (const auto outdated = co_await outdateNews(stage); !outdated)
        co_return outdated.error();

    stage.phase(FailoverElection::tr("The primary is killed."));
    const qint64 killed = stage.recorder().now();
    stage.strike({firstPrimary, Strike::Kind::Kill, {}});
    if (const auto followed = co_await follow(stage, killed); !followed)
        co_return followed.error();
    co_await stage.breathe(800ms);
    *isOver = true;
    co_await stage.ended(a);
    co_return Result<void>();
}

std::optional<GroupPlan> group(const Values &values)
{
    GroupPlan plan;
    plan.replicas = replicas;
    plan.sentinels = sentinels;
    for (const QString &replica : {QStringLiteral("N2"), QStringLiteral("N3")})
        plan.settingsOf[replica] = QStringList {QStringLiteral("replica-priority %1").arg(values.number(priorityOf(replica)))};
    return plan;
}

QList<CheckUse> checks(const Values &values)
{
    const QString bound = QString::number(values.number(QStringLiteral("bound")));
    QList<CheckUse> uses {{QStringLiteral("new-primary"), {{QStringLiteral("bound"), bound}}, true}};
    if (deadSentinels(values) < majority)
        uses.append({QStringLiteral("promotion-rule"), {}, false});
    return uses;
}

QString needsOwnServer(const Values &)
{
    return FailoverElection::tr("Servers and sentinels are killed here: that is done only to those of the lab’s own.");
}

QList<Parameter> parameters()
{
    const auto tr = [](const char *text) { return FailoverElection::tr(text); };
    const auto priority = [&](const QString &replica) {
        return Parameter::integer(priorityOf(replica), tr("Priority of %1").arg(replica),
            tr("Its setting replica-priority: the lowest number is promoted first, and 0 never."), 100, 0, 1000, {});
    };
    return {
        Parameter::integer(QStringLiteral("dead"), tr("Dead sentinels"), tr("How many of the three are dead when the primary dies."), 2, 0, 3, tr("sentinels")),
        priority(QStringLiteral("N2")),
        priority(QStringLiteral("N3")),
        Parameter::toggle(QStringLiteral("behind"), tr("N3 has less"), tr("N3 loses its link before the primary’s last writes."), false),
        Parameter::toggle(QStringLiteral("leader-dies"), tr("The leader dies"), tr("The sentinel that is elected to lead the failover crashes at once."), false),
        Parameter::duration(QStringLiteral("bound"), tr("Bound"), tr("Within what time another primary is promised."), 6s, 1s, 60s),
    };
}

QList<Preset> presets()
{
    const auto tr = [](const char *text) { return FailoverElection::tr(text); };
    const std::pair allAlive {QStringLiteral("dead"), QStringLiteral("0")};
    const Witness killed {QStringLiteral("fault"), QStringLiteral("kill"), 1};
    const Witness allKilled {QStringLiteral("fault"), QStringLiteral("kill"), 1 + majority};
    const Witness asRuled {QStringLiteral("as-ruled"), {}, 1};
    const auto priority = [](const char *replica, const char *number) { return std::pair {priorityOf(QString::fromLatin1(replica)), QString::fromLatin1(number)}; };
    return {
        {QStringLiteral("break"), tr("Two of three sentinels dead"), {}, Judgement::Broken, {allKilled}},
        {QStringLiteral("break-no-replica"), tr("Priority 0 everywhere"), {allAlive, priority("N2", "0"), priority("N3", "0")}, Judgement::Broken, {killed}},
        {QStringLiteral("safe-priority"), tr("The lower priority number"), {allAlive, priority("N3", "10")}, Judgement::Held, {killed, asRuled}},
        {QStringLiteral("safe-offset"), tr("The larger offset"), {allAlive, {QStringLiteral("behind"), QStringLiteral("on")}}, Judgement::Held, {killed, asRuled}},
        {QStringLiteral("safe-runid"), tr("The smaller run id"), {allAlive}, Judgement::Held, {killed, asRuled}},
        {QStringLiteral("safe-leader-dies"), tr("The leader dies, another leads"),
            {allAlive, {QStringLiteral("leader-dies"), QStringLiteral("on")}, {QStringLiteral("bound"), QStringLiteral("20s")}}, Judgement::Held,
            {killed, asRuled}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("failover-election");
    experiment.family = QStringLiteral("failover");
    experiment.place = 4;
    experiment.title = FailoverElection::tr("Election");
    experiment.claim = FailoverElection::tr("A majority has to agree, and rules choose who follows.");
    experiment.promise = FailoverElection::tr("There is a new primary within the bound.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline")};
    experiment.group = group;
    experiment.needsOwnServer = needsOwnServer;
    experiment.checks = checks;
    experiment.play = play;
    experiment.watchesOwners = false;
    experiment.limit = 150s;
    return experiment;
}

}
