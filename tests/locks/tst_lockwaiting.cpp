// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a client waits for a lock, and what is recorded of what it believes. Rows as in tests/oracles/locks.md.
#include "engine/locks/lock.h"
#include "engine/schedule/client.h"
#include "tests/support/fakeclock.h"
#include "tests/support/servertest.h"

#include <QTest>

#include <optional>

using namespace interlock;

namespace {

LockOptions optionsFor(const QByteArray &key)
{
    LockOptions options;
    options.key = key;
    options.ttl = 60s;
    return options;
}

/// Holds the lock and does nothing else.
Task<> holdForEver(Actor &actor, NodeRef node, LockOptions options)
{
    Client client(actor, node);
    Lock lock(client, options);
    (void)co_await lock.acquire();
    co_await actor.sleep(1000h);
}

Task<> waitForEver(Actor &actor, NodeRef node, LockOptions options)
{
    Client client(actor, node);
    Lock lock(client, options);
    (void)co_await lock.acquire(Waiting::fixed(Nanoseconds::max(), 50ms));
}

}

class LockWaitingTest : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void givesUpAtTheLimit_data()
    {
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("delay");
        QTest::addColumn<int>("sleeps");
        // After the last sleep one more try, then the next delay would end after the limit.
        QTest::addRow("row 4: 0.4 s, each 0.05 s") << 400 << 50 << 8;
        QTest::addRow("row 5: 1 s, each 60 s") << 1'000 << 60'000 << 0;
        QTest::addRow("one try") << 0 << 50 << 0;
        QTest::addRow("the delay is the limit") << 100 << 100 << 1;
    }
    void givesUpAtTheLimit()
    {
        QFETCH(int, limit);
        QFETCH(int, delay);
        QFETCH(int, sleeps);
        FakeTime time;
        std::optional<bool> acquired;
        int before = 0;
        Nanoseconds waited {0};
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            Lock lock(client, optionsFor(m_key));
            before = time.scheduler.sleeps();
            const Nanoseconds began = actor.now();
            acquired = *co_await lock.acquire(Waiting::fixed(Milliseconds(limit), Milliseconds(delay)));
            waited = actor.now() - began;
        };
        QVERIFY(time.run(program));
        QCOMPARE(acquired, false);
        QCOMPARE(time.scheduler.sleeps() - before, sleeps);
        QCOMPARE(waited.count(), Nanoseconds(Milliseconds(sleeps * delay)).count());
        QCOMPARE(time.beliefs(Belief::Refused).size(), size_t(sleeps + 1));
        QCOMPARE(time.beliefs(Belief::GaveUp).size(), size_t(1));
    }

    void isGrantedAtTheFirstTryAfterTheRelease()
    {
        FakeTime time;
        std::optional<bool> acquired;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock one(client, optionsFor(m_key));
            (void)co_await one.acquire();
            Client otherClient(actor, m_node);
            Lock other(otherClient, optionsFor(m_key));
            const auto wait = [&]() -> Task<> { acquired = *co_await other.acquire(Waiting::fixed(10s, 100ms)); };
            actor.spawn(wait());
            co_await actor.sleep(250ms);
            (void)co_await one.release();
            co_await actor.sleep(100ms);
        };
        QVERIFY(time.run(program));
        QCOMPARE(acquired, true);
    }

    /// A server that was made a replica refuses to write; here it is made a primary again meanwhile.
    void waitsOnWhereThePrimaryIs_data()
    {
        QTest::addColumn<bool>("finds");
        QTest::addRow("found") << true;
        QTest::addRow("not found") << false;
    }
    void waitsOnWhereThePrimaryIs()
    {
        QFETCH(bool, finds);
        FakeTime time;
        std::optional<Result<bool>> acquired;
        int reconnected = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("REPLICAOF", "127.0.0.1", 1);
            const auto reconnect = [&]() -> Task<Result<void>> {
                ++reconnected;
                (void)co_await client.command("REPLICAOF", "NO", "ONE");
                if (finds)
                    co_return Result<void>();
                co_return Error {Error::Kind::Failed, QStringLiteral("There is none.")};
            };
            Lock lock(client, optionsFor(m_key));
            acquired = co_await lock.acquire(Waiting::fixed(10s, 100ms), reconnect);
        };
        QVERIFY(time.run(program));
        QCOMPARE(reconnected, 1);
        QCOMPARE(acquired->ok(), finds);
        QCOMPARE(time.beliefs(Belief::Wants).size(), size_t(1)); // it waits on, and does not begin to wait again
        QCOMPARE(time.beliefs(finds ? Belief::Granted : Belief::GaveUp).size(), size_t(1));
        if (!finds)
            QCOMPARE(acquired->error().text, QStringLiteral("There is none."));
    }

    void withoutReconnectingAReplicasRefusalIsAFailure()
    {
        FakeTime time;
        std::optional<Result<bool>> acquired;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("REPLICAOF", "127.0.0.1", 1);
            Lock lock(client, optionsFor(m_key));
            acquired = co_await lock.acquire(Waiting::fixed(10s, 100ms));
            (void)co_await client.command("REPLICAOF", "NO", "ONE");
        };
        QVERIFY(time.run(program));
        QVERIFY(!acquired->ok());
        QVERIFY(acquired->error().text.startsWith(QLatin1String("READONLY")));
    }

    void randomDelaysStayInTheirRange()
    {
        FakeTime time;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            Lock lock(client, optionsFor(m_key));
            (void)co_await lock.acquire(Waiting::random(10s, 100ms));
        };
        QVERIFY(time.run(program));
        const std::vector<Event> refusals = time.beliefs(Belief::Refused);
        QVERIFY(refusals.size() > 10);
        std::set<qint64> delays;
        for (size_t i = 1; i < refusals.size(); ++i) {
            const qint64 delay = refusals[i].at - refusals[i - 1].at;
            QVERIFY2(delay >= 50'000'000 && delay <= 150'000'000, qPrintable(QString::number(delay)));
            delays.insert(delay);
        }
        QVERIFY(delays.size() > 5); // and they differ
    }

    void recordsWhatItBelieves()
    {
        FakeTime time;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            Lock lock(client, optionsFor(m_key));
            const auto makeRoom = [&]() -> Task<> {
                co_await actor.sleep(50ms);
                (void)co_await client.command("DEL", m_key);
            };
            actor.spawn(makeRoom());
            (void)co_await lock.acquire(Waiting::fixed(10s, 100ms));
            co_await actor.sleep(5s);
            (void)co_await lock.renew(60s);
            co_await actor.sleep(1s);
            (void)co_await lock.release();
        };
        QVERIFY(time.run(program));
        QList<Belief> kinds;
        QList<Event> beliefs;
        for (const Event &event : time.recorder.events()) {
            if (event.kind == Event::Kind::Belief) {
                kinds << Belief(event.what);
                beliefs << event;
            }
        }
        QCOMPARE(kinds, (QList<Belief> {Belief::Wants, Belief::Refused, Belief::Granted, Belief::Renewed, Belief::Ended, Belief::Released}));
        const Event &granted = beliefs.at(2), &renewed = beliefs.at(3), &ended = beliefs.at(4), &released = beliefs.at(5);
        QCOMPARE(granted.until, granted.sent + 60'000'000'000);
        QVERIFY(granted.has(Event::Conditional));
        QVERIFY(granted.sent <= granted.answered && granted.answered <= granted.at);
        QCOMPARE(renewed.until, renewed.sent + 60'000'000'000);
        QCOMPARE(renewed.sent - granted.sent, qint64(5'000'000'000));
        QCOMPARE(ended.at, released.sent);
        QCOMPARE(time.recorder.run().text(ended.detail), QStringLiteral("released"));
        QCOMPARE(released.number, qint64(1));
        for (const Event &event : beliefs) {
            QCOMPARE(time.recorder.run().text(event.lane), QStringLiteral("A"));
            QCOMPARE(time.recorder.names().bytes(event.key), m_key);
            QCOMPARE(event.text, granted.text);
        }
    }

    void grantsWithoutNxAreNotConditionalAndBareSetnxHasNoEnd()
    {
        FakeTime time;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            for (const Acquiring acquiring : {Acquiring::Set, Acquiring::SetNx, Acquiring::SetNxThenExpire}) {
                LockOptions options = optionsFor(m_key);
                options.acquiring = acquiring;
                Lock lock(client, options);
                (void)co_await lock.acquire();
                (void)co_await lock.release();
            }
        };
        QVERIFY(time.run(program));
        const std::vector<Event> granted = time.beliefs(Belief::Granted);
        QCOMPARE(granted.size(), size_t(3));
        QVERIFY(!granted[0].has(Event::Conditional));
        QCOMPARE(granted[1].until, never);
        QCOMPARE(granted[2].until, never); // until EXPIRE was answered
        const std::vector<Event> renewed = time.beliefs(Belief::Renewed);
        QCOMPARE(renewed.size(), size_t(1));
        QCOMPARE(renewed[0].until, renewed[0].sent + 60'000'000'000);
    }

    void aDeathEndsWhatWasBelieved_data()
    {
        QTest::addColumn<bool>("holds");
        QTest::addRow("holder") << true;
        QTest::addRow("waiter") << false;
    }
    void aDeathEndsWhatWasBelieved()
    {
        QFETCH(bool, holds);
        FakeTime time;
        Actor owner(QStringLiteral("A"), time.world, 1);
        owner.run(holdForEver(owner, m_node, optionsFor(m_key)));
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Granted).size() == 1; }));
        Actor waiter(QStringLiteral("B"), time.world, 2);
        waiter.run(waitForEver(waiter, m_node, optionsFor(m_key)));
        QVERIFY(time.pass([&] { return !time.beliefs(Belief::Refused).empty(); }));
        (holds ? owner : waiter).kill();
        const std::vector<Event> ends = time.beliefs(holds ? Belief::Ended : Belief::GaveUp);
        QCOMPARE(ends.size(), size_t(1));
        QCOMPARE(time.recorder.run().text(ends[0].detail), QStringLiteral("died"));
        QCOMPARE(time.recorder.run().text(ends[0].lane), holds ? QStringLiteral("A") : QStringLiteral("B"));
        QVERIFY(time.beliefs(holds ? Belief::GaveUp : Belief::Ended).empty());
    }

    void aDeathBetweenSetnxAndExpireLeavesAKeyWithoutTtl()
    {
        FakeTime time;
        LockOptions options = optionsFor(m_key);
        options.acquiring = Acquiring::SetNxThenExpire;
        Actor owner(QStringLiteral("A"), time.world, 1);
        owner.run(holdForEver(owner, m_node, options));
        owner.holdAt(QStringLiteral("between SETNX and EXPIRE"));
        QVERIFY(time.pass([&] { return owner.isHeldAt(QStringLiteral("between SETNX and EXPIRE")); }));
        owner.kill();
        QCOMPARE(time.beliefs(Belief::Ended).size(), size_t(1));
        QVERIFY(time.beliefs(Belief::GaveUp).empty()); // it had been granted
        qint64 ttl = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            ttl = (co_await client.command("TTL", m_key))->integer;
        };
        QVERIFY(time.run(program));
        QCOMPARE(ttl, qint64(-1));
    }

    void anAbandonedRunTellsNothing()
    {
        FakeTime time;
        Actor owner(QStringLiteral("A"), time.world, 1);
        owner.run(holdForEver(owner, m_node, optionsFor(m_key)));
        QVERIFY(time.pass([&] { return time.beliefs(Belief::Granted).size() == 1; }));
        owner.abandon();
        QVERIFY(time.beliefs(Belief::Ended).empty());
    }

    void refusesOptionsThatItCannotUse()
    {
        FakeTime time;
        QList<Error::Kind> errors;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions tooShort = optionsFor(m_key);
            tooShort.ttl = 999us;
            Lock one(client, tooShort);
            const Result<bool> first = co_await one.acquire();
            errors << (first ? Error::Kind::Failed : first.error().kind);
            Lock two(client, optionsFor(m_key));
            const Result<Ownership> second = co_await two.release();
            errors << (second ? Error::Kind::Failed : second.error().kind);
            (void)co_await two.acquire();
            const Result<bool> third = co_await two.acquire();
            errors << (third ? Error::Kind::Failed : third.error().kind);
        };
        QVERIFY(time.run(program));
        QCOMPARE(errors, (QList<Error::Kind>(3, Error::Kind::Invalid)));
    }
};

QTEST_GUILESS_MAIN(LockWaitingTest)
#include "tst_lockwaiting.moc"
