// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/section.h"

#include <QTest>

using namespace interlock;

namespace {

/// A clock, a scheduler and a record for actors of a test.
struct Play
{
    RealClock clock;
    RealTimeScheduler scheduler;
    Recorder recorder {[this] { return clock.now(); }};
    World world {clock, scheduler, &recorder};
};

Task<> sleepThenCount(Actor &actor, Nanoseconds duration, int *count)
{
    co_await actor.sleep(duration);
    ++*count;
}

Task<> workForEver(Actor &actor)
{
    const Section section(actor, "stock", "t1");
    for (;;)
        co_await actor.sleep(1h);
}

Task<> passAPoint(Actor &actor, int *passed)
{
    ++*passed;
    co_await actor.reach("between GET and DEL");
    ++*passed;
}

Task<> awaitEvent(Actor &actor, int times, Nanoseconds limit, QString *outcome)
{
    const auto entered = [](const Event &event, const Names &) { return event.kind == Event::Kind::Resource; };
    const Result<Event> seen = co_await actor.seen(entered, limit, times);
    *outcome = seen ? QStringLiteral("seen") : QStringLiteral("timed out");
}

Task<> awaitEnd(Actor &actor, Actor *other, bool *ended)
{
    co_await actor.ended(*other);
    *ended = true;
}

Task<> countForEver(Actor &actor, int *count)
{
    for (;;) {
        co_await actor.sleep(1ms);
        ++*count;
    }
}

Task<> endWithCompanion(Actor &actor, int *count, int until)
{
    actor.spawn(countForEver(actor, count));
    while (*count < until)
        co_await actor.sleep(1ms);
}

std::vector<Event> resources(const Recorder &recorder)
{
    std::vector<Event> found;
    for (const Event &event : recorder.events()) {
        if (event.kind == Event::Kind::Resource)
            found.push_back(event);
    }
    return found;
}

}

class ActorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPausedActorStaysWhereItIsUntilResumed();
    void aKilledActorLeavesItsSectionAsDead();
    void anAbandonedActorRecordsNothing();
    void anActorStopsAtAHeldPointUntilItMayProceed();
    void aPointWithoutAHoldIsPassed();
    void anActorCanBeKilledAtAHeldPoint();
    void seenCountsEventsFromBefore();
    void seenWaitsForTheNthEvent();
    void seenGivesUpAfterItsLimit();
    void theEndOfAnotherActorIsNoticed_data();
    void theEndOfAnotherActorIsNoticed();
    void companionsEndWithTheProgram();
    void aStoppedCompanionRunsNoMore();
    void theClockFiresInOrderOfTime();
    void aCancelledTimerDoesNotFire();
    void aTimerCanCancelOneThatIsDueAtTheSameTime();
};

void ActorsTest::aPausedActorStaysWhereItIsUntilResumed()
{
    Play play;
    int paused = 0;
    int other = 0;
    Actor a(QStringLiteral("A"), play.world, 1);
    Actor b(QStringLiteral("B"), play.world, 2);
    a.run(sleepThenCount(a, 1ms, &paused));
    b.run(sleepThenCount(b, 20ms, &other));
    a.pause();
    QTRY_COMPARE(other, 1);
    QCOMPARE(paused, 0);
    QCOMPARE(a.resume(), 1);
    QCOMPARE(paused, 1);
    QCOMPARE(a.state(), Actor::State::Ended);
}

void ActorsTest::aKilledActorLeavesItsSectionAsDead()
{
    Play play;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.run(workForEver(a));
    QTRY_COMPARE(resources(play.recorder).size(), 1u);
    a.kill();
    const std::vector<Event> events = resources(play.recorder);
    QCOMPARE(events.size(), 2u);
    QCOMPARE(events[1].what, static_cast<quint8>(Resource::Left));
    QCOMPARE(play.recorder.names().bytes(events[1].detail), QByteArray("died"));
    QCOMPARE(a.state(), Actor::State::Died);
}

void ActorsTest::anAbandonedActorRecordsNothing()
{
    Play play;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.run(workForEver(a));
    QTRY_COMPARE(resources(play.recorder).size(), 1u);
    a.abandon();
    QCOMPARE(resources(play.recorder).size(), 1u);
}

void ActorsTest::anActorStopsAtAHeldPointUntilItMayProceed()
{
    Play play;
    int passed = 0;
    bool arrived = false;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.holdAt(QStringLiteral("between GET and DEL"), [&] { arrived = true; });
    a.run(passAPoint(a, &passed));
    QTRY_VERIFY(arrived);
    QVERIFY(a.isHeldAt(QStringLiteral("between GET and DEL")));
    QCOMPARE(passed, 1);
    a.proceed();
    QCOMPARE(passed, 2);
}

void ActorsTest::aPointWithoutAHoldIsPassed()
{
    Play play;
    int passed = 0;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.holdAt(QStringLiteral("elsewhere"));
    a.run(passAPoint(a, &passed));
    QTRY_COMPARE(passed, 2);
}

