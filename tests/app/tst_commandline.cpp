// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"
#include "engine/run/runfile.h"
#include "tests/support/program.h"
#include "tests/support/randomrun.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace interlock;

namespace {

QJsonObject object(const QByteArray &line)
{
    return QJsonDocument::fromJson(line).object();
}

QByteArrayList lines(const QByteArray &bytes)
{
    return bytes.trimmed().split('\n');
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Whether any thread of the process has started another.
bool hasChild(qint64 process)
{
    const QDir threads(QString("/proc/%1/task").arg(process));
    const QStringList names = threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::any_of(names.begin(), names.end(),
        [&](const QString &thread) { return !bytesOf(threads.filePath(thread + "/children")).trimmed().isEmpty(); });
}

void write(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

}

class CommandLine : public QObject
{
    Q_OBJECT

private slots:
    void wrongUsageIsSaid_data();
    void wrongUsageIsSaid();
    void helpNamesEveryOption();
    void passwordsAreNotEchoed();
    void listNamesEveryExperiment();
    void aBrokenPromiseIsToldAndKept();
    void expectationDecidesTheStatus();
    void theSameSeedIsInTheRecord();
    void unwritableOutputIsSaidBeforeTheRun();
    void aTargetThatDoesNotAnswerIsSaid();
    void interruptionLeavesARecord();
    void filesThatCannotBeJudged_data();
    void filesThatCannotBeJudged();
    void aCutFileIsNeverHeld();
    void aRecordedRunIsDrawn();
    void theWindowNeedsADisplay();
    void doctorTellsLineByLine();
};

void CommandLine::wrongUsageIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const QStringList &arguments, const char *said) {
        QTest::newRow(name) << arguments << said;
    };
    row("unknown command", {"lst"}, "list");
    row("unknown option", {"list", "--jsn"}, "--jsn");
    row("no experiment", {"run"}, "ID");
    row("unknown experiment", {"run", "lock-relase"}, "lock-release");
    row("unknown preset", {"run", "lock-release", "--preset", "brake"}, "break");
    row("empty preset", {"run", "lock-release", "--preset", ""}, "--preset");
    row("unknown value", {"run", "lock-crash", "--set", "colour=red"}, "colour");
    row("nothing set", {"run", "lock-crash", "--set", "ttl"}, "NAME=VALUE");
    row("seed is a word", {"run", "lock-crash", "--seed", "many"}, "seed");
    row("negative seed", {"run", "lock-crash", "--seed", "-1"}, "seed");
    row("pace of zero", {"run", "lock-crash", "--pace", "0"}, "pace");
    row("pace too high", {"run", "lock-crash", "--pace", "11"}, "pace");
    row("pace is no number", {"run", "lock-crash", "--pace", "nan"}, "pace");
    row("no such verdict", {"run", "lock-crash", "--expect", "maybe"}, "held");
    row("target is no address", {"run", "lock-crash", "--target", "http://localhost"}, "http");
    row("sentinels without a name", {"run", "lock-crash", "--target", "sentinel://localhost:26379"}, "does not name the primary");
    row("no sentinel", {"run", "lock-crash", "--target", "sentinel:///mymaster"}, "lacks a sentinel");
    row("user of sentinels without a password", {"run", "lock-crash", "--target", "sentinel://localhost:26379/mymaster?sentinel-user=watcher"}, "sentinel-password");
    row("no file to check", {"check"}, "FILE");
    row("no view", {"export", "x.jsonl", "--out", "x.svg"}, "--view");
    row("dpi out of range", {"export", "x.jsonl", "--view", "timeline", "--out", "x.png", "--dpi", "5"}, "--dpi");
    row("no such theme", {"export", "x.jsonl", "--view", "timeline", "--out", "x.png", "--theme", "pink"}, "--theme");
    row("size is no size", {"export", "x.jsonl", "--view", "timeline", "--out", "x.png", "--size", "big"}, "big");
}

