// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "tests/support/limiterruns.h"
#include "tests/support/pictures.h"
#include "tests/support/sampleruns.h"
#include "widgets/scenes.h"
#include "widgets/theme.h"
#include "widgets/verdictbar.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>

using namespace interlock;
using namespace interlock::samples;

class TestScenes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameRunGivesTheSameBytes_data();
    void sameRunGivesTheSameBytes();
    void svgSaysTheVerdictAndNamesTheLanes();
    void overlapsAreNamedAtTheUsualSize();
    void theVerdictIsWholeAtTheUsualSize();
    void theLegendNamesOnlyMarksThatAreDrawn();
    void onlyABrokenPromiseIsVermilion();
    void theLegendTellsHoldsFromPauses_data();
    void theLegendTellsHoldsFromPauses();
    void phasesAreNamedWhereThereIsRoom();
    void allTextIsInsideAndLargeEnough_data();
    void allTextIsInsideAndLargeEnough();
    void resolutionChangesPixelsOnly();
    void waitsAreDrawnAsDots();
    void waitsAreData();
    void csvIsQuoted();
    void jsonHasEveryEvent();
    void tablesHoldTheFiguresOfDecisions();
    void sizesAreRead_data();
    void sizesAreRead();
    void whatCannotBeDrawnIsRefused_data();
    void whatCannotBeDrawnIsRefused();
    void leavesNoFileBehindWhenRefused();

private:
    static Run fourWaits();
    QString timelineWords(const Run &run, const ExportOptions &options = {})
    {
        return wordsOf(m_pictures.exported(run, QStringLiteral("timeline"), QStringLiteral("svg"), options));
    }

    Pictures m_pictures;
};

void TestScenes::sameRunGivesTheSameBytes_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("suffix");
    for (const char *view : {"timeline", "table", "waits"}) {
        for (const char *suffix : {"svg", "png", "csv", "json"}) {
            if (formatsOf(view).contains(suffix))
                QTest::addRow("%s as %s", view, suffix) << view << suffix;
        }
    }
}

void TestScenes::sameRunGivesTheSameBytes()
{
    QFETCH(QString, view);
    QFETCH(QString, suffix);
    const QByteArray first = m_pictures.exported(contention(3, 4), view, suffix);
    QVERIFY(first.size() > 200);
    QCOMPARE(m_pictures.exported(contention(3, 4), view, suffix), first);
    QVERIFY(m_pictures.exported(contention(4, 4), view, suffix) != first);
}

void TestScenes::svgSaysTheVerdictAndNamesTheLanes()
{
    const Run run = releaseBreak();
    const QByteArray svg = m_pictures.exported(run, QStringLiteral("timeline"), QStringLiteral("svg"), {.millimetres = {300, 170}});
    QString words;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::Characters)
            words += reader.text().toString() + QLatin1Char(' ');
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    const VerdictTexts said = verdictTexts(run, judge(run));
    QVERIFY(!said.sentence.isEmpty());
    for (const QString &expected : {said.word, said.sentence, run.header.promise, QStringLiteral("as redis says"), QStringLiteral("two owners · 496 ms"),
             QStringLiteral("two owners · 892 ms"), QStringLiteral("DEL by A"), QStringLiteral("expired"), QStringLiteral("7f3a (A)"), QStringLiteral("holds · token 7f3a")})
        QVERIFY2(words.simplified().contains(expected), qPrintable(expected + QStringLiteral(" is missing in ") + words.simplified()));
}

void TestScenes::overlapsAreNamedAtTheUsualSize()
{
    const QString words = timelineWords(releaseBreak());
    QVERIFY2(words.contains(QStringLiteral("two owners · 496 ms")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("two owners · 892 ms")), qPrintable(words));
}

void TestScenes::theVerdictIsWholeAtTheUsualSize()
{
    for (const Run &run : {releaseBreak(), releaseSafe()}) {
        const VerdictTexts said = verdictTexts(run, judge(run));
        QVERIFY(!said.cause.isEmpty());
        const QString words = timelineWords(run);
        QVERIFY2(words.contains(said.sentence), qPrintable(words));
        QVERIFY2(words.contains(said.cause), qPrintable(words));
    }
}

void TestScenes::theLegendNamesOnlyMarksThatAreDrawn()
{
    // Twelve lanes on a low picture leave no room below the bars.
    const Run crowded = contention(12, 2);
    QVERIFY(timelineWords(crowded, {.millimetres = {160, 250}}).contains(QStringLiteral("release removed the key")));
    QVERIFY(!timelineWords(crowded, {.millimetres = {160, 70}}).contains(QStringLiteral("release removed the key")));
}

