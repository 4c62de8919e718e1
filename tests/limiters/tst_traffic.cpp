// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/decision.h"
#include "engine/limiters/traffic.h"
#include "tests/limiters/limitertrials.h"

#include <QTest>

using namespace interlock;

namespace {

using Times = std::vector<qint64>;

TrafficPlan shaped(const QString &shape, Rate rate, qint64 duration)
{
    TrafficPlan traffic;
    traffic.shape = shape;
    traffic.rate = rate;
    traffic.duration = duration;
    return traffic;
}

Times timesOf(const TrafficPlan &traffic)
{
    const Result<Trace> trace = makeTraffic(traffic);
    if (!trace)
        qFatal("%s", qPrintable(trace.error().text));
    Times times;
    for (const Trace::Row &row : trace->rows)
        times.push_back(row.at);
    return times;
}

Rate perSecond(qint64 amount)
{
    return {amount, second};
}

/// How many gaps, counted from 0, are longer than this.
int longer(const Times &times, qint64 gap)
{
    int count = 0;
    for (size_t i = 0; i < times.size(); ++i)
        count += times[i] - (i == 0 ? 0 : times[i - 1]) > gap ? 1 : 0;
    return count;
}

bool isWithin(qint64 number, qint64 low, qint64 high)
{
    if (number >= low && number <= high)
        return true;
    qWarning("%lld is not within %lld and %lld", number, low, high);
    return false;
}

}