void CommandLine::wrongUsageIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Ended ended = call(arguments);
    QCOMPARE(ended.status, 64);
    QVERIFY(ended.out.isEmpty());
    QVERIFY2(QString::fromUtf8(ended.err).contains(said), ended.err);
}

void CommandLine::helpNamesEveryOption()
{
    const Ended all = call({"--help"});
    QCOMPARE(all.status, 0);
    for (const char *command : {"list", "run", "check", "export", "tour", "doctor"}) {
        QVERIFY2(all.out.contains(command), command);
        QCOMPARE(call({command, "--help"}).status, 0);
    }
    const QByteArray run = call({"run", "--help"}).out;
    for (const char *option : {"--preset", "--set", "--seed", "--pace", "--target", "--out", "--json", "--expect"})
        QVERIFY2(run.contains(option), option);
    for (const char *address : {"redis://", "unix:", "sentinel://", "sentinel-user=", "sentinel-password="})
        QVERIFY2(run.contains(address), address);
    const Ended version = call({"--version"});
    QCOMPARE(version.status, 0);
    QVERIFY(version.out.startsWith("interlock "));
}

void CommandLine::passwordsAreNotEchoed()
{
    const QString secret = "redis://user:s3cret@127.0.0.1:1";
    const QString sentinels = "sentinel://user:s3cret@127.0.0.1:1/mymaster?sentinel-user=watcher&sentinel-password=s3cret";
    for (const QStringList &arguments : {QStringList {"run", "lock-crash", "--target", secret},
             QStringList {"run", "lock-crash", secret}, QStringList {"run", "lock-crash", "--target", secret + "/x"},
             QStringList {secret}, QStringList {"list", secret}, QStringList {"run", "lock-crash", "--target", sentinels},
             QStringList {"run", "lock-crash", sentinels}, QStringList {"run", "lock-crash", "--target", sentinels + "&db=x"}, QStringList {"list", sentinels}}) {
        const Ended ended = call(arguments);
        QVERIFY(ended.status == 2 || ended.status == 64);
        QVERIFY2(!ended.err.contains("s3cret") && !ended.out.contains("s3cret"), ended.err);
    }
}

void CommandLine::listNamesEveryExperiment()
{
    const Ended ended = call({"list", "--json"});
    QCOMPARE(ended.status, 0);
    const QByteArrayList all = lines(ended.out);
    QCOMPARE(static_cast<size_t>(all.size()), experiments::all().size());
    for (const QByteArray &line : all) {
        const QJsonObject one = object(line);
        const Experiment *experiment = experiments::find(one["experiment"].toString());
        QVERIFY2(experiment, line);
        QCOMPARE(one["presets"].toArray().size(), experiment->presets.size());
        QCOMPARE(one["parameters"].toArray().size(), experiment->parameters.size());
        QCOMPARE(one[experiments::onlyMeasures(*experiment) ? "measures" : "promise"].toString(), experiment->promise);
        QCOMPARE(one["promise"].toString().isEmpty(), !one["measures"].toString().isEmpty());
    }
    const Ended people = call({"list"});
    QCOMPARE(people.status, 0);
    for (const Experiment &experiment : experiments::all()) {
        QVERIFY(people.out.contains(experiment.id.toUtf8()));
        QVERIFY(people.out.contains((experiments::onlyMeasures(experiment) ? "measures: " : "promise: ") + experiment.promise.toUtf8()));
    }
}

