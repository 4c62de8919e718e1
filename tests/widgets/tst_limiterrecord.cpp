// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "engine/limiters/limiter.h"
#include "tests/support/limiterruns.h"
#include "tests/support/sampleruns.h"
#include "widgets/limiters/limiterfigures.h"

#include <QTest>

using namespace interlock;
using namespace interlock::samples;

using Values = QList<std::pair<QString, QString>>;

namespace {

LimiterRecord recordOf(const Run &run)
{
    LimiterRecord record;
    record.extend(run);
    return record;
}

/// What a reference model decides on a trace's clock, as a run.
Run decided(const QString &algorithm, const Values &values, double window, const Requests &requests)
{
    const Result<Limiter> limiter = Limiter::make(algorithm, values);
    if (!limiter)
        qFatal("%s", qPrintable(limiter.error().text));
    LimiterRunBuilder builder;
    builder.limiter("limiter", algorithm, limiter->limit(), window, values, {}, limiter->levelUnit());
    const auto model = limiter->reference();
    for (const auto &[at, cost] : requests) {
        const bool admitted = model->decide(static_cast<qint64>(at * 1000), cost).admitted;
        builder.decision("limiter", at, admitted ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, {.cost = cost, .asked = at});
    }
    return builder.finish(1000);
}

}

class TestLimiterRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void peaksFindTheLargestOfAnyStretch();
    void sumsIntervals();
    void orderOfRecordingDoesNotMatter();
    void takingInStepsGivesTheSame();
    void trailingWindowsAreHalfOpen_data();
    void trailingWindowsAreHalfOpen();
    void worstCasesAreThoseOfTheTable_data();
    void worstCasesAreThoseOfTheTable();
    void whatIsLimitedIsCountedByItself();
    void windowsAreJudgedOnTheServersClock();
    void aTraceOfRealTimesBeginsAtZero();
    void probesAreNoTraffic();
    void unknownLimitersGetARow();
    void basisFollowsTheLimiter_data();
    void basisFollowsTheLimiter();
    void linesKeepTheirPeaksAtAnyZoom();
    void edgesAreThoseOfTheWindows();
    void unevennessIsTheSpreadOfGaps_data();
    void unevennessIsTheSpreadOfGaps();
    void figuresAreCounted();
    void notesFillWhatNoDecisionHolds();
    void aDefectIsDrawnOverItsTwin();
    void theSameRequestIsFound();
};

void TestLimiterRecord::peaksFindTheLargestOfAnyStretch()
{
    Random random(1);
    Peaks peaks;
    std::vector<qint64> numbers;
    for (int i = 0; i < 5000; ++i) {
        numbers.push_back(static_cast<qint64>(random.below(1'000'000)) - 500'000);
        peaks.push(numbers.back());
    }
    numbers.resize(4321);
    peaks.truncate(4321);
    numbers.push_back(7);
    peaks.push(7);
    QCOMPARE(peaks.size(), numbers.size());
    for (int i = 0; i < 2000; ++i) {
        const size_t first = random.below(numbers.size());
        const size_t last = first + 1 + random.below(numbers.size() - first);
        QCOMPARE(peaks.most(first, last), *std::max_element(numbers.begin() + qsizetype(first), numbers.begin() + qsizetype(last)));
    }
}

void TestLimiterRecord::sumsIntervals()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 10, 1000);
    builder.decision("log", 0, LimiterAnswer::Admitted, {.cost = 3});
    builder.admitted("log", 99);
    builder.rejected("log", 100);
    builder.decision("log", 150, LimiterAnswer::Failed, {.cost = 2});
    builder.admitted("log", 300);
    const Run run = builder.finish(400);
    const LimiterRecord record = recordOf(run);
    const std::vector<DecisionBin> expected {{4, 0, 0}, {0, 1, 2}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    QVERIFY(record.series().front().bins(0, ms(100), 5) == expected);
    QVERIFY(record.series().front().bins(ms(100), ms(100), 2) == std::vector<DecisionBin>(expected.begin() + 1, expected.begin() + 3));
    QCOMPARE(record.series().front().requests(LimiterAnswer::Admitted), 3);
    QCOMPARE(record.series().front().requests(LimiterAnswer::Rejected), 1);
    QCOMPARE(record.series().front().requests(LimiterAnswer::Failed), 1);
}

