// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An experiment can have its servers form a cluster: decided by its values, and ready when its play begins.
#include "engine/redis/slot.h"
#include "engine/runner.h"
#include "engine/schedule/clusterclient.h"
#include "tests/support/descendants.h"
#include "tests/support/testserver.h"

#include <QTest>

using namespace interlock;

namespace {

QStringList cluster(const Values &values)
{
    return values.toggle("cluster") ? QStringList {"a", "b", "c"} : QStringList();
}

/// Sets a key of each node, where that node is asked first.
Task<> setKeys(Actor &actor, std::vector<NodeRef> nodes)
{
    ClusterClient client(actor, nodes);
    for (const char *key : {"hello", "foo", "123456789", "somekey"}) // slots 866, 12182, 12739, 11058
        std::ignore = co_await client.command(key, Command("SET", key, "x"));
}

Task<Result<void>> play(Stage &stage)
{
    Actor &actor = stage.actor("A", setKeys, stage.nodes());
    co_await stage.ended(actor);
    co_return Result<void>();
}

Experiment experimentOfThree()
{
    Experiment experiment;
    experiment.id = "cluster-keys";
    experiment.promise = "Keys are set.";
    experiment.parameters = {Parameter::toggle("cluster", "Cluster", "Whether there is one.", true)};
    experiment.cluster = cluster;
    experiment.checks = [](const Values &) { return QList<CheckUse>(); };
    experiment.play = play;
    return experiment;
}

}

class TestClusterRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theServersAreWhatTheValuesAskFor_data()
    {
        QTest::addColumn<bool>("isCluster");
        QTest::addColumn<QStringList>("nodes");
        QTest::newRow("a cluster") << true << QStringList {"a: cluster member", "b: cluster member", "c: cluster member"};
        QTest::newRow("one server") << false << QStringList {"redis: primary"};
    }
    void theServersAreWhatTheValuesAskFor()
    {
        QFETCH(bool, isCluster);
        QFETCH(QStringList, nodes);
        useKeeperOfProgram();
        const Experiment experiment = experimentOfThree();
        RunPlan plan;
        plan.experiment = &experiment;
        plan.values = Values(experiment.parameters);
        QVERIFY(plan.values.set("cluster", isCluster ? "on" : "off").ok());
        std::shared_ptr<const Run> run;
        std::optional<Error> error;
        Runner::Calls calls;
        calls.progressed = [](const QString &) {};
        calls.began = [](const Header &) {};
        calls.batchReady = [](const Batch &) {};
        calls.finished = [&](std::shared_ptr<const Run> finished, const Verdict &) { run = std::move(finished); };
        calls.failed = [&](const Error &failed) { error = failed; };
        {
            Runner runner(plan, calls);
            runner.start();
            QTRY_VERIFY_WITH_TIMEOUT(run || error, 30'000);
            QVERIFY2(!error, error ? qPrintable(error->text) : "");
        }
        QStringList started;
        for (const NodeInfo &node : run->header.nodes)
            started.append(node.name + ": " + node.role);
        QCOMPARE(started, nodes);
        QVERIFY2(run->isComplete, qPrintable(run->incompleteBecause));
        int set = 0;
        for (const Event &event : run->events)
            set += event.kind == Event::Kind::Command && run->names.bytes(event.detail) == "OK" ? 1 : 0;
        QCOMPARE(set, 4);
        QTRY_VERIFY(descendants("redis-server").isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestClusterRun)
#include "tst_clusterrun.moc"
