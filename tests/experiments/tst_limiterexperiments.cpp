// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the experiments on limiters show, in numbers that were worked out on paper.
#include "engine/experiments/limiterplay.h"
#include "engine/run/measures.h"
#include "engine/session.h"
#include "tests/support/testserver.h"
#include "widgets/measures/measurechart.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace interlock;

namespace {

using Pairs = QList<std::pair<QString, QString>>;

struct Outcome
{
    std::shared_ptr<const Run> run;
    Verdict verdict;
    QString error;
};

/// One run to its end. @param whileItRuns is called from time to time.
Outcome perform(const QString &experiment, const QString &preset, const Pairs &values, const std::function<void(Session &)> &whileItRuns = {})
{
    Session session;
    Outcome outcome;
    bool isOver = false;
    QObject::connect(&session, &Session::finished, [&](quint64, std::shared_ptr<const Run> run, const Verdict &verdict) {
        outcome.run = std::move(run);
        outcome.verdict = verdict;
        isOver = true;
    });
    QObject::connect(&session, &Session::failed, [&](quint64, const Error &error) {
        outcome.error = error.text;
        isOver = true;
    });
    RunRequest request;
    request.experiment = experiment;
    request.preset = preset;
    request.values = values;
    request.pace = 0.1;
    request.seed = 5;
    const Result<quint64> started = session.start(request);
    if (!started)
        return {{}, {}, started.error().text};
    if (!QTest::qWaitFor([&] {
            if (whileItRuns)
                whileItRuns(session);
            return isOver;
        }, 120'000))
        outcome.error = QStringLiteral("The run did not end within 120 s.");
    return outcome;
}

struct Count
{
    int admitted = 0;
    int rejected = 0;
    int failed = 0;
    int most = 0; ///< in any (t − window, t]
};

/// Decisions of one limiter, probes apart. @param window in ns.
Count countOf(const Run &run, const QString &limiter, qint64 window)
{
    Count count;
    std::vector<qint64> admitted;
    for (const Event &event : run.events) {
        if (event.kind != Event::Kind::Decision || run.text(event.text) != limiter || event.has(Event::Touched))
            continue;
        const auto answer = static_cast<LimiterAnswer>(event.what);
        count.rejected += answer == LimiterAnswer::Rejected;
        count.failed += answer == LimiterAnswer::Failed;
        if (answer == LimiterAnswer::Admitted)
            admitted.push_back(decisionTime(event, run.decisions.at(static_cast<size_t>(event.number))));
    }
    std::sort(admitted.begin(), admitted.end());
    for (size_t end = 0, begin = 0; end < admitted.size(); ++end) {
        while (admitted[begin] <= admitted[end] - window)
            ++begin;
        count.most = std::max(count.most, static_cast<int>(end - begin + 1));
    }
    count.admitted = static_cast<int>(admitted.size());
    return count;
}

constexpr qint64 minute = 60'000'000'000;

}

class LimiterExperimentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useKeeperOfProgram(); }

    /// Limit 100 per 60 s, half-open windows, by hand.
    void theWorstCaseTableComesOutExactly_data()
    {
        QTest::addColumn<QString>("limiter");
        QTest::addColumn<QList<int>>("expected"); // A admitted, A most, B admitted, B most
        QTest::newRow("fixed window") << "fixed-window" << QList<int> {200, 200, 1000, 100};
        QTest::newRow("sliding log") << "sliding-log" << QList<int> {101, 100, 1000, 100};
        QTest::newRow("sliding counter") << "sliding-counter" << QList<int> {199, 199, 991, 100};
        QTest::newRow("token bucket") << "token-bucket" << QList<int> {200, 199, 1099, 199};
        QTest::newRow("leaky bucket as meter") << "leaky-bucket" << QList<int> {200, 199, 1099, 199};
        QTest::newRow("GCRA") << "gcra" << QList<int> {200, 199, 1099, 199};
        QTest::newRow("bucket of one") << "token-bucket-one" << QList<int> {101, 100, 800, 80};
    }
    void theWorstCaseTableComesOutExactly()
    {
        QFETCH(QString, limiter);
        QFETCH(QList<int>, expected);
        for (const char *traffic : {"a", "b"}) {
            if (!m_tables.contains(traffic))
                m_tables[traffic] = perform(QStringLiteral("limiter-boundary"), QStringLiteral("table-") + traffic, {});
            QVERIFY2(m_tables[traffic].run && m_tables[traffic].run->isComplete, qPrintable(m_tables[traffic].error));
        }
        const Count a = countOf(*m_tables["a"].run, limiter, minute);
        const Count b = countOf(*m_tables["b"].run, limiter, minute);
        QCOMPARE((QList<int> {a.admitted, a.most, b.admitted, b.most}), expected);
        QCOMPARE(a.admitted + a.rejected, 700);
        QCOMPARE(b.admitted + b.rejected, 2400);
        QCOMPARE(a.failed + b.failed, 0);
    }