/// Answers come in another order than requests: events of a live run are not in order of time.
void TestLimiterRecord::orderOfRecordingDoesNotMatter()
{
    const auto build = [](const QList<int> &order) {
        LimiterRunBuilder builder;
        builder.limiter("log", "sliding-log", 3, 100);
        for (const int at : order)
            builder.decision("log", at, LimiterAnswer::Admitted, {.level = at});
        return builder;
    };
    LimiterRunBuilder mixed = build({10, 40, 20, 30, 120, 110, 60, 115}), sorted = build({10, 20, 30, 40, 60, 110, 115, 120});
    LimiterRecord one, other;
    Run growing = mixed.run();
    const std::vector<Event> events = growing.events;
    growing.events.clear();
    for (const Event &event : events) {
        growing.events.push_back(event);
        one.extend(growing);
    }
    other.extend(sorted.run());
    const DecisionSeries &left = one.series().front(), &right = other.series().front();
    QVERIFY(left.bins(0, ms(25), 6) == right.bins(0, ms(25), 6));
    // 20 30 40 60 110 115 lie within (15, 115]; then 20 is gone.
    QCOMPARE(left.busiest()->most(), 6);
    QCOMPARE(left.busiest()->mostEntry().time, ms(115));
    QCOMPARE(left.busiest()->firstOver()->time, ms(40)); // the fourth
    QCOMPARE(right.busiest()->most(), 6);
    QCOMPARE(right.busiest()->mostEntry().time, ms(115));
    QCOMPARE(right.busiest()->firstOver()->time, ms(40));
    for (size_t i = 1; i < left.points().size(); ++i)
        QVERIFY(left.points()[i - 1].time <= left.points()[i].time);
}

void TestLimiterRecord::takingInStepsGivesTheSame()
{
    const Run run = eightLimiters(boundaryBurst());
    LimiterRecord steps;
    while (steps.extend(run, 7)) { }
    const LimiterRecord whole = recordOf(run);
    QCOMPARE(steps.series().size(), 8u);
    for (size_t i = 0; i < 8; ++i) {
        QVERIFY(measure(run, steps, i) == measure(run, whole, i));
        QVERIFY(steps.series()[i].bins(0, ms(50), 60) == whole.series()[i].bins(0, ms(50), 60));
    }
}

void TestLimiterRecord::trailingWindowsAreHalfOpen_data()
{
    QTest::addColumn<double>("second");
    QTest::addColumn<int>("most");
    QTest::addColumn<double>("over"); // ms; below 0: never
    QTest::newRow("a microsecond less than a window apart") << 1099.999 << 6 << 1099.999;
    QTest::newRow("exactly a window apart") << 1100.0 << 3 << -1.0;
    QTest::newRow("more than a window apart") << 1101.0 << 3 << -1.0;
}

/// Three at 100 ms and three later, limit 3 in 1000 ms.
void TestLimiterRecord::trailingWindowsAreHalfOpen()
{
    QFETCH(double, second);
    QFETCH(int, most);
    QFETCH(double, over);
    LimiterRunBuilder builder;
    builder.limiter("fixed", "fixed-window", 3, 1000);
    for (const double at : {100.0, second}) {
        for (int i = 0; i < 3; ++i)
            builder.admitted("fixed", at);
    }
    const Run run = builder.finish(2000);
    const LimiterRecord record = recordOf(run);
    QCOMPARE(record.series().front().busiest()->most(), most);
    const AdmissionTrail::Entry *first = record.series().front().busiest()->firstOver();
    QCOMPARE(first != nullptr, over >= 0);
    if (first)
        QCOMPARE(first->time, static_cast<qint64>(over * 1e6 + 0.5));
}

