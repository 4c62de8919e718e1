// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/limiterruns.h"
#include "tests/support/pictures.h"
#include "widgets/scenes.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>

using namespace interlock;
using namespace interlock::samples;

class TestLimiterScene : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameRunGivesTheSameBytes_data();
    void sameRunGivesTheSameBytes();
    void chartsNameLimitersAndWhatExceeded();
    void onlyWhatExceededIsVermilion();
    void twinsDifferInTheirLines();
    void nothingIsDrawnOutsideItsRow();
    void theTableIsDrawn();
    void decisionsAreData();
    void figuresAreData();

private:
    Pictures m_pictures;
};

void TestLimiterScene::sameRunGivesTheSameBytes_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("suffix");
    for (const char *view : {"limiters", "limiter-table"}) {
        for (const char *suffix : {"svg", "png", "csv", "json"})
            QTest::addRow("%s as %s", view, suffix) << view << suffix;
    }
}

void TestLimiterScene::sameRunGivesTheSameBytes()
{
    QFETCH(QString, view);
    QFETCH(QString, suffix);
    const QByteArray first = m_pictures.exported(eightLimiters(boundaryBurst()), view, suffix);
    QVERIFY(first.size() > 200);
    QCOMPARE(m_pictures.exported(eightLimiters(boundaryBurst()), view, suffix), first);
    QVERIFY(m_pictures.exported(eightLimiters(boundaryBurst(3)), view, suffix) != first);
    QVERIFY(m_pictures.exported(eightLimiters(boundaryBurst()), view, QStringLiteral("pdf")).startsWith("%PDF"));
}

void TestLimiterScene::chartsNameLimitersAndWhatExceeded()
{
    const QString words = wordsOf(m_pictures.exported(eightLimiters(boundaryBurst()), QStringLiteral("limiters"), QStringLiteral("svg"), {.millimetres = {320, 240}}));
    for (const char *expected : {"Fixed window", "Sliding log", "Sliding counter", "Token bucket", "GCRA", "most in 1 s: 20", "most in 1 s: 10", "20 in 1 s, limit 10", "limit 10",
             "admitted per 20 ms", "rejected", "window edge", "inner level", "1.0 s", "bytes/key", "368"})
        QVERIFY2(words.contains(QLatin1String(expected)), qPrintable(QLatin1String(expected) + QStringLiteral(" is missing in ") + words));
}

void TestLimiterScene::onlyWhatExceededIsVermilion()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 10, 1000);
    for (int i = 0; i < 10; ++i)
        builder.admitted("log", 100 + i);
    builder.rejected("log", 200);
    const Run held = builder.run();
    builder.admitted("log", 300);
    const Run broken = builder.finish(2000);
    const QByteArray vermilion = Theme::print().broken.name().toLatin1();
    QVERIFY(!m_pictures.exported(held, QStringLiteral("limiters"), QStringLiteral("svg")).contains(vermilion));
    QVERIFY(m_pictures.exported(broken, QStringLiteral("limiters"), QStringLiteral("svg")).contains(vermilion));
}

void TestLimiterScene::twinsDifferInTheirLines()
{
    const QByteArray svg = m_pictures.exported(flooredBucket(), QStringLiteral("limiters"), QStringLiteral("svg"), {.millimetres = {200, 110}});
    const QString words = wordsOf(svg);
    for (const char *expected : {"Refill rounded down", "over Token bucket", "correct twin", "defect", "differs from 0.700 s on"})
        QVERIFY2(words.contains(QLatin1String(expected)), qPrintable(QLatin1String(expected) + QStringLiteral(" is missing in ") + words));
    int solid = 0, dashed = 0;
    QXmlStreamReader reader(svg);
    bool isDashed = false;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("g"))
            isDashed = reader.attributes().hasAttribute(QLatin1String("stroke-dasharray"));
        if (reader.name() == QLatin1String("polyline"))
            ++(isDashed ? dashed : solid);
    }
    QVERIFY(solid >= 3 && dashed >= 3); // admitted, rejected and the trailing window of each
}

