// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A client that asks sentinels for the primary: what it sends again and what not.
#include "engine/schedule/taskgroup.h"
#include "tests/support/fakegroup.h"

#include <QTest>

using namespace interlock;

using Received = QByteArrayList;

class TestSentinelClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsToThePrimary()
    {
        FakeGroup group;
        QStringList said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            said.append(client.node() ? "early" : "nowhere");
            said.append(shown(co_await client.command("SET", "a", 1)));
            said.append(shown(co_await client.idempotent("GET", "a")));
            said.append(client.node()->name);
            said.append(QString::number(client.moves()));
        });
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, QStringList({"nowhere", "OK", "OK", "N1", "0"}));
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N1: GET"}));
        QCOMPARE(group.b.commands().size(), size_t(0));
    }

    /// Refused before anything was carried out: sent again, to the server that is the primary now.
    void whatAReplicaRefusesIsSentAgain_data()
    {
        QTest::addColumn<QByteArray>("refusal");
        QTest::addColumn<bool>("isScript");
        QTest::newRow("READONLY") << QByteArray("READONLY You can't write against a read only replica.") << false;
        QTest::newRow("MASTERDOWN") << QByteArray("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.") << false;
        QTest::newRow("LOADING") << QByteArray("LOADING Redis is loading the dataset in memory") << false;
        QTest::newRow("READONLY to a script") << QByteArray("READONLY You can't write against a read only replica. script: 1, on @user_script:1.") << true;
    }
    void whatAReplicaRefusesIsSentAgain()
    {
        QFETCH(QByteArray, refusal);
        QFETCH(bool, isScript);
        FakeGroup group;
        QString said;
        int moves = 0;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            group.failOver();
            group.a.onCommand = [&](const Received &) { return resp::error(refusal); };
            if (isScript) {
                const Script script = Script::fromText("set", "return redis.call('SET', KEYS[1], 1)");
                const QList<QByteArray> keys {"a"};
                said = shown((co_await client.evaluate(script, keys, {})).reply);
            } else {
                said = shown(co_await client.command("SET", "a", 1));
            }
            moves = client.moves();
        });
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, "OK");
        QCOMPARE(moves, 1);
        const QString verb = isScript ? "EVALSHA" : "SET";
        QCOMPARE(group.sent(), QStringList({"N1: " + verb, "N2: " + verb}));
        QCOMPARE(group.notes(), QStringList({"The client moved to another primary. N1 → N2"}));
    }

    /// The server says that it is the primary and refuses all the same: five times, with four pauses between, and then the refusal is the answer.
    void sendingAgainIsBounded_data()
    {
        QTest::addColumn<bool>("isIdempotent");
        QTest::newRow("once") << false;
        QTest::newRow("idempotent") << true;
    }
    void sendingAgainIsBounded()
    {
        QFETCH(bool, isIdempotent);
        FakeGroup group;
        group.a.onCommand = refuseWrites;
        QString said;
        int sleeps = 0;
        Nanoseconds took {0};
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            const Nanoseconds began = actor.now();
            if (isIdempotent)
                said = shown(co_await client.idempotent("SET", "a", 1));
            else
                said = shown(co_await client.command("SET", "a", 1));
            took = actor.now() - began;
            sleeps = group.time.scheduler.sleeps();
        });
        QVERIFY(group.awaitEnd());
        QVERIFY2(said.startsWith("READONLY"), qPrintable(said));
        QCOMPARE(group.a.asked("SET"), 5);
        QCOMPARE(sleeps, 4);
        QVERIFY(took >= 375ms && took <= 750ms); // 50, 100, 200 and 400 ms at the longest
    }

    void waitsWhileThePrimaryLoads()
    {
        FakeGroup group;
        int loading = 3;
        group.a.onCommand = [&](const Received &) {
            return loading-- > 0 ? resp::error("LOADING Redis is loading the dataset in memory") : resp::status("OK");
        };
        QString said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> { said = shown(co_await client.command("SET", "a", 1)); });
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, "OK");
        QCOMPARE(group.a.asked("SET"), 4);
        QCOMPARE(group.time.scheduler.sleeps(), 3);
    }

    /// It may have been carried out: told, and not sent again, neither there nor to the next primary. The next command finds that one.
    void aMissingAnswerIsNotAskedForAgain_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::addColumn<bool>("isScript");
        QTest::newRow("closed") << true << false;
        QTest::newRow("no answer in time") << false << false;
        QTest::newRow("closed, a script") << true << true;
        QTest::newRow("no answer in time, a script") << false << true;
    }
    void aMissingAnswerIsNotAskedForAgain()
    {
        QFETCH(bool, closes);
        QFETCH(bool, isScript);
        FakeGroup group;
        group.a.onCommand = [&](const Received &) { return closes ? std::nullopt : std::optional(QByteArray()); };
        std::optional<Error> error;
        QString next;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            group.failOver();
            const Script script = Script::fromText("set", "return redis.call('INCR', KEYS[1])");
            const QList<QByteArray> keys {"a"};
            Result<Reply> reply = Reply();
            if (isScript)
                reply = (co_await client.evaluate(script, keys, {})).reply;
            else
                reply = co_await client.command("INCR", "a");
            if (!reply)
                error = reply.error();
            next = shown(co_await client.command("SET", "b", 1));
        });
        QVERIFY(group.awaitEnd());
        QVERIFY(error);
        QCOMPARE(error->kind, closes ? Error::Kind::Closed : Error::Kind::TimedOut);
        QCOMPARE(next, "OK");
        QCOMPARE(group.sent(), QStringList({isScript ? "N1: EVALSHA" : "N1: INCR", "N2: SET"}));
        QCOMPARE(group.a.asked("INCR") + group.a.asked("EVALSHA") + group.a.asked("EVAL"), 1);
        QCOMPARE(group.b.asked("INCR") + group.b.asked("EVALSHA") + group.b.asked("EVAL"), 0);
    }

    void whatMayBeCarriedOutTwiceIsAskedForAgain_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::newRow("closed") << true;
        QTest::newRow("no answer in time") << false;
    }
    void whatMayBeCarriedOutTwiceIsAskedForAgain()
    {
        QFETCH(bool, closes);
        FakeGroup group;
        group.a.onCommand = [&](const Received &) { return closes ? std::nullopt : std::optional(QByteArray()); };
        QString said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            group.failOver();
            said = shown(co_await client.idempotent("GET", "a"));
        });
        group.b.onCommand = [](const Received &) { return resp::status("OK"); };
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, "OK");
        QCOMPARE(group.sent(), QStringList({"N1: GET", "N2: GET"}));
    }

    void saysWhyThereIsNoPrimary()
    {
        FakeGroup group;
        group.first.names.reset();
        group.a.role = "slave";
        Result<Reply> reply = Reply();
        Answer answer {Reply()};
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            reply = co_await client.command("SET", "a", 1);
            answer = co_await client.evaluate(Script::fromText("none", "return 1"), {}, {});
        });
        QVERIFY(group.awaitEnd());
        QVERIFY(!reply && reply.error().kind == Error::Kind::Failed);
        QVERIFY2(reply.error().text.contains("tried 5 times"), qPrintable(reply.error().text));
        QVERIFY2(reply.error().text.contains("does not know that name") && reply.error().text.contains("is a replica"), qPrintable(reply.error().text));
        QVERIFY(!answer.reply && answer.sent == never);
        QCOMPARE(group.sent(), QStringList());
    }

    /// Fifty requests at once while there is no primary: they share the search, and what came of it.
    void requestsShareASearch()
    {
        FakeGroup group;
        group.first.names.reset();
        group.second.names.reset();
        int failed = 0;
        Nanoseconds took {0};
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            const auto request = [](SentinelClient *through, int *count) -> Task<> {
                const Result<Reply> reply = co_await through->command("SET", "a", 1);
                *count += reply ? 0 : 1;
            };
            const Nanoseconds began = actor.now();
            TaskGroup requests(actor);
            for (int i = 0; i < 50; ++i)
                requests.add(request(&client, &failed));
            co_await requests.allEnded();
            took = actor.now() - began;
        });
        QVERIFY(group.awaitEnd());
        QCOMPARE(failed, 50);
        QCOMPARE(group.first.questions(), 5);
        QVERIFY(took <= 750ms);
    }

    void canBeGivenUpAnywhere()
    {
        FakeGroup group;
        group.first.names.reset();
        for (int turns = 0; turns < 60; ++turns) {
            RealClock clock;
            RealTimeScheduler scheduler;
            Actor actor("A", World {clock, scheduler}, 1);
            const auto program = [&](Actor &self) -> Task<> {
                SentinelClient client(self, group.endpoint(), group.options());
                const auto request = [](SentinelClient *through) -> Task<> { (void)co_await through->command("SET", "a", 1); };
                TaskGroup requests(self);
                for (int i = 0; i < 3; ++i)
                    requests.add(request(&client));
                co_await requests.allEnded();
            };
            actor.run(program(actor));
            for (int i = 0; i < turns; ++i)
                QCoreApplication::processEvents();
            actor.kill();
        }
        QVERIFY(group.a.asked("SET") > 0);
    }
};

QTEST_GUILESS_MAIN(TestSentinelClient)
#include "tst_sentinelclient.moc"