/// Exact arithmetic, limit 100 per 60 s. A: 100 requests at 59.9 s, then one each 0.1 s to 119.9 s. B: 4 a second for 600 s.
void TestLimiterRecord::worstCasesAreThoseOfTheTable_data()
{
    QTest::addColumn<QString>("algorithm");
    QTest::addColumn<Values>("values");
    QTest::addColumn<double>("window");
    QTest::addColumn<QList<int>>("figures"); // A admitted, A most, B admitted, B most
    const Values windowed {{"limit", "100"}, {"window", "60s"}};
    QTest::newRow("fixed window") << "fixed-window" << windowed << 60000.0 << QList<int> {200, 200, 1000, 100};
    QTest::newRow("sliding log") << "sliding-log" << windowed << 60000.0 << QList<int> {101, 100, 1000, 100};
    QTest::newRow("sliding counter") << "sliding-counter" << windowed << 60000.0 << QList<int> {199, 199, 991, 100};
    QTest::newRow("token bucket") << "token-bucket" << Values {{"capacity", "100"}, {"rate", "100/60s"}} << 0.0 << QList<int> {200, 199, 1099, 199};
    QTest::newRow("gcra") << "gcra" << Values {{"limit", "100"}, {"interval", "600ms"}} << 0.0 << QList<int> {200, 199, 1099, 199};
}

void TestLimiterRecord::worstCasesAreThoseOfTheTable()
{
    QFETCH(QString, algorithm);
    QFETCH(Values, values);
    QFETCH(double, window);
    QFETCH(QList<int>, figures);
    Requests a, b;
    for (int i = 0; i < 100; ++i)
        a.push_back({59900, 1});
    for (int i = 0; i < 600; ++i)
        a.push_back({60000 + 100 * i, 1});
    for (int i = 0; i < 2400; ++i)
        b.push_back({250 * i, 1});
    QList<int> counted;
    for (const Requests &requests : {a, b}) {
        const Run run = decided(algorithm, values, window, requests);
        const LimiterRecord record = recordOf(run);
        const LimiterFigures measured = measure(run, record, 0);
        QCOMPARE(measured.basis, (LimiterBasis {60'000'000, 100}));
        counted << static_cast<int>(measured.admitted) << static_cast<int>(measured.mostInWindow);
    }
    QCOMPARE(counted, figures);
}

void TestLimiterRecord::whatIsLimitedIsCountedByItself()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 10, 1000);
    for (int i = 0; i < 6; ++i) {
        builder.decision("log", 100 + i, LimiterAnswer::Admitted, {.key = "A"});
        builder.decision("log", 100 + i, LimiterAnswer::Admitted, {.key = "B"});
    }
    builder.decision("log", 120, LimiterAnswer::Admitted, {.key = "B"});
    const Run run = builder.finish(200);
    const LimiterRecord record = recordOf(run);
    QCOMPARE(record.series().front().busiest()->most(), 7);
    QCOMPARE(record.series().front().things(), 2u);
    QVERIFY(!record.series().front().busiest()->firstOver());
}

/// A log of one in 100 ms admits at 0 and at 100 ms of the server's clock; the second request left its caller 0.3 ms early and travelled longer.
void TestLimiterRecord::windowsAreJudgedOnTheServersClock()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 1, 100);
    const auto first = builder.admitted("log", 0.0), second = builder.admitted("log", 99.7);
    Run &run = builder.run();
    DecisionFigures &figures = run.decisions[static_cast<size_t>(run.events[second].number)];
    figures.serverTime = run.decisions[static_cast<size_t>(run.events[first].number)].serverTime + 100'000;
    figures.now = figures.serverTime;
    LimiterRecord record;
    record.extend(run);
    QCOMPARE(record.series().front().busiest()->most(), 1);
    const std::vector<LineColumn> line = record.series().front().trailing(0, 1e6, 150);
    QVERIFY(std::all_of(line.begin(), line.end(), [](const LineColumn &column) { return column.most <= 1; }));
}

void TestLimiterRecord::aTraceOfRealTimesBeginsAtZero()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 1, 100);
    constexpr double year = 365.0 * 24 * 3600 * 1000; // ms
    builder.decision("log", 1, LimiterAnswer::Admitted, {.asked = 3 * year});
    builder.decision("log", 2, LimiterAnswer::Admitted, {.asked = 3 * year + 250});
    const Run run = builder.finish(5);
    const LimiterRecord record = recordOf(run);
    QCOMPARE(record.series().front().points()[0].time, 0);
    QCOMPARE(record.last(), ms(250));
    QVERIFY(record.find(run, 1) == (LimiterRecord::Place {0, 1}));
}