void ActorsTest::anActorCanBeKilledAtAHeldPoint()
{
    Play play;
    int passed = 0;
    bool arrived = false;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.holdAt(QStringLiteral("between GET and DEL"), [&] { arrived = true; });
    a.run(passAPoint(a, &passed));
    QTRY_VERIFY(arrived);
    a.kill();
    a.proceed();
    QCOMPARE(passed, 1);
    QVERIFY(!a.isAlive());
}

void ActorsTest::seenCountsEventsFromBefore()
{
    Play play;
    Actor a(QStringLiteral("A"), play.world, 1);
    Actor b(QStringLiteral("B"), play.world, 2);
    {
        const Section before(a, "stock", "t1");
    }
    QString outcome;
    b.run(awaitEvent(b, 2, 10s, &outcome));
    QTRY_COMPARE(outcome, QStringLiteral("seen"));
}

void ActorsTest::seenWaitsForTheNthEvent()
{
    Play play;
    Actor a(QStringLiteral("A"), play.world, 1);
    Actor b(QStringLiteral("B"), play.world, 2);
    QString outcome;
    b.run(awaitEvent(b, 3, 10s, &outcome));
    bool looped = false;
    Section first(a, "stock", "t1");
    first.leave();
    play.clock.after(5ms, [&] { looped = true; });
    QTRY_VERIFY(looped);
    QCOMPARE(outcome, QString());
    const Section second(a, "stock", "t1");
    QTRY_COMPARE(outcome, QStringLiteral("seen"));
}

void ActorsTest::seenGivesUpAfterItsLimit()
{
    Play play;
    Actor b(QStringLiteral("B"), play.world, 2);
    QString outcome;
    b.run(awaitEvent(b, 1, 10ms, &outcome));
    QTRY_COMPARE(outcome, QStringLiteral("timed out"));
}

void ActorsTest::theEndOfAnotherActorIsNoticed_data()
{
    QTest::addColumn<bool>("dies");
    QTest::newRow("its program returns") << false;
    QTest::newRow("it is killed") << true;
}

void ActorsTest::theEndOfAnotherActorIsNoticed()
{
    QFETCH(bool, dies);
    Play play;
    int count = 0;
    bool ended = false;
    Actor a(QStringLiteral("A"), play.world, 1);
    Actor b(QStringLiteral("B"), play.world, 2);
    a.run(sleepThenCount(a, dies ? Nanoseconds(1h) : Nanoseconds(5ms), &count));
    b.run(awaitEnd(b, &a, &ended));
    if (dies)
        play.clock.after(5ms, [&] { a.kill(); });
    QTRY_VERIFY(ended);
    QCOMPARE(count, dies ? 0 : 1);
    bool again = false; // also when it has ended already
    Actor c(QStringLiteral("C"), play.world, 3);
    c.run(awaitEnd(c, &a, &again));
    QTRY_VERIFY(again);
}

void ActorsTest::companionsEndWithTheProgram()
{
    Play play;
    int count = 0;
    Actor a(QStringLiteral("A"), play.world, 1);
    a.run(endWithCompanion(a, &count, 3));
    QTRY_COMPARE(a.state(), Actor::State::Ended);
    const int atEnd = count;
    bool later = false;
    play.clock.after(20ms, [&] { later = true; });
    QTRY_VERIFY(later);
    QCOMPARE(count, atEnd);
}

void ActorsTest::aStoppedCompanionRunsNoMore()
{
    Play play;
    int count = 0;
    Actor a(QStringLiteral("A"), play.world, 1);
    const quint64 companion = a.spawn(countForEver(a, &count));
    QTRY_VERIFY(count > 0);
    a.stop(companion);
    const int atStop = count;
    bool later = false;
    play.clock.after(20ms, [&] { later = true; });
    QTRY_VERIFY(later);
    QCOMPARE(count, atStop);
}

void ActorsTest::theClockFiresInOrderOfTime()
{
    RealClock clock;
    QString order;
    clock.after(9ms, [&] { order += QLatin1Char('c'); });
    clock.after(1ms, [&] { order += QLatin1Char('a'); });
    clock.after(5ms, [&] { order += QLatin1Char('b'); });
    QTRY_COMPARE(order, QStringLiteral("abc"));
}

void ActorsTest::aCancelledTimerDoesNotFire()
{
    RealClock clock;
    QString order;
    const Clock::TimerId id = clock.after(1ms, [&] { order += QLatin1Char('a'); });
    clock.after(5ms, [&] { order += QLatin1Char('b'); });
    clock.cancel(id);
    QTRY_COMPARE(order, QStringLiteral("b"));
}

void ActorsTest::aTimerCanCancelOneThatIsDueAtTheSameTime()
{
    RealClock clock;
    QString order;
    Clock::TimerId second = 0;
    clock.after(0ns, [&] {
        order += QLatin1Char('a');
        clock.cancel(second);
    });
    second = clock.after(0ns, [&] { order += QLatin1Char('b'); });
    clock.after(0ns, [&] { order += QLatin1Char('c'); });
    QTRY_COMPARE(order, QStringLiteral("ac"));
}

QTEST_GUILESS_MAIN(ActorsTest)
#include "tst_actors.moc"
