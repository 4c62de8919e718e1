// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/proportion.h"

#include <QTest>

#include <cmath>

using namespace interlock;

/// Published values are those of Newcombe 1998, table I, method 3, to four decimals.
class ProportionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesPublishedBounds_data();
    void givesPublishedBounds();
    void endsExactlyAtTheEnds();
    void knowsNothingWithoutTrials();
    void takesImpossibleCountsForTheNearest();
    void isSymmetric();
};

void ProportionTest::givesPublishedBounds_data()
{
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("trials");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("Newcombe, 81 of 263") << qint64(81) << qint64(263) << 0.2553 << 0.3662;
    QTest::newRow("Newcombe, 15 of 148") << qint64(15) << qint64(148) << 0.0624 << 0.1605;
    QTest::newRow("Newcombe, 0 of 20") << qint64(0) << qint64(20) << 0.0 << 0.1611;
    QTest::newRow("Newcombe, 1 of 29") << qint64(1) << qint64(29) << 0.0061 << 0.1718;
    // On paper: of none the upper end is z²/(n + z²) = 3.8415/13.8415, of all the lower one is n/(n + z²).
    QTest::newRow("0 of 10") << qint64(0) << qint64(10) << 0.0 << 0.2775;
    QTest::newRow("10 of 10") << qint64(10) << qint64(10) << 0.7225 << 1.0;
    // On paper: half of 2, 1.96 √((0.25 + 3.8415/8)/2) / (1 + 3.8415/2) = 0.4055 on both sides.
    QTest::newRow("1 of 2") << qint64(1) << qint64(2) << 0.0945 << 0.9055;
}

void ProportionTest::givesPublishedBounds()
{
    QFETCH(qint64, count);
    QFETCH(qint64, trials);
    QFETCH(double, low);
    QFETCH(double, high);
    const ShareBounds bounds = wilsonBounds(count, trials);
    const QString found = QStringLiteral("%1 to %2").arg(bounds.low, 0, 'f', 6).arg(bounds.high, 0, 'f', 6);
    QVERIFY2(std::abs(bounds.low - low) < 0.00005 && std::abs(bounds.high - high) < 0.00005, qPrintable(found));
}

void ProportionTest::endsExactlyAtTheEnds()
{
    for (const qint64 trials : {qint64(1), qint64(3), qint64(7), qint64(1'000'003), qint64(1'000'000'000'000)}) {
        QCOMPARE(wilsonBounds(0, trials).low, 0.0);
        QCOMPARE(wilsonBounds(trials, trials).high, 1.0);
        QVERIFY(wilsonBounds(0, trials).high > 0);
        QVERIFY(wilsonBounds(trials, trials).low < 1);
    }
}

void ProportionTest::knowsNothingWithoutTrials()
{
    QCOMPARE(wilsonBounds(0, 0), (ShareBounds {0, 1}));
    QCOMPARE(wilsonBounds(3, 0), (ShareBounds {0, 1}));
    QCOMPARE(wilsonBounds(0, -5), (ShareBounds {0, 1}));
}

void ProportionTest::takesImpossibleCountsForTheNearest()
{
    QCOMPARE(wilsonBounds(-1, 20), wilsonBounds(0, 20));
    QCOMPARE(wilsonBounds(21, 20), wilsonBounds(20, 20));
}

void ProportionTest::isSymmetric()
{
    for (qint64 count = 0; count <= 30; ++count) {
        const ShareBounds of = wilsonBounds(count, 30);
        const ShareBounds rest = wilsonBounds(30 - count, 30);
        QVERIFY(std::abs(of.low - (1 - rest.high)) < 1e-12);
        QVERIFY(of.low <= static_cast<double>(count) / 30 && static_cast<double>(count) / 30 <= of.high);
    }
}

QTEST_APPLESS_MAIN(ProportionTest)
#include "tst_proportion.moc"
