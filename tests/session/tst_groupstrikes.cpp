// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Strikes on the nodes of a group: what each does, and that the record tells of it once it is known what it touched.
#include "engine/experiments/failoverplay.h"
#include "tests/session/grouprun.h"
#include "tests/support/descendants.h"

#include <QTest>

using namespace interlock;

namespace {

using Kind = Strike::Kind;

const QString n1 = QStringLiteral("N1");
const QString n2 = QStringLiteral("N2");

/// How long it takes that a client of the server is answered; the limit if it is not.
Task<Nanoseconds> answerTime(Stage &stage, QString server, Nanoseconds limit = 2s)
{
    Client client(stage.director(), stage.node(server), limit);
    const Nanoseconds asked = stage.director().now();
    const Result<Reply> reply = co_await client.command("SET", "struck", "yes", "PX", 30000);
    co_return reply ? stage.director().now() - asked : limit;
}

Error missing(const char *what)
{
    return {Error::Kind::Failed, QString::fromUtf8(what)};
}

Task<Result<void>> replication(Stage &stage)
{
    if (const Result<void> done = co_await cutReplication(stage, n1); !done)
        co_return done.error();
    stage.strike({n1, Kind::CutReplication, {}}); // it is
    const qint64 healed = stage.recorder().now();
    stage.strike({n1, Kind::Heal, {}});
    for (const char *replica : {"N2", "N3"}) {
        if (const auto up = co_await stage.seen(saw::linked(replica, "up", healed)); !up)
            co_return missing("The link was not whole again.");
    }
    stage.strike({n1, Kind::LagReplication, 50ms});
    stage.strike({n1, Kind::HoldReplication, {}}); // in its place
    const qint64 written = stage.recorder().now();
    std::ignore = co_await answerTime(stage, n1);
    const auto sent = [written](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Offset) && event.at > written && names.bytes(event.lane) == "N1";
    };
    if (const auto seen = co_await stage.seen(sent); !seen)
        co_return missing("The primary sent nothing.");
    stage.strike({n1, Kind::Heal, {}});
    stage.strike({n1, Kind::Heal, {}}); // there is nothing left
    co_return Result<void>();
}

/// What strikes one direction, after a cut, which strikes both.
Task<Result<void>> lagInThePlaceOfACut(Stage &stage)
{
    if (const Result<void> done = co_await cutReplication(stage, n1); !done)
        co_return done.error();
    const qint64 replaced = stage.recorder().now();
    stage.strike({n1, Kind::LagReplication, 20ms});
    for (const char *replica : {"N2", "N3"}) {
        if (const auto up = co_await stage.seen(saw::linked(replica, "up", replaced)); !up)
            co_return missing("The link was still cut.");
    }
    co_return Result<void>();
}

Task<Result<void>> clients(Stage &stage)
{
    stage.strike({n1, Kind::DelayClients, 150ms});
    if (co_await answerTime(stage, n1) < 300ms)
        co_return missing("The answer was not late.");
    stage.strike({n1, Kind::CutClients, {}});
    Client client(stage.director(), stage.node(n1), 500ms);
    if (const auto reply = co_await client.command("PING"); reply.ok())
        co_return missing("It was not cut.");
    stage.strike({n1, Kind::Heal, {}});
    if (co_await answerTime(stage, n1) >= 300ms)
        co_return missing("It was not healed.");
    co_return Result<void>();
}

Task<Result<void>> pauses(Stage &stage)
{
    stage.strike({n2, Kind::Resume, {}}); // it is not paused
    stage.strike({n2, Kind::Pause, {}});
    stage.strike({n2, Kind::Pause, {}}); // it is
    if (co_await answerTime(stage, n2, 400ms) < 400ms)
        co_return missing("It answered.");
    stage.strike({n2, Kind::Resume, {}});
    stage.strike({n2, Kind::Pause, {}});
    stage.strike({n2, Kind::Kill, {}}); // ends the pause
    stage.strike({n2, Kind::Kill, {}}); // it is dead
    stage.strike({n2, Kind::CutReplication, {}}); // there is nothing to cut
    if (const Result<void> started = co_await stage.restartServer(n2); !started)
        co_return started.error();
    if (co_await stage.restartServer(n2))
        co_return missing("It was started twice.");
    co_return Result<void>();
}

Task<Result<void>> isolation(Stage &stage)
{
    const qint64 since = stage.recorder().now();
    stage.strike({n2, Kind::Isolate, {}});
    if (const auto seen = co_await stage.seen(saw::unlinked(n2, since)); !seen)
        co_return missing("The replica had its link.");
    stage.strike({n2, Kind::Heal, {}});
    if (const auto seen = co_await stage.seen(saw::linked(n2, "up", since)); !seen)
        co_return missing("The replica did not come back.");
    stage.strike({QStringLiteral("S3"), Kind::Isolate, {}}); // until the end
    co_return Result<void>();
}

/// Waits for the person.
Task<Result<void>> patient(Stage &stage)
{
    const auto killed = [](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Killed) && names.bytes(event.lane) == "N1";
    };
    if (const auto seen = co_await stage.seen(killed); !seen)
        co_return seen.error();
    co_return Result<void>();
}

}

