// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measuring.h"
#include "widgets/measures/measurechart.h"
#include "widgets/measures/measuretexts.h"
#include "widgets/measures/unitticker.h"

#include <QTest>

using namespace interlock;
using interlock::test::Measuring;

namespace {

const SeriesInfo lost {QStringLiteral("lost"), QStringLiteral("Locks lost"), QStringLiteral("Lag"), QStringLiteral("Locks lost"), QStringLiteral("ns"), {}};
const SeriesInfo logBytes {QStringLiteral("log"), QStringLiteral("Sliding log"), QStringLiteral("Requests"), QStringLiteral("Memory"), QStringLiteral("requests"), QStringLiteral("bytes")};
const SeriesInfo gcraBytes {QStringLiteral("gcra"), QStringLiteral("GCRA"), QStringLiteral("Requests"), QStringLiteral("Memory"), QStringLiteral("requests"), QStringLiteral("bytes")};

constexpr qint64 ms(qint64 milliseconds)
{
    return milliseconds * 1'000'000;
}

}

class MeasureTextsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesFiguresAsPeopleDo_data();
    void writesFiguresAsPeopleDo();
    void writesPercentages();
    void saysWhatAPointTells();
    void saysWhatACellTells();
    void summarisesShares();
    void summarisesJumps();
    void summarisesRows();
    void summarisesTables();
    void saysNothingOfNothing();

    void drawsSeriesOfOneKindInOneChart();
    void keepsAStyleForEachTitle();
    void isLogarithmicBeyondTwoDecades_data();
    void isLogarithmicBeyondTwoDecades();
    void showsWholeIntervals();
    void findsTheStep();
    void findsNoStepInTime();
    void ticksAreRound_data();
    void ticksAreRound();
};