void TestScenes::onlyABrokenPromiseIsVermilion()
{
    // Both runs have A and B at work together for 496 ms; in one of them nobody removed another's lock.
    const QByteArray vermilion = Theme::print().broken.name().toLatin1();
    const QByteArray broken = m_pictures.exported(releaseBreak(), QStringLiteral("timeline"), QStringLiteral("svg"));
    const QByteArray held = m_pictures.exported(releaseSafe(), QStringLiteral("timeline"), QStringLiteral("svg"));
    QCOMPARE(judge(releaseSafe()).judgement, Judgement::Held);
    QVERIFY(broken.contains(vermilion));
    QVERIFY(!held.contains(vermilion));
    QVERIFY(timelineWords(releaseSafe()).contains(QStringLiteral("two at work · 496 ms")));
    QVERIFY(!timelineWords(releaseSafe()).contains(QStringLiteral("two owners")));
}

void TestScenes::theLegendTellsHoldsFromPauses_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("other");
    QTest::newRow("hold") << QByteArray("hold") << "held at a point" << "paused";
    QTest::newRow("pause") << QByteArray("pause") << "paused" << "held at a point";
}

void TestScenes::theLegendTellsHoldsFromPauses()
{
    QFETCH(QByteArray, fault);
    QFETCH(QString, named);
    QFETCH(QString, other);
    RunBuilder story(QStringLiteral("lock-release"), QStringLiteral("safe"));
    story.actor(QStringLiteral("A"));
    story.fault(fault, 200, 400, "A");
    const QString words = timelineWords(story.finish(1000));
    QVERIFY2(words.contains(named), qPrintable(words));
    QVERIFY2(!words.contains(other), qPrintable(words));
}

void TestScenes::phasesAreNamedWhereThereIsRoom()
{
    RunBuilder story(QStringLiteral("lock-release"), QStringLiteral("safe"));
    story.actor(QStringLiteral("A")).node(QStringLiteral("redis"), QStringLiteral("lock"));
    story.phase(100, "A takes the lock.");
    story.phase(1500, "A releases it.");
    story.command(110, "A", "SET lock 7f3a NX PX 1000", "OK", ReplyType::Status);
    const Run run = story.finish(3000);
    const QString words = timelineWords(run, {.millimetres = {300, 170}});
    QVERIFY2(words.contains(QStringLiteral("A takes the lock.")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("A releases it.")), qPrintable(words));
    QVERIFY(!timelineWords(run, {.millimetres = {100, 50}}).contains(QStringLiteral("A takes")));
}

void TestScenes::allTextIsInsideAndLargeEnough_data()
{
    QTest::addColumn<Run>("run");
    QTest::addColumn<QString>("view");
    QTest::addColumn<QSizeF>("millimetres");
    QTest::newRow("release, usual size") << releaseBreak() << "timeline" << QSizeF(160, 90);
    QTest::newRow("release, narrow") << releaseBreak() << "timeline" << QSizeF(80, 100);
    QTest::newRow("fencing, large") << fencing() << "timeline" << QSizeF(320, 180);
    QTest::newRow("50 clients") << contention(50, 3) << "timeline" << QSizeF(160, 90);
    QTest::newRow("waits, usual size") << contention(5, 3) << "waits" << QSizeF(160, 90);
    QTest::newRow("waits, narrow") << contention(5, 3) << "waits" << QSizeF(80, 100);
    QTest::newRow("waits of 50 clients") << contention(50, 3) << "waits" << QSizeF(160, 90);
    const Run eight = eightLimiters(boundaryBurst());
    QTest::newRow("limiters, usual size") << eight << "limiters" << QSizeF(160, 90);
    QTest::newRow("limiters, narrow") << eight << "limiters" << QSizeF(90, 120);
    QTest::newRow("limiters, large") << eight << "limiters" << QSizeF(320, 240);
    QTest::newRow("a defect and its twin") << flooredBucket() << "limiters" << QSizeF(160, 90);
    QTest::newRow("figures of limiters, usual size") << eight << "limiter-table" << QSizeF(160, 90);
    QTest::newRow("figures of limiters, large") << eight << "limiter-table" << QSizeF(300, 200);
    QTest::newRow("figures of limiters, narrow") << eight << "limiter-table" << QSizeF(90, 200);
    QTest::newRow("waits of 50 clients, narrow") << contention(50, 3) << "waits" << QSizeF(80, 60);
}

void TestScenes::allTextIsInsideAndLargeEnough()
{
    QFETCH(Run, run);
    QFETCH(QString, view);
    QFETCH(QSizeF, millimetres);
    verifyTextsAreInside(m_pictures.exported(run, view, QStringLiteral("svg"), {.millimetres = millimetres}), millimetres);
}