class TestGroupStrikes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QTRY_VERIFY(descendants("redis-server").isEmpty()); }

    void cutsLagsAndHoldsReplication()
    {
        const Experiment experiment = groupExperiment(replication);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group),
            (QStringList {"N1 cut-replication begins", "N1 cut-replication touched until", "N1 cut-replication", "N1 heal touched",
                "N1 lag-replication begins 50 ms", "N1 lag-replication until 50 ms", "N1 hold-replication begins", "N1 hold-replication touched until",
                "N1 heal touched", "N1 heal"}));
        QCOMPARE(group.told(NodeChange::Synced).size(), 2);
    }

    void endsACutByALag()
    {
        const Experiment experiment = groupExperiment(lagInThePlaceOfACut);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group),
            (QStringList {"N1 cut-replication begins", "N1 cut-replication touched until", "N1 lag-replication begins 20 ms",
                "N1 lag-replication touched until 20 ms"}));
    }

    void delaysAndCutsClients()
    {
        const Experiment experiment = groupExperiment(clients);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group),
            (QStringList {"N1 delay-clients begins 150 ms", "N1 delay-clients touched until 150 ms", "N1 cut-clients begins",
                "N1 cut-clients touched until", "N1 heal touched"}));
    }

    void pausesKillsAndRestarts()
    {
        const Experiment experiment = groupExperiment(pauses);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group),
            (QStringList {"N2 resume", "N2 pause begins", "N2 pause touched until", "N2 pause", "N2 resume touched", "N2 pause begins",
                "N2 pause touched until", "N2 kill touched", "N2 kill", "N2 cut-replication", "N2 restart touched", "N2 restart"}));
        QCOMPARE(changes(group, n2), (QStringList {"ready", "paused", "resumed", "paused", "killed", "started", "ready"}));
    }

    void isolatesUntilHealedOrTheEnd()
    {
        const Experiment experiment = groupExperiment(isolation);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group),
            (QStringList {"N2 isolate begins", "N2 isolate touched until", "N2 heal touched", "S3 isolate begins", "S3 isolate touched until"}));
        for (const Event &event : group.run->events) {
            if (event.kind == Event::Kind::Fault && event.until != never)
                QVERIFY(event.until > event.at && event.until <= group.run->duration);
        }
    }

    void aPersonsStrikesAreMarked()
    {
        const Experiment experiment = groupExperiment(patient);
        GroupRun group(experiment);
        group.runner->strike({n1, Kind::Kill, {}}); // too early: nothing is there
        QVERIFY(QTest::qWaitFor([&] { return group.hasBegun; }, 30'000));
        group.runner->strike({QStringLiteral("N9"), Kind::Kill, {}}); // nobody
        group.runner->strike({n1, Kind::LagReplication, 20ms});
        group.runner->strike({n1, Kind::Kill, {}});
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(faults(group).size(), 3);
        for (const Event &event : group.run->events) {
            if (event.kind == Event::Kind::Fault)
                QCOMPARE(group.run->text(event.detail), "by hand");
        }
    }

    void onlyWhereTheExperimentAllowsIt()
    {
        Experiment experiment = groupExperiment([](Stage &stage) -> Task<Result<void>> {
            co_await stage.director().sleep(300ms);
            co_return Result<void>();
        });
        experiment.allowsStrikes = false;
        GroupRun group(experiment);
        QVERIFY(QTest::qWaitFor([&] { return group.hasBegun; }, 30'000));
        group.runner->strike({n1, Kind::Kill, {}});
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QVERIFY(faults(group).isEmpty());
    }

    void aStoppedRunTellsWhatItsFaultsTouched()
    {
        const Experiment experiment = groupExperiment([](Stage &stage) -> Task<Result<void>> {
            stage.strike({n1, Kind::CutReplication, {}});
            co_await stage.director().sleep(30s);
            co_return Result<void>();
        });
        bool isStruck = false;
        GroupRun group(experiment, [&isStruck](const Batch &batch) {
            for (const Event &event : batch.events)
                isStruck |= event.kind == Event::Kind::Fault;
        });
        QVERIFY(QTest::qWaitFor([&] { return isStruck; }, 30'000));
        group.runner->stop();
        QVERIFY(group.wait(1000));
        QVERIFY(!group.run->isComplete);
        QCOMPARE(faults(group), (QStringList {"N1 cut-replication begins", "N1 cut-replication touched until"}));
    }

private:
    /// In the order of their beginnings.
    static QStringList faults(const GroupRun &group)
    {
        QStringList lines;
        for (const Event &event : group.run->events) {
            if (event.kind != Event::Kind::Fault)
                continue;
            QStringList words {group.run->text(event.lane), group.run->text(event.text)};
            if (event.has(Event::Begins))
                words.append("begins");
            if (event.has(Event::Touched))
                words.append("touched");
            if (event.until != never)
                words.append("until");
            if (event.number)
                words.append(QString("%1 ms").arg(event.number / 1'000'000));
            lines.append(words.join(' '));
        }
        return lines;
    }

    static QStringList changes(const GroupRun &group, const QString &node)
    {
        static const std::map<NodeChange, QString> words {{NodeChange::Started, "started"}, {NodeChange::Ready, "ready"}, {NodeChange::Paused, "paused"},
            {NodeChange::Resumed, "resumed"}, {NodeChange::Killed, "killed"}, {NodeChange::Ended, "ended"}};
        QStringList found;
        for (const Event &event : group.run->events) {
            const auto word = words.find(static_cast<NodeChange>(event.what));
            if (event.kind == Event::Kind::Node && group.run->text(event.lane) == node && word != words.end())
                found.append(word->second);
        }
        return found;
    }
};

QTEST_GUILESS_MAIN(TestGroupStrikes)
#include "tst_groupstrikes.moc"
