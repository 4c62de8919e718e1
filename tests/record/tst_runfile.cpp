// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eventfields.h"
#include "engine/run/runfile.h"
#include "tests/support/randomrun.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

namespace {

// A run as run-format.md describes it, written here by hand.
const QByteArray header
    = R"({"format":"interlock run","version":1,"program":"interlock 0.1.0","started":"2026-01-02T03:04:05Z",)"
      R"("experiment":"lock-crash","preset":"safe","promise":"p","expected":"held","values":[{"name":"ttl","value":"100ms"}],)"
      R"("seed":"7","schedule":"real time","pace":1,"relay":false,"clockShim":false,"target":"","nodes":[],"lanes":[],)"
      R"("scripts":[],"checks":[{"check":"stuck-lock","arguments":[],"judges":true}],"witnesses":[]})"
      "\n";

QByteArray note(qint64 at)
{
    return "{\"at\":" + QByteArray::number(at) + ",\"event\":\"note\",\"text\":\"n" + QByteArray::number(at) + "\"}\n";
}

QByteArray last(int events)
{
    return "{\"end\":\"complete\",\"events\":" + QByteArray::number(events)
        + ",\"dropped\":0,\"duration\":5000,\"verdict\":\"held\",\"checks\":[]}\n";
}

const QByteArray three = note(1000) + note(2000) + note(3000);

Result<ReadRun> read(QByteArray bytes)
{
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    return readRun(buffer, "x.interlock.jsonl");
}

/// The event with the texts of its names instead of their numbers.
QByteArrayList spelled(const Run &run, const Event &event)
{
    QByteArrayList words {kindWord(event.kind)};
    for (int i = 0; i < eventSlots; ++i) {
        const auto slot = static_cast<EventField::Slot>(i);
        const bool isName = slot >= EventField::Slot::Lane && slot <= EventField::Slot::Detail;
        words.append(isName ? run.names.bytes(static_cast<Name>(valueOf(event, slot)))
                            : QByteArray::number(valueOf(event, slot)));
    }
    return words;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

class RunFile : public QObject
{
    Q_OBJECT

private slots:
    void writtenRunsReadBackEqual();
    void incompleteRunsStayIncomplete();
    void everyLineIsOneJsonObject();
    void namesOfMembersDependOnTheKind();
    void decisionsHoldTheirFigures();
    void decisionsKeepTheirNumbers();
    void verdictsAreStoredAsTemplateAndText();
    void refuses_data();
    void refuses();
    void refusesWhatIsNoFile();
    void readsWhatCanBeRead_data();
    void readsWhatCanBeRead();
    void anyCutLeavesARunThatIsIncomplete();
    void existingFileSurvivesAFailedWrite();
};

void RunFile::writtenRunsReadBackEqual()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.interlock.jsonl");
    for (const quint64 seed : {1, 2, 3}) {
        const Run run = randomRun(2000, seed);
        const auto written = writeRunFile(path, run, {});
        QVERIFY2(written, qPrintable(written.ok() ? QString() : written.error().text));
        const auto back = readRunFile(path);
        QVERIFY2(back, qPrintable(back.ok() ? QString() : back.error().text));
        QCOMPARE(back->problems, QStringList());
        QVERIFY(back->run.header == run.header);
        QVERIFY(back->run.isComplete);
        QCOMPARE(back->run.duration, run.duration);
        QCOMPARE(back->run.events.size(), run.events.size());
        for (size_t i = 0; i < run.events.size(); ++i)
            QCOMPARE(spelled(back->run, back->run.events[i]), spelled(run, run.events[i]));
        QVERIFY(run.decisions.size() > 100);
        QVERIFY(back->run.decisions == run.decisions);
    }
}

void RunFile::incompleteRunsStayIncomplete()
{
    Run run = randomRun(10, 4);
    run.isComplete = false;
    run.incompleteBecause = "The server was killed.";
    run.dropped = 12;
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.interlock.jsonl");
    QVERIFY(writeRunFile(path, run, {}));
    const auto back = readRunFile(path);
    QVERIFY(back);
    QCOMPARE(back->problems, QStringList());
    QVERIFY(!back->run.isComplete);
    QCOMPARE(back->run.incompleteBecause, run.incompleteBecause);
    QCOMPARE(back->run.dropped, quint64 {12});
}

void RunFile::everyLineIsOneJsonObject()
{
    const Run run = randomRun(500, 5);
    const QTemporaryDir directory;
    QVERIFY(writeRunFile(directory.filePath("run.jsonl"), run, {}));
    const QByteArray bytes = bytesOf(directory.filePath("run.jsonl"));
    QVERIFY(bytes.endsWith('\n'));
    const QByteArrayList lines = bytes.chopped(1).split('\n');
    QCOMPARE(lines.size(), 502);
    for (const QByteArray &line : lines) {
        QJsonParseError error;
        QVERIFY2(QJsonDocument::fromJson(line, &error).isObject(), (error.errorString().toUtf8() + line).constData());
    }
    const QJsonObject end = QJsonDocument::fromJson(lines.last()).object();
    QCOMPARE(end["end"].toString(), "complete");
    QCOMPARE(end["events"].toInt(), 500);
}

void RunFile::namesOfMembersDependOnTheKind()
{
    Run run;
    Event event;
    event.kind = Event::Kind::Belief;
    event.what = static_cast<quint8>(Belief::Granted);
    event.at = 30;
    event.sent = 10;
    event.answered = 20;
    event.until = 1'010;
    event.number = 33;
    event.lane = run.names.intern("A");
    event.key = run.names.intern("lock");
    event.text = run.names.intern("a1");
    event.flags = Event::Conditional;
    QCOMPARE(eventLine(run, event),
        QByteArray(R"({"at":30,"event":"belief","lane":"A","what":"granted","key":"lock","token":"a1","sent":10,)"
                   R"("answered":20,"expires":1010,"fencing":33,"conditional":true})"));
    event.what = static_cast<quint8>(Belief::Released);
    event.until = never;
    event.flags = 0;
    event.number = 1;
    QCOMPARE(eventLine(run, event),
        QByteArray(R"({"at":30,"event":"belief","lane":"A","what":"released","key":"lock","token":"a1","sent":10,)"
                   R"("answered":20,"deleted":1})"));
}

void RunFile::decisionsHoldTheirFigures()
{
    Run run;
    Event event;
    event.kind = Event::Kind::Decision;
    event.what = static_cast<quint8>(LimiterAnswer::Rejected);
    event.at = 30;
    event.sent = 10;
    event.answered = 50;
    event.until = 60;
    event.number = 1;
    event.lane = run.names.intern("A");
    event.node = run.names.intern("redis");
    event.key = run.names.intern("api");
    event.text = run.names.intern("gcra");
    run.decisions = {{}, {.cost = 2, .limit = 5, .remaining = 1, .retryAfter = 0, .resetAfter = 7, .delay = 8, .level = 9, .now = 10, .serverTime = 11, .asked = 0}};
    QCOMPARE(eventLine(run, event),
        QByteArray(R"({"at":30,"event":"decision","number":1,"lane":"A","node":"redis","what":"rejected","limiter":"gcra","key":"api",)"
                   R"("due":10,"answered":50,"resumed":60,"cost":2,"limit":5,"remaining":1,"retryAfter":0,"resetAfter":7,)"
                   R"("delay":8,"level":9,"now":10,"serverTime":11,"asked":0})"));
    event.number = 0;
    event.what = static_cast<quint8>(LimiterAnswer::Failed);
    event.answered = never;
    QCOMPARE(eventLine(run, event),
        QByteArray(R"({"at":30,"event":"decision","lane":"A","node":"redis","what":"failed","limiter":"gcra","key":"api",)"
                   R"("due":10,"resumed":60})"));
}

void RunFile::decisionsKeepTheirNumbers()
{
    // As recorded: the decision that was sent first was answered last. One line is missing.
    const auto result = read(header + R"({"at":1,"event":"decision","number":3,"what":"admitted","cost":5})" "\n"
        R"({"at":2,"event":"decision","number":1,"what":"failed","why":"3-at","probe":true})" "\n"
        R"({"at":3,"event":"decision","what":"rejected","cost":6,"retryAfter":4})" "\n" + last(4));
    QVERIFY(result);
    const Run &run = result->run;
    QVERIFY(!run.isComplete);
    QCOMPARE(run.events.size(), size_t {3});
    const std::vector<DecisionFigures> expected {{.cost = 6, .retryAfter = 4}, {}, {}, {.cost = 5}};
    QVERIFY(run.decisions == expected);
    QVERIFY(run.figures(run.events[0])->cost == 5 && run.figures(run.events[2])->cost == 6);
    QVERIFY(run.events[1].has(Event::Touched));
}

void RunFile::verdictsAreStoredAsTemplateAndText()
{
    Verdict verdict;
    verdict.judgement = Judgement::Broken;
    CheckResult check;
    check.check = "stuck-lock";
    check.judgement = Judgement::Broken;
    check.sentences = {Sentence {"no-such-template", {QString("A"), qint64 {5}, At {1'000}, For {2'000}}}};
    check.events = {2, 0};
    verdict.checks = {check};
    const QTemporaryDir directory;
    const QString path = directory.filePath("run.jsonl");
    QVERIFY(writeRunFile(path, randomRun(3, 6), verdict));
    const QJsonObject end = QJsonDocument::fromJson(bytesOf(path).chopped(1).split('\n').last()).object();
    QCOMPARE(end["verdict"].toString(), "broken");
    const QJsonObject stored = end["checks"][0].toObject();
    QCOMPARE(stored["check"].toString(), "stuck-lock");
    QCOMPARE(stored["events"].toArray(), QJsonArray({2, 0}));
    const QJsonObject sentence = stored["sentences"][0].toObject();
    QCOMPARE(sentence["id"].toString(), "no-such-template");
    QVERIFY(sentence["text"].isString());
    const QJsonArray expected {"A", 5, QJsonObject {{"at", 1'000}}, QJsonObject {{"for", 2'000}}};
    QCOMPARE(sentence["arguments"].toArray(), expected);
}

void RunFile::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("empty") << QByteArray() << QStringList {"is empty"};
    QTest::newRow("blank") << QByteArray("  \n") << QStringList {"is empty"};
    QTest::newRow("binary") << QByteArray("\x7F\x45LF\0\0\1\2", 8) << QStringList {"line 1", "binary"};
    QTest::newRow("text") << QByteArray("Dear all,\nhello\n") << QStringList {"line 1", "not JSON"};
    QTest::newRow("other JSON") << QByteArray("{\"a\":1}\n") << QStringList {"line 1", "interlock run"};
    QTest::newRow("list") << QByteArray("[1,2]\n") << QStringList {"line 1"};
    QTest::newRow("event first") << three << QStringList {"line 1"};
    QTest::newRow("later version") << QByteArray(header).replace("\"version\":1", "\"version\":37")
                                   << QStringList {"version 37", "up to 1", "newer"};
    QTest::newRow("huge version") << QByteArray(header).replace("\"version\":1", "\"version\":1e30")
                                  << QStringList {"1000000000000000019884624838656", "up to 1"};
    QTest::newRow("no version") << QByteArray(header).replace("\"version\":1,", "") << QStringList {"version"};
    QTest::newRow("version 0") << QByteArray(header).replace("\"version\":1", "\"version\":0") << QStringList {"version"};
    QTest::newRow("header cut") << header.left(50) << QStringList {"line 1", "column"};
    QTest::newRow("endless line") << QByteArray(20 << 20, 'x') << QStringList {"line 1", "16 MiB"};
}

