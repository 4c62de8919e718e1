// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A set: runs of one experiment, each on a server of its own, and what they tell together.
#include "engine/checks/checks.h"
#include "engine/run/runfile.h"
#include "engine/run/setfiles.h"
#include "engine/runner.h"
#include "engine/setrunner.h"
#include "tests/support/descendants.h"
#include "tests/support/testserver.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace interlock;

namespace {

constexpr qint64 bad = 3; // this one fails where one is to fail

Task<> asker(Actor &actor, NodeRef node)
{
    Client client(actor, node);
    std::ignore = co_await client.command("SET", "asked", "yes", "PX", 5000);
    co_await actor.reach("asked");
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    Actor &actor = stage.actor(QStringLiteral("A"), asker, stage.node());
    const bool waits = values.integer(QStringLiteral("waits")) == values.integer(QStringLiteral("n"));
    if (values.toggle(QStringLiteral("long")) || waits) {
        stage.holdAt(actor, QStringLiteral("asked"));
        co_await stage.director().sleep(20s);
    }
    co_await stage.ended(actor);
    if (values.integer(QStringLiteral("fails")) == values.integer(QStringLiteral("n")))
        co_return Error {Error::Kind::Failed, QStringLiteral("This one had to fail.")};
    co_return Result<void>();
}

std::vector<SetChild> runsOf(const Values &values)
{
    std::vector<SetChild> all;
    const auto count = values.integer(QStringLiteral("count"));
    for (int n = 1; n <= count; ++n) {
        all.push_back({QStringLiteral("run-%1").arg(n), QStringLiteral("Run %1").arg(n),
            {{QStringLiteral("count"), QStringLiteral("0")}, {QStringLiteral("n"), QString::number(n)}}});
    }
    return all;
}

/// The square of n, from the record alone.
QList<Measure> measure(const SetChild &, const Run &run)
{
    qint64 n = 0;
    for (const auto &[name, value] : run.header.values) {
        if (name == QLatin1String("n"))
            n = value.toLongLong();
    }
    Measure square;
    square.series = QStringLiteral("squares");
    square.x = n;
    square.y = n * n;
    return {square};
}

Experiment experimentWithSets()
{
    const auto number = [](const char *name, int most) {
        return Parameter::integer(QString::fromLatin1(name), QString::fromLatin1(name), QStringLiteral("A number."), 0, 0, most, QString());
    };
    Experiment experiment;
    experiment.id = QStringLiteral("set-test");
    experiment.promise = QStringLiteral("Something happens.");
    experiment.parameters = {number("count", 100), number("n", 100), number("fails", 100), number("waits", 101),
        Parameter::toggle(QStringLiteral("long"), QStringLiteral("Long"), QStringLiteral("Whether each takes long."), false)};
    experiment.checks = [](const Values &) { return QList<CheckUse> {{QStringLiteral("late-write"), {}, true}}; };
    experiment.play = play;
    experiment.set = runsOf;
    experiment.measure = measure;
    experiment.series = {{QStringLiteral("squares"), QStringLiteral("Squares"), QStringLiteral("n"), QStringLiteral("n²"), {}, {}}};
    return experiment;
}

std::map<QString, qint64> squares(const Run &run)
{
    std::map<QString, qint64> found;
    for (const Event &event : run.events) {
        if (event.kind == Event::Kind::Measure && run.text(event.text) == "squares")
            found[run.text(event.lane)] = event.number;
    }
    return found;
}

QStringList notes(const Run &run)
{
    QStringList found;
    for (const Event &event : run.events) {
        if (event.kind == Event::Kind::Note)
            found.append(run.text(event.lane) + ": " + run.text(event.text));
    }
    return found;
}

struct Progress
{
    int ended = 0;
    int total = 0;
    qint64 left = 0;
};

/// A set that is run, and all that is heard of it.
class SetOf
{
public:
    SetOf(const Experiment &experiment, const QList<std::pair<QString, QString>> &values)
    {
        useKeeperOfProgram();
        RunPlan plan;
        plan.experiment = &experiment;
        plan.values = Values(experiment.parameters);
        for (const auto &[name, value] : values) {
            const Result<void> set = plan.values.set(name, value);
            Q_ASSERT(set);
        }
        plan.seed = 5;
        plan.pace = 0.1;
        Job::Calls calls;
        calls.progressed = [](const QString &) {};
        calls.began = [this](const Header &header) { began = header; };
        calls.batchReady = [this](const Batch &batch) { heard += batch.events.size(); };
        calls.finished = [this](std::shared_ptr<const Run> finished, const Verdict &said) {
            run = std::move(finished);
            verdict = said;
        };
        calls.failed = [this](const Error &failed) { error = failed; };
        calls.setProgressed = [this](int ended, int total, qint64 left) { progress.push_back({ended, total, left}); };
        calls.childFinished = [this](const SetChild &child, std::shared_ptr<const Run> record, const Verdict &said) {
            titles.append(child.title);
            children.push_back({child.name, child.title, record, said, {}});
            records[child.name] = std::move(record);
        };
        job = makeJob(plan, calls);
        job->start();
    }
    bool wait(int milliseconds = 60'000)
    {
        return QTest::qWaitFor([this] { return run || error; }, milliseconds);
    }

    std::unique_ptr<Job> job;
    std::optional<Header> began;
    size_t heard = 0;
    std::shared_ptr<const Run> run;
    Verdict verdict;
    std::optional<Error> error;
    std::vector<Progress> progress;
    QStringList titles;
    std::map<QString, std::shared_ptr<const Run>> records;
    std::vector<ChildRun> children;
};

}

class TestSetRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QTRY_VERIFY(descendants("redis-server").isEmpty()); }

    void measuresEachOfItsRuns()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "5"}});
        QVERIFY(set.wait());
        QVERIFY2(set.run && set.run->isComplete, set.run ? qPrintable(set.run->incompleteBecause) : "");
        QCOMPARE(squares(*set.run), (std::map<QString, qint64> {{"run-1", 1}, {"run-2", 4}, {"run-3", 9}, {"run-4", 16}, {"run-5", 25}}));
        QCOMPARE(set.heard, set.run->events.size());
        QCOMPARE(set.verdict.judgement, Judgement::None);
        QVERIFY(set.run->header.checks.isEmpty());
        QVERIFY(set.began);
        QCOMPARE(set.began->series.size(), 1);
    }

    void eachRunIsOneOfItsOwn()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "4"}});
        QVERIFY(set.wait());
        QCOMPARE(set.records.size(), size_t(4));
        set.titles.sort();
        QCOMPARE(set.titles, (QStringList {"Run 1", "Run 2", "Run 3", "Run 4"}));
        QSet<quint64> seeds;
        for (const auto &[name, record] : set.records) {
            QVERIFY(record->isComplete);
            QCOMPARE(record->header.pace, 0.1);
            QCOMPARE(record->header.checks.size(), 1);
            QVERIFY(record->header.preset.isEmpty());
            QVERIFY(record->header.values.contains({"n", name.mid(4)}));
            seeds.insert(record->header.seed);
            QVERIFY(std::any_of(record->events.begin(), record->events.end(), [](const Event &event) { return event.kind == Event::Kind::Command; }));
        }
        QCOMPARE(seeds.size(), 4);
    }

    void seedsFollowFromTheSets()
    {
        const Experiment experiment = experimentWithSets();
        RunPlan plan;
        plan.experiment = &experiment;
        plan.values = Values(experiment.parameters);
        QSet<quint64> seeds;
        for (const quint64 seed : {1, 2, 3}) {
            plan.seed = seed;
            for (size_t index = 0; index < 100; ++index) {
                const Result<RunPlan> child = childPlan(plan, {}, index);
                QVERIFY(child);
                QCOMPARE(childPlan(plan, {}, index)->seed, child->seed);
                QVERIFY(child->seed <= 0xffffffffU);
                seeds.insert(child->seed);
            }
        }
        QCOMPARE(seeds.size(), 300);
    }

    void twoRunBesideEachOther()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "6"}, {"long", "on"}});
        QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 2, 20'000);
        QVERIFY(!QTest::qWaitFor([] { return descendants("redis-server").size() > 2; }, 500));
        set.job->stop();
        QVERIFY(set.wait(1000));
    }

    void saysHowFarItIsAndHowLongItWillTake()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "5"}});
        QVERIFY(set.wait());
        QCOMPARE(set.progress.size(), size_t(6));
        for (int i = 0; i < 6; ++i) {
            QCOMPARE(set.progress[size_t(i)].ended, i);
            QCOMPARE(set.progress[size_t(i)].total, 5);
        }
        QCOMPARE(set.progress[0].left, never);
        QVERIFY(set.progress[1].left > 0 && set.progress[1].left < 60'000'000'000);
        QCOMPARE(set.progress[5].left, 0);
    }

    void aRunThatFailsTellsNothingAndTheOthersDo()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "4"}, {"fails", QString::number(bad)}});
        QVERIFY(set.wait());
        QVERIFY(set.run && set.run->isComplete);
        QCOMPARE(squares(*set.run), (std::map<QString, qint64> {{"run-1", 1}, {"run-2", 4}, {"run-4", 16}}));
        QCOMPARE(notes(*set.run), QStringList {"run-3: Run 3 tells nothing: This one had to fail."});
        QVERIFY(set.records.at("run-3") && !set.records.at("run-3")->isComplete);
        QCOMPARE(set.progress.back().ended, 4);
    }

    void aRunThatCannotStartTellsNothing()
    {
        Experiment experiment = experimentWithSets();
        experiment.set = [](const Values &values) {
            std::vector<SetChild> all = runsOf(values);
            if (!all.empty())
                all[0].values.emplaceBack("no-such-value", "1");
            return all;
        };
        SetOf set(experiment, {{"count", "2"}});
        QVERIFY(set.wait());
        QVERIFY(set.run && set.run->isComplete);
        QCOMPARE(squares(*set.run), (std::map<QString, qint64> {{"run-2", 4}}));
        QCOMPARE(notes(*set.run).size(), 1);
        QVERIFY2(notes(*set.run)[0].contains("no-such-value"), qPrintable(notes(*set.run)[0]));
        QCOMPARE(set.records.size(), size_t(1));
    }

    void aSetThatToldNothingIsIncomplete()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "1"}, {"fails", "1"}});
        QVERIFY(set.wait());
        QVERIFY(set.run && !set.run->isComplete);
        QVERIFY2(set.run->incompleteBecause.contains("This one had to fail."), qPrintable(set.run->incompleteBecause));
    }

    void stopsWithinASecond_data()
    {
        QTest::addColumn<int>("servers");
        QTest::newRow("before the first begins") << 0;
        QTest::newRow("while the first starts") << 1;
        QTest::newRow("while two run") << 2;
    }
    void stopsWithinASecond()
    {
        QFETCH(int, servers);
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "6"}, {"long", "on"}});
        QTRY_VERIFY_WITH_TIMEOUT(descendants("redis-server").size() >= servers, 20'000);
        QElapsedTimer since;
        since.start();
        set.job->stop();
        QVERIFY(set.wait(1000));
        QVERIFY2(since.elapsed() <= 1000, qPrintable(QString::number(since.elapsed())));
        QVERIFY(set.run && !set.run->isComplete);
        QVERIFY(squares(*set.run).empty());
        QVERIFY(notes(*set.run).isEmpty());
        QVERIFY(set.records.empty());
    }

    void whatWasMeasuredBeforeTheStopStays()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "100"}});
        QVERIFY(QTest::qWaitFor([&] { return set.records.size() >= 2; }, 30'000));
        set.job->stop();
        QVERIFY(set.wait(1000));
        QVERIFY(!set.run->isComplete);
        QVERIFY(squares(*set.run).size() >= 2 && squares(*set.run).size() < 100);
        QCOMPARE(squares(*set.run).size(), set.records.size());
        const QString ended = QString::number(set.records.size());
        QCOMPARE(set.run->incompleteBecause, QString("The set was stopped after %1 of 100 runs.").arg(ended));

        // Its files open, say the same, and are judged the same.
        const QTemporaryDir directory;
        const QString path = directory.filePath("set.interlock.jsonl");
        QVERIFY(writeSetFiles(path, *set.run, set.verdict, set.children).ok());
        const Result<ReadRun> read = readRunFile(path);
        QVERIFY(read && read->problems.isEmpty());
        QVERIFY(!read->run.isComplete);
        QCOMPARE(read->run.incompleteBecause, set.run->incompleteBecause);
        QCOMPARE(squares(read->run), squares(*set.run));
        QVERIFY(childrenNamedIn(read->run).size() == qsizetype(set.children.size()));
        for (const ChildRun &child : set.children) {
            const Result<ReadRun> one = readRunFile(childFile(path, child.name));
            QVERIFY2(one && one->problems.isEmpty() && one->run.isComplete, qPrintable(child.name));
            QCOMPARE(judge(one->run).judgement, child.verdict.judgement);
            QCOMPARE(child.verdict.judgement, Judgement::Held);
        }
    }

    /// The other two have ended before, so the one server that is left is that of the run that waits.
    void aRunWhoseServerDiesTellsNothing()
    {
        const Experiment experiment = experimentWithSets();
        SetOf set(experiment, {{"count", "3"}, {"waits", "2"}});
        QTRY_COMPARE_WITH_TIMEOUT(set.records.size(), size_t(2), 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 1, 20'000);
        QCOMPARE(::kill(static_cast<pid_t>(descendants("redis-server").first()), SIGKILL), 0);
        QVERIFY(set.wait());
        QVERIFY(set.run && set.run->isComplete);
        QCOMPARE(squares(*set.run), (std::map<QString, qint64> {{"run-1", 1}, {"run-3", 9}}));
        QCOMPARE(notes(*set.run).size(), 1);
        QVERIFY2(notes(*set.run).first().startsWith("run-2: Run 2 tells nothing: The server redis ended during the run: "), qPrintable(notes(*set.run).first()));
        const std::vector<SilentRun> silent = silentRunsIn(*set.run);
        QCOMPARE(silent.size(), size_t(1));
        QCOMPARE(silent.front().name, QString("run-2"));
        QVERIFY(set.records.at("run-2") && !set.records.at("run-2")->isComplete);
    }

    void twoSetsAtOnceDoNotDisturbEachOther()
    {
        const Experiment experiment = experimentWithSets();
        SetOf one(experiment, {{"count", "4"}});
        SetOf other(experiment, {{"count", "3"}, {"fails", "1"}});
        QVERIFY(one.wait() && other.wait());
        QVERIFY(one.run && one.run->isComplete && other.run && other.run->isComplete);
        QCOMPARE(squares(*one.run), (std::map<QString, qint64> {{"run-1", 1}, {"run-2", 4}, {"run-3", 9}, {"run-4", 16}}));
        QVERIFY(notes(*one.run).isEmpty());
        QCOMPARE(squares(*other.run), (std::map<QString, qint64> {{"run-2", 4}, {"run-3", 9}}));
        QCOMPARE(notes(*other.run), QStringList {"run-1: Run 1 tells nothing: This one had to fail."});
    }

};

QTEST_GUILESS_MAIN(TestSetRun)
#include "tst_setrun.moc"
