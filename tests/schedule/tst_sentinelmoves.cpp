// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a client notices that another server has become the primary, and moves there with all that it has.
#include "engine/locks/lock.h"
#include "engine/locks/watchdog.h"
#include "tests/support/fakegroup.h"

#include <QTest>

using namespace interlock;

using Received = QByteArrayList;

class TestSentinelMoves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The connection ended while nobody used it. No command fails of it.
    void anIdleConnectionThatEndedIsMadeAnew()
    {
        FakeGroup group;
        group.startIdling();
        QVERIFY(group.time.pass([&] { return group.seen; }));
        group.a.hangUp();
        QVERIFY(group.time.pass([&] { return !group.seen->client().isUsable(); }));
        group.goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(group.said, QStringList({"OK", "OK", "0"}));
        QCOMPARE(group.a.asked("SET"), 2);
        QVERIFY(group.a.asked("ROLE") >= 2); // it asked again before it believed
    }

    /// The old primary lives on and would take everything. The idle client leaves it when a sentinel tells, whichever does first.
    void followsASwitch_data()
    {
        QTest::addColumn<int>("teller"); // 0, 1: that sentinel; 2: both
        QTest::addColumn<bool>("isOtherStale");
        QTest::newRow("the first tells") << 0 << false;
        QTest::newRow("the second tells") << 1 << false;
        QTest::newRow("both tell") << 2 << false;
        QTest::newRow("the second tells, the first knows nothing yet") << 1 << true;
        QTest::newRow("the first tells, the second knows nothing yet") << 0 << true;
    }
    void followsASwitch()
    {
        QFETCH(int, teller);
        QFETCH(bool, isOtherStale);
        FakeGroup group;
        group.startIdling();
        QVERIFY(group.isIdling());
        group.failOver("master");
        if (isOtherStale)
            (teller == 0 ? group.second : group.first).names = group.a.endpoint();
        if (teller != 1)
            group.publishSwitch(group.first);
        if (teller != 0)
            group.publishSwitch(group.second);
        QVERIFY(group.time.pass([&] { return group.seen->node()->name == "N2"; })); // by itself
        group.goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(group.said, QStringList({"OK", "OK", "1"}));
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N2: SET"}));
    }

    void doesNotFollowWhatIsNotItsSwitch_data()
    {
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<QByteArray>("payload"); // %1, %2: the two servers
        QTest::newRow("another primary") << QByteArray("+switch-master") << QByteArray("other %1 %2");
        QTest::newRow("to where it is") << QByteArray("+switch-master") << QByteArray("mymaster %2 %1");
        QTest::newRow("rubbish") << QByteArray("+switch-master") << QByteArray("mymaster %1");
    }
    void doesNotFollowWhatIsNotItsSwitch()
    {
        QFETCH(QByteArray, channel);
        QFETCH(QByteArray, payload);
        FakeGroup group;
        group.startIdling();
        QVERIFY(group.isIdling());
        const int questions = group.first.questions() + group.second.questions();
        const auto words = [](const Endpoint &endpoint) { return "127.0.0.1 " + QByteArray::number(endpoint.port); };
        group.first.publish(channel, payload.replace("%1", words(group.a.endpoint())).replace("%2", words(group.b.endpoint())));
        group.goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N1: SET"}));
        QCOMPARE(group.first.questions() + group.second.questions(), questions);
    }

    /// What was published while nobody was heard is lost; so it asks when somebody is heard again.
    void asksWhenItHearsAgain()
    {
        FakeGroup group;
        group.startIdling();
        QVERIFY(group.isIdling());
        group.failOver("master");
        group.first.hangUp();
        group.second.hangUp();
        QVERIFY(group.time.pass([&] { return group.seen->node()->name == "N2" && group.seen->listening() == 2; }));
        group.goOn.raise();
        QVERIFY(group.awaitEnd());
    }

    /// The old primary has woken up and says that it is one; nobody told the client. connect() believes it, verify() asks first.
    void verifyAsksBeforeItBelieves()
    {
        FakeGroup group;
        QStringList where;
        int rolesBefore = 0;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            (void)co_await client.verify();
            where.append(client.node()->name);
            rolesBefore = group.a.asked("ROLE");
            group.failOver("master");
            (void)co_await client.connect();
            where.append(client.node()->name);
            (void)co_await client.verify();
            where.append(client.node()->name);
            (void)co_await client.command("SET", "a", 1);
        });
        QVERIFY(group.awaitEnd());
        QCOMPARE(where, QStringList({"N1", "N1", "N2"}));
        QCOMPARE(rolesBefore, 2);
        QCOMPARE(group.sent(), QStringList({"N2: SET"}));
    }

    /// Another client, which heard it later, has moved long since.
    void aPausedClientDoesNotMove()
    {
        FakeGroup group;
        group.startIdling();
        QVERIFY(group.isIdling());
        group.actor->pause();
        Signal otherGoOn;
        const SentinelClient *other = nullptr;
        Actor awake("B", group.time.world, 2);
        const auto program = [&](Actor &actor) -> Task<> {
            SentinelClient client(actor, group.endpoint(), group.options());
            (void)co_await client.connect();
            other = &client;
            co_await otherGoOn.raised(actor, Nanoseconds::max());
        };
        awake.run(program(awake));
        QVERIFY(group.awaitListening(other));
        group.failOver("master");
        group.publishSwitch(group.first);
        QVERIFY(group.time.pass([&] { return other->node()->name == "N2"; }));
        QCOMPARE(group.seen->node()->name, "N1");
        QCOMPARE(group.actor->resume(), 1);
        QVERIFY(group.time.pass([&] { return group.seen->node()->name == "N2"; }));
        group.goOn.raise();
        QVERIFY(group.awaitEnd());
    }

    /// A command is under way at the old primary when the client moves: its answer is still that one's, and recorded so.
    void whatIsInFlightIsStillAnswered()
    {
        FakeGroup group;
        group.deadline = 10s;
        group.a.onCommand = [](const Received &) { return QByteArray(); };
        const SentinelClient *seen = nullptr;
        QStringList said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            seen = &client;
            said.append(shown(co_await client.command("SET", "a", 1)));
            said.append(shown(co_await client.command("SET", "a", 2)));
        });
        QVERIFY(group.awaitListening(seen));
        QVERIFY(group.time.pass([&] { return group.a.asked("SET") == 1; }));
        group.failOver();
        group.publishSwitch(group.first);
        // The fake clock stands still while a command is under way, but what is due is to be done.
        QVERIFY(group.time.pass([&] {
            group.time.clock.advanceBy(0ns);
            return seen->node()->name == "N2";
        }));
        group.a.answerLate(resp::status("LATE"));
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, QStringList({"LATE", "OK"}));
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N2: SET"}));
    }

    /// A primary that slept acknowledges a write when everybody has left it: told, though the client is elsewhere.
    void anAnswerThatComesAfterTheMoveIsTold()
    {
        FakeGroup group;
        Signal goOn;
        group.a.onCommand = [](const Received &) { return QByteArray(); };
        QStringList said;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            const Result<Reply> unanswered = co_await client.command("SET", "a", 1);
            said.append(!unanswered && unanswered.error().kind == Error::Kind::TimedOut ? "no answer" : shown(unanswered));
            group.failOver();
            said.append(shown(co_await client.command("SET", "a", 2)));
            co_await goOn.raised(actor, Nanoseconds::max());
        });
        QVERIFY(group.time.pass([&] { return said.size() == 2; }));
        QCOMPARE(said, QStringList({"no answer", "OK"}));
        const qsizetype notes = group.notes().size();
        group.a.answerLate(resp::status("LATE"));
        QVERIFY(group.time.pass([&] { return group.notes().size() > notes; }));
        QCOMPARE(group.notes().last(), "An answer came after its deadline. LATE");
        QCOMPARE(group.time.recorder.names().text(group.time.recorder.events().back().node), "N1");
        goOn.raise();
        QVERIFY(group.awaitEnd());
    }

    /// A lock takes the client that moves, and is released where the primary is then.
    void aLockMovesWithIt()
    {
        FakeGroup group;
        group.b.onCommand = [](const Received &command) { return command.first() == "EVALSHA" ? resp::number(1) : resp::status("OK"); };
        QStringList said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            LockOptions options;
            options.key = "lock";
            Lock lock(client.client(), options);
            const Result<bool> acquired = co_await lock.acquire();
            said.append(acquired && *acquired ? "acquired" : "refused");
            group.failOver();
            (void)co_await client.verify();
            const Result<Ownership> released = co_await lock.release();
            said.append(released && *released == Ownership::Own ? "released" : "lost");
        });
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, QStringList({"acquired", "released"}));
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N2: EVALSHA"}));
    }

    /// The old primary refuses renewals as a replica does; the watchdog goes where the lock's client is.
    void aWatchdogMovesWithIt()
    {
        FakeGroup group;
        group.a.onCommand = [&](const Received &command) {
            return command.first() == "EVALSHA" && group.a.role == "master" ? resp::number(300) : command.first() == "SET" ? resp::status("OK") : refuseWrites(command);
        };
        group.b.onCommand = [](const Received &command) { return command.first() == "EVALSHA" ? resp::number(300) : resp::status("OK"); };
        bool isHeld = false;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            LockOptions options;
            options.key = "lock";
            options.ttl = 300ms;
            Lock lock(client.client(), options);
            (void)co_await lock.acquire();
            Watchdog watchdog(lock, {});
            co_await actor.sleep(150ms);
            group.failOver();
            (void)co_await client.verify();
            co_await actor.sleep(1s);
            isHeld = lock.isHeld();
        });
        QVERIFY(group.awaitEnd());
        QVERIFY(isHeld);
        QVERIFY(group.sent().count("N1: EVALSHA") >= 1);
        QVERIFY(group.sent().count("N2: EVALSHA") >= 5);
    }
};

QTEST_GUILESS_MAIN(TestSentinelMoves)
#include "tst_sentinelmoves.moc"
