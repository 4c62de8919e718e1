// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets of runs on the command line: what is printed, what is written, and what is said when that does not work.
#include "engine/run/runfile.h"
#include "engine/run/setfiles.h"
#include "tests/support/descendants.h"
#include "tests/support/program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace interlock;

namespace {

constexpr int setLimit = 240'000; // ms; a run takes about 4 s where nothing else is done

QJsonObject object(const QByteArray &line)
{
    return QJsonDocument::fromJson(line).object();
}

QStringList statistics(int runs, const QStringList &more = {})
{
    return QStringList {"run", "failover-lock-loss", "--preset", "statistics", "--set", QStringLiteral("runs=%1").arg(runs)} + more;
}

Ended callSet(const QStringList &arguments)
{
    return end(*started(arguments), setLimit);
}

QStringList entries(const QString &directory)
{
    return QDir(directory).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

}

class TestSetCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSetIsPrintedAndKeptWithItsRuns();
    void aCurveIsPrintedPointByPoint();
    void aTableIsPrintedCellByCell();
    void interruptionKeepsWhatHasEnded();
    void whatIsInTheWayIsSaidBeforeTheRun();
    void whatCannotBeWrittenLeavesNoHalfFiles();
    void aTerminalSeesHowFarItIs();
    void twoSetsRunAtOnce();
};

/// Each run's record opens and is judged as it was.
void TestSetCommand::aSetIsPrintedAndKeptWithItsRuns()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("set.interlock.jsonl");
    const Ended ended = callSet(statistics(2, {"--json", "--out", path}));
    QVERIFY2(ended.status == 0, ended.err);
    const QByteArray last = ended.out.trimmed().split('\n').last();
    const QJsonObject result = object(last);
    QCOMPARE(result["verdict"].toString(), "none");
    const QJsonArray points = result["measures"][0]["points"].toArray();
    QCOMPARE(points.size(), 1);
    QCOMPARE(points[0]["of"].toInt(), 2);
    const int lost = points[0]["y"].toInt();
    QVERIFY(lost >= 0 && lost <= 2);
    // Wilson's interval of 0, 1 and 2 of 2, on paper: 0 to z² / (n + z²), and so on.
    const double low[] {0, 0.0945, 0.3424}, high[] {0.6576, 0.9055, 1};
    QVERIFY(std::abs(points[0]["low"].toDouble() - low[lost]) < 1e-4 && std::abs(points[0]["high"].toDouble() - high[lost]) < 1e-4);

    QCOMPARE(entries(directory.path()), (QStringList {"set.interlock.jsonl", "set.interlock.jsonl.children"}));
    const QJsonArray runs = result["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    for (const QJsonValue &run : runs) {
        const QString file = run["file"].toString();
        QCOMPARE(file, path + ".children/" + run["run"].toString() + ".interlock.jsonl");
        const Result<ReadRun> read = readRunFile(file);
        QVERIFY2(read && read->problems.isEmpty() && read->run.isComplete, qPrintable(file));
        QFile record(file);
        QVERIFY(record.open(QIODevice::ReadOnly));
        const QJsonObject stored = object(record.readAll().trimmed().split('\n').last());
        const Ended checked = call({"check", file, "--json"});
        QVERIFY2(checked.status != 64, checked.err);
        QCOMPARE(object(checked.out)["verdict"], stored["verdict"]);
        QCOMPARE(object(checked.out)["checks"].toArray().size(), stored["checks"].toArray().size());
        QVERIFY(!stored["checks"].toArray().isEmpty());
    }
    const Ended checked = call({"check", path, "--json"});
    QVERIFY2(checked.status == 0, checked.err);
    QCOMPARE(object(checked.out), result);
    const Ended people = call({"check", path});
    QVERIFY2(people.out.startsWith("none: Killed after the acknowledgement: " + QByteArray::number(lost) + " of 2, "), people.out);
}

void TestSetCommand::aCurveIsPrintedPointByPoint()
{
    const Ended ended = callSet({"run", "failover-lock-loss", "--preset", "lag", "--set", "runs=1", "--set", "lag=40ms"});
    QVERIFY2(ended.status == 0, ended.err);
    for (const char *lag : {"0 ms", "10 ms", "20 ms", "30 ms", "40 ms"})
        QVERIFY2(ended.out.contains("Replication lag: " + QByteArray(lag) + " \xC2\xB7 Locks lost: "), ended.out);
    QCOMPARE(ended.out.count(" of 1, "), 5); // each with its share and its interval
    QVERIFY2(ended.err.contains("seed"), ended.err);
}

/// One row of it: four faults.
void TestSetCommand::aTableIsPrintedCellByCell()
{
    const Ended ended = callSet({"run", "failover-remedies", "--set", "remedy=none"});
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY2(ended.out.startsWith("none: Of "), ended.out);
    const QByteArrayList cells = ended.out.trimmed().split('\n').mid(1);
    QVERIFY2(cells.size() >= 3, ended.out);
    for (const QByteArray &cell : cells)
        QVERIFY2(cell.contains(" \xC2\xB7 ") && (cell.contains("lost") || cell.contains("kept") || cell.contains("refused")), cell);
}

