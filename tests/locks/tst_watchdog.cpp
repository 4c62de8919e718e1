// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Renewal by a watchdog, on a fake clock: the server's own time hardly moves. Rows as in tests/oracles/locks.md.
#include "engine/locks/watchdog.h"
#include "engine/schedule/client.h"
#include "tests/support/fakeclock.h"
#include "tests/support/servertest.h"

#include <QTest>

#include <optional>

using namespace interlock;

namespace {

/// An owner whose program does nothing more, while its watchdog goes on.
struct Owner
{
    Owner(FakeTime &time, NodeRef node, LockOptions options, WatchdogOptions watching)
        : actor(QStringLiteral("A"), time.world, 7)
    {
        actor.run(hold(std::move(node), std::move(options), watching));
    }

    Task<> hold(NodeRef node, LockOptions options, WatchdogOptions watching)
    {
        Client client(actor, node);
        Lock held(client, options);
        (void)co_await held.acquire();
        granted = actor.now();
        lock = &held;
        Watchdog dog(held, watching);
        watchdog = &dog;
        dog.onLost = [this](const QString &why) { lost = why; };
        co_await actor.reach("released");
        if (releases)
            (void)co_await held.release();
        co_await actor.reach("ended");
    }

    Nanoseconds granted {0};
    Lock *lock = nullptr;
    Watchdog *watchdog = nullptr;
    std::optional<QString> lost;
    bool releases = false;
    Actor actor; // last, so that its program goes first
};

}