void RunFile::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const auto result = read(bytes);
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Invalid);
    QVERIFY2(result.error().text.contains("x.interlock.jsonl"), qPrintable(result.error().text));
    for (const QString &words : said)
        QVERIFY2(result.error().text.contains(words), qPrintable(result.error().text));
}

void RunFile::refusesWhatIsNoFile()
{
    const QTemporaryDir directory;
    const auto missing = readRunFile(directory.filePath("none.jsonl"));
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, Error::Kind::Missing);
    QVERIFY(missing.error().text.contains("none.jsonl"));
    const auto folder = readRunFile(directory.path());
    QVERIFY(!folder);
    QCOMPARE(folder.error().kind, Error::Kind::Missing);
    QVERIFY(folder.error().text.contains("directory"));
}

void RunFile::readsWhatCanBeRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("events");
    QTest::addColumn<bool>("complete");
    QTest::addColumn<QStringList>("said"); ///< in the first problem; empty: there is none
    const auto row = [](const char *name, const QByteArray &bytes, int events, bool complete, const QStringList &said) {
        QTest::newRow(name) << bytes << events << complete << said;
    };
    row("whole", header + three + last(3), 3, true, {});
    row("no end of the last line", header + three + last(3).chopped(1), 3, true, {});
    row("Windows", QByteArray(header + three + last(3)).replace("\n", "\r\n"), 3, true, {});
    row("byte order mark", "\xEF\xBB\xBF" + header + three + last(3), 3, true, {});
    row("blank lines", header + "\n" + three + "\n\n" + last(3) + "\n", 3, true, {});
    row("header only", header, 0, false, {"line 1", "cut short"});
    row("last line missing", header + three, 3, false, {"line 4", "cut short"});
    row("cut inside an event", (header + three).chopped(10), 2, false, {"Line 4", "cut short"});
    row("cut inside the last line", (header + three + last(3)).chopped(10), 3, false, {"Line 5", "cut short"});
    row("one event too few", header + three + last(4), 3, false, {"4 events", "3"});
    row("one event too many", header + three + last(2), 3, false, {"2 events", "3"});
    row("broken line", header + note(1) + "{\"at\":2,\n" + note(3) + last(3), 2, false, {"Line 3", "not JSON", "column"});
    row("foreign line", header + note(1) + "{\"hello\":2}\n" + last(1), 1, false, {"Line 3", "neither"});
    row("no time", header + R"({"event":"note","text":"x"})" "\n" + last(1), 0, false, {"Line 2", "at"});
    row("time is a text", header + R"({"at":"1","event":"note"})" "\n" + last(1), 0, false, {"Line 2", "at"});
    row("time is a fraction", header + R"({"at":1.5,"event":"note"})" "\n" + last(1), 0, false, {"Line 2", "at"});
    row("time beyond 126 years", header + R"({"at":4000000000000000001,"event":"note"})" "\n" + last(1), 0, false, {"Line 2", "at"});
    row("time beyond 64 bits", header + R"({"at":99999999999999999999,"event":"note"})" "\n" + last(1), 0, false, {"Line 2", "at"});
    row("text is a number", header + R"({"at":1,"event":"note","text":5})" "\n" + last(1), 0, false, {"Line 2", "text"});
    row("unknown member", header + R"({"at":1,"event":"note","colour":{"a":[1]}})" "\n" + last(1), 1, true, {});
    row("equal members", header + R"({"at":1,"event":"note","at":2})" "\n" + last(1), 1, true, {});
    row("unknown kind", header + note(1) + R"({"at":2,"event":"vote"})" "\n" + last(2), 1, false, {"1 ×", "vote"});
    row("unknown word", header + note(1) + R"({"at":2,"event":"belief","what":"hopes"})" "\n" + last(2), 1, false, {"1 ×", "hopes"});
    row("no word", header + note(1) + R"({"at":2,"event":"belief"})" "\n" + last(2), 1, false, {"Line 3", "what"});
    const auto decision = [](const char *members) { return QByteArray(R"({"at":2,"event":"decision","what":"admitted",)") + members + "}\n"; };
    row("decision", header + decision(R"("cost":3)") + last(1), 1, true, {});
    row("decision of no answer", header + R"({"at":2,"event":"decision","cost":3})" "\n" + last(1), 0, false, {"Line 2", "what"});
    row("cost is a text", header + decision(R"("cost":"3")") + last(1), 0, false, {"Line 2", "cost"});
    row("figure of 2^52", header + decision(R"("asked":4503599627370496)") + last(1), 1, true, {});
    row("figure beyond 2^52", header + decision(R"("asked":4503599627370497)") + last(1), 0, false, {"Line 2", "asked", "4503599627370496"});
    row("number of another", header + decision(R"("cost":3)") + decision(R"("cost":4)") + last(2), 1, false, {"1 ×", "number"});
    row("number beyond reason", header + decision(R"("number":1027)") + last(1), 0, false, {"1 ×", "number"});
    row("number below 0", header + decision(R"("number":-1)") + last(1), 0, false, {"1 ×", "number"});
    row("no list of limiters", QByteArray(header).replace("\"checks\"", "\"limiters\":{},\"checks\"") + three + last(3), 3, false, {"Line 1", "limiters"});
    row("limiter without a name", QByteArray(header).replace("\"checks\"", "\"limiters\":[{\"limit\":2}],\"checks\"") + three + last(3), 3, false, {"Line 1", "name"});
    row("out of order", header + note(3) + note(1) + note(2) + last(3), 3, true, {"Line 3", "sorted"});
    row("after the last line", header + three + last(3) + note(4), 3, false, {"Line 6", "after the last line"});
    row("no count", header + three + "{\"end\":\"complete\",\"dropped\":0,\"duration\":1}\n", 3, false, {"Line 5", "events"});
    row("binary line", header + note(1) + QByteArray("\0\1\2\n", 4) + last(1), 1, false, {"Line 3"});
    row("endless line", header + note(1) + QByteArray(40 << 20, 'x') + "\n" + note(2) + last(2), 2, false, {"Line 3", "16 MiB"});
    row("no checks in the header", QByteArray(header).replace("\"checks\"", "\"cheques\"") + three + last(3), 3, false,
        {"Line 1", "checks"});
    row("lanes of another type", QByteArray(header).replace("\"lanes\":[]", "\"lanes\":[1]") + three + last(3), 3, false,
        {"Line 1", "lanes"});
}