void TestLimiterRecord::probesAreNoTraffic()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 10, 1000);
    builder.admitted("log", 10);
    const size_t probe = builder.admitted("log", 20);
    builder.run().events[probe].flags |= Event::Touched;
    const Run run = builder.finish(100);
    const LimiterRecord record = recordOf(run);
    QCOMPARE(record.series().front().points().size(), 1u);
    QVERIFY(!record.find(run, probe));
}

void TestLimiterRecord::unknownLimitersGetARow()
{
    LimiterRunBuilder builder;
    builder.admitted("somebody's", 10);
    const Run run = builder.finish(100);
    const LimiterRecord record = recordOf(run);
    QCOMPARE(record.series().size(), 1u);
    QCOMPARE(record.series().front().info().title, QStringLiteral("somebody's"));
    QCOMPARE(record.rows({}).size(), 1u);
    QCOMPARE(record.rows({"somebody's"}).size(), 0u);
}

void TestLimiterRecord::basisFollowsTheLimiter_data()
{
    QTest::addColumn<QString>("algorithm");
    QTest::addColumn<Values>("values");
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<qint64>("window"); // µs
    QTest::addColumn<qint64>("others"); // µs, the window of two other limiters
    QTest::addColumn<bool>("isPromised"); // the check says 7 in 3 s
    QTest::addColumn<LimiterBasis>("basis");
    const Values bucket {{"capacity", "5"}, {"rate", "2/s"}};
    QTest::newRow("its own window") << "sliding-log" << Values() << 10LL << 1'000'000LL << 60'000'000LL << false << LimiterBasis {1'000'000, 10};
    QTest::newRow("a bucket alone: the time that fills it") << "token-bucket" << bucket << 5LL << 0LL << 0LL << false << LimiterBasis {2'500'000, 5};
    QTest::newRow("a bucket beside windows: what its rate gives in them") << "token-bucket" << bucket << 5LL << 0LL << 4'000'000LL << false << LimiterBasis {4'000'000, 8};
    QTest::newRow("gcra by its interval") << "gcra" << Values {{"limit", "3"}, {"interval", "100ms"}} << 3LL << 0LL << 1'000'000LL << false << LimiterBasis {1'000'000, 10};
    QTest::newRow("what the check promises") << "token-bucket" << bucket << 5LL << 0LL << 4'000'000LL << true << LimiterBasis {3'000'000, 7};
    QTest::newRow("nothing known") << "of a later version" << Values() << 5LL << 0LL << 4'000'000LL << false << LimiterBasis {0, 5};
}

void TestLimiterRecord::basisFollowsTheLimiter()
{
    QFETCH(QString, algorithm);
    QFETCH(Values, values);
    QFETCH(qint64, limit);
    QFETCH(qint64, window);
    QFETCH(qint64, others);
    QFETCH(bool, isPromised);
    QFETCH(LimiterBasis, basis);
    LimiterInfo info;
    info.algorithm = algorithm;
    info.values = values;
    info.limit = limit;
    info.window = window;
    LimiterInfo other;
    other.window = others;
    Header header;
    header.limiters = {info, other, other};
    if (isPromised)
        header.checks = {{"limiter-bound", {{"bound", "trailing"}, {"limit", "7"}, {"window", "3000000"}}, true}};
    QCOMPARE(basisOf(info, header), basis);
}

