// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/waits.h"
#include "tests/support/history.h"

#include <QTest>

using namespace interlock;

namespace {

std::vector<LaneWaits> waitsIn(const QByteArray &history)
{
    return waitsOf(test::parseHistory(history).run);
}

constexpr qint64 ms = 1'000'000;

}

class WaitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsWaitsAttemptsAndCommands();
    void keepsLocksApart();
    void countsOnlyWhatEnded();
    void survivesEventsWithoutBeginning();
    void ranksPercentiles_data();
    void ranksPercentiles();
    void measuresFairness_data();
    void measuresFairness();
    void measuresFairnessOfLanes();
};

void WaitsTest::countsWaitsAttemptsAndCommands()
{
    const std::vector<LaneWaits> lanes = waitsIn(R"(
0.100 A wants lock t=a1
0.100 A command
0.102 A granted lock t=a1 sent=0.100
0.110 B wants lock t=b1
0.110 B command
0.112 B refused lock t=b1 sent=0.110
0.150 A command
0.162 B command
0.164 B refused lock t=b1 sent=0.162
0.214 B command
0.216 B granted lock t=b1 sent=0.214
0.300 A wants lock t=a2
0.300 A command
0.302 A refused lock t=a2 sent=0.300
0.352 A command
0.354 A granted lock t=a2 sent=0.352
)");
    QCOMPARE(lanes.size(), size_t(2));
    // A: 2 ms with 1 try, then 54 ms with 2 tries; its command at 0.150 was sent while it did not wait.
    QCOMPARE(lanes[0].waits, (std::vector<qint64> {2 * ms, 54 * ms}));
    QCOMPARE(lanes[0].acquisitions(), 2);
    QCOMPARE(lanes[0].attempts, 3);
    QCOMPARE(lanes[0].commands, 3);
    QCOMPARE(lanes[0].total(), 56 * ms);
    QCOMPARE(lanes[1].waits, (std::vector<qint64> {106 * ms}));
    QCOMPARE(lanes[1].attempts, 3);
    QCOMPARE(lanes[1].commands, 3);
    QCOMPARE(allWaits(lanes), (std::vector<qint64> {2 * ms, 54 * ms, 106 * ms}));
}

void WaitsTest::keepsLocksApart()
{
    const std::vector<LaneWaits> lanes = waitsIn(R"(
0.100 A wants lock-1
0.110 B wants lock-2
0.120 A wants lock-2
0.130 A granted lock-1
0.150 A granted lock-2
0.170 B granted lock-2
)");
    QCOMPARE(lanes.size(), size_t(3));
    QCOMPARE(lanes[0].waits, (std::vector<qint64> {30 * ms}));
    QCOMPARE(lanes[1].waits, (std::vector<qint64> {60 * ms})); // B was the first to want lock-2
    QCOMPARE(lanes[2].waits, (std::vector<qint64> {30 * ms}));
    QCOMPARE(lanes[1].key, lanes[2].key);
    QVERIFY(lanes[0].key != lanes[1].key);
}

void WaitsTest::countsOnlyWhatEnded()
{
    const std::vector<LaneWaits> lanes = waitsIn(R"(
0.100 A wants lock
0.200 A refused lock sent=0.199
0.300 A gave-up lock
0.400 A wants lock
0.500 A granted lock
0.600 A wants lock
0.700 A refused lock sent=0.699
)");
    QCOMPARE(lanes.size(), size_t(1));
    QCOMPARE(lanes[0].waits, (std::vector<qint64> {100 * ms}));
    QCOMPARE(lanes[0].attempts, 1);
    QCOMPARE(lanes[0].gaveUp, 1);
}

void WaitsTest::survivesEventsWithoutBeginning()
{
    QVERIFY(waitsIn("0.100 A granted lock\n0.200 B gave-up lock\n").empty());
    QVERIFY(waitsOf(Run()).empty());
    const std::vector<LaneWaits> twice = waitsIn("0.100 A wants lock\n0.200 A granted lock\n0.300 A granted lock\n");
    QCOMPARE(twice[0].acquisitions(), 1);
}

void WaitsTest::ranksPercentiles_data()
{
    QTest::addColumn<int>("percent");
    QTest::addColumn<qint64>("value");
    // Nearest rank among 10, 20, … 100: p % of 10 values, rounded up, is the rank.
    QTest::newRow("1") << 1 << qint64(10);
    QTest::newRow("10") << 10 << qint64(10);
    QTest::newRow("11") << 11 << qint64(20);
    QTest::newRow("50") << 50 << qint64(50);
    QTest::newRow("51") << 51 << qint64(60);
    QTest::newRow("99") << 99 << qint64(100);
    QTest::newRow("100") << 100 << qint64(100);
}

void WaitsTest::ranksPercentiles()
{
    QFETCH(int, percent);
    QFETCH(qint64, value);
    QCOMPARE(percentile({10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, percent), value);
    QCOMPARE(percentile({7}, percent), qint64(7));
    QVERIFY(!percentile({}, percent));
}

void WaitsTest::measuresFairness_data()
{
    QTest::addColumn<QList<double>>("values");
    QTest::addColumn<double>("index");
    QTest::newRow("all the same") << QList<double> {5, 5, 5, 5} << 1.0;
    QTest::newRow("one has everything") << QList<double> {8, 0, 0, 0} << 0.25;
    QTest::newRow("half have everything") << QList<double> {3, 3, 0, 0} << 0.5;
    QTest::newRow("1 2 3") << QList<double> {1, 2, 3} << 36.0 / 42.0; // 6² / (3 × 14)
    QTest::newRow("one") << QList<double> {4} << 1.0;
}

void WaitsTest::measuresFairness()
{
    QFETCH(QList<double>, values);
    QFETCH(double, index);
    const std::optional<double> fair = fairness({values.begin(), values.end()});
    QVERIFY(fair);
    QCOMPARE(*fair, index);
    QVERIFY(!fairness({}));
    QVERIFY(!fairness({0, 0}));
}

void WaitsTest::measuresFairnessOfLanes()
{
    // A: 3 acquisitions, mean wait 20; B: 1 acquisition, wait 40; C: none.
    LaneWaits a;
    a.waits = {10, 20, 30};
    LaneWaits b;
    b.waits = {40};
    const std::vector<LaneWaits> lanes {a, b, LaneWaits()};
    QCOMPARE(fairnessOfAcquisitions(lanes).value(), 16.0 / 30.0); // 4² / (3 × (9 + 1))
    QCOMPARE(fairnessOfWaits(lanes).value(), 0.9); // 60² / (2 × (400 + 1600))
}

QTEST_APPLESS_MAIN(WaitsTest)
#include "tst_waits.moc"