void CommandLine::aBrokenPromiseIsToldAndKept()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.interlock.jsonl");
    const Ended ended = call({"run", "lock-crash", "--preset", "break", "--json", "--out", path});
    QVERIFY2(ended.status == 1, ended.err);
    const QByteArrayList printed = lines(ended.out);
    QCOMPARE(object(printed.first())["format"].toString(), "interlock run");
    QCOMPARE(object(printed.first())["experiment"].toString(), "lock-crash");
    for (const QByteArray &line : printed.mid(1, printed.size() - 2))
        QVERIFY2(!object(line)["event"].toString().isEmpty(), line);
    const QJsonObject verdict = object(printed.last());
    QCOMPARE(verdict["experiment"].toString(), "lock-crash");
    QCOMPARE(verdict["preset"].toString(), "break");
    QCOMPARE(verdict["verdict"].toString(), "broken");
    QVERIFY(!verdict["checks"][0]["sentence"].toString().isEmpty());

    // The file holds the same lines, and its events alone give the same verdict.
    QCOMPARE(lines(bytesOf(path)).mid(0, printed.size() - 1), printed.mid(0, printed.size() - 1));
    const Ended checked = call({"check", path, "--json"});
    QVERIFY2(checked.status == 1, checked.err);
    QCOMPARE(object(checked.out), verdict);
    write(path, bytesOf(path).replace("\"verdict\":\"broken\"", "\"verdict\":\"held\""));
    QCOMPARE(call({"check", path}).status, 1);
}

void CommandLine::expectationDecidesTheStatus()
{
    QCOMPARE(call({"run", "lock-crash", "--preset", "break", "--expect", "broken"}).status, 0);
    QCOMPARE(call({"run", "lock-crash", "--preset", "break", "--expect", "held"}).status, 1);
    const Ended safe = call({"run", "lock-crash", "--preset", "safe"});
    QCOMPARE(safe.status, 0);
    QVERIFY2(safe.out.startsWith("held: "), safe.out);
}

void CommandLine::theSameSeedIsInTheRecord()
{
    const Ended ended = call({"run", "lock-crash", "--preset", "safe", "--seed", "42", "--json"});
    QCOMPARE(object(lines(ended.out).first())["seed"].toString(), "42");
    QCOMPARE(object(lines(ended.out).first())["pace"].toDouble(), 0.1);
}

void CommandLine::unwritableOutputIsSaidBeforeTheRun()
{
    const QTemporaryDir directory;
    for (const QString &path : {directory.filePath("none/run.jsonl"), directory.path(), QString("/proc/none/run.jsonl")}) {
        const Ended ended = call({"run", "lock-crash", "--preset", "break", "--json", "--out", path});
        QCOMPARE(ended.status, 2);
        QVERIFY(ended.out.isEmpty()); // nothing ran
        QVERIFY2(ended.err.contains(path.toUtf8()), ended.err);
    }
    QVERIFY(QDir(directory.path()).isEmpty());
}

void CommandLine::aTargetThatDoesNotAnswerIsSaid()
{
    const Ended ended = call({"run", "lock-contention", "--preset", "safe", "--target", "127.0.0.1:1"});
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.err.contains("127.0.0.1:1"), ended.err);
    const Ended ofSentinels = call({"run", "lock-contention", "--preset", "safe", "--target", "sentinel://127.0.0.1:1,127.0.0.1:2/mymaster"});
    QCOMPARE(ofSentinels.status, 2);
    for (const char *said : {"mymaster", "127.0.0.1:1", "127.0.0.1:2"})
        QVERIFY2(ofSentinels.err.contains(said), ofSentinels.err);
}

void CommandLine::interruptionLeavesARecord()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.jsonl");
    const auto process = started({"run", "lock-crash", "--preset", "break", "--pace", "10", "--out", path});
    // The signal must come after the program has begun to listen for it: its keeper shows that.
    QTRY_VERIFY_WITH_TIMEOUT(hasChild(process->processId()), programLimit);
    ::kill(static_cast<pid_t>(process->processId()), SIGTERM);
    const Ended ended = end(*process);
    QCOMPARE(ended.status, 2);
    if (!QFile::exists(path)) {
        // It was stopped before time zero: then there is no record, and that is said.
        QVERIFY(!ended.err.isEmpty());
        return;
    }
    const auto read = readRunFile(path);
    QVERIFY(read);
    QVERIFY(!read->run.isComplete);
}