/// 1000 decisions a millisecond, one of which has level 900: however far away one looks, the peak is seen.
void TestLimiterRecord::linesKeepTheirPeaksAtAnyZoom()
{
    LimiterRunBuilder builder;
    builder.limiter("bucket", "gcra", 1000, 0, {{"limit", "1000"}, {"interval", "1ms"}});
    for (int i = 0; i < 10'000; ++i)
        builder.decision("bucket", i * 0.001, i % 10 == 0 ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, {.level = i == 4321 ? 900 : i % 7});
    const Run run = builder.finish(10);
    const LimiterRecord record = recordOf(run);
    const DecisionSeries &series = record.series().front();
    for (const size_t columns : {1u, 3u, 50u, 4000u}) {
        const std::vector<LineColumn> levels = series.levels(0, 1e7 / static_cast<double>(columns), columns);
        QCOMPARE(levels.size(), columns);
        QCOMPARE(std::max_element(levels.begin(), levels.end(), [](const LineColumn &a, const LineColumn &b) { return a.most < b.most; })->most, 900);
        QCOMPARE(levels.back().last, 9999 % 7);
        const std::vector<LineColumn> trailing = series.trailing(0, 1e7 / static_cast<double>(columns), columns);
        QCOMPARE(trailing.back().most, 1000);
    }
    const std::vector<LineColumn> before = series.levels(-5e6, 1e6, 5);
    QVERIFY(std::all_of(before.begin(), before.end(), [](const LineColumn &column) { return column.isEmpty; }));
}

void TestLimiterRecord::edgesAreThoseOfTheWindows()
{
    LimiterRunBuilder builder;
    builder.limiter("aligned", "fixed-window", 3, 1000, {{"start", "aligned"}});
    builder.limiter("first hit", "fixed-window", 3, 1000, {{"start", "first-hit"}});
    builder.limiter("buckets", "sliding-window", 3, 1000, {{"buckets", "5"}});
    builder.limiter("log", "sliding-log", 3, 1000);
    for (const char *name : {"aligned", "first hit", "buckets", "log"}) {
        builder.decision(name, 300, LimiterAnswer::Admitted, {.level = 1, .resetAfter = 1000});
        builder.decision(name, 400, LimiterAnswer::Admitted, {.level = 2, .resetAfter = 900});
        builder.decision(name, 1500, LimiterAnswer::Admitted, {.level = 1, .resetAfter = 1000});
    }
    const Run run = builder.finish(2500);
    const LimiterRecord record = recordOf(run);
    const auto edges = [&](size_t series, size_t most = 100) { return record.series()[series].windowEdges(ms(100), ms(2100), most); };
    QCOMPARE(edges(0), (std::vector<qint64> {ms(1000), ms(2000)}));
    QCOMPARE(edges(1), (std::vector<qint64> {ms(300), ms(1500)}));
    QCOMPARE(edges(2).size(), 10u); // 200, 400, …, 2000
    QCOMPARE(edges(2, 5).size(), 0u); // too many to be told apart
    QCOMPARE(edges(3).size(), 0u);
    QVERIFY(record.series()[2].hasWindowEdges() && !record.series()[3].hasWindowEdges());
}

void TestLimiterRecord::unevennessIsTheSpreadOfGaps_data()
{
    QTest::addColumn<QList<double>>("times");
    QTest::addColumn<double>("unevenness"); // below 0: none
    QTest::newRow("equal gaps") << QList<double> {0, 100, 200, 300} << 0.0;
    QTest::newRow("gaps 1 and 3: deviation 1, mean 2") << QList<double> {0, 1, 4} << 0.5;
    QTest::newRow("two pairs: gaps 0, 300, 0: deviation 141, mean 100") << QList<double> {0, 0, 300, 300} << std::sqrt(2.0);
    QTest::newRow("two admitted") << QList<double> {0, 5} << -1.0;
    QTest::newRow("all at once") << QList<double> {7, 7, 7} << -1.0;
}

void TestLimiterRecord::unevennessIsTheSpreadOfGaps()
{
    QFETCH(QList<double>, times);
    QFETCH(double, unevenness);
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 10, 1000);
    for (const double at : times) {
        builder.admitted("log", at);
        builder.rejected("log", at + 0.5); // counts for nothing
    }
    const Run run = builder.finish(400);
    const std::optional<double> measured = measure(run, recordOf(run), 0).unevenness;
    QCOMPARE(measured.has_value(), unevenness >= 0);
    if (measured)
        QVERIFY(std::abs(*measured - unevenness) < 1e-9);
}

