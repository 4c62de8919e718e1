// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/labdirectory.h"
#include "tests/lab/holder.h"
#include "tests/lab/processes.h"
#include "tests/support/testserver.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace interlock;

namespace {

constexpr int repeats = 20;
constexpr int limit = 2000; // ms until nothing may be left

void makeFile(const QString &path, const QByteArray &text = "kept")
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

}

class tst_Keeper : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void leavesNothingWhenTheProgramIsKilled_data();
    void leavesNothingWhenTheProgramIsKilled();
    void leavesNothingWhenTheKeeperIsKilled();
    void isSweptAfterwardsWhenBothAreKilled();
    void survivesSignalsToTheTerminal();
    void endsInTimeThoughTheKeeperIsStopped();
    void runsSideBySide();
    void sweepsWhatNobodyHolds();
    void neverFollowsLinks();
    void saysWhyThereIsNoKeeper_data();
    void saysWhyThereIsNoKeeper();
    void isNoServiceForOthers();

private:
    std::unique_ptr<QTemporaryDir> m_parent; // of the labs of one test
};

void tst_Keeper::initTestCase()
{
    qunsetenv("INTERLOCK_REDIS_SERVER");
}

void tst_Keeper::init()
{
    m_parent = std::make_unique<QTemporaryDir>();
    QVERIFY(m_parent->isValid());
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_parent->path()));
    qunsetenv("INTERLOCK_KEEPER"); // this very program, since main() below knows how to be one
}

void tst_Keeper::leavesNothingWhenTheProgramIsKilled_data()
{
    QTest::addColumn<bool>("isReady");
    QTest::newRow("while its server runs") << true;
    QTest::newRow("while it starts") << false;
}

void tst_Keeper::leavesNothingWhenTheProgramIsKilled()
{
    QFETCH(bool, isReady);
    for (int i = 0; i < repeats; ++i) {
        Holder holder;
        QVERIFY(holder.start());
        if (isReady) {
            QVERIFY(holder.awaitServer());
            QCOMPARE(processesOf(holder.directory).size(), 2); // keeper and server: the search below can find them
            QVERIFY(QFileInfo::exists(holder.directory));
        } else {
            // 0 to 38 ms into its start, or just after it.
            [[maybe_unused]] const bool started =
                QTest::qWaitFor([&holder] { return holder.process.canReadLine(); }, 2 * i);
        }
        QCOMPARE(::kill(static_cast<pid_t>(holder.process.processId()), SIGKILL), 0);
        QVERIFY2(QTest::qWaitFor([&holder] { return holder.leftNothing(); }, limit), qPrintable(holder.directory));
    }
    QVERIFY(QDir(m_parent->path()).isEmpty());
}

void tst_Keeper::leavesNothingWhenTheKeeperIsKilled()
{
    for (int i = 0; i < repeats; ++i) {
        TestServer server;
        qunsetenv("INTERLOCK_KEEPER");
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        QStringList ends;
        server.server().onEnded = [&ends](const QString &how) { ends.append(how); };
        const QString directory = server.keeper().directory();
        const qint64 process = server.server().processId();
        QVERIFY(!hasGone(process) && QFileInfo::exists(directory));
        QCOMPARE(::kill(static_cast<pid_t>(server.keeper().processId()), SIGKILL), 0);
        const auto nothingIsLeft = [&] { return hasGone(process) && !QFileInfo::exists(directory) && !ends.isEmpty(); };
        QVERIFY(QTest::qWaitFor(nothingIsLeft, limit));
        QCOMPARE(ends.size(), 1);
        QVERIFY2(ends[0].contains(QStringLiteral("keeper")), qPrintable(ends[0]));
        QVERIFY(!server.server().isRunning());
        QVERIFY(!server.server().kill());
        QVERIFY(processesOf(directory).isEmpty());

        // A server that is started now is told the same.
        std::optional<Result<void>> late;
        const PrivateServer another(server.keeper(), {}, [&late](Result<void> ready) { late = std::move(ready); });
        QTRY_VERIFY(late.has_value());
        QVERIFY(!late->ok());
    }
}

void tst_Keeper::isSweptAfterwardsWhenBothAreKilled()
{
    Holder holder;
    QVERIFY(holder.start());
    QVERIFY(holder.awaitServer());
    QCOMPARE(::kill(static_cast<pid_t>(holder.process.processId()), SIGSTOP), 0); // it cannot tidy up
    QCOMPARE(::kill(static_cast<pid_t>(holder.keeper), SIGKILL), 0);
    QCOMPARE(::kill(static_cast<pid_t>(holder.process.processId()), SIGKILL), 0);
    QVERIFY(QTest::qWaitFor([&holder] { return processesOf(holder.directory).isEmpty(); }, limit));
    QVERIFY(QFileInfo::exists(holder.directory));
    const Keeper next([](const Result<void> &) {});
    QTRY_VERIFY(!QFileInfo::exists(holder.directory));
}

