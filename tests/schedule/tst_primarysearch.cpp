// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the primary is found among sentinels that are down, silent, stale or wrong.
#include "engine/schedule/primarysearch.h"
#include "tests/redis/fakeredis.h"
#include "tests/support/fakeclock.h"

#include <QTest>

using namespace interlock;

namespace {

const Endpoint nobody {"127.0.0.1", 1, {}, {}, {}, 0};

SentinelEndpoint endpointOf(const QList<Endpoint> &sentinels)
{
    SentinelEndpoint endpoint;
    endpoint.sentinels = sentinels;
    endpoint.primaryName = "mymaster";
    endpoint.password = "hidden-word";
    return endpoint;
}

QString placeOf(const FakeRedis &server)
{
    return ServerAddress {server.endpoint().host, server.endpoint().port}.shown();
}

/// What came of a search, and how long it took on the fake clock.
struct Outcome
{
    QString node; ///< where it ended; empty: nowhere
    Error error;
    Nanoseconds took {0};
    int sleeps = 0;
};

/// Searches as often as asked, one after the other, from a fresh start.
std::vector<Outcome> search(const QList<Endpoint> &sentinels, const SearchOptions &options, int times = 1)
{
    std::vector<Outcome> outcomes;
    FakeTime time;
    const auto program = [&](Actor &actor) -> Task<> {
        PrimarySearch finder(actor, endpointOf(sentinels), options);
        for (int i = 0; i < times; ++i) {
            const Nanoseconds began = actor.now();
            const int slept = time.scheduler.sleeps();
            const Result<std::unique_ptr<Client>> found = co_await finder.find();
            Outcome outcome;
            if (found)
                outcome.node = (*found)->node().name;
            else
                outcome.error = found.error();
            outcome.took = actor.now() - began;
            outcome.sleeps = time.scheduler.sleeps() - slept;
            outcomes.push_back(outcome);
        }
    };
    if (!time.run(program))
        outcomes.clear();
    return outcomes;
}

SearchOptions impatient(int tries)
{
    SearchOptions options;
    options.patience.tries = tries;
    options.patience.answer = 100ms;
    return options;
}

}

class TestPrimarySearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isConnectedWithWhatSaysThatItIsThePrimary()
    {
        FakeNode node;
        FakeSentinel sentinel(node.endpoint());
        FakeTime time;
        Result<Reply> written = Reply();
        QString database;
        const auto program = [&](Actor &actor) -> Task<> {
            SentinelEndpoint endpoint = endpointOf({sentinel.endpoint()});
            endpoint.database = 3;
            PrimarySearch finder(actor, endpoint);
            Result<std::unique_ptr<Client>> found = co_await finder.find();
            if (!found || !*found)
                co_return;
            written = co_await (*found)->command("SET", "a", 1);
            database = (*found)->node().endpoint.shown();
        };
        QVERIFY(time.run(program));
        QVERIFY(written && written->isOk());
        QCOMPARE(database, node.endpoint().shown() + "/3");
        QCOMPARE(node.asked("ROLE"), 1);
        QCOMPARE(node.asked("SET"), 1);
        const std::vector<QByteArrayList> expected {{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"}};
        QVERIFY(sentinel.commands().back() == expected.back());
    }

    /// The first sentinel is of no use, each time for another reason; the second leads to the primary, in the same try.
    void asksTheNext_data()
    {
        QTest::addColumn<QString>("first");
        QTest::newRow("down") << "down";
        QTest::newRow("silent") << "silent";
        QTest::newRow("hangs up") << "hangs up";
        QTest::newRow("does not know the name") << "unknown";
        QTest::newRow("refuses") << "refuses";
        QTest::newRow("says what is no address") << "rubbish";
        QTest::newRow("stale: names a replica") << "replica";
        QTest::newRow("stale: names a dead server") << "dead";
        QTest::newRow("stale: names a server that stands still") << "stopped";
        QTest::newRow("names a server that refuses to tell its role") << "no role";
    }
    void asksTheNext()
    {
        QFETCH(QString, first);
        FakeNode node;
        FakeNode other(first == "stopped" ? "" : "slave");
        FakeRedis mute([&](const QByteArrayList &command) -> std::optional<QByteArray> {
            if (first == "silent")
                return QByteArray();
            if (first == "hangs up")
                return {};
            return command.first() == "ROLE" ? resp::error("NOPERM this user has no permissions") : resp::status("OK");
        });
        FakeSentinel useless;
        if (first == "refuses")
            useless.error = "NOAUTH Authentication required.";
        if (first == "replica" || first == "stopped")
            useless.names = other.endpoint();
        if (first == "dead")
            useless.names = nobody;
        if (first == "no role")
            useless.names = mute.endpoint();
        const bool isMute = first == "silent" || first == "hangs up" || first == "rubbish";
        FakeSentinel good(node.endpoint());
        const Endpoint firstEndpoint = first == "down" ? nobody : isMute ? mute.endpoint() : useless.endpoint();

        const std::vector<Outcome> outcomes = search({firstEndpoint, good.endpoint()}, impatient(1), 3);
        QCOMPARE(outcomes.size(), size_t(3));
        for (const Outcome &outcome : outcomes) {
            QVERIFY2(outcome.error.text.isEmpty(), qPrintable(outcome.error.text));
            QCOMPARE(outcome.node, placeOf(node));
            QCOMPARE(outcome.sleeps, 0);
        }
        // From then on the good one was asked first.
        QCOMPARE(useless.questions() + mute.asked("SENTINEL"), first == "down" ? 0 : 1);
        QCOMPARE(good.questions(), 3);
        QCOMPARE(node.asked("ROLE"), 3);
    }

    void whatEachSentinelSaidIsTold()
    {
        FakeNode replica("slave");
        FakeSentinel stale(replica.endpoint());
        FakeSentinel agreeing(replica.endpoint());
        FakeSentinel stranger;
        FakeSentinel refusing;
        refusing.error = "NOAUTH Authentication required.";
        FakeSentinel misled(nobody);
        FakeRedis closing([](const QByteArrayList &) { return std::nullopt; });
        const QList<Endpoint> sentinels {
            closing.endpoint(), stale.endpoint(), agreeing.endpoint(), stranger.endpoint(), refusing.endpoint(), misled.endpoint(), nobody};
        const std::vector<Outcome> outcomes = search(sentinels, impatient(3));
        QCOMPARE(outcomes.size(), size_t(1));
        const Error &error = outcomes[0].error;
        QCOMPARE(error.kind, Error::Kind::Failed);
        for (const QString &said : {QString("The primary “mymaster” was not found; tried 3 times."),
                 QString("The sentinel at %1 named %2, which is a replica.").arg(placeOf(stale), placeOf(replica)),
                 QString("The sentinel at %1 named %2, which is a replica.").arg(placeOf(agreeing), placeOf(replica)),
                 QString("The sentinel at %1 does not know that name.").arg(placeOf(stranger)),
                 QString("The sentinel at %1 gave no address, but said “NOAUTH Authentication required.”.").arg(placeOf(refusing)),
                 QString("The sentinel at %1 named 127.0.0.1:1, which could not be asked: ").arg(placeOf(misled)),
                 QString("The sentinel at 127.0.0.1:1 could not be asked: ")})
            QVERIFY2(error.text.contains(said), qPrintable(said + '\n' + error.text));
        QVERIFY(!error.text.contains("hidden-word"));
        for (qsizetype at = error.text.indexOf("The sentinel"); at >= 0; at = error.text.indexOf("The sentinel", at + 1))
            QVERIFY2(QString(".?").contains(error.text.at(at - 2)), qPrintable(error.text.mid(at - 20)));
        QCOMPARE(stale.questions(), 3);
        QCOMPARE(refusing.questions(), 3);
        QCOMPARE(replica.asked("ROLE"), 3); // once in each try, though two sentinels named it
    }

    /// Four tries, so three pauses: 50, 100 and 200 ms at the longest.
    void triesAreBoundedAndPausesGrow()
    {
        FakeSentinel sentinel;
        for (int i = 0; i < 5; ++i) {
            const std::vector<Outcome> outcomes = search({sentinel.endpoint()}, impatient(4));
            QCOMPARE(outcomes.size(), size_t(1));
            QVERIFY(outcomes[0].node.isEmpty());
            QCOMPARE(outcomes[0].sleeps, 3);
            QVERIFY(outcomes[0].took >= 175ms && outcomes[0].took <= 350ms);
            QCOMPARE(sentinel.questions(), 4 * (i + 1));
        }
    }

    void isOverAtTheLimit()
    {
        FakeSentinel sentinel;
        SearchOptions options = impatient(1'000'000);
        options.patience.limit = 3s;
        const std::vector<Outcome> outcomes = search({sentinel.endpoint()}, options);
        QCOMPARE(outcomes.size(), size_t(1));
        QVERIFY(outcomes[0].node.isEmpty());
        QVERIFY(outcomes[0].took <= 2900ms && outcomes[0].took > 2400ms); // the next pause, and an answer, would have gone beyond it
        QCOMPARE(outcomes[0].sleeps, sentinel.questions() - 1);
        QVERIFY(sentinel.questions() <= 4 + 2750 / 250);
    }

    /// Whoever was not asked is not said to have been.
    void saysWhomItHadNoTimeToAsk()
    {
        FakeRedis silent([](const QByteArrayList &) { return QByteArray(); });
        FakeSentinel late;
        Outcome outcome;
        RealClock clock;
        RealTimeScheduler scheduler;
        Actor actor("A", World {clock, scheduler}, 1);
        const auto program = [&](Actor &self) -> Task<> {
            SearchOptions options;
            options.patience.limit = 200ms;
            options.patience.answer = 5s; // cut to the limit
            PrimarySearch finder(self, endpointOf({silent.endpoint(), late.endpoint()}), options);
            const Result<std::unique_ptr<Client>> found = co_await finder.find();
            outcome.error = found ? Error() : found.error();
        };
        actor.run(program(actor));
        QTRY_VERIFY_WITH_TIMEOUT(!actor.isAlive(), 4'000);
        QVERIFY2(outcome.error.text.contains("did not answer within 200 ms"), qPrintable(outcome.error.text));
        QVERIFY2(outcome.error.text.contains(QString("There was no time to ask the sentinel at %1.").arg(placeOf(late))), qPrintable(outcome.error.text));
        QCOMPARE(late.questions(), 0);
    }

    /// During a failover: the sentinels still name the old primary, then one that is not promoted yet, then that one is.
    void waitsForAFailover()
    {
        FakeNode promoted("slave");
        FakeSentinel first(nobody);
        FakeSentinel second(nobody);
        promoted.onCommand = [](const QByteArrayList &) { return resp::status("OK"); };
        FakeTime time;
        QString node;
        const auto program = [&](Actor &actor) -> Task<> {
            SearchOptions options;
            options.patience.answer = 100ms;
            PrimarySearch finder(actor, endpointOf({first.endpoint(), second.endpoint()}), options);
            const Result<std::unique_ptr<Client>> found = co_await finder.find();
            node = found ? (*found)->node().name : found.error().text;
        };
        time.clock.after(2s, [&] { second.names = promoted.endpoint(); });
        time.clock.after(3s, [&] { promoted.role = "master"; });
        QVERIFY(time.run(program));
        QCOMPARE(node, placeOf(promoted));
        QVERIFY(promoted.asked("ROLE") >= 3); // refused in the second between
        QVERIFY(time.clock.now() - Nanoseconds(1s) >= 3s && time.clock.now() - Nanoseconds(1s) <= 3500ms);
    }

    void aDeposedServerIsNotBelieved()
    {
        FakeNode zombie;
        FakeNode promoted;
        FakeSentinel stale(zombie.endpoint());
        FakeSentinel told(promoted.endpoint());
        FakeTime time;
        QStringList nodes;
        const auto program = [&](Actor &actor) -> Task<> {
            SearchOptions options = impatient(1);
            options.known = {{"N1", zombie.endpoint()}, {"N2", promoted.endpoint()}};
            PrimarySearch finder(actor, endpointOf({stale.endpoint(), told.endpoint()}), options);
            const auto where = [&nodes](const Result<std::unique_ptr<Client>> &found) {
                nodes.append(found ? (*found)->node().name : found.error().text);
            };
            where(co_await finder.find());
            finder.learn(finder.sentinels()[1], {zombie.endpoint().host, zombie.endpoint().port});
            where(co_await finder.find()); // the one who told it is asked first
            told.names.reset();
            where(co_await finder.find());
            finder.forgetDeposed();
            where(co_await finder.find());
        };
        QVERIFY(time.run(program));
        QCOMPARE(nodes.size(), 4);
        QCOMPARE(nodes[0], "N1");
        QCOMPARE(nodes[1], "N2");
        QVERIFY2(nodes[2].contains("which another sentinel has replaced."), qPrintable(nodes[2]));
        QCOMPARE(nodes[3], "N1");
    }

    void keepsAConnectionThatIsRight()
    {
        FakeNode node;
        FakeNode next;
        FakeSentinel sentinel(node.endpoint());
        FakeTime time;
        QStringList kept;
        const auto program = [&](Actor &actor) -> Task<> {
            PrimarySearch finder(actor, endpointOf({sentinel.endpoint()}), impatient(1));
            Result<std::unique_ptr<Client>> first = co_await finder.find();
            const auto again = [&](const Result<std::unique_ptr<Client>> &found) {
                kept.append(!found ? found.error().text : *found ? (*found)->node().name : QString("kept"));
            };
            again(co_await finder.find(first->get()));
            sentinel.names = next.endpoint();
            again(co_await finder.find(first->get()));
        };
        QVERIFY(time.run(program));
        QCOMPARE(kept, QStringList({"kept", placeOf(next)}));
        QCOMPARE(node.asked("ROLE"), 2);
    }

    /// Every question is in the record, under the names of the nodes that are known.
    void questionsAreRecorded()
    {
        FakeNode node;
        FakeNode replica("slave");
        FakeSentinel stale(replica.endpoint());
        FakeSentinel good(node.endpoint());
        FakeTime time;
        const auto program = [&](Actor &actor) -> Task<> {
            SearchOptions options = impatient(1);
            options.known = {{"N1", node.endpoint()}, {"S2", good.endpoint()}};
            PrimarySearch finder(actor, endpointOf({stale.endpoint(), good.endpoint()}), options);
            (void)co_await finder.find();
        };
        QVERIFY(time.run(program));
        QStringList asked;
        for (const Event &event : time.recorder.events()) {
            if (event.kind == Event::Kind::Command)
                asked.append(time.recorder.names().text(event.node) + ": " + time.recorder.names().text(event.text).section(' ', 0, 0));
        }
        QCOMPARE(asked, QStringList({placeOf(stale) + ": SENTINEL", placeOf(replica) + ": ROLE", "S2: SENTINEL", "N1: ROLE"}));
    }

    void canBeGivenUpAnywhere()
    {
        FakeNode node;
        FakeSentinel sentinel(node.endpoint());
        for (int turns = 0; turns < 40; ++turns) {
            RealClock clock;
            RealTimeScheduler scheduler;
            Actor actor("A", World {clock, scheduler}, 1);
            const auto program = [&](Actor &self) -> Task<> {
                PrimarySearch finder(self, endpointOf({nobody, sentinel.endpoint()}));
                (void)co_await finder.find();
            };
            actor.run(program(actor));
            for (int i = 0; i < turns; ++i)
                QCoreApplication::processEvents();
            actor.kill();
        }
        QVERIFY(sentinel.questions() > 0);
    }
};

QTEST_GUILESS_MAIN(TestPrimarySearch)
#include "tst_primarysearch.moc"
