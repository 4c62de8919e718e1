// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/navigator.h"
#include "widgets/timeline/scale.h"

#include <QTest>

using namespace interlock;

class TestTimelineScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mapsThereAndBack();
    void zoomKeepsTheTimeUnderThePointer_data();
    void zoomKeepsTheTimeUnderThePointer();
    void neverShowsLessThanAMicrosecond();
    void clampsIntoTheExtent_data();
    void clampsIntoTheExtent();
    void ticksAreOneTwoOrFive_data();
    void ticksAreOneTwoOrFive();
    void labelsHaveTheDecimalsOfTheirStep_data();
    void labelsHaveTheDecimalsOfTheirStep();

    void backReturnsToTheLastView();
    void wheelTurnsInARowAreTakenBackTogether();
    void followsTheEndUntilThePersonLooksElsewhere();
    void wholeRunStaysWholeWhileItGrows();
};

void TestTimelineScale::mapsThereAndBack()
{
    const Scale scale {.begin = 1000, .length = 5000, .width = 100};
    QCOMPARE(scale.toPixel(1000), 0.0);
    QCOMPARE(scale.toPixel(6000), 100.0);
    QCOMPARE(scale.toPixel(2000), 20.0);
    QCOMPARE(scale.toTime(20), 2000.0);
    QCOMPARE(scale.perPixel(), 50.0);
}

void TestTimelineScale::zoomKeepsTheTimeUnderThePointer_data()
{
    QTest::addColumn<double>("pixel");
    QTest::addColumn<double>("factor");
    QTest::newRow("in, in the middle") << 400.0 << 1.25;
    QTest::newRow("in, at the left edge") << 0.0 << 3.0;
    QTest::newRow("out, at the right edge") << 800.0 << 0.5;
    QTest::newRow("far in") << 123.0 << 1000.0;
}

void TestTimelineScale::zoomKeepsTheTimeUnderThePointer()
{
    QFETCH(double, pixel);
    QFETCH(double, factor);
    const Scale scale {.begin = 2e8, .length = 3e9, .width = 800};
    const Scale zoomed = scale.zoomed(pixel, factor);
    QVERIFY(std::abs(zoomed.toTime(pixel) - scale.toTime(pixel)) < 1);
    QVERIFY(std::abs(zoomed.length - scale.length / factor) < 1);
}

void TestTimelineScale::neverShowsLessThanAMicrosecond()
{
    const Scale scale {.begin = 0, .length = 2000, .width = 100};
    QCOMPARE(scale.zoomed(50, 1e6).length, 1000.0);
    QCOMPARE(scale.showing(7, 7).length, 1000.0);
}

void TestTimelineScale::clampsIntoTheExtent_data()
{
    QTest::addColumn<double>("begin");
    QTest::addColumn<double>("length");
    QTest::addColumn<double>("expectedBegin");
    QTest::addColumn<double>("expectedLength");
    QTest::newRow("inside") << 2e6 << 3e6 << 2e6 << 3e6;
    QTest::newRow("left of it") << -5e6 << 3e6 << 0.0 << 3e6;
    QTest::newRow("right of it") << 9e6 << 3e6 << 7e6 << 3e6;
    QTest::newRow("longer than it") << -1e6 << 30e6 << 0.0 << 10e6;
}

void TestTimelineScale::clampsIntoTheExtent()
{
    QFETCH(double, begin);
    QFETCH(double, length);
    QFETCH(double, expectedBegin);
    QFETCH(double, expectedLength);
    const Scale clamped = Scale {begin, length, 100}.clamped(0, 10e6);
    QCOMPARE(clamped.begin, expectedBegin);
    QCOMPARE(clamped.length, expectedLength);
}

