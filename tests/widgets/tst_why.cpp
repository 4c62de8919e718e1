// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/limiterruns.h"
#include "widgets/limiters/why.h"

#include <QTest>

using namespace interlock;
using namespace interlock::samples;

class TestWhy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhyWithTheNumbersOfItsState_data();
    void saysWhyWithTheNumbersOfItsState();
    void saysWhatThePolicyMadeOfAFailure();
    void saysThatTheCallersClockWasBehind();
    void asksByNumberAndAnswer();
    void tellsWhatTheOthersSaid();
};

void TestWhy::saysWhyWithTheNumbersOfItsState_data()
{
    QTest::addColumn<QString>("algorithm");
    QTest::addColumn<bool>("admitted");
    QTest::addColumn<DecisionFigures>("figures");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const char *algorithm, bool admitted, const DecisionFigures &figures, const char *sentence) {
        QTest::newRow(name) << QString::fromLatin1(algorithm) << admitted << figures << QStringLiteral("It: ") + QString::fromUtf8(sentence);
    };
    row("fixed window, admitted", "fixed-window", true, {.limit = 10, .resetAfter = 420'000, .level = 3}, "with this request 3 of 10 are used in the window, which ends in 420 ms.");
    row("fixed window, rejected", "fixed-window", false, {.limit = 10, .retryAfter = 420'000, .level = 10},
        "10 of 10 are used in the window; it ends in 420 ms, so it asks to come back then.");
    row("log, admitted", "sliding-log", true, {.limit = 100, .level = 37}, "with this request 37 of 100 in the last 60 s.");
    row("log, rejected", "sliding-log", false, {.limit = 100, .retryAfter = 4'200'000, .level = 100},
        "100 of 100 in the last 60 s; the oldest leaves in 4.2 s, so it asks to come back then.");
    row("log, cost", "sliding-log", false, {.cost = 3, .limit = 100, .retryAfter = 4'200'000, .level = 98},
        "98 of 100 in the last 60 s; enough of the oldest have left in 4.2 s, so it asks to come back then. It costs 3.");
    row("buckets, rejected", "sliding-window", false, {.limit = 10, .retryAfter = 2'000'000, .level = 10},
        "the buckets of the last 60 s hold 10 of 10; enough of them are over in 2 s, so it asks to come back then.");
    row("counter, rejected", "sliding-counter", false, {.limit = 10, .retryAfter = 100'000, .level = 10},
        "the count is 10 of 10: this window’s, and the one before by the share that still overlaps the last 60 s; it has fallen far enough in 100 ms, so it asks to come back then.");
    // 100 parts to a token: 40 parts are 0.4 of one.
    row("tokens, rejected", "token-bucket", false, {.limit = 10, .retryAfter = 600'000, .level = 40},
        "the bucket holds 0.4 of 10 tokens and this request takes 1; enough have come in 600 ms, so it asks to come back then.");
    row("tokens, admitted", "token-bucket", true, {.limit = 10, .level = 345}, "there were enough tokens; 3.45 of 10 are left after this request.");
    row("tokens, nearly one", "token-bucket", false, {.limit = 10, .retryAfter = 1, .level = 99},
        "the bucket holds 0.99 of 10 tokens and this request takes 1; enough have come in 1 µs, so it asks to come back then.");
    row("meter, rejected", "leaky-bucket", false, {.limit = 10, .retryAfter = 600'000, .level = 960},
        "the bucket is filled to 9.6 of 10 and this request needs room for 1; enough has drained in 600 ms, so it asks to come back then.");
    row("queue, waits", "leaky-bucket", true, {.limit = 10, .delay = 1'200'000, .level = 700},
        "there is room; with this request the bucket is filled to 7 of 10, and the request waits 1.2 s for its turn.");
    // A unit is 100 µs: 10 of them may be counted ahead, 950 µs are.
    row("gcra, rejected", "gcra", false, {.limit = 10, .retryAfter = 50, .level = 950},
        "it comes too early: 950 µs are counted ahead of now, this request would make it 1 ms, and at most 1 ms are allowed; it conforms in 50 µs, so it asks to come back then.");
    row("gcra, admitted", "gcra", true, {.limit = 10, .level = 300}, "it conforms; with this request it counts 300 µs ahead of now, of at most 1 ms.");
    row("more than ever", "token-bucket", false, {.cost = 12, .limit = 10, .level = 1000},
        "it costs 12, and never are more than 10 admitted at once: no time to come back is promised.");
    row("no time told", "fixed-window", false, {.limit = 10, .remaining = 0, .level = 10}, "0 of 10 remain, and it promises no time to come back.");
    row("only looked", "gcra", true, {.cost = 0, .limit = 10, .remaining = 7}, "this only looked; 7 of 10 remain.");
    row("of a later version", "magic", false, {.limit = 10, .remaining = 0, .retryAfter = 5'000}, "rejected, 0 of 10 remain; it asks to come back in 5 ms.");
}

void TestWhy::saysWhyWithTheNumbersOfItsState()
{
    QFETCH(QString, algorithm);
    QFETCH(bool, admitted);
    QFETCH(DecisionFigures, figures);
    QFETCH(QString, sentence);
    LimiterInfo info;
    info.title = QStringLiteral("It");
    info.algorithm = algorithm;
    info.window = 60'000'000;
    info.levelUnit = algorithm.endsWith("bucket") || algorithm == "gcra" ? 100 : 1;
    Event event;
    event.kind = Event::Kind::Decision;
    event.what = static_cast<quint8>(admitted ? LimiterAnswer::Admitted : LimiterAnswer::Rejected);
    QCOMPARE(whyDecision(info, event, figures, Run()), sentence);
}

void TestWhy::saysWhatThePolicyMadeOfAFailure()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 4, 1000);
    const size_t failed = builder.decision("log", 1, LimiterAnswer::Failed);
    Run &run = builder.run();
    run.events[failed].detail = run.names.intern("let through");
    QCOMPARE(whyDecision(run.header.limiters[0], run.events[failed], run.decisions[0], run),
        QStringLiteral("log: no answer came, so the request was neither admitted nor rejected. Recorded: let through."));
    run.events[failed].answered = 5;
    QVERIFY(whyDecision(run.header.limiters[0], run.events[failed], run.decisions[0], run).contains("the answer was an error"));
}

void TestWhy::saysThatTheCallersClockWasBehind()
{
    LimiterInfo info;
    info.title = QStringLiteral("It");
    info.algorithm = QStringLiteral("fixed-window");
    Event event;
    event.what = static_cast<quint8>(LimiterAnswer::Admitted);
    const DecisionFigures figures {.limit = 4, .resetAfter = 1'000, .level = 1, .now = 20'000'000, .asked = 10'000'000};
    QVERIFY(whyDecision(info, event, figures, Run()).endsWith("It had already seen a time 10 s later than the caller’s clock, and decided for that."));
}

void TestWhy::asksByNumberAndAnswer()
{
    LimiterRunBuilder builder;
    builder.limiter("log", "sliding-log", 4, 1000);
    builder.admitted("log", 1);
    builder.rejected("log", 2);
    builder.decision("log", 3, LimiterAnswer::Failed);
    LimiterRecord record;
    record.extend(builder.run());
    QCOMPARE(whyQuestion(record.series()[0], 0), QStringLiteral("Why was request 1 admitted?"));
    QCOMPARE(whyQuestion(record.series()[0], 1), QStringLiteral("Why was request 2 rejected?"));
    QCOMPARE(whyQuestion(record.series()[0], 2), QStringLiteral("What became of request 3?"));
}

void TestWhy::tellsWhatTheOthersSaid()
{
    LimiterRunBuilder builder;
    builder.limiter("A", "sliding-log", 4, 1000).limiter("B", "gcra", 4, 0).limiter("C", "gcra", 4, 0).limiter("D", "gcra", 4, 0);
    builder.decision("A", 1, LimiterAnswer::Admitted, {.due = 1});
    builder.decision("B", 1, LimiterAnswer::Admitted, {.due = 1});
    builder.decision("C", 1, LimiterAnswer::Admitted, {.due = 1});
    builder.decision("D", 1, LimiterAnswer::Rejected, {.due = 1});
    LimiterRecord record;
    record.extend(builder.run());
    QCOMPARE(whatOthersSaid(builder.run(), record, {0, 0}, {}), QStringLiteral("The same request was admitted by B and C, and rejected by D."));
    QCOMPARE(whatOthersSaid(builder.run(), record, {0, 0}, {"D"}), QStringLiteral("The same request was admitted by B and C."));
    QCOMPARE(whatOthersSaid(builder.run(), record, {3, 0}, {"A", "B", "C"}), QString());
}

QTEST_APPLESS_MAIN(TestWhy)
#include "tst_why.moc"