void TestLimiterRecord::figuresAreCounted()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 4, 1000);
    for (int i = 0; i < 4; ++i)
        builder.decision("log", 10 + 50 * i, LimiterAnswer::Admitted, {.latency = 1.0 + i}); // 1, 2, 3, 4 ms
    builder.decision("log", 300, LimiterAnswer::Rejected, {.retryAfter = 710, .latency = 5});
    builder.decision("log", 310, LimiterAnswer::Rejected, {.retryAfter = 700, .latency = 6});
    builder.decision("log", 320, LimiterAnswer::Rejected, {.cost = 9, .latency = 7});
    builder.decision("log", 330, LimiterAnswer::Failed, {});
    const Run run = builder.finish(400);
    const LimiterFigures figures = measure(run, recordOf(run), 0);
    QCOMPARE(figures.admitted, 4);
    QCOMPARE(figures.rejected, 3);
    QCOMPARE(figures.failed, 1);
    QCOMPARE(figures.mostInWindow, 4);
    QCOMPARE(figures.mostAtOnce, 2); // 10, 60, 110, 160 ms: two in any 100 ms
    QCOMPARE(figures.longestRetry, std::optional<qint64>(710'000));
    QCOMPARE(figures.withoutRetry, 1);
    QCOMPARE(figures.latency50, std::optional<qint64>(ms(4))); // of 1 to 7, by nearest rank
    QCOMPARE(figures.latency99, std::optional<qint64>(ms(7)));
    QVERIFY(!figures.commands && !figures.bytes && !figures.keyBytes);
}

void TestLimiterRecord::notesFillWhatNoDecisionHolds()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 4, 1000);
    for (int i = 0; i < 4; ++i)
        builder.admitted("log", 10 * i);
    Run &run = builder.run();
    for (const auto &[measured, number] : std::vector<std::pair<LimiterMeasure, qint64>> {{LimiterMeasure::KeyBytes, 96}, {LimiterMeasure::KeyBytes, 368},
             {LimiterMeasure::Commands, 6}, {LimiterMeasure::Bytes, 1000}})
        run.events.push_back(limiterNote(run.names, measured, "log", number, ms(50)));
    const LimiterFigures figures = measure(run, recordOf(run), 0);
    QCOMPARE(figures.keyBytes, std::optional<qint64>(368)); // the last counts
    QCOMPARE(figures.commands, std::optional<double>(1.5));
    QCOMPARE(figures.bytes, std::optional<double>(250));
}

void TestLimiterRecord::aDefectIsDrawnOverItsTwin()
{
    const Run run = flooredBucket();
    const LimiterRecord record = recordOf(run);
    QVERIFY(record.rows({}) == (std::vector<LimiterRow> {{1, 0}}));
    QVERIFY(record.rows({"token-bucket"}) == (std::vector<LimiterRow> {{1, {}}}));
    QVERIFY(record.rows({"token-bucket defect"}) == (std::vector<LimiterRow> {{0, {}}}));
    // Ten pass with both; from the eleventh on, at 100 + 10 × 60 ms, the defect has nothing.
    QCOMPARE(measure(run, record, 1).differsAt, std::optional<qint64>(ms(700)));
    QVERIFY(!measure(run, record, 0).differsAt);
}

void TestLimiterRecord::theSameRequestIsFound()
{
    LimiterRunBuilder builder;
    builder.limiter("one", "sliding-log", 4, 1000).limiter("two", "sliding-log", 4, 1000);
    builder.decision("one", 10, LimiterAnswer::Admitted, {.due = 9});
    builder.decision("one", 20, LimiterAnswer::Admitted, {.due = 19});
    builder.decision("two", 15, LimiterAnswer::Admitted, {.due = 19}); // the first request did not reach it
    builder.admitted("two", 30); // of its own
    const Run run = builder.finish(40);
    const LimiterRecord record = recordOf(run);
    QVERIFY(!record.sameRequest(run, {0, 0}, 1));
    QVERIFY(record.sameRequest(run, {0, 1}, 1) == (LimiterRecord::Place {1, 0}));
    QVERIFY(record.sameRequest(run, {1, 0}, 0) == (LimiterRecord::Place {0, 1}));
    QVERIFY(!record.sameRequest(run, {1, 1}, 0));
}

QTEST_APPLESS_MAIN(TestLimiterRecord)
#include "tst_limiterrecord.moc"