void tst_Keeper::survivesSignalsToTheTerminal()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const auto keeper = static_cast<pid_t>(server.keeper().processId());
    QCOMPARE(getsid(keeper), keeper); // so Ctrl-C does not reach it in the first place
    QVERIFY(getsid(0) != keeper);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        QCOMPARE(::kill(keeper, number), 0);
    // It still works: it starts another server.
    std::optional<Result<void>> another;
    const PrivateServer second(server.keeper(), {}, [&another](Result<void> ready) { another = std::move(ready); });
    QTRY_VERIFY(another.has_value());
    QVERIFY2(another->ok(), another->ok() ? "" : qPrintable(another->error().text));
    QVERIFY(server.server().isRunning());
    // The server itself is not deaf, as it would be if it had inherited that.
    QCOMPARE(::kill(static_cast<pid_t>(server.server().processId()), SIGTERM), 0);
    QTRY_VERIFY(hasGone(server.server().processId()));
}

void tst_Keeper::endsInTimeThoughTheKeeperIsStopped()
{
    auto server = std::make_unique<TestServer>();
    QVERIFY2(server->isReady(), qPrintable(server->error()));
    const QString directory = server->keeper().directory();
    QCOMPARE(::kill(static_cast<pid_t>(server->keeper().processId()), SIGSTOP), 0);
    QElapsedTimer time;
    time.start();
    server.reset();
    QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
    QVERIFY(QTest::qWaitFor([&directory] { return processesOf(directory).isEmpty(); }, limit));
    QVERIFY(!QFileInfo::exists(directory));
}

void tst_Keeper::runsSideBySide()
{
    auto first = std::make_unique<TestServer>();
    TestServer second;
    Holder third; // another program, which sweeps too
    QVERIFY(third.start());
    QVERIFY(third.awaitServer());
    QVERIFY2(first->isReady() && second.isReady(), qPrintable(first->error() + second.error()));
    const QString directory = second.keeper().directory();
    for (const QString &path : {first->keeper().directory(), directory, third.directory})
        QCOMPARE(QFileInfo(path).path(), m_parent->path());
    QVERIFY(QFileInfo::exists(first->keeper().directory()));
    first.reset();
    QVERIFY(second.server().isRunning());
    QCOMPARE(processesOf(directory).size(), 2);
    QVERIFY(QFileInfo::exists(directory));
    QCOMPARE(processesOf(third.directory).size(), 2);
    QVERIFY(QFileInfo::exists(third.directory));
}

void tst_Keeper::sweepsWhatNobodyHolds()
{
    const auto path = [this](const char *name) { return m_parent->filePath(QLatin1String(name)); };
    const auto make = [&path](
                          const char *name) { return makeLabDirectory(QFile::encodeName(path(name)).toStdString()); };
    const int held = make("interlock-lab-held");
    const int left = make("interlock-lab-left");
    QVERIFY(held >= 0 && left >= 0);
    QVERIFY(QDir(path("interlock-lab-left")).mkdir(QStringLiteral("redis-1")));
    close(left);
    QVERIFY(QDir().mkdir(path("interlock-lab-young"))); // being made: not yet locked
    QVERIFY(QDir().mkdir(path("interlock-lab-old")));
    const timespec longAgo[2] {{1'000'000'000, 0}, {1'000'000'000, 0}};
    QCOMPARE(utimensat(AT_FDCWD, QFile::encodeName(path("interlock-lab-old")).constData(), longAgo, 0), 0);
    QVERIFY(QDir().mkdir(path("somebody-else")));
    makeFile(path("interlock-lab-file"));

    const TestServer server; // the keeper sweeps before it starts its first server
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QVERIFY(QFileInfo::exists(path("interlock-lab-held/lock")));
    QVERIFY(QFileInfo::exists(path("interlock-lab-young")));
    QVERIFY(QFileInfo::exists(path("somebody-else")));
    QVERIFY(QFileInfo::exists(path("interlock-lab-file")));
    QVERIFY(!QFileInfo::exists(path("interlock-lab-left")));
    QVERIFY(!QFileInfo::exists(path("interlock-lab-old")));
    close(held);
}

