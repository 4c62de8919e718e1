// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "engine/run/admissions.h"

#include <QTest>

#include <numeric>

using namespace interlock;

class Admissions : public QObject
{
    Q_OBJECT

private slots:
    void findsTheFullestWindow_data();
    void findsTheFullestWindow();
    void agreesWithTryingEveryWindow();
    void sumsBeyondSixtyFourBits();
    void measuresHowEvenGapsAre_data();
    void measuresHowEvenGapsAre();
};

using Numbers = std::vector<qint64>;

void Admissions::findsTheFullestWindow_data()
{
    QTest::addColumn<Numbers>("times");
    QTest::addColumn<Numbers>("costs");
    QTest::addColumn<Numbers>("found"); ///< most, first, last; empty: nothing
    QTest::newRow("nothing") << Numbers {} << Numbers {} << Numbers {};
    QTest::newRow("one") << Numbers {7} << Numbers {3} << Numbers {3, 0, 0};
    QTest::newRow("exactly one window old") << Numbers {0, 10} << Numbers {1, 1} << Numbers {1, 0, 0};
    QTest::newRow("not quite one window old") << Numbers {0, 9} << Numbers {1, 1} << Numbers {2, 0, 1};
    QTest::newRow("equal times") << Numbers {5, 5, 5} << Numbers {1, 1, 1} << Numbers {3, 0, 2};
    QTest::newRow("later one fuller") << Numbers {0, 1, 20, 21, 22} << Numbers {1, 1, 1, 1, 1} << Numbers {3, 2, 4};
    QTest::newRow("costs count") << Numbers {0, 1, 20} << Numbers {1, 1, 5} << Numbers {5, 2, 2};
    QTest::newRow("earliest of equals") << Numbers {0, 1, 20, 21} << Numbers {1, 1, 1, 1} << Numbers {2, 0, 1};
    QTest::newRow("either end of time") << Numbers {std::numeric_limits<qint64>::min(), never} << Numbers {1, 1} << Numbers {1, 0, 0};
}

void Admissions::findsTheFullestWindow()
{
    QFETCH(Numbers, times);
    QFETCH(Numbers, costs);
    QFETCH(Numbers, found);
    const auto most = trailingMost(times, costs, 10);
    QCOMPARE(most.has_value(), !found.empty());
    if (most)
        QCOMPARE((Numbers {most->most, qint64(most->first), qint64(most->last)}), found);
}

void Admissions::agreesWithTryingEveryWindow()
{
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        Numbers times, costs;
        qint64 time = 0;
        for (quint64 i = random.below(30); i > 0; --i) {
            times.push_back(time += qint64(random.below(7)));
            costs.push_back(qint64(random.below(4)));
        }
        const qint64 window = 1 + qint64(random.below(20));
        qint64 expected = 0;
        for (const qint64 end : times) {
            qint64 sum = 0;
            for (size_t i = 0; i < times.size(); ++i)
                sum += end - window < times[i] && times[i] <= end ? costs[i] : 0;
            expected = std::max(expected, sum);
        }
        const auto most = trailingMost(times, costs, window);
        QCOMPARE(most ? most->most : 0, expected);
        if (most)
            QCOMPARE(std::accumulate(costs.begin() + qint64(most->first), costs.begin() + qint64(most->last) + 1, qint64(0)), expected);
    }
}

void Admissions::sumsBeyondSixtyFourBits()
{
    TrailingSum sum(10);
    for (int i = 0; i < 3; ++i)
        sum.add(i, std::numeric_limits<qint64>::max());
    QVERIFY(sum.sum() == Wide(3) * std::numeric_limits<qint64>::max());
    QCOMPARE(narrowed(sum.sum()), std::numeric_limits<qint64>::max());
    QVERIFY(floored(-1, 10) == -1 && floored(-10, 10) == -1 && floored(9, 10) == 0);
}

void Admissions::measuresHowEvenGapsAre_data()
{
    QTest::addColumn<Numbers>("times");
    QTest::addColumn<Numbers>("gaps"); ///< shortest, longest; empty: nothing
    QTest::addColumn<double>("variation");
    QTest::newRow("nothing") << Numbers {} << Numbers {} << 0.;
    QTest::newRow("two") << Numbers {1, 5} << Numbers {} << 0.;
    QTest::newRow("all at once") << Numbers {5, 5, 5} << Numbers {} << 0.;
    QTest::newRow("even") << Numbers {0, 10, 20, 30} << Numbers {10, 10} << 0.;
    // Gaps 0, 0, 12 with a mean of 4: squares 16, 16, 64; √32 ÷ 4.
    QTest::newRow("a burst and a pause") << Numbers {0, 0, 0, 12} << Numbers {0, 12} << 1.4142135623730951;
    // Gaps 5 and 15 with a mean of 10.
    QTest::newRow("uneven") << Numbers {0, 5, 20} << Numbers {5, 15} << 0.5;
}

void Admissions::measuresHowEvenGapsAre()
{
    QFETCH(Numbers, times);
    QFETCH(Numbers, gaps);
    QFETCH(double, variation);
    const auto even = evenness(times);
    QCOMPARE(even.has_value(), !gaps.empty());
    if (!even)
        return;
    QCOMPARE((Numbers {even->shortest, even->longest}), gaps);
    QVERIFY(qAbs(even->variation - variation) < 1e-12);
}

QTEST_GUILESS_MAIN(Admissions)
#include "tst_admissions.moc"
