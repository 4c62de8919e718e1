// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wherever a run on a group stands when it is stopped or its servers die, it ends at once and leaves nothing behind.
#include "engine/experiments/failoverplay.h"
#include "tests/session/grouprun.h"
#include "tests/support/descendants.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace interlock;

namespace {

const QString n1 = QStringLiteral("N1");

Task<Result<void>> failover(Stage &stage)
{
    stage.phase(QStringLiteral("play"));
    co_await stage.director().sleep(500ms);
    const qint64 since = stage.recorder().now();
    stage.strike({QStringLiteral("N3"), Strike::Kind::Pause, {}});
    stage.strike({n1, Strike::Kind::Kill, {}});
    stage.phase(QStringLiteral("killed"));
    const Result<QString> promoted = co_await promotion(stage, since);
    if (!promoted)
        co_return promoted.error();
    stage.phase(QStringLiteral("promoted"));
    co_await stage.director().sleep(30s);
    co_return Result<void>();
}

}

class TestGroupStop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>(QDir::tempPath() + "/stop-XXXXXX"); // short: sockets lie in it
        QVERIFY(m_directory->isValid());
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_directory->path()));
    }
    void cleanup()
    {
        QTRY_VERIFY_WITH_TIMEOUT(descendants("redis-server").isEmpty(), 5000);
        QTRY_COMPARE_WITH_TIMEOUT(QDir(m_directory->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList(), 5000);
    }

    void stopsAtOnce_data()
    {
        QTest::addColumn<int>("servers");
        QTest::addColumn<QString>("phase");
        QTest::newRow("at once") << 0 << QString();
        QTest::newRow("while servers start") << 1 << QString();
        QTest::newRow("while sentinels start") << 4 << QString();
        QTest::newRow("while they agree") << 6 << QString();
        QTest::newRow("in the play") << 6 << "play";
        QTest::newRow("during the failover, one server being paused") << 5 << "killed";
        QTest::newRow("after the promotion") << 5 << "promoted";
    }
    void stopsAtOnce()
    {
        QFETCH(int, servers);
        QFETCH(QString, phase);
        const Experiment experiment = groupExperiment(failover);
        QStringList phases;
        GroupRun group(experiment, [&](const Batch &batch) {
            for (const QByteArray &name : batch.names)
                phases.append(QString::fromUtf8(name));
        });
        QVERIFY(QTest::qWaitFor(
            [&] { return descendants("redis-server").size() >= servers && (phase.isEmpty() || phases.contains(phase)); }, 40'000));
        QVERIFY(!group.isOver());
        group.runner->stop();
        QVERIFY(group.wait(5000)); // a play that is not stopped goes on for 30 s
        group.runner.reset();
        QVERIFY(group.run && !group.run->isComplete);
    }

    void endsWhenAServerDiesWhileTheyAgree()
    {
        const Experiment experiment = groupExperiment(failover);
        GroupRun group(experiment);
        QVERIFY(QTest::qWaitFor([&] { return group.progress.contains("They agree on who is primary…"); }, 30'000));
        const QList<qint64> servers = descendants("redis-server");
        QCOMPARE(servers.size(), 6);
        QCOMPARE(::kill(static_cast<pid_t>(servers[0]), SIGKILL), 0);
        QVERIFY(group.wait(5000));
        QVERIFY(group.error);
        QVERIFY2(group.error->text.contains(QRegularExpression("The node [NS]\\d ended")), qPrintable(group.error->text));
    }

    void endsWhenAServerDiesInThePlay()
    {
        const Experiment experiment = groupExperiment([](Stage &stage) -> Task<Result<void>> {
            co_await stage.director().sleep(30s);
            co_return Result<void>();
        });
        GroupRun group(experiment);
        QVERIFY(QTest::qWaitFor([&] { return group.hasBegun; }, 30'000));
        const QList<qint64> servers = descendants("redis-server");
        QCOMPARE(servers.size(), 6);
        // The sentinels were started last; a sentinel's end does not end the run.
        QCOMPARE(::kill(static_cast<pid_t>(*std::min_element(servers.begin(), servers.end())), SIGKILL), 0);
        QVERIFY(group.wait(5000));
        QVERIFY(group.run && !group.run->isComplete);
        QCOMPARE(group.told(NodeChange::Killed).size(), 1);
    }

    void aSecondGroupCanRunAtOnce()
    {
        const Experiment experiment = groupExperiment([](Stage &stage) -> Task<Result<void>> {
            const qint64 since = stage.recorder().now();
            stage.strike({n1, Strike::Kind::Kill, {}});
            const Result<QString> promoted = co_await promotion(stage, since);
            if (!promoted)
                co_return promoted.error();
            co_return co_await settlement(stage, *promoted, since);
        });
        GroupRun first(experiment);
        GroupRun second(experiment);
        QVERIFY(first.wait());
        QVERIFY(second.wait());
        QVERIFY2(first.run && first.run->isComplete, qPrintable(first.why()));
        QVERIFY2(second.run && second.run->isComplete, qPrintable(second.why()));
        for (const NodeInfo &one : first.run->header.nodes) {
            for (const NodeInfo &other : second.run->header.nodes)
                QVERIFY(one.address != other.address);
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
};

QTEST_GUILESS_MAIN(TestGroupStop)
#include "tst_groupstop.moc"
