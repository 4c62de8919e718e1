// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/measures.h"
#include "tests/support/measuring.h"

#include <QTest>

#include <limits>

using namespace interlock;
using interlock::test::Measuring;

namespace {

const SeriesInfo lost {QStringLiteral("lost"), QStringLiteral("Lost"), QStringLiteral("Replication lag"), QStringLiteral("Locks lost"), QStringLiteral("ns"), {}};
const SeriesInfo memory {QStringLiteral("log"), QStringLiteral("Sliding log"), QStringLiteral("Requests"), QStringLiteral("Memory"), QStringLiteral("requests"), QStringLiteral("bytes")};

QStringList names(const Run &run, const std::vector<Name> &list)
{
    QStringList texts;
    for (const Name name : list)
        texts.append(run.text(name));
    return texts;
}

}

class MeasuresTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addsUpSharesAtOnePlace();
    void ordersPointsByX();
    void keepsValuesAsTheyAre();
    void ordersSeriesAsTheHeaderDoes();
    void keepsSeriesToOneKind();
    void leavesOutImpossibleTrials();
    void allowsPointsWithoutX();
    void putsCellsInOrderOfAppearance();
    void addsUpCellsOfOnePlace();
    void neverOverflows();
    void isEmptyWithoutMeasures();
};

void MeasuresTest::addsUpSharesAtOnePlace()
{
    const Run run = Measuring({lost})
                        .share("lost", 50, 1, 1, "lag-50ms-01")
                        .share("lost", 50, 0, 1, "lag-50ms-02")
                        .share("lost", 50, 4, 10, "lag-50ms-03")
                        .share("lost", 100, 1, 1, "lag-100ms-01")
                        .share("lost", 50, 0, 1, "lag-50ms-02")
                        .run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QCOMPARE(curves.size(), size_t(1));
    QCOMPARE(curves[0].info, lost);
    QVERIFY(curves[0].isShare);
    QCOMPARE(curves[0].points.size(), size_t(2));
    QCOMPARE(curves[0].points[0].y, qint64(5));
    QCOMPARE(curves[0].points[0].trials, qint64(13));
    QCOMPARE(names(run, curves[0].points[0].runs), (QStringList {"lag-50ms-01", "lag-50ms-02", "lag-50ms-03"}));
    QCOMPARE(curves[0].points[1].y, qint64(1));
    QCOMPARE(curves[0].points[1].trials, qint64(1));
}