void CommandLine::filesThatCannotBeJudged_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("binary") << QByteArray("\0\1\2\3", 4) << "binary";
    QTest::newRow("text") << QByteArray("hello\n") << "line 1";
    QTest::newRow("later version") << QByteArray("{\"format\":\"interlock run\",\"version\":2}\n") << "version 2";
}

void CommandLine::filesThatCannotBeJudged()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.jsonl");
    write(path, bytes);
    for (const QStringList &arguments :
        {QStringList {"check", path}, QStringList {"export", path, "--view", "timeline", "--out", directory.filePath("x.svg")}}) {
        const Ended ended = call(arguments);
        QCOMPARE(ended.status, 2);
        QVERIFY2(QString::fromUtf8(ended.err).contains(said), ended.err);
    }
    QVERIFY(!QFile::exists(directory.filePath("x.svg")));
    QCOMPARE(call({"check", directory.filePath("none.jsonl")}).status, 2);
    QCOMPARE(call({"check", directory.path()}).status, 2);
}

void CommandLine::aCutFileIsNeverHeld()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.jsonl");
    const Ended whole = call({"run", "lock-crash", "--preset", "safe", "--out", path});
    QVERIFY2(whole.status == 0, whole.err);
    const QByteArray bytes = bytesOf(path);
    for (const qsizetype length : {bytes.size() - 5, bytes.size() / 2}) {
        write(path, bytes.left(length));
        const Ended ended = call({"check", path, "--json"});
        QVERIFY(ended.status == 1 || ended.status == 2);
        QVERIFY(object(ended.out)["verdict"].toString() != "held");
        QVERIFY2(ended.err.contains("cut short"), ended.err);
    }
}

void CommandLine::aRecordedRunIsDrawn()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.jsonl");
    QCOMPARE(call({"run", "lock-crash", "--preset", "safe", "--out", path}).status, 0);
    for (const char *name : {"a.svg", "b.svg", "a.png", "b.png", "a.pdf", "b.pdf"}) {
        const Ended ended = call({"export", path, "--view", "timeline", "--out", directory.filePath(name)});
        QVERIFY2(ended.status == 0 && ended.err.isEmpty(), ended.err);
    }
    QVERIFY(bytesOf(directory.filePath("a.svg")).contains("<svg"));
    QVERIFY(bytesOf(directory.filePath("a.png")).startsWith("\x89PNG"));
    QCOMPARE(bytesOf(directory.filePath("a.svg")), bytesOf(directory.filePath("b.svg")));
    QCOMPARE(bytesOf(directory.filePath("a.png")), bytesOf(directory.filePath("b.png")));
    QCOMPARE(bytesOf(directory.filePath("a.pdf")), bytesOf(directory.filePath("b.pdf")));
    QCOMPARE(call({"export", path, "--view", "nothing", "--out", directory.filePath("c.svg")}).status, 64);
    QCOMPARE(call({"export", path, "--view", "timeline", "--out", directory.filePath("c.bmp")}).status, 64);
    QCOMPARE(call({"export", path, "--view", "timeline", "--out", directory.filePath("none/c.svg")}).status, 2);
    // What can be read of a damaged file is drawn, and the status says that it was damaged.
    write(path, bytesOf(path).chopped(20));
    QCOMPARE(call({"export", path, "--view", "timeline", "--out", directory.filePath("cut.svg")}).status, 2);
    QVERIFY(QFile::exists(directory.filePath("cut.svg")));
}

void CommandLine::theWindowNeedsADisplay()
{
    const Ended ended = call({});
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.err.contains("display"), ended.err);
}

void CommandLine::doctorTellsLineByLine()
{
    const Ended ended = call({"doctor", "--json"});
    QVERIFY2(ended.status == 0, ended.out);
    const QByteArrayList findings = lines(ended.out);
    QVERIFY(findings.size() >= 3);
    for (const QByteArray &line : findings)
        QVERIFY2(!object(line)["id"].toString().isEmpty(), line);
}

QTEST_GUILESS_MAIN(CommandLine)
#include "tst_commandline.moc"