    void theTwoDefectsOfTheTableAdmitOneHundred_data()
    {
        QTest::addColumn<QString>("defect");
        QTest::addColumn<QString>("limiter");
        QTest::newRow("refill floored, time always advanced") << "refill-floored" << "token-bucket refill-floored";
        QTest::newRow("recorded before counted") << "record-before-count" << "sliding-log record-before-count";
    }
    void theTwoDefectsOfTheTableAdmitOneHundred()
    {
        QFETCH(QString, defect);
        QFETCH(QString, limiter);
        for (const char *traffic : {"a", "b"}) {
            const Outcome outcome = perform(QStringLiteral("limiter-defects"), {},
                {{"defect", defect}, {"limit", "100"}, {"window", "60s"}, {"traffic", traffic}, {"clock", "caller"}});
            QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
            const Count count = countOf(*outcome.run, limiter, minute);
            QCOMPARE(count.admitted, 100);
            QCOMPARE(count.most, 100);
            QCOMPARE(outcome.verdict.judgement, Judgement::Broken);
        }
    }

    /// Live and small: 10 per 2 s. Whether a burst came across the edge (a busy machine) is seen in the record, and then it is tried again.
    void theWorstCaseHasTheSameShapeLive()
    {
        for (int tries = 0; tries < 5; ++tries) {
            const Outcome outcome = perform(QStringLiteral("limiter-boundary"), {}, {{"limiter", "all"}, {"traffic", "a"}});
            QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
            qint64 latest = 0;
            for (const Event &event : outcome.run->events) {
                if (event.kind == Event::Kind::Decision && event.sent != never)
                    latest = std::max(latest, event.answered - event.sent);
            }
            if (latest > 25'000'000) // the burst is due 33 ms before the edge
                continue;
            const auto most = [&](const char *limiter) { return countOf(*outcome.run, QString::fromLatin1(limiter), 2'000'000'000).most; };
            QCOMPARE(most("fixed-window"), 20);
            QVERIFY(most("sliding-counter") > 15);
            QVERIFY(most("token-bucket") > 15 && most("gcra") > 15);
            QCOMPARE(most("sliding-log"), 10);
            QVERIFY(most("token-bucket-one") <= 10);
            return;
        }
        QSKIP("This machine was too busy to meet an edge five times.");
    }

    void ofFiftyAtOnceFivePass_data()
    {
        QTest::addColumn<QString>("limiter");
        for (const Option &option : limiterOptions()) {
            if (option.word != QLatin1String("token-bucket-one"))
                QTest::newRow(qPrintable(option.word)) << option.word;
        }
    }
    void ofFiftyAtOnceFivePass()
    {
        QFETCH(QString, limiter);
        const Outcome outcome = perform(QStringLiteral("limiter-concurrency"), {}, {{"limiter", limiter}, {"rounds", "2"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        QCOMPARE(outcome.verdict.judgement, Judgement::Held);
        const Count count = countOf(*outcome.run, limiter, minute);
        QCOMPARE(count.admitted, 10);
        QCOMPARE(count.rejected, 90);
    }

    void anOwnRequestIsDecidedForEachPress()
    {
        int pressed = 0;
        const auto press = [&pressed](Session &session) {
            if (pressed++ < 200)
                session.press();
        };
        const Outcome outcome = perform(QStringLiteral("limiter-compare"), QStringLiteral("own"), {{"length", "3s"}, {"limiters", "buckets"}}, press);
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        const Count count = countOf(*outcome.run, QStringLiteral("gcra"), minute);
        QVERIFY(count.admitted + count.rejected > 3); // those before the play began are nobody's
        QCOMPARE(count.failed, 0);
        QCOMPARE(outcome.verdict.judgement, Judgement::None);
    }

    void whatComesWhileTheServerIsDownHasFailed_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("fail open") << "open" << QByteArray("let through");
        QTest::newRow("fail closed") << "closed" << QByteArray("turned away");
    }
    void whatComesWhileTheServerIsDownHasFailed()
    {
        QFETCH(QString, policy);
        QFETCH(QByteArray, word);
        const Outcome outcome = perform(QStringLiteral("limiter-compare"), QStringLiteral("safe-server-killed"), {{"when-down", policy}, {"limiters", "buckets"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        const Run &run = *outcome.run;
        qint64 killed = never, back = never;
        for (const Event &event : run.events) {
            if (event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Killed))
                killed = event.at;
            if (event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Ready) && killed != never)
                back = event.at;
        }
        QVERIFY(killed != never && back != never && killed < back);
        int down = 0, after = 0;
        for (const Event &event : run.events) {
            if (event.kind != Event::Kind::Decision || event.has(Event::Touched))
                continue;
            const bool hasFailed = event.what == static_cast<quint8>(LimiterAnswer::Failed);
            if (hasFailed) {
                QVERIFY(event.at > killed && event.at < back);
                QVERIFY2(run.names.bytes(event.detail).startsWith(word), run.names.bytes(event.detail));
                ++down;
            } else {
                QVERIFY(event.at < killed || event.at > back - 1'000'000'000);
                after += event.at > back;
            }
        }
        QVERIFY(down > 20 && after > 20);
    }

    void playsATraceAndSaysWhatIsOddInIt()
    {
        QTemporaryDir folder;
        QFile trace(folder.filePath("a trace.csv"));
        QVERIFY(trace.open(QIODevice::WriteOnly));
        trace.write("\xEF\xBB\xBF" "at_us,cost,key\r\n1000000,1,a b\r\n1100000,2,{c}\r\n1050000,1,a b\r\n1300000,0,a b\r\n");
        trace.close();
        const Outcome outcome = perform(QStringLiteral("limiter-compare"), {}, {{"traffic", "trace"}, {"trace", trace.fileName()}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error + (outcome.run ? outcome.run->incompleteBecause : QString())));
        const Count count = countOf(*outcome.run, QStringLiteral("sliding-log"), minute);
        QCOMPARE(count.admitted, 4);
        QVERIFY(std::any_of(outcome.run->events.begin(), outcome.run->events.end(), [&](const Event &event) {
            return event.kind == Event::Kind::Note && outcome.run->text(event.text).contains(QStringLiteral("earlier"));
        }));
    }

    void playsAnAccessLogAddressByAddress()
    {
        QTemporaryDir folder;
        QFile log(folder.filePath("access.log"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("203.0.113.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 23\n"
                  "198.51.100.2 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 23\n"
                  "rubbish\n"
                  "203.0.113.7 - - [10/Oct/2000:13:55:37 -0700] \"GET / HTTP/1.1\" 200 23\n");
        log.close();
        const Outcome outcome = perform(QStringLiteral("limiter-compare"), {}, {{"traffic", "log"}, {"trace", log.fileName()}, {"limit", "1"}, {"window", "10s"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        const Count count = countOf(*outcome.run, QStringLiteral("sliding-log"), minute);
        QCOMPARE(count.admitted, 2); // one for each address
        QCOMPARE(count.rejected, 1);
    }

    void saysWhyItCannotPlayAFile()
    {
        for (const char *path : {"", "/no/such/file.csv"}) {
            const Outcome outcome = perform(QStringLiteral("limiter-compare"), {}, {{"traffic", "trace"}, {"trace", path}});
            QVERIFY(outcome.run);
            QVERIFY(!outcome.run->isComplete);
            QVERIFY2(outcome.run->incompleteBecause.contains(QStringLiteral("file")), qPrintable(outcome.run->incompleteBecause));
            QVERIFY(outcome.verdict.judgement != Judgement::Held);
        }
    }

    void theLogGrowsBySteps()
    {
        const Outcome outcome = perform(QStringLiteral("limiter-memory"), QStringLiteral("growth"), {{"requests", "130"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        std::map<QString, std::map<QString, qint64>> bytes;
        for (const Event &event : outcome.run->events) {
            if (event.kind == Event::Kind::Note && outcome.run->text(event.text) == QLatin1String("memory"))
                bytes[outcome.run->text(event.key)][outcome.run->text(event.detail)] = event.number;
        }
        QVERIFY(bytes["sliding-log"]["requests admitted: 129"] > 3 * bytes["sliding-log"]["requests admitted: 128"]);
        QVERIFY(bytes["sliding-log"]["requests admitted: 128"] > 2000);
        for (const char *small : {"fixed-window", "sliding-counter", "token-bucket", "leaky-bucket", "gcra"})
            QVERIFY2(bytes[small]["requests admitted: 129"] > 0 && bytes[small]["requests admitted: 129"] < 250, small);

        // The curves are the same figures.
        const std::vector<MeasuredCurve> curves = curvesOf(*outcome.run);
        QCOMPARE(curves.size(), size_t(9));
        for (const MeasuredCurve &curve : curves) {
            QCOMPARE(curve.points.size(), bytes[curve.info.name].size());
            for (const MeasuredPoint &point : curve.points)
                QCOMPARE(point.y, bytes[curve.info.name][QStringLiteral("requests admitted: %1").arg(point.x.value_or(0))]);
        }
        const auto log = std::find_if(curves.begin(), curves.end(), [](const MeasuredCurve &curve) { return curve.info.name == QLatin1String("sliding-log"); });
        const std::optional<Jump> jump = steepestJump(*log);
        QVERIFY(jump);
        QCOMPARE(log->points[jump->point].x, std::optional<qint64>(128));
    }

    /// Each request is counted in one interval, and requests for each answer are the ratio of both.
    void theStormIsCountedInCurves()
    {
        const Outcome outcome = perform(QStringLiteral("limiter-retry-storm"), QStringLiteral("all"), {{"clients", "8"}, {"limit", "4"}, {"window", "400ms"}, {"delay", "50ms"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(outcome.error));
        std::map<QString, qint64> requests, answers;
        for (const Event &event : outcome.run->events) {
            if (event.kind != Event::Kind::Decision)
                continue;
            const QString habit = outcome.run->text(event.text);
            ++requests[habit];
            answers[habit] += habit == QLatin1String("degrade") || event.what == static_cast<quint8>(LimiterAnswer::Admitted);
        }
        QCOMPARE(requests.size(), size_t(6));
        std::map<QString, qint64> load, cost;
        for (const MeasuredCurve &curve : curvesOf(*outcome.run)) {
            const QString habit = curve.info.name.section(QLatin1Char('-'), 1);
            const bool isLoad = curve.info.name.startsWith(QLatin1String("load-"));
            for (const MeasuredPoint &point : curve.points) {
                (isLoad ? load : cost)[habit] += point.y;
                QCOMPARE(point.x.has_value(), isLoad);
                QVERIFY(!isLoad || *point.x % 100'000'000 == 0);
            }
            QVERIFY(!isLoad || curve.points.back().y == 0); // it is over
        }
        for (const auto &[habit, count] : requests) {
            QCOMPARE(load[habit], count);
            QCOMPARE(cost[habit], count * 1'000 / answers[habit]);
        }
        QVERIFY(requests["at-once"] > 2 * requests["exponential"]);
    }

private:
    QMap<QString, Outcome> m_tables;
};

QTEST_GUILESS_MAIN(LimiterExperimentsTest)
#include "tst_limiterexperiments.moc"
