// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/recorder.h"

#include <QTest>

using namespace interlock;

class RecorderTest : public QObject
{
    Q_OBJECT

private slots:
    void decisionsFindTheirFiguresHoweverTheyAreSorted();
    void theCapDropsDecisionsWithTheirFigures();
    void limitersAreAddedOnce();
    void aDecisionLiesOnTheCallersClockIfThereIsOne();
};

static Event sentAt(qint64 at)
{
    Event event;
    event.at = at;
    return event;
}

void RecorderTest::decisionsFindTheirFiguresHoweverTheyAreSorted()
{
    Recorder recorder([] { return Nanoseconds(0); });
    recorder.recordDecision(sentAt(20), {.cost = 2}); // answered first
    recorder.record(sentAt(15));
    recorder.recordDecision(sentAt(10), {.cost = 1});
    const Run run = recorder.finish();
    QCOMPARE(run.events.size(), size_t {3});
    QCOMPARE(run.events[0].kind, Event::Kind::Decision);
    QCOMPARE(run.figures(run.events[0])->cost, 1);
    QCOMPARE(run.figures(run.events[1]), nullptr);
    QCOMPARE(run.figures(run.events[2])->cost, 2);
}

void RecorderTest::theCapDropsDecisionsWithTheirFigures()
{
    Recorder recorder([] { return Nanoseconds(0); }, 2);
    std::vector<qint64> heard;
    recorder.listen([&](const Event &event) { heard.push_back(event.number); });
    for (int i = 0; i < 4; ++i)
        recorder.recordDecision(sentAt(i), {.cost = i});
    QCOMPARE(heard, (std::vector<qint64> {0, 1, -1, -1}));
    const Run run = recorder.finish();
    QCOMPARE(run.events.size(), size_t {2});
    QCOMPARE(run.decisions.size(), size_t {2});
    QCOMPARE(run.dropped, quint64 {2});
    QCOMPARE(run.figures(run.events[1])->cost, 1);
}

void RecorderTest::limitersAreAddedOnce()
{
    Recorder recorder([] { return Nanoseconds(0); });
    LimiterInfo info;
    info.name = QStringLiteral("gcra");
    recorder.addLimiter(info);
    info.limit = 7;
    recorder.addLimiter(info);
    info.name = QStringLiteral("gcra defect");
    recorder.addLimiter(info);
    const Run run = recorder.finish();
    QCOMPARE(run.header.limiters.size(), 2);
    QCOMPARE(run.limiter(QStringLiteral("gcra"))->limit, 0);
    QCOMPARE(run.limiter(QStringLiteral("gcra defect"))->limit, 7);
    QCOMPARE(run.limiter(QStringLiteral("other")), nullptr);
}

void RecorderTest::aDecisionLiesOnTheCallersClockIfThereIsOne()
{
    QCOMPARE(decisionTime(sentAt(5), {.now = 7, .serverTime = 8}), 5);
    QCOMPARE(decisionTime(sentAt(5), {.now = 7, .serverTime = 8, .asked = 6}), 6'000);
    QCOMPARE(decisionTime(sentAt(5), {.asked = 0}), 0);
}

QTEST_GUILESS_MAIN(RecorderTest)
#include "tst_recorder.moc"
