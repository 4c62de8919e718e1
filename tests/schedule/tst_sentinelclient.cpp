// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A client that follows the primary: what it sends again and what not, and how it notices that another server has taken over.
#include "engine/locks/lock.h"
#include "engine/locks/watchdog.h"
#include "engine/schedule/sentinelclient.h"
#include "engine/schedule/taskgroup.h"
#include "tests/redis/fakeredis.h"
#include "tests/support/fakeclock.h"

#include <QTest>

using namespace interlock;

namespace {

using Received = QByteArrayList;

/// Two servers, the first of which is the primary, and two sentinels that say so. The client of the test has them for its world.
struct Group
{
    FakeNode a;
    FakeNode b {"slave"};
    FakeSentinel first {a.endpoint()};
    FakeSentinel second {a.endpoint()};
    FakeTime time;
    std::unique_ptr<Actor> actor;
    Nanoseconds deadline = 300ms;

    SentinelEndpoint endpoint() const
    {
        SentinelEndpoint endpoint;
        endpoint.sentinels = {first.endpoint(), second.endpoint()};
        endpoint.primaryName = "mymaster";
        return endpoint;
    }
    SearchOptions options() const
    {
        SearchOptions options;
        options.patience.tries = 5;
        options.patience.answer = 200ms;
        options.deadline = deadline;
        options.known = {{"N1", a.endpoint()}, {"N2", b.endpoint()}, {"S1", first.endpoint()}, {"S2", second.endpoint()}};
        return options;
    }
    /// The second takes over, and the sentinels know it.
    void failOver(const QByteArray &roleOfTheOld = "slave")
    {
        a.role = roleOfTheOld;
        b.role = "master";
        first.names = b.endpoint();
        second.names = b.endpoint();
    }
    void publishSwitch(FakeSentinel &sentinel) { sentinel.publishSwitch(a.endpoint(), b.endpoint()); }

    /// Starts program(actor, client).
    template<typename Program>
    void start(const Program &program)
    {
        actor = std::make_unique<Actor>(QStringLiteral("A"), time.world, 1);
        actor->run(with(*this, *actor, program));
    }
    bool awaitEnd()
    {
        return time.pass([this] { return !actor->isAlive(); });
    }
    /// Both sentinels are heard.
    bool awaitListening(const SentinelClient *const &client)
    {
        return time.pass([&] { return client && client->node() && client->listening() == 2; });
    }
    /// "N1: SET", for each command that the record holds, without questions about the primary.
    QStringList sent()
    {
        QStringList all;
        for (const Event &event : time.recorder.events()) {
            const QString command = time.recorder.names().text(event.text).section(' ', 0, 0);
            if (event.kind == Event::Kind::Command && command != "SENTINEL" && command != "ROLE")
                all.append(time.recorder.names().text(event.node) + ": " + command);
        }
        return all;
    }
    QStringList notes()
    {
        QStringList all;
        for (const Event &event : time.recorder.events()) {
            if (event.kind == Event::Kind::Note)
                all.append(time.recorder.names().text(event.text) + ' ' + time.recorder.names().text(event.detail));
        }
        return all;
    }

private:
    template<typename Program>
    static Task<> with(Group &group, Actor &self, Program program)
    {
        SentinelClient client(self, group.endpoint(), group.options());
        co_await program(self, client);
    }
};

const auto readOnly = [](const Received &) { return resp::error("READONLY You can't write against a read only replica."); };
const auto ok = [](const Received &) { return resp::status("OK"); };

QString shown(const Result<Reply> &reply)
{
    return reply ? QString::fromUtf8(reply->shown()) : reply.error().text;
}

}

class TestSentinelClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsToThePrimary()
    {
        Group group;
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
        Group group;
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
        Group group;
        group.a.onCommand = readOnly;
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
        Group group;
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
        Group group;
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
        Group group;
        group.a.onCommand = [&](const Received &) { return closes ? std::nullopt : std::optional(QByteArray()); };
        QString said;
        group.start([&](Actor &, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            group.failOver();
            said = shown(co_await client.idempotent("GET", "a"));
        });
        group.b.onCommand = ok;
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, "OK");
        QCOMPARE(group.sent(), QStringList({"N1: GET", "N2: GET"}));
    }

    /// The connection ended while nobody used it. No command fails of it.
    void anIdleConnectionThatEndedIsMadeAnew()
    {
        Group group;
        Signal goOn;
        QStringList said;
        const SentinelClient *seen = nullptr;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            said.append(shown(co_await client.command("SET", "a", 1)));
            seen = &client;
            co_await goOn.raised(actor, Nanoseconds::max());
            said.append(shown(co_await client.command("SET", "a", 2)));
            said.append(QString::number(client.moves()));
        });
        QVERIFY(group.time.pass([&] { return seen; }));
        group.a.hangUp();
        QVERIFY(group.time.pass([&] { return !seen->client().isUsable(); }));
        goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, QStringList({"OK", "OK", "0"}));
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
        Group group;
        Signal goOn;
        const SentinelClient *seen = nullptr;
        QStringList said;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            said.append(shown(co_await client.command("SET", "a", 1)));
            seen = &client;
            co_await goOn.raised(actor, Nanoseconds::max());
            said.append(shown(co_await client.command("SET", "a", 2)));
            said.append(QString::number(client.moves()));
        });
        QVERIFY(group.awaitListening(seen));
        group.failOver("master");
        if (isOtherStale)
            (teller == 0 ? group.second : group.first).names = group.a.endpoint();
        if (teller != 1)
            group.publishSwitch(group.first);
        if (teller != 0)
            group.publishSwitch(group.second);
        QVERIFY(group.time.pass([&] { return seen->node()->name == "N2"; })); // by itself
        goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(said, QStringList({"OK", "OK", "1"}));
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
        Group group;
        Signal goOn;
        const SentinelClient *seen = nullptr;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.command("SET", "a", 1);
            seen = &client;
            co_await goOn.raised(actor, Nanoseconds::max());
            (void)co_await client.command("SET", "a", 2);
        });
        QVERIFY(group.awaitListening(seen));
        const int questions = group.first.questions() + group.second.questions();
        const auto words = [](const Endpoint &endpoint) { return "127.0.0.1 " + QByteArray::number(endpoint.port); };
        group.first.publish(channel, payload.replace("%1", words(group.a.endpoint())).replace("%2", words(group.b.endpoint())));
        goOn.raise();
        QVERIFY(group.awaitEnd());
        QCOMPARE(group.sent(), QStringList({"N1: SET", "N1: SET"}));
        QCOMPARE(group.first.questions() + group.second.questions(), questions);
    }

    /// What was published while nobody was heard is lost; so it asks when somebody is heard again.
    void asksWhenItHearsAgain()
    {
        Group group;
        Signal goOn;
        const SentinelClient *seen = nullptr;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.command("SET", "a", 1);
            seen = &client;
            co_await goOn.raised(actor, Nanoseconds::max());
        });
        QVERIFY(group.awaitListening(seen));
        group.failOver("master");
        group.first.hangUp();
        group.second.hangUp();
        QVERIFY(group.time.pass([&] { return seen->node()->name == "N2" && seen->listening() == 2; }));
        goOn.raise();
        QVERIFY(group.awaitEnd());
    }

    /// The old primary has woken up and says that it is one; nobody told the client. connect() believes it, verify() asks first.
    void verifyAsksBeforeItBelieves()
    {
        Group group;
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

    void saysWhyThereIsNoPrimary()
    {
        Group group;
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
        Group group;
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

    /// Another client, which heard it later, has moved long since.
    void aPausedClientDoesNotMove()
    {
        Group group;
        Signal goOn;
        const SentinelClient *seen = nullptr;
        group.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.command("SET", "a", 1);
            seen = &client;
            co_await goOn.raised(actor, Nanoseconds::max());
        });
        QVERIFY(group.awaitListening(seen));
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
        QCOMPARE(seen->node()->name, "N1");
        QCOMPARE(group.actor->resume(), 1);
        QVERIFY(group.time.pass([&] { return seen->node()->name == "N2"; }));
        goOn.raise();
        QVERIFY(group.awaitEnd());
    }

    /// A command is under way at the old primary when the client moves: its answer is still that one's, and recorded so.
    void whatIsInFlightIsStillAnswered()
    {
        Group group;
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
        Group group;
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
        Group group;
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
        Group group;
        group.a.onCommand = [&](const Received &command) {
            return command.first() == "EVALSHA" && group.a.role == "master" ? resp::number(300) : command.first() == "SET" ? resp::status("OK") : readOnly(command);
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

    void canBeGivenUpAnywhere()
    {
        Group group;
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