/// Boxes and lines of the charts lie between names and figures: SVG knows no clip rectangle.
void TestLimiterScene::nothingIsDrawnOutsideItsRow()
{
    const QSizeF millimetres(200, 200);
    const QSizeF size = millimetres * (96 / 25.4);
    const QByteArray svg = m_pictures.exported(eightLimiters(boundaryBurst()), QStringLiteral("limiters"), QStringLiteral("svg"), {.millimetres = millimetres});
    QXmlStreamReader reader(svg);
    int shapes = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QLatin1String("polyline"))
            continue;
        for (const QString &pair : reader.attributes().value(QLatin1String("points")).toString().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const QStringList point = pair.split(QLatin1Char(','));
            const double x = point.at(0).toDouble(), y = point.at(1).toDouble();
            QVERIFY2(x >= 0 && x <= size.width() && y >= -1 && y <= size.height(), qPrintable(pair));
        }
        ++shapes;
    }
    QVERIFY(shapes > 16);
}

void TestLimiterScene::theTableIsDrawn()
{
    const QString words = wordsOf(m_pictures.exported(eightLimiters(boundaryBurst()), QStringLiteral("limiter-table"), QStringLiteral("svg"), {.millimetres = {300, 200}}));
    for (const char *expected : {"Fixed window", "20 ÷ 10 = 2.00", "GCRA", "complexity", "O(log n)", "up to 10 in 100 ms", "80 B: one time"})
        QVERIFY2(words.contains(QString::fromUtf8(expected)), qPrintable(QString::fromUtf8(expected) + QStringLiteral(" is missing in ") + words));
}

void TestLimiterScene::decisionsAreData()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 2, 1000, {{"limit", "2"}});
    builder.decision("log", 10, LimiterAnswer::Admitted, {.cost = 2, .level = 2, .resetAfter = 1000, .latency = 1, .due = 9, .key = "a, b"});
    builder.decision("log", 20, LimiterAnswer::Rejected, {.level = 2, .retryAfter = 990, .latency = 1});
    builder.decision("log", 30, LimiterAnswer::Failed, {.latency = 1});
    const Run run = builder.finish(100);
    const QList<QByteArray> lines = m_pictures.exported(run, QStringLiteral("limiters"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines.at(0),
        QByteArray("limiter,request,sent_ns,due_ns,answered_ns,caller,key,cost,answer,limit,remaining,retry_after_us,reset_after_us,delay_us,level,now_us,server_time_us,asked_us,why\r"));
    QCOMPARE(lines.at(1), QByteArray("log,1,10000000,9000000,11000000,caller,\"a, b\",2,admitted,2,0,0,1000000,0,2,1735660800010000,1735660800010000,,\r"));
    QCOMPARE(lines.at(2), QByteArray("log,2,20000000,,21000000,caller,user,1,rejected,2,0,990000,0,0,2,1735660800020000,1735660800020000,,\r"));
    QCOMPARE(lines.at(3), QByteArray("log,3,30000000,,,caller,user,1,failed,,,,,,,,,,\r"));
    const QJsonArray limiters = QJsonDocument::fromJson(m_pictures.exported(run, QStringLiteral("limiters"), QStringLiteral("json"))).array();
    QCOMPARE(limiters.size(), 1);
    QCOMPARE(limiters[0].toObject().value("values").toArray(), QJsonArray {"limit=2"});
    const QJsonArray decisions = limiters[0].toObject().value("decisions").toArray();
    QCOMPARE(decisions.size(), 3);
    QCOMPARE(decisions[1].toObject().value("retry_after_us").toInt(), 990000);
    QVERIFY(decisions[2].toObject().value("limit").isNull());
    QCOMPARE(decisions[2].toObject().value("answer").toString(), QStringLiteral("failed"));
}

void TestLimiterScene::figuresAreData()
{
    const Run run = eightLimiters(boundaryBurst());
    const QList<QByteArray> lines = m_pictures.exported(run, QStringLiteral("limiter-table"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines.size(), 10); // titles, eight, and the end of the last line
    QVERIFY(lines.at(0).startsWith("limiter,algorithm,defect,admitted,rejected,failed,window_us,limit,most_in_window,"));
    QVERIFY2(lines.at(1).contains(",1000000,10,20,10,"), lines.at(1).constData()); // the fixed window
    const QJsonArray limiters = QJsonDocument::fromJson(m_pictures.exported(run, QStringLiteral("limiter-table"), QStringLiteral("json"))).array();
    QCOMPARE(limiters.size(), 8);
    QCOMPARE(limiters[0].toObject().value("most_in_window").toInt(), 20);
    QCOMPARE(limiters[2].toObject().value("most_in_window").toInt(), 10);
    QCOMPARE(limiters[2].toObject().value("bytes_per_key").toInt(), 368);
    QVERIFY(limiters[0].toObject().value("differs_from_twin_at_us").isNull());
}

QTEST_MAIN(TestLimiterScene)
#include "tst_limiterscene.moc"