void MeasureTextsTest::writesFiguresAsPeopleDo_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<QString>("tick");
    const auto row = [](const char *name, double value, const char *unit, const char *figure, const char *tick) {
        QTest::newRow(name) << value << QString::fromUtf8(unit) << QString::fromUtf8(figure) << QString::fromUtf8(tick);
    };
    row("milliseconds", 50e6, "ns", "50 ms", "50 ms");
    row("seconds", 1.5e9, "ns", "1.5 s", "1.5 s");
    row("microseconds", 420e3, "ns", "420 µs", "420 µs");
    row("rounded up to the next unit", 999.6e6, "ns", "1 s", "999.6 ms");
    row("half a tick", 2.5e6, "ns", "2.5 ms", "2.5 ms");
    row("no time", 0, "ns", "0 ms", "0");
    row("bytes", 96, "bytes", "96 B", "96 B");
    row("kilobytes", 18'048, "bytes", "18 kB", "18.048 kB");
    row("megabytes", 1'290'000, "bytes", "1.29 MB", "1.29 MB");
    row("thousandths", 6'950, "thousandths", "6.95", "6.95");
    row("a hundred and more", 123'456, "thousandths", "123", "123.456");
    row("counted", 1'869, "writes", "1869 writes", "1869");
    row("bare", 1'234'567, "", "1234567", "1234567");
    row("below zero", -3, "", "−3", "−3");
}

void MeasureTextsTest::writesFiguresAsPeopleDo()
{
    QFETCH(double, value);
    QFETCH(QString, unit);
    QTEST(figureText(value, unit), "figure");
    QTEST(tickText(value, unit), "tick");
}

void MeasureTextsTest::writesPercentages()
{
    QCOMPARE(percentText(0), QStringLiteral("0 %"));
    QCOMPARE(percentText(0.3), QStringLiteral("30 %"));
    QCOMPARE(percentText(0.004), QStringLiteral("0.4 %"));
    QCOMPARE(percentText(0.998), QStringLiteral("99.8 %"));
    QCOMPARE(percentText(1), QStringLiteral("100 %"));
}

void MeasureTextsTest::saysWhatAPointTells()
{
    const Run run = Measuring({lost, logBytes}).share("lost", ms(50), 9, 30).value("log", 129, 18'048).value("log", 500, 47'000, 46'000, 48'000).run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    // Of 9 of 30 Wilson's interval is 16.66 % to 47.88 %.
    QCOMPARE(pointSentence(curves[0], curves[0].points[0]), QStringLiteral("Lag: 50 ms · Locks lost: 9 of 30, 30 % (17 % to 48 %)"));
    QCOMPARE(pointSentence(curves[1], curves[1].points[0]), QStringLiteral("Sliding log · Requests: 129 requests · Memory: 18 kB"));
    QCOMPARE(pointText(curves[1], curves[1].points[1]), QStringLiteral("47 kB (46 kB to 48 kB)"));
}

void MeasureTextsTest::saysWhatACellTells()
{
    const Run run = Measuring().cell("none", "cut", "lost", 1'869).cell("wait", "cut", "refused", 0).cell("all", "cut", "kept", 0).cell("all", "cut", "lost", 2).cell("all", "cut", "kept", 0).run();
    const MeasuredTable table = tableOf(run);
    QCOMPARE(cellText(table.cell(0, 0), QStringLiteral("writes")), QStringLiteral("lost, 1869 writes"));
    QCOMPARE(cellText(table.cell(1, 0), QStringLiteral("writes")), QStringLiteral("refused"));
    QCOMPARE(cellText(table.cell(2, 0), QStringLiteral("writes")), QStringLiteral("kept 2 of 3; lost 1 of 3, 2 writes"));
    QCOMPARE(cellText({}, QStringLiteral("writes")), QString());
}

void MeasureTextsTest::summarisesShares()
{
    QCOMPARE(measuresSummary(Measuring({lost}).share("lost", never, 9, 30).run()), QStringLiteral("Locks lost: 9 of 30, 30 % (17 % to 48 %)."));
    const Run run = Measuring({lost}).share("lost", ms(200), 10, 10).share("lost", 0, 0, 10).share("lost", ms(50), 4, 10).run();
    QCOMPARE(measuresSummary(run), QStringLiteral("Locks lost: 0 of 10 at 0 ms, 10 of 10 at 200 ms."));
}

void MeasureTextsTest::summarisesJumps()
{
    const Run run = Measuring({logBytes, gcraBytes}).value("log", 1, 96).value("log", 128, 4'144).value("log", 129, 18'048).value("gcra", 1, 80).value("gcra", 129, 80).run();
    QCOMPARE(measuresSummary(run), QStringLiteral("Sliding log: 4.14 kB at 128 requests, 18 kB at 129 requests."));
}

void MeasureTextsTest::summarisesRows()
{
    QList<SeriesInfo> series;
    for (const char *name : {"a", "b", "c", "d", "e"})
        series.append({QString::fromLatin1(name), QString::fromLatin1(name).toUpper(), {}, QStringLiteral("Requests for each answer"), {}, QStringLiteral("thousandths")});
    const Run run = Measuring(series).value("a", never, 99'000).value("b", never, 11'900).value("c", never, 1'000).value("d", never, 7'000).value("e", never, 2'000).run();
    QCOMPARE(measuresSummary(run), QStringLiteral("Requests for each answer: A 99, B 11.9, C 1 and 2 more."));
}

void MeasureTextsTest::summarisesTables()
{
    const Run run = Measuring().cell("none", "cut", "lost", 7).cell("none", "held", "kept", 0).cell("wait", "cut", "kept", 0).run();
    QCOMPARE(measuresSummary(run), QStringLiteral("Of 3 outcomes: lost 1, kept 2."));
}

void MeasureTextsTest::saysNothingOfNothing()
{
    QCOMPARE(measuresSummary(Measuring({lost, logBytes}).run()), QString());
}

void MeasureTextsTest::drawsSeriesOfOneKindInOneChart()
{
    const Run run = Measuring({logBytes, lost, gcraBytes}).value("gcra", 1, 80).value("log", 1, 96).share("lost", 0, 0, 1).run();
    const std::vector<MeasureChart> charts = chartsOf(run);
    QCOMPARE(charts.size(), size_t(2));
    QCOMPARE(charts[0].yTitle, QStringLiteral("Memory"));
    QCOMPARE(charts[0].curves.size(), size_t(2));
    QCOMPARE(charts[0].curves[0].curve.info.name, QStringLiteral("log"));
    QVERIFY(charts[1].isShare);
}

void MeasureTextsTest::keepsAStyleForEachTitle()
{
    SeriesInfo cost = gcraBytes;
    cost.name = QStringLiteral("cost");
    cost.xTitle.clear();
    const Run early = Measuring({logBytes, gcraBytes, cost}).value("gcra", 1, 80).value("cost", never, 7).run();
    const std::vector<MeasureChart> charts = chartsOf(early); // the log has no points yet
    QCOMPARE(charts.size(), size_t(2));
    QCOMPARE(charts[0].curves[0].style, 1);
    QCOMPARE(charts[1].curves[0].style, 1);
    QVERIFY(!charts[1].hasX);
}

void MeasureTextsTest::isLogarithmicBeyondTwoDecades_data()
{
    QTest::addColumn<QList<qint64>>("values");
    QTest::addColumn<bool>("isLog");
    QTest::newRow("exactly two decades") << QList<qint64> {1, 100} << false;
    QTest::newRow("more") << QList<qint64> {1, 101} << true;
    QTest::newRow("from zero") << QList<qint64> {0, 1'000'000} << false;
    QTest::newRow("below zero") << QList<qint64> {-5, 1'000'000} << false;
    QTest::newRow("one value") << QList<qint64> {1'000'000} << false;
}

void MeasureTextsTest::isLogarithmicBeyondTwoDecades()
{
    QFETCH(QList<qint64>, values);
    Measuring measuring({logBytes});
    for (qsizetype i = 0; i < values.size(); ++i)
        measuring.value("log", values[i], values[values.size() - 1 - i]);
    const std::vector<MeasureChart> charts = chartsOf(measuring.run());
    for (const AxisSpan &span : {charts[0].x, charts[0].y}) {
        QTEST(span.isLog, "isLog");
        QVERIFY(span.low < span.high);
        QVERIFY(!span.isLog || span.low > 0);
        for (const qint64 value : values)
            QVERIFY(span.low <= static_cast<double>(value) && static_cast<double>(value) <= span.high);
    }
}

void MeasureTextsTest::showsWholeIntervals()
{
    const std::vector<MeasureChart> shares = chartsOf(Measuring({lost}).share("lost", 0, 0, 20).share("lost", 50, 20, 20).run());
    QVERIFY(shares[0].y.low < 0 && shares[0].y.high > 1);
    const std::vector<MeasureChart> values = chartsOf(Measuring({logBytes}).value("log", 1, 50, 40, 90).run());
    QVERIFY(values[0].y.low < 0 && values[0].y.high > 90);
}

void MeasureTextsTest::findsTheStep()
{
    const auto jumpOf = [](Measuring &measuring) { return steepestJump(curvesOf(measuring.run())[0]); };
    Measuring step({logBytes});
    step.value("log", 1, 96).value("log", 2, 300).value("log", 127, 4'100).value("log", 128, 4'144).value("log", 129, 18'048).value("log", 500, 90'000);
    const std::optional<Jump> found = jumpOf(step);
    QVERIFY(found);
    QCOMPARE(found->point, size_t(3)); // from 1 to 2 is the beginning
    QVERIFY(qFuzzyCompare(found->factor, 18'048.0 / 4'144));
    Measuring gentle({logBytes});
    gentle.value("log", 127, 4'000).value("log", 128, 7'999).value("log", 500, 90'000);
    QVERIFY(!jumpOf(gentle));
}

void MeasureTextsTest::findsNoStepInTime()
{
    SeriesInfo load = logBytes;
    load.xUnit = QStringLiteral("ns");
    QVERIFY(!steepestJump(curvesOf(Measuring({load}).value("log", 5, 1).value("log", 6, 100).run())[0]));
}

void MeasureTextsTest::ticksAreRound_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<bool>("isShare");
    QTest::addColumn<bool>("isLog");
    QTest::addColumn<QPointF>("range");
    QTest::addColumn<int>("most");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("time") << "ns" << false << false << QPointF(-5e6, 210e6) << 5 << QStringList {"0", "50 ms", "100 ms", "150 ms", "200 ms"};
    QTest::newRow("share") << "" << true << false << QPointF(-0.04, 1.08) << 6 << QStringList {"0 %", "20 %", "40 %", "60 %", "80 %", "100 %"};
    QTest::newRow("no halves of what is counted") << "requests" << false << false << QPointF(-0.1, 2.2) << 10 << QStringList {"0", "1", "2"};
    QTest::newRow("powers") << "bytes" << false << true << QPointF(40, 1.4e6) << 6 << QStringList {"100 B", "1 kB", "10 kB", "100 kB", "1 MB"};
    QTest::newRow("every second power") << "bytes" << false << true << QPointF(40, 1.4e6) << 3 << QStringList {"100 B", "10 kB", "1 MB"};
}

void MeasureTextsTest::ticksAreRound()
{
    QFETCH(QString, unit);
    QFETCH(bool, isShare);
    QFETCH(bool, isLog);
    QFETCH(QPointF, range);
    QFETCH(int, most);
    UnitTicker ticker(unit, isShare, isLog);
    ticker.setMost(most);
    QVector<double> ticks;
    QVector<QString> labels;
    ticker.generate(QCPRange(range.x(), range.y()), QLocale(), QLatin1Char('f'), 0, ticks, nullptr, &labels);
    QTEST(QStringList(labels), "labels");
}

QTEST_MAIN(MeasureTextsTest)
#include "tst_measuretexts.moc"