class TestTraffic : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesTheTrafficOfTheWorstCases()
    {
        TrafficPlan a = shaped("boundary-burst", perSecond(10), 120 * second);
        a.burst = 100;
        a.window = 60 * second;
        QCOMPARE(timesOf(a), trafficA());
        QCOMPARE(timesOf(shaped("steady", perSecond(4), 600 * second)), trafficB());
    }

    void comesWhenItShould_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<Times>("expected");
        // 3 a second for 2 s; 2 at once, a window of 1 s.
        QTest::newRow("steady") << "steady" << Times {0, 333'333, 666'666, 1'000'000, 1'333'333, 1'666'666};
        QTest::newRow("burst") << "burst" << Times {0, 0, 1'000'000, 1'000'000};
        // One third of a second, rounded up, before the window ends.
        QTest::newRow("boundary burst") << "boundary-burst" << Times {666'666, 666'666, 1'000'000, 1'333'333, 1'666'666};
        // k requests have come when 3 × t² = 2 × k × 2 s: at the roots of 4/3 and 8/3, and at that of 4, which is the end.
        QTest::newRow("ramp") << "ramp" << Times {1'154'701, 1'632'994};
    }
    void comesWhenItShould()
    {
        QFETCH(QString, shape);
        QFETCH(Times, expected);
        TrafficPlan traffic = shaped(shape, perSecond(3), 2 * second);
        traffic.burst = 2;
        traffic.window = second;
        QCOMPARE(timesOf(traffic), expected);
    }

    void aLongRampGrowsEvenly()
    {
        const Times times = timesOf(shaped("ramp", perSecond(10), 100 * second));
        QCOMPARE(times.size(), size_t(499)); // 500 at the end
        QCOMPARE(times[4], 10 * second); // the root of 2 × 5 × 100 ÷ 10
        QCOMPARE(times[124], 50 * second);
    }

    /// 100,000 requests on average; the bounds are more than five standard deviations away.
    void poissonGapsAreExponential()
    {
        TrafficPlan traffic = shaped("poisson", perSecond(1'000), 100 * second);
        for (const quint64 seed : {1, 2, 3}) {
            traffic.seed = seed;
            const Times times = timesOf(traffic);
            QVERIFY(isWithin(static_cast<qint64>(times.size()), 98'400, 101'600));
            QVERIFY(isWithin(longer(times, 1'000), 35'900, 37'700)); // 1/e
            QVERIFY(isWithin(longer(times, 2'000), 12'900, 14'150)); // 1/e²
            QVERIFY(isWithin(longer(times, 5'000), 540, 810)); // 1/e⁵: 674
            QVERIFY(std::is_sorted(times.begin(), times.end()));
        }
    }

    /// By turns for 10 s on average: of 10,000 s about half. While it is on, requests are 0.1 s apart.
    void onAndOffTakeTurns()
    {
        TrafficPlan traffic = shaped("on-off", perSecond(10), 10'000 * second);
        traffic.window = 10 * second;
        const Times times = timesOf(traffic);
        QVERIFY(isWithin(static_cast<qint64>(times.size()), 38'000, 62'000));
        QCOMPARE(times.front(), qint64(0));
        int pauses = 0;
        for (size_t i = 1; i < times.size(); ++i) {
            const qint64 gap = times[i] - times[i - 1];
            QVERIFY2(gap > 0, "none come at once");
            pauses += gap > second ? 1 : 0;
        }
        QVERIFY(isWithin(pauses, 300, 600)); // about 500 of them, of which one in ten is too short to count
    }

    void theSeedDecides()
    {
        for (const TrafficShape &shape : trafficShapes()) {
            TrafficPlan traffic = shaped(shape.id, perSecond(10), 300 * second);
            const Times first = timesOf(traffic);
            QVERIFY(!first.empty());
            QCOMPARE(timesOf(traffic), first);
            traffic.seed = 2;
            QCOMPARE(timesOf(traffic) != first, shape.isDrawn);
        }
    }

    void itsNumbersCountAsDeclared()
    {
        for (const TrafficShape &shape : trafficShapes()) {
            TrafficPlan traffic = shaped(shape.id, perSecond(10), 300 * second);
            const Times first = timesOf(traffic);
            traffic.burst = 7;
            QCOMPARE(timesOf(traffic) != first, shape.hasBurst);
            traffic.burst = 100;
            traffic.window = 50 * second;
            QCOMPARE(timesOf(traffic) != first, shape.hasWindow);
        }
    }

    void callersShareTheRequests()
    {
        TrafficPlan traffic = shaped("poisson", perSecond(10), 300 * second);
        const Times alone = timesOf(traffic);
        traffic.callers = 3;
        traffic.cost = 4;
        const Result<Trace> trace = makeTraffic(traffic);
        QVERIFY(trace.ok());
        QList<QByteArray> keys = trace->keys;
        std::sort(keys.begin(), keys.end());
        QCOMPARE(keys, (QList<QByteArray> {"caller-1", "caller-2", "caller-3"}));
        Times times;
        QList<int> count(3);
        for (const Trace::Row &row : trace->rows) {
            times.push_back(row.at);
            ++count[static_cast<qsizetype>(row.key)];
            QCOMPARE(row.cost, qint64(4));
        }
        QCOMPARE(times, alone); // who asks does not change when
        for (const int requests : count)
            QVERIFY(isWithin(requests, 800, 1'200)); // of 3,000
    }

    void aMillionIsTheMost()
    {
        TrafficPlan traffic = shaped("steady", {1, 1}, second);
        QCOMPARE(timesOf(traffic).size(), size_t(1'000'000));
        ++traffic.duration;
        QVERIFY(!makeTraffic(traffic).ok());
    }

    void refusesInASentence_data()
    {
        QTest::addColumn<TrafficPlan>("traffic");
        QTest::addColumn<QString>("said");
        const auto row = [](const char *name, const QString &said, auto change) {
            TrafficPlan traffic;
            change(traffic);
            QTest::newRow(name) << traffic << said;
        };
        row("unknown", "Did you mean “poisson”?", [](TrafficPlan &traffic) { traffic.shape = "poison"; });
        row("too many", "more than 1000000 requests", [](TrafficPlan &traffic) { traffic.rate = perSecond(1'000'000); });
        row("too many at random", "more than 1000000 requests", [](TrafficPlan &traffic) {
            traffic.shape = "poisson";
            traffic.rate = perSecond(1'000'000);
        });
        row("too many at once", "more than 1000000 requests", [](TrafficPlan &traffic) {
            traffic.shape = "burst";
            traffic.burst = 600'000;
            traffic.window = second;
        });
        row("no time", "from 1 µs to 30 days", [](TrafficPlan &traffic) { traffic.duration = 0; });
        row("31 days", "from 1 µs to 30 days", [](TrafficPlan &traffic) { traffic.duration = 31 * 86'400 * second; });
        row("no window", "from 1 µs to 30 days", [](TrafficPlan &traffic) { traffic.window = 0; });
        row("no rate", "above 0", [](TrafficPlan &traffic) { traffic.rate = {0, 1}; });
        row("an empty burst", "not 0", [](TrafficPlan &traffic) { traffic.burst = 0; });
        row("nobody", "not from 0", [](TrafficPlan &traffic) { traffic.callers = 0; });
        row("a negative cost", "not -1", [](TrafficPlan &traffic) { traffic.cost = -1; });
        row("a huge cost", "A request costs", [](TrafficPlan &traffic) { traffic.cost = mostNumber + 1; });
    }
    void refusesInASentence()
    {
        QFETCH(TrafficPlan, traffic);
        QFETCH(QString, said);
        const Result<Trace> trace = makeTraffic(traffic);
        QVERIFY(!trace.ok() && trace.error().kind == Error::Kind::Invalid);
        QVERIFY2(trace.error().text.contains(said), qPrintable(trace.error().text));
    }

    /// The slowest and the fastest rates that settings take: nothing overflows on the way.
    void extremeRatesWork_data()
    {
        QTest::addColumn<Rate>("rate");
        QTest::addColumn<qint64>("duration");
        QTest::newRow("one in 30 days") << Rate {1, 2'592'000 * second} << 2'592'000 * second;
        QTest::newRow("a millionth in 30 days") << Rate {1, 2'592'000 * second * second} << 2'592'000 * second;
        QTest::newRow("odd and fast") << Rate {999'999'999'999'999, 1'000'000'000'000} << qint64(900);
    }
    void extremeRatesWork()
    {
        QFETCH(Rate, rate);
        QFETCH(qint64, duration);
        for (const TrafficShape &shape : trafficShapes()) {
            TrafficPlan traffic = shaped(shape.id, rate, duration);
            traffic.window = duration;
            const Times times = timesOf(traffic);
            QVERIFY(std::is_sorted(times.begin(), times.end()));
            QVERIFY(times.empty() || (times.front() >= 0 && times.back() < duration));
        }
    }
};

QTEST_GUILESS_MAIN(TestTraffic)
#include "tst_traffic.moc"
