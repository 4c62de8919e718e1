// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coroutines of one actor beside each other, and what a person does from outside.
#include "engine/schedule/signal.h"
#include "engine/schedule/taskgroup.h"
#include "engine/schedule/turns.h"
#include "tests/support/fakeclock.h"

#include <QTest>

using namespace interlock;

namespace {

Task<> sleepAndNote(Actor &actor, Nanoseconds duration, QList<int> *noted, int number)
{
    co_await actor.sleep(duration);
    noted->append(number);
}

/// Begins five at once, the first of which takes longest; goes on when fewer than three are left, then when none is.
Task<> beginFive(Actor &actor, QList<int> *noted, QList<qsizetype> *seen)
{
    TaskGroup group(actor);
    for (int i = 0; i < 5; ++i)
        group.add(sleepAndNote(actor, Milliseconds(50 - 10 * i), noted, i));
    co_await group.fewerThan(3);
    seen->append(noted->size());
    co_await group.allEnded();
    seen->append(noted->size());
    co_await group.allEnded(); // nothing to wait for
}

Task<> beginMany(Actor &actor, int *ended)
{
    TaskGroup group(actor);
    const auto one = [](Actor &self, int *count) -> Task<> {
        co_await self.sleep(1ms);
        ++*count;
    };
    for (int i = 0; i < 10'000; ++i) {
        co_await group.fewerThan(10);
        group.add(one(actor, ended));
    }
    co_await group.allEnded();
}

Task<> beginAndDie(Actor &actor, QList<int> *noted)
{
    TaskGroup group(actor);
    group.add(sleepAndNote(actor, 1ms, noted, 1));
    group.add(sleepAndNote(actor, 1h, noted, 2));
    co_await group.allEnded();
    noted->append(3);
}

/// Takes a turn, and notes when it begins and when it ends.
Task<> takeTurn(Actor &actor, Turns *turns, QList<int> *noted, int number)
{
    const Turns::Turn turn = co_await turns->next(actor);
    noted->append(number);
    co_await actor.sleep(10ms);
    noted->append(-number);
}

Task<> awaitThrice(Actor &actor, Signal *signal, QList<bool> *raised)
{
    for (int i = 0; i < 3; ++i)
        raised->append(co_await signal->raised(actor, 10s));
}

}

class TaskGroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tasksRunBesideEachOther()
    {
        FakeTime time;
        QList<int> noted;
        QList<qsizetype> seen;
        const Nanoseconds begin = time.clock.now();
        QVERIFY(time.run([&](Actor &actor) { return beginFive(actor, &noted, &seen); }));
        QCOMPARE(noted, QList<int>({4, 3, 2, 1, 0}));
        QCOMPARE(seen, QList<qsizetype>({3, 5}));
        QCOMPARE(time.clock.now() - begin, 50ms); // and not the sum
    }

    void thousandsEndWithoutAStackOverflow()
    {
        FakeTime time;
        int ended = 0;
        QVERIFY(time.run([&](Actor &actor) { return beginMany(actor, &ended); }));
        QCOMPARE(ended, 10'000);
    }

    void endsWhereItsActorDies()
    {
        FakeTime time;
        QList<int> noted;
        Actor actor(QStringLiteral("A"), time.world, 1);
        actor.run(beginAndDie(actor, &noted));
        QVERIFY(time.pass([&] { return !noted.isEmpty(); }));
        actor.kill();
        time.clock.advanceBy(2h);
        QCOMPARE(noted, QList<int>({1}));
    }

    void turnsComeInTheOrderOfAsking()
    {
        FakeTime time;
        Turns turns;
        QList<int> noted;
        const Nanoseconds begin = time.clock.now();
        QVERIFY(time.run([&](Actor &actor) -> Task<> {
            TaskGroup group(actor);
            for (int i = 1; i <= 3; ++i)
                group.add(takeTurn(actor, &turns, &noted, i));
            co_await group.allEnded();
            co_await takeTurn(actor, &turns, &noted, 4); // free again
        }));
        QCOMPARE(noted, QList<int>({1, -1, 2, -2, 3, -3, 4, -4}));
        QCOMPARE(time.clock.now() - begin, 40ms);
    }

    /// Neither one that has its turn nor one that waits for it keeps the others from theirs when it is destroyed.
    void aTurnIsGivenOnByWhoIsDestroyed()
    {
        FakeTime time;
        Turns turns;
        QList<int> noted;
        Actor actor(QStringLiteral("A"), time.world, 1);
        const quint64 first = actor.spawn(takeTurn(actor, &turns, &noted, 1));
        const quint64 second = actor.spawn(takeTurn(actor, &turns, &noted, 2));
        const quint64 third = actor.spawn(takeTurn(actor, &turns, &noted, 3));
        actor.spawn(takeTurn(actor, &turns, &noted, 4));
        actor.stop(second); // waits
        actor.stop(first); // has it
        actor.stop(third); // was given it, and has not gone on yet
        QVERIFY(time.pass([&] { return noted.contains(-4); }));
        QCOMPARE(noted, QList<int>({1, 4, -4}));
    }

    void aSignalIsKeptForWhoComesLater()
    {
        FakeTime time;
        Signal signal;
        signal.raise();
        signal.raise();
        QList<bool> raised;
        const Nanoseconds begin = time.clock.now();
        QVERIFY(time.run([&](Actor &actor) { return awaitThrice(actor, &signal, &raised); }));
        QCOMPARE(raised, QList<bool>({true, true, false}));
        QCOMPARE(time.clock.now() - begin, 10s); // the third was waited for in vain
    }

    void aSignalWakesWhoWaits()
    {
        FakeTime time;
        Signal signal;
        QList<bool> raised;
        Actor actor(QStringLiteral("A"), time.world, 1);
        actor.run(awaitThrice(actor, &signal, &raised));
        time.clock.after(5s, [&] { signal.raise(); });
        QVERIFY(time.pass([&] { return raised.size() == 2; }));
        QCOMPARE(raised, QList<bool>({true, false}));
    }

    void aSignalMayGoBeforeWhoWaits()
    {
        FakeTime time;
        auto signal = std::make_unique<Signal>();
        QList<bool> raised;
        Actor actor(QStringLiteral("A"), time.world, 1);
        actor.run(awaitThrice(actor, signal.get(), &raised));
        time.clock.advanceBy(1ms);
        actor.kill();
        signal.reset();
        QVERIFY(raised.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TaskGroupTest)
#include "tst_taskgroup.moc"