void RunFile::readsWhatCanBeRead()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const auto result = read(bytes);
    QVERIFY2(result, qPrintable(result.ok() ? QString() : result.error().text));
    QCOMPARE(result->run.header.experiment, "lock-crash");
    QTEST(static_cast<int>(result->run.events.size()), "events");
    QTEST(result->run.isComplete, "complete");
    QCOMPARE(result->problems.isEmpty(), said.isEmpty());
    for (const QString &words : said)
        QVERIFY2(result->problems.first().contains(words), qPrintable(result->problems.first()));
    QCOMPARE(result->run.incompleteBecause.isEmpty(), result->run.isComplete);
    for (size_t i = 1; i < result->run.events.size(); ++i)
        QVERIFY(result->run.events[i - 1].at <= result->run.events[i].at);
}

void RunFile::anyCutLeavesARunThatIsIncomplete()
{
    const QByteArray whole = header + three + last(3);
    for (qsizetype length = header.size() - 1; length < whole.size() - 1; ++length) {
        const auto result = read(whole.left(length));
        QVERIFY(result);
        QVERIFY2(!result->run.isComplete, QByteArray::number(length).constData());
    }
}

void RunFile::existingFileSurvivesAFailedWrite()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("sub/run.jsonl");
    const auto written = writeRunFile(path, randomRun(3, 7), {});
    QVERIFY(!written);
    QVERIFY2(written.error().text.contains(path), qPrintable(written.error().text));
    QVERIFY(QDir(directory.path()).isEmpty());
}

QTEST_GUILESS_MAIN(RunFile)
#include "tst_runfile.moc"