void MeasuresTest::ordersPointsByX()
{
    const Run run = Measuring().value("log", 129, 18'048).value("log", 1, 96).value("log", 128, 4'144).run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QCOMPARE(curves[0].points.size(), size_t(3));
    QCOMPARE(curves[0].points[0].x, std::optional<qint64>(1));
    QCOMPARE(curves[0].points[1].x, std::optional<qint64>(128));
    QCOMPARE(curves[0].points[2].y, qint64(18'048));
    QCOMPARE(curves[0].info.title, QStringLiteral("log")); // the header does not know it
}

void MeasuresTest::keepsValuesAsTheyAre()
{
    const Run run = Measuring({memory}).value("log", 5, 30, 20, 45).value("log", 5, 10).run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QVERIFY(!curves[0].isShare);
    QCOMPARE(curves[0].points.size(), size_t(2));
    QCOMPARE(curves[0].points[0].y, qint64(30));
    QCOMPARE(curves[0].points[0].low, std::optional<qint64>(20));
    QCOMPARE(curves[0].points[0].high, std::optional<qint64>(45));
    QVERIFY(!curves[0].points[1].low);
    QVERIFY(curves[0].points[1].runs.empty());
}

void MeasuresTest::ordersSeriesAsTheHeaderDoes()
{
    const Run run = Measuring({lost, memory}).value("stray", 1, 1).value("log", 1, 96).share("lost", 0, 0, 1).run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QCOMPARE(curves.size(), size_t(3));
    QCOMPARE(curves[0].info.name, QStringLiteral("lost"));
    QCOMPARE(curves[1].info.name, QStringLiteral("log"));
    QCOMPARE(curves[2].info.name, QStringLiteral("stray"));
}

void MeasuresTest::keepsSeriesToOneKind()
{
    const Run run = Measuring().value("mixed", 1, 7).share("mixed", 1, 1, 2).run();
    QCOMPARE(curvesOf(run).size(), size_t(1));
    QCOMPARE(curvesOf(run)[0].points.size(), size_t(1));
    QCOMPARE(curvesOf(run)[0].points[0].y, qint64(7));
}

void MeasuresTest::leavesOutImpossibleTrials()
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    const Run run = Measuring().share("s", 1, 0, 0).share("s", 1, 2, 1).share("s", 1, -1, 1).share("s", 1, 1, 4).share("s", 1, 0, most).share("s", 1, 1, most - 3).run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QCOMPARE(curves[0].points.size(), size_t(1));
    QCOMPARE(curves[0].points[0].y, qint64(1));
    QCOMPARE(curves[0].points[0].trials, qint64(4));
}

void MeasuresTest::allowsPointsWithoutX()
{
    const Run run = Measuring().share("all", never, 1, 1, "run-01").share("all", never, 0, 1, "run-02").run();
    const std::vector<MeasuredCurve> curves = curvesOf(run);
    QCOMPARE(curves[0].points.size(), size_t(1));
    QVERIFY(!curves[0].points[0].x);
    QCOMPARE(curves[0].points[0].trials, qint64(2));
}

void MeasuresTest::putsCellsInOrderOfAppearance()
{
    const SeriesInfo wait {QStringLiteral("wait"), QStringLiteral("WAIT 2"), {}, {}, {}, QStringLiteral("writes")};
    const SeriesInfo none {QStringLiteral("none"), QStringLiteral("No remedy"), {}, {}, {}, QStringLiteral("writes")};
    const Run run = Measuring({wait, none}).cell("none", "cut", "lost", 7, "none-cut").cell("none", "held", "kept", 0).cell("wait", "held", "refused", 3, "wait-held").run();
    const MeasuredTable table = tableOf(run);
    QCOMPARE(table.rows, (std::vector<SeriesInfo> {none, wait}));
    QCOMPARE(table.columns, (QStringList {"cut", "held"}));
    QCOMPARE(table.cells.size(), size_t(4));
    QCOMPARE(table.cell(0, 0).outcomes, (std::vector<MeasuredOutcome> {{QStringLiteral("lost"), 1, 7}}));
    QCOMPARE(names(run, table.cell(0, 0).runs), QStringList {"none-cut"});
    QVERIFY(table.cell(1, 0).outcomes.empty()); // not measured
    QCOMPARE(table.cell(1, 1).outcomes, (std::vector<MeasuredOutcome> {{QStringLiteral("refused"), 1, 3}}));
}

void MeasuresTest::addsUpCellsOfOnePlace()
{
    const Run run = Measuring().cell("none", "cut", "lost", 7, "a").cell("none", "cut", "kept", 0, "b").cell("none", "cut", "lost", 5, "c").run();
    const MeasuredTable table = tableOf(run);
    QCOMPARE(table.cells.size(), size_t(1));
    QCOMPARE(table.cells[0].outcomes, (std::vector<MeasuredOutcome> {{QStringLiteral("lost"), 2, 12}, {QStringLiteral("kept"), 1, 0}}));
    QCOMPARE(table.cells[0].times(), qint64(3));
    QCOMPARE(names(run, table.cells[0].runs), (QStringList {"a", "b", "c"}));
}

void MeasuresTest::neverOverflows()
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    const Run run = Measuring().cell("a", "b", "lost", most).cell("a", "b", "lost", most).run();
    QCOMPARE(tableOf(run).cells[0].outcomes[0].count, most);
}

void MeasuresTest::isEmptyWithoutMeasures()
{
    const Run run = Measuring({lost}).run();
    QVERIFY(curvesOf(run).empty());
    QVERIFY(tableOf(run).cells.empty());
}

QTEST_APPLESS_MAIN(MeasuresTest)
#include "tst_measures.moc"