void TestSetCommand::interruptionKeepsWhatHasEnded()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("set.interlock.jsonl");
    const auto process = started(statistics(100, {"--json", "--out", path}));
    const QString children = path + ".children";
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(children).entryList({"*.interlock.jsonl"}, QDir::Files).isEmpty(), setLimit);
    ::kill(static_cast<pid_t>(process->processId()), SIGTERM);
    const Ended ended = end(*process);
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.err.contains("The record is incomplete: The set was stopped after ") && ended.err.contains("of 100 runs."), ended.err);

    const Result<ReadRun> set = readRunFile(path);
    QVERIFY(set && set->problems.isEmpty());
    QVERIFY(!set->run.isComplete);
    const QStringList names = childrenNamedIn(set->run);
    QVERIFY(!names.isEmpty());
    QStringList files;
    for (const QString &name : names) {
        files.append(name + ".interlock.jsonl");
        const Result<ReadRun> one = readRunFile(childFile(path, name));
        QVERIFY2(one && one->problems.isEmpty() && one->run.isComplete, qPrintable(name));
    }
    files.sort();
    QCOMPARE(entries(children), files);
    const Ended checked = call({"check", path});
    QCOMPARE(checked.status, 2); // what it draws is not all there
    QVERIFY2(checked.err.contains("The set was stopped after"), checked.err);
}

void TestSetCommand::whatIsInTheWayIsSaidBeforeTheRun()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("set.interlock.jsonl");
    QFile inTheWay(path + ".children");
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const Ended ended = call(statistics(2, {"--json", "--out", path}));
    QCOMPARE(ended.status, 2);
    QVERIFY(ended.out.isEmpty()); // nothing ran
    QVERIFY2(ended.err.contains(inTheWay.fileName().toUtf8()), ended.err);
    QCOMPARE(entries(directory.path()), QStringList {"set.interlock.jsonl.children"});
}

/// No file of the program may become longer than 8 kB, as if the disk were full; those of its servers may. What is measured is printed all the same.
void TestSetCommand::whatCannotBeWrittenLeavesNoHalfFiles()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("set.interlock.jsonl");
    const auto process = started(statistics(1, {"--out", path}), {"/bin/sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"});
    QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 6, 30'000);
    const rlimit longest {8192, 8192};
    QCOMPARE(::prlimit(static_cast<pid_t>(process->processId()), RLIMIT_FSIZE, &longest, nullptr), 0);
    const Ended ended = end(*process, setLimit);
    QVERIFY2(ended.status == 2, ended.err);
    QVERIFY2(ended.err.contains((path + ".children/run-01.interlock.jsonl could not be written: ").toUtf8()), ended.err);
    QVERIFY2(ended.out.contains(" of 1, "), ended.out);
    QCOMPARE(entries(directory.path()), QStringList());
}

void TestSetCommand::aTerminalSeesHowFarItIs()
{
    int master = -1, slave = -1;
    char name[256] = {};
    QCOMPARE(::openpty(&master, &slave, name, nullptr, nullptr), 0);
    QProcess process;
    process.setStandardErrorFile(QString::fromLocal8Bit(name));
    process.start(INTERLOCK_PROGRAM, statistics(3));
    QVERIFY(process.waitForStarted());
    ::close(slave); // now that another has it open
    QByteArray seen;
    char bytes[4096];
    pollfd waiting {master, POLLIN, 0};
    for (ssize_t count = 0; ::poll(&waiting, 1, setLimit) > 0 && (count = ::read(master, bytes, sizeof bytes)) > 0;) // ends with the program
        seen.append(bytes, static_cast<qsizetype>(count));
    ::close(master);
    QVERIFY(process.waitForFinished(programLimit));
    QCOMPARE(process.exitCode(), 0);
    for (const char *expected : {"0 of 3 runs", "1 of 3 runs, about ", " s left", "3 of 3 runs", "failover-lock-loss, statistics"})
        QVERIFY2(seen.contains(expected), seen);
    QVERIFY2(process.readAllStandardOutput().startsWith("none: "), seen);
}

void TestSetCommand::twoSetsRunAtOnce()
{
    const QTemporaryDir directory;
    const QString first = directory.filePath("first.interlock.jsonl"), second = directory.filePath("second.interlock.jsonl");
    const auto one = started(statistics(2, {"--out", first}));
    const auto other = started(statistics(2, {"--out", second}));
    const Ended endedOne = end(*one, setLimit), endedOther = end(*other, setLimit);
    QVERIFY2(endedOne.status == 0, endedOne.err);
    QVERIFY2(endedOther.status == 0, endedOther.err);
    for (const QString &path : {first, second}) {
        const Result<ReadRun> set = readRunFile(path);
        QVERIFY(set && set->run.isComplete);
        QCOMPARE(childrenNamedIn(set->run).size(), 2);
        QCOMPARE(entries(path + ".children"), (QStringList {"run-01.interlock.jsonl", "run-02.interlock.jsonl"}));
    }
}

QTEST_GUILESS_MAIN(TestSetCommand)
#include "tst_setcommand.moc"