void tst_Keeper::neverFollowsLinks()
{
    const QString outside = m_parent->filePath(QStringLiteral("outside"));
    QVERIFY(QDir().mkdir(outside));
    makeFile(outside + QStringLiteral("/file"));
    const auto isWhole = [&outside] { return QFileInfo::exists(outside + QStringLiteral("/file")); };
    // A link in the place of a lab's directory, and links in a lab's directory.
    QVERIFY(QFile::link(outside, m_parent->filePath(QStringLiteral("interlock-lab-link"))));
    auto server = std::make_unique<TestServer>();
    QVERIFY2(server->isReady(), qPrintable(server->error()));
    QVERIFY(isWhole());
    const QString directory = server->keeper().directory();
    QVERIFY(QFile::link(outside, directory + QStringLiteral("/link")));
    QVERIFY(QFile::link(outside, server->server().directory() + QStringLiteral("/link")));
    server.reset();
    QVERIFY(!QFileInfo::exists(directory));
    QVERIFY(isWhole());
}

void tst_Keeper::saysWhyThereIsNoKeeper_data()
{
    QTest::addColumn<QByteArray>("keeper");
    QTest::addColumn<QByteArray>("temporary");
    QTest::addColumn<QString>("says");
    QTest::newRow("no such program") << QByteArray("/nowhere/interlock") << QByteArray() << "/nowhere/interlock";
    QTest::newRow("ends at once") << QByteArray("/bin/true") << QByteArray() << "ended";
    QTest::newRow("does not answer") << QByteArray("silent") << QByteArray() << "did not answer within 5 s";
    QTest::newRow("no directory") << QByteArray() << QByteArray("/dev/null") << "/dev/null/interlock-lab-";
}

void tst_Keeper::saysWhyThereIsNoKeeper()
{
    QFETCH(QByteArray, keeper);
    QFETCH(QByteArray, temporary);
    QFETCH(QString, says);
    const QString silent = m_parent->filePath(QStringLiteral("silent"));
    makeFile(silent, "#!/bin/sh\nexec sleep 60\n");
    QVERIFY(QFile::setPermissions(silent, QFile::ReadOwner | QFile::ExeOwner));
    if (!keeper.isEmpty())
        qputenv("INTERLOCK_KEEPER", keeper == "silent" ? QFile::encodeName(silent) : keeper);
    const QByteArray usual = qgetenv("TMPDIR");
    if (!temporary.isEmpty()) {
        qputenv("XDG_RUNTIME_DIR", temporary);
        qputenv("TMPDIR", temporary);
    }
    QList<Result<void>> keeperSays;
    QList<Result<void>> serverSays;
    QString directory;
    {
        Keeper failing([&keeperSays](Result<void> ready) { keeperSays.append(std::move(ready)); });
        directory = failing.directory();
        PrivateServer::Options options;
        options.startLimit = 20s;
        const PrivateServer server(
            failing, options, [&serverSays](Result<void> ready) { serverSays.append(std::move(ready)); });
        QVERIFY(keeperSays.isEmpty() && serverSays.isEmpty()); // never from inside a constructor
        QTRY_VERIFY_WITH_TIMEOUT(!keeperSays.isEmpty() && !serverSays.isEmpty(), 10'000);
    }
    usual.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", usual);
    QCOMPARE(keeperSays.size(), 1);
    QCOMPARE(serverSays.size(), 1);
    QVERIFY(!keeperSays[0].ok() && !serverSays[0].ok());
    QVERIFY2(keeperSays[0].error().text.contains(says), qPrintable(keeperSays[0].error().text));
    QVERIFY(!QFileInfo::exists(directory));
    QVERIFY(processesOf(directory).isEmpty());
}

void tst_Keeper::isNoServiceForOthers()
{
    const QString directory = m_parent->filePath(QStringLiteral("interlock-lab-mine"));
    QProcess process;
    process.start(QStringLiteral(INTERLOCK_PROGRAM), {QStringLiteral("--keep-servers"), directory});
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitCode(), 64);
    QVERIFY(process.readAllStandardError().contains("own use"));
    QVERIFY(!QFileInfo::exists(directory));
}

int main(int argc, char **argv)
{
    if (const auto status = runAsKeeper(argc, argv))
        return *status;
    if (argc == 2 && qstrcmp(argv[1], "--hold-a-server") == 0)
        return holdServers(argc, argv, 1, false);
    QCoreApplication application(argc, argv);
    tst_Keeper test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_keeper.moc"