void TestTimelineScale::ticksAreOneTwoOrFive_data()
{
    QTest::addColumn<double>("length");
    QTest::addColumn<double>("step");
    // 1000 pixels, at least 100 each: the step is the next of 1, 2, 5 × 10ⁿ above a tenth of the length.
    QTest::newRow("one second") << 1e9 << 1e8;
    QTest::newRow("a little more") << 1.1e9 << 2e8;
    QTest::newRow("2.8 seconds") << 2.8e9 << 5e8;
    QTest::newRow("six seconds") << 6e9 << 1e9;
    QTest::newRow("two microseconds") << 2e3 << 2e2;
}

void TestTimelineScale::ticksAreOneTwoOrFive()
{
    QFETCH(double, length);
    QFETCH(double, step);
    const Scale scale {.begin = 0, .length = length, .width = 1000};
    QCOMPARE(scale.tickStep(100), step);
    const std::vector<double> ticks = scale.ticks(step);
    QCOMPARE(ticks.front(), 0.0);
    QCOMPARE(ticks.size(), static_cast<size_t>(std::floor(length / step)) + 1);
}

void TestTimelineScale::labelsHaveTheDecimalsOfTheirStep_data()
{
    QTest::addColumn<double>("time");
    QTest::addColumn<double>("step");
    QTest::addColumn<QString>("label");
    QTest::newRow("seconds") << 3e9 << 1e9 << "3 s";
    QTest::newRow("half seconds") << 1.5e9 << 5e8 << "1.5 s";
    QTest::newRow("zero") << 0.0 << 5e8 << "0.0 s";
    QTest::newRow("milliseconds") << 1.108e9 << 1e6 << "1.108 s";
    QTest::newRow("microseconds") << 2000.0 << 1e3 << "0.000002 s";
}

void TestTimelineScale::labelsHaveTheDecimalsOfTheirStep()
{
    QFETCH(double, time);
    QFETCH(double, step);
    QFETCH(QString, label);
    QCOMPARE(Scale::tickLabel(time, step), label);
}

void TestTimelineScale::backReturnsToTheLastView()
{
    Navigator navigator;
    navigator.setWidth(1000);
    navigator.reset(1e9);
    const Scale whole = navigator.scale();
    navigator.show(2e8, 4e8, 0);
    QCOMPARE(navigator.scale().begin, 2e8);
    QVERIFY(navigator.back());
    QCOMPARE(navigator.scale(), whole);
    QVERIFY(navigator.isWhole());
    QVERIFY(!navigator.back());
}

void TestTimelineScale::wheelTurnsInARowAreTakenBackTogether()
{
    Navigator navigator;
    navigator.setWidth(1000);
    navigator.reset(1e9);
    const Scale whole = navigator.scale();
    for (int i = 0; i < 5; ++i)
        navigator.zoom(500, 1.25);
    QVERIFY(navigator.back());
    QCOMPARE(navigator.scale(), whole);
}

void TestTimelineScale::followsTheEndUntilThePersonLooksElsewhere()
{
    Navigator navigator;
    navigator.setWidth(1000);
    navigator.reset(10e9);
    navigator.zoom(1000, 10); // 10.4 s became 1.04 s
    navigator.setFollowing(true);
    const double length = navigator.scale().length;
    navigator.setEnd(20e9);
    QCOMPARE(navigator.scale().end(), 20e9 * 1.02);
    QCOMPARE(navigator.scale().length, length);
    navigator.pan(-300);
    QVERIFY(!navigator.isFollowing());
    const Scale stays = navigator.scale();
    navigator.setEnd(30e9);
    QCOMPARE(navigator.scale(), stays);
}

void TestTimelineScale::wholeRunStaysWholeWhileItGrows()
{
    Navigator navigator;
    navigator.setWidth(1000);
    navigator.reset(1e9);
    navigator.setFollowing(true);
    navigator.setEnd(5e9);
    QVERIFY(navigator.scale().begin <= 0);
    QCOMPARE(navigator.scale().end(), 5e9 * 1.02);
}

QTEST_APPLESS_MAIN(TestTimelineScale)
#include "tst_timelinescale.moc"