void TestScenes::resolutionChangesPixelsOnly()
{
    const QImage low = QImage::fromData(m_pictures.exported(fencing(), QStringLiteral("timeline"), QStringLiteral("png"), {.dpi = 96}));
    const QImage high = QImage::fromData(m_pictures.exported(fencing(), QStringLiteral("timeline"), QStringLiteral("png"), {.dpi = 192}));
    QCOMPARE(low.size(), QSize(605, 340));
    QCOMPARE(high.size(), QSize(1209, 680));
    const QImage scaled = high.scaled(low.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    qint64 different = 0;
    for (int y = 0; y < low.height(); ++y) {
        for (int x = 0; x < low.width(); ++x)
            different += std::abs(qGray(low.pixel(x, y)) - qGray(scaled.pixel(x, y))) > 96;
    }
    QVERIFY2(different < low.width() * low.height() / 50, qPrintable(QString::number(different)));
}

/// A waits 100, 200 and 300 ms, B 50 ms; so a dot each, A's median is 200 ms and its longest wait its 99th percentile.
Run TestScenes::fourWaits()
{
    RunBuilder run(QStringLiteral("lock-contention"), QStringLiteral("safe"));
    run.actor(QStringLiteral("A")).actor(QStringLiteral("B")).node(QStringLiteral("redis"), "lock");
    for (const int wait : {100, 200, 300}) {
        run.belief(Belief::Wants, wait * 10, "A", "a");
        run.command(wait * 10 + 1, "A", "SET lock a NX PX 500", "OK", ReplyType::Status, 1);
        run.belief(Belief::Granted, wait * 11, "A", "a", 9000);
        run.belief(Belief::Released, wait * 11 + 5, "A", "a");
    }
    run.belief(Belief::Wants, 4000, "B", "b");
    run.belief(Belief::Granted, 4050, "B", "b", 9000);
    return run.finish(5000);
}

void TestScenes::waitsAreDrawnAsDots()
{
    const QByteArray svg = m_pictures.exported(fourWaits(), QStringLiteral("waits"), QStringLiteral("svg"), {.millimetres = {300, 100}});
    QStringList words;
    int dots = 0;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        dots += reader.name() == QLatin1String("circle") || reader.name() == QLatin1String("ellipse");
        if (reader.name() == QLatin1String("text"))
            words.append(reader.readElementText().trimmed());
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    const QString all = words.join(QLatin1Char('\n'));
    QCOMPARE(dots, 4);
    QVERIFY2(words.contains(QStringLiteral("3 × · median 200 ms · p99 300 ms · 1.0 commands each")), qPrintable(all));
    QVERIFY2(words.contains(QStringLiteral("1 × · median 50 ms · p99 50 ms · 0.0 commands each")), qPrintable(all));
    // Jain's index of 3 and 1 acquisitions: (3 + 1)² / (2 (9 + 1)).
    QVERIFY2(all.contains(QStringLiteral("Fairness of acquisitions 0.80")), qPrintable(all));
}

void TestScenes::waitsAreData()
{
    const QList<QByteArray> lines = m_pictures.exported(fourWaits(), QStringLiteral("waits"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines.at(0), QByteArray("client,lock,acquisitions,gave up,attempts,commands,least ms,median ms,p99 ms,most ms\r"));
    QCOMPARE(lines.at(1), QByteArray("A,lock,3,0,3,3,100.000,200.000,300.000,300.000\r"));
    QCOMPARE(lines.at(2), QByteArray("B,lock,1,0,1,0,50.000,50.000,50.000,50.000\r"));
    const QJsonArray clients = QJsonDocument::fromJson(m_pictures.exported(fourWaits(), QStringLiteral("waits"), QStringLiteral("json"))).array();
    QCOMPARE(clients.size(), 2);
    QCOMPARE(clients.first().toObject().value(QLatin1String("waitsMs")).toArray(), (QJsonArray {100.0, 200.0, 300.0}));
}

void TestScenes::csvIsQuoted()
{
    RunBuilder run(QStringLiteral("lock-release"), QStringLiteral("break"));
    run.actor(QStringLiteral("A"));
    run.command(1604, "A", "SET lock \"a, b\"", "OK", ReplyType::Status, 2);
    const QList<QByteArray> lines = m_pictures.exported(run.finish(1700), QStringLiteral("table"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines.at(0), QByteArray("Time,Who,Command,Answer,Note\r"));
    QCOMPARE(lines.at(1), QByteArray("1.604,A,\"SET lock \"\"a, b\"\"\",OK,after 2 ms\r"));
}

void TestScenes::jsonHasEveryEvent()
{
    const Run run = releaseBreak();
    const QJsonArray events = QJsonDocument::fromJson(m_pictures.exported(run, QStringLiteral("table"), QStringLiteral("json"))).array();
    QCOMPARE(size_t(events.size()), run.events.size());
    QCOMPARE(events.first().toObject().value(QLatin1String("time")).toDouble(), 0.1);
    QCOMPARE(events.first().toObject().value(QLatin1String("who")).toString(), QStringLiteral("A"));
}

void TestScenes::tablesHoldTheFiguresOfDecisions()
{
    RunBuilder builder(QStringLiteral("limiter-windows"), QStringLiteral("safe"));
    builder.actor(QStringLiteral("A"));
    builder.phase(0, "Burst");
    builder.decision(10, "A", "gcra", LimiterAnswer::Rejected, {.cost = 3, .limit = 5, .remaining = 2, .retryAfter = 1'000, .now = 7, .serverTime = 8});
    const Run run = builder.finish(20);
    const QList<QByteArray> lines = m_pictures.exported(run, QStringLiteral("table"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines.at(0), QByteArray("Time,Who,Command,Answer,Note,limiter,key,cost,limit,remaining,retryAfter,resetAfter,delay,level,now,serverTime,asked\r"));
    QCOMPARE(lines.at(1).count(','), 16);
    QCOMPARE(lines.at(2), QByteArray("0.010,A,gcra asks api for 3,rejected,again in 1 ms,gcra,api,3,5,2,1000,0,0,0,7,8,\r"));
    const QJsonArray events = QJsonDocument::fromJson(m_pictures.exported(run, QStringLiteral("table"), QStringLiteral("json"))).array();
    QVERIFY(!events.at(0).toObject().contains(QLatin1String("limiter")));
    const QJsonObject decision = events.at(1).toObject();
    QCOMPARE(decision.value(QLatin1String("limiter")).toString(), QStringLiteral("gcra"));
    QCOMPARE(decision.value(QLatin1String("retryAfter")).toInt(), 1'000);
    QVERIFY(!decision.contains(QLatin1String("asked")));
}

void TestScenes::sizesAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isUsable");
    QTest::addColumn<QSizeF>("size");
    QTest::newRow("usual") << "160x90mm" << true << QSizeF(160, 90);
    QTest::newRow("without unit, with decimals") << "85.5x60" << true << QSizeF(85.5, 60);
    QTest::newRow("too small") << "10x90mm" << false << QSizeF();
    QTest::newRow("too large") << "160x9000mm" << false << QSizeF();
    QTest::newRow("one number") << "160mm" << false << QSizeF();
    QTest::newRow("empty") << "" << false << QSizeF();
}

void TestScenes::sizesAreRead()
{
    QFETCH(QString, text);
    QFETCH(bool, isUsable);
    QFETCH(QSizeF, size);
    const Result<QSizeF> result = parseSize(text);
    QCOMPARE(result.ok(), isUsable);
    if (isUsable)
        QCOMPARE(*result, size);
    else
        QVERIFY(result.error().kind == Error::Kind::Invalid && !result.error().text.isEmpty());
}

void TestScenes::whatCannotBeDrawnIsRefused_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("dpi");
    QTest::newRow("unknown view") << "pie" << "x.svg" << 300;
    QTest::newRow("unknown format") << "timeline" << "x.gif" << 300;
    QTest::newRow("no suffix") << "timeline" << "x" << 300;
    QTest::newRow("resolution out of range") << "timeline" << "x.png" << 5;
    QTest::newRow("folder that does not exist") << "timeline" << "missing/x.png" << 300;
}

void TestScenes::whatCannotBeDrawnIsRefused()
{
    QFETCH(QString, view);
    QFETCH(QString, file);
    QFETCH(int, dpi);
    const Run run = releaseBreak();
    const Result<void> result = exportView(run, judge(run), view, m_pictures.path(file), {.dpi = dpi});
    QVERIFY(!result);
    QVERIFY(!result.error().text.isEmpty());
    QVERIFY(!QFile::exists(m_pictures.path(file)));
}

void TestScenes::leavesNoFileBehindWhenRefused()
{
    const Run run = releaseBreak();
    const QString path = m_pictures.path(QStringLiteral("huge.png"));
    QVERIFY(!exportView(run, judge(run), QStringLiteral("timeline"), path, {.millimetres = {2000, 2000}, .dpi = 1200}));
    QVERIFY(!QFile::exists(path));
}

QTEST_MAIN(TestScenes)
#include "tst_scenes.moc"