class WatchdogTest : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_options.key = "lock:" + QByteArray(QTest::currentTestFunction()); }

    void renewsAtAThirdOfTheTtl()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Renewed).size() == 5; }));
        const qint64 granted = time.beliefs(Belief::Granted).at(0).sent;
        qint64 expected = granted;
        for (const Event &renewed : time.beliefs(Belief::Renewed)) {
            expected += 10'000'000'000;
            QCOMPARE(renewed.sent, expected);
            QCOMPARE(renewed.until, expected + 30'000'000'000);
        }
        QVERIFY(owner.lock->isHeld());
    }

    /// Row 21.
    void reportsALockThatWasDeleted()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        command(time, "DEL", m_options.key);
        QVERIFY(time.pass([&] { return owner.lost.has_value(); }));
        QCOMPARE(*owner.lost, QStringLiteral("expired"));
        QVERIFY(!owner.lock->isHeld());
        QVERIFY(!owner.watchdog->isRunning());
        QCOMPARE(command(time, "EXISTS", m_options.key).integer, qint64(0)); // nothing was created
        QCOMPARE(endOf(time), QStringLiteral("lost"));
    }

    void reportsALockThatIsAnothers()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        command(time, "SET", m_options.key, "another", "PX", 60'000);
        QVERIFY(time.pass([&] { return owner.lost.has_value(); }));
        QCOMPARE(*owner.lost, QStringLiteral("not the owner"));
        QCOMPARE(command(time, "GET", m_options.key).text, QByteArray("another"));
    }

    /// Row 22. The last renewal is cut to what is left of the lifetime, so the server frees the lock then.
    void letsGoAtTheMaximumLifetime()
    {
        FakeTime time;
        WatchdogOptions watching;
        watching.lifetime = 45s;
        Owner owner(time, m_node, m_options, watching);
        start(owner, time);
        const qint64 granted = time.beliefs(Belief::Granted).at(0).sent;
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Renewed).size() == 2; }));
        // At 10 s until 40 s; at 20 s until 45 s; then no more.
        QCOMPARE(time.beliefs(Belief::Renewed).at(0).until - granted, qint64(40'000'000'000));
        QCOMPARE(time.beliefs(Belief::Renewed).at(1).until - granted, qint64(45'000'000'000));
        const qint64 left = command(time, "PTTL", m_options.key).integer;
        QVERIFY2(left > 0 && left <= 25'000, qPrintable(QString::number(left)));
        QVERIFY(time.pass([&] { return owner.lost.has_value(); }));
        QCOMPARE(*owner.lost, QStringLiteral("maximum lifetime"));
        QCOMPARE(time.beliefs(Belief::Renewed).size(), size_t(2));
        QCOMPARE(time.beliefs(Belief::Ended).at(0).at - granted, qint64(45'000'000'000));
    }

    /// Row 22 again, on the real clock: nobody releases, and the server's key goes.
    void theServerFreesTheLockOfAStuckProgram()
    {
        RealClock clock;
        RealTimeScheduler scheduler;
        Recorder recorder([&] { return clock.now(); });
        int renewed = 0;
        recorder.listen([&](const Event &event) {
            renewed += event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(Belief::Renewed);
        });
        LockOptions options = m_options;
        options.ttl = 600ms;
        bool isFree = false;
        const auto stuck = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, options);
            (void)co_await lock.acquire();
            WatchdogOptions watching;
            watching.lifetime = 1s;
            Watchdog watchdog(lock, watching);
            co_await actor.sleep(1000h);
        };
        const auto other = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, options);
            isFree = *co_await lock.acquire(Waiting::fixed(15s, 50ms));
        };
        Actor one(QStringLiteral("A"), World {clock, scheduler, &recorder}, 1);
        one.run(stuck(one));
        QTRY_VERIFY_WITH_TIMEOUT(renewed > 0, 10'000);
        Actor two(QStringLiteral("B"), World {clock, scheduler, nullptr}, 2);
        two.run(other(two));
        QTRY_VERIFY_WITH_TIMEOUT(isFree, 20'000);
        QVERIFY(one.isAlive());
    }

    void withoutALifetimeItGoesOn()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Renewed).size() == 40; }));
        QVERIFY(owner.lock->isHeld());
    }

    void stopsAtTheRelease()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        owner.releases = true;
        start(owner, time);
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Renewed).size() == 1; }));
        owner.actor.holdAt(QStringLiteral("ended"));
        owner.actor.proceed();
        QVERIFY(time.pass([&] { return owner.actor.isHeldAt(QStringLiteral("ended")); }));
        QVERIFY(!owner.watchdog->isRunning());
        time.clock.advanceBy(10min);
        QCOMPARE(command(time, "EXISTS", m_options.key).integer, qint64(0));
        QCOMPARE(time.beliefs(Belief::Renewed).size(), size_t(1));
        QVERIFY(!owner.lost);
    }

    void stopsWhenItsOwnerDies()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        owner.actor.kill();
        time.clock.advanceBy(10min);
        QCOMPARE(endOf(time), QStringLiteral("died"));
        QVERIFY(command(time, "PTTL", m_options.key).integer > 0); // as the grant left it
        QVERIFY(time.beliefs(Belief::Renewed).empty());
    }

    void aPauseBeyondTheValidityEndsIt()
    {
        FakeTime time;
        Owner owner(time, m_node, m_options, {});
        start(owner, time);
        owner.actor.pause();
        time.clock.advanceBy(31s);
        QVERIFY(owner.lock->isHeld()); // it cannot know
        QCOMPARE(owner.actor.resume(), 1);
        QCOMPARE(*owner.lost, QStringLiteral("expired"));
        QCOMPARE(endOf(time), QStringLiteral("expired"));
        time.clock.advanceBy(10min);
        QCOMPARE(command(time, "PING").text, QByteArray("PONG"));
        QVERIFY(time.beliefs(Belief::Renewed).empty());
    }

    /// The twin: without checks it takes the lock back after the pause, from whoever has it.
    void withoutChecksAPauseRevivesTheLock()
    {
        FakeTime time;
        WatchdogOptions watching;
        watching.checksOwner = false;
        Owner owner(time, m_node, m_options, watching);
        start(owner, time);
        owner.actor.pause();
        time.clock.advanceBy(31s);
        command(time, "SET", m_options.key, "another", "PX", 60'000);
        QCOMPARE(owner.actor.resume(), 1);
        QVERIFY(time.pass([&] { return !time.beliefs(Belief::Renewed).empty(); }));
        QCOMPARE(command(time, "GET", m_options.key).text, owner.lock->token());
    }

    void triesAgainAfterARenewalWithoutAnswer()
    {
        FakeTime time;
        WatchdogOptions watching;
        watching.every = 200ms; // and the deadline of each renewal, in real time
        Owner owner(time, m_node, m_options, watching);
        start(owner, time);
        QVERIFY(m_server->server().pause());
        const bool failed = time.pass([&] { return !time.beliefs(Belief::RenewalFailed).empty(); });
        QVERIFY(m_server->server().resume());
        QVERIFY(failed);
        QVERIFY(time.pass([&] { return !time.beliefs(Belief::Renewed).empty(); }));
        QVERIFY(owner.lock->isHeld());
        QVERIFY(!owner.lost);
    }

    void reportsTheLossAfterAllTriesFailed()
    {
        FakeTime time;
        LockOptions options = m_options;
        options.ttl = 1s;
        WatchdogOptions watching;
        watching.every = 200ms;
        Owner owner(time, m_node, options, watching);
        start(owner, time);
        QVERIFY(m_server->server().pause());
        const bool lost = time.pass([&] { return owner.lost.has_value(); });
        QVERIFY(m_server->server().resume());
        QVERIFY(lost);
        QCOMPARE(*owner.lost, QStringLiteral("expired"));
        QVERIFY(time.beliefs(Belief::RenewalFailed).size() > 1); // it was tried again
        QCOMPARE(time.beliefs(Belief::Ended).at(0).at - time.beliefs(Belief::Granted).at(0).sent, qint64(1'000'000'000));
    }

private:
    /// Waits until the owner holds its lock under its watchdog.
    void start(Owner &owner, FakeTime &time)
    {
        owner.actor.holdAt(QStringLiteral("released"));
        QVERIFY(time.pass([&] { return owner.actor.isHeldAt(QStringLiteral("released")); }));
        QVERIFY(owner.lock->isHeld());
    }

    /// Asks the server while the fake clock stands: only the watchdog may let it go on.
    template<typename... Arguments>
    Reply command(FakeTime &time, const Arguments &...arguments)
    {
        Reply answer;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            const Result<Reply> reply = co_await client.command(arguments...);
            if (reply)
                answer = *reply;
        };
        RealClock clock;
        Actor actor(QStringLiteral("tester"), World {clock, time.scheduler, nullptr}, 3);
        actor.run(program(actor));
        if (!QTest::qWaitFor([&] { return !actor.isAlive(); }, 10'000))
            answer.text = "no answer";
        return answer;
    }

    QString endOf(const FakeTime &time) const
    {
        const std::vector<Event> ends = time.beliefs(Belief::Ended);
        return ends.size() == 1 ? time.recorder.run().text(ends[0].detail) : QStringLiteral("%1 ends").arg(ends.size());
    }

    LockOptions m_options; // TTL 30 s
};

QTEST_GUILESS_MAIN(WatchdogTest)
#include "tst_watchdog.moc"
