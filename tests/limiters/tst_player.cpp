// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The caller that plays requests to limiters: an open loop on the server's clock, as fast as answers come on its own.
#include "engine/limiters/player.h"
#include "engine/redis/script.h"
#include "tests/limiters/limitertrials.h"
#include "tests/support/fakeclock.h"

#include <QTest>

#include <set>

using namespace interlock;

namespace {

using Pairs = QList<std::pair<QString, QString>>;

/// Real time, actors and a record.
struct Lab
{
    RealClock clock;
    RealTimeScheduler scheduler;
    Recorder recorder {[this] { return clock.now(); }};
    World world {clock, scheduler, &recorder};

    template<typename Program>
    bool run(const Program &program, int limit = 60'000)
    {
        Actor actor(QStringLiteral("caller"), world, 1);
        actor.run(program(actor));
        return QTest::qWaitFor([&] { return !actor.isAlive(); }, limit);
    }
};

PlayedLimiter limiter(const QString &id, const Pairs &values, const QString &name = {})
{
    const Result<Limiter> made = Limiter::make(id, values);
    if (!made)
        qFatal("%s", qPrintable(made.error().text));
    return played(*made, name);
}

std::vector<LimiterRequest> every(qint64 apart, int count)
{
    std::vector<LimiterRequest> requests;
    for (int i = 0; i < count; ++i)
        requests.push_back({"caller", 1, i * apart});
    return requests;
}

/// The decisions of one limiter in the order of their sending, probes apart.
std::vector<Event> decisionsOf(const Recorder &recorder, const QString &name, bool probes = false)
{
    std::vector<Event> found;
    for (const Event &event : recorder.events()) {
        if (event.kind == Event::Kind::Decision && recorder.run().names.text(event.text) == name && event.has(Event::Touched) == probes)
            found.push_back(event);
    }
    std::stable_sort(found.begin(), found.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
    return found;
}

const DecisionFigures &figures(const Recorder &recorder, const Event &event)
{
    return recorder.run().decisions.at(static_cast<size_t>(event.number));
}

QString pattern(const std::vector<Event> &decisions)
{
    QString text;
    for (const Event &event : decisions) {
        const auto answer = static_cast<LimiterAnswer>(event.what);
        text += answer == LimiterAnswer::Admitted ? u'T' : answer == LimiterAnswer::Rejected ? u'F' : u'?';
    }
    return text;
}

Task<> playAll(Actor &actor, NodeRef node, const std::vector<PlayedLimiter> *limiters, Player::Options options,
    std::vector<LimiterRequest> requests, bool probes)
{
    Player player(actor, {node}, *limiters, options);
    co_await player.connect();
    co_await player.play(requests, actor.world().recorder->now());
    if (probes) {
        co_await player.probe();
        std::ignore = co_await player.lookAtKeys();
    }
}

/// A limiter that no server knows.
PlayedLimiter made(const QString &name, std::function<Task<TimedDecision>(Client &, QByteArray, qint64, std::optional<qint64>)> ask)
{
    PlayedLimiter played;
    played.info.name = name;
    played.ask = std::move(ask);
    played.keys = [](const QByteArray &key) { return QList<QByteArray> {key}; };
    return played;
}

Task<TimedDecision> yes()
{
    Decision decision;
    decision.admitted = true;
    co_return TimedDecision {decision};
}

Task<TimedDecision> silence(Actor &actor)
{
    co_await actor.sleep(1h);
    co_return TimedDecision {Decision {}};
}

/// Nobody listens there.
NodeRef nowhere()
{
    Endpoint endpoint;
    endpoint.host = QStringLiteral("127.0.0.1");
    endpoint.port = 1;
    return {QStringLiteral("redis"), endpoint};
}

}

class PlayerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsWhenItsTimeHasComeAndNotBefore()
    {
        FakeTime time;
        const std::vector<PlayedLimiter> limiters {made("always", [](Client &, QByteArray, qint64, std::optional<qint64>) { return yes(); })};
        QVERIFY(time.run([&](Actor &actor) { return playAll(actor, nowhere(), &limiters, {}, every(10'000, 5), false); }));
        const std::vector<Event> decisions = decisionsOf(time.recorder, "always");
        QCOMPARE(decisions.size(), 5u);
        for (size_t i = 0; i < decisions.size(); ++i) {
            QCOMPARE(decisions[i].sent - decisions[0].sent, static_cast<qint64>(i) * 10'000'000);
            QCOMPARE(decisions[i].at, decisions[i].sent);
        }
    }

    void lateOnesAreSentAtOnceAndTheirLatenessIsKept()
    {
        FakeTime time;
        int asked = 0;
        const std::vector<PlayedLimiter> limiters {made("busy", [&](Client &, QByteArray, qint64, std::optional<qint64>) {
            if (++asked == 2)
                time.clock.advanceBy(25ms); // as if the machine had other things to do
            return yes();
        })};
        QVERIFY(time.run([&](Actor &actor) { return playAll(actor, nowhere(), &limiters, {}, every(10'000, 6), false); }));
        QList<qint64> lateness;
        for (const Event &event : decisionsOf(time.recorder, "busy"))
            lateness.append((event.at - event.sent) / 1'000'000);
        QCOMPARE(lateness, QList<qint64>({0, 0, 15, 5, 0, 0}));
    }

    void playsFasterThanTheTrace()
    {
        FakeTime time;
        const std::vector<PlayedLimiter> limiters {made("always", [](Client &, QByteArray, qint64, std::optional<qint64>) { return yes(); })};
        Player::Options options;
        options.speed = 100;
        QVERIFY(time.run([&](Actor &actor) { return playAll(actor, nowhere(), &limiters, options, every(1'000'000, 4), false); }));
        const std::vector<Event> decisions = decisionsOf(time.recorder, "always");
        QCOMPARE(decisions.back().sent - decisions.front().sent, 30'000'000);
    }

    void timesThatGoBackAreDueAtOnce()
    {
        FakeTime time;
        const std::vector<PlayedLimiter> limiters {made("always", [](Client &, QByteArray, qint64, std::optional<qint64>) { return yes(); })};
        const std::vector<LimiterRequest> requests {{"a", 1, 0}, {"b", 1, 20'000}, {"c", 1, 5'000}, {"d", 1, 30'000}};
        QVERIFY(time.run([&](Actor &actor) { return playAll(actor, nowhere(), &limiters, {}, requests, false); }));
        QList<qint64> dues;
        QByteArray keys;
        const std::vector<Event> decisions = decisionsOf(time.recorder, "always");
        for (const Event &event : decisions) {
            dues.append((event.sent - decisions.front().sent) / 1'000'000);
            keys += time.recorder.run().names.bytes(event.key);
        }
        QCOMPARE(dues, QList<qint64>({0, 20, 20, 30}));
        QCOMPARE(keys, QByteArray("abcd"));
    }

    void allLimitersGetTheVerySameRequests()
    {
        FakeTime time;
        std::map<QByteArray, QByteArray> asked;
        const auto noting = [&](const QByteArray &name) {
            return [&asked, name](Client &, QByteArray key, qint64 cost, std::optional<qint64> now) {
                asked[name] += key.sliced(name.size()) + ' ' + QByteArray::number(cost) + ' ' + QByteArray::number(now.value_or(-1)) + ';';
                return yes();
            };
        };
        const std::vector<PlayedLimiter> limiters {made("one", noting("one")), made("two", noting("two")), made("three", noting("three"))};
        const std::vector<LimiterRequest> requests {{"a", 1, 0}, {"b", 3, 7}, {"", 2, 7}};
        Player::Options options;
        options.onCallersClock = true;
        QVERIFY(time.run([&](Actor &actor) { return playAll(actor, nowhere(), &limiters, options, requests, false); }));
        QCOMPARE(asked["one"], QByteArray(":a 1 0;:b 3 7; 2 7;"));
        QCOMPARE(asked["two"], asked["one"]);
        QCOMPARE(asked["three"], asked["one"]);
    }

    void whoDiesLeavesItsRequestsUnanswered()
    {
        FakeTime time;
        int asked = 0;
        const std::vector<PlayedLimiter> limiters {made("silent", [&asked](Client &client, QByteArray, qint64, std::optional<qint64>) {
            ++asked;
            return silence(client.actor());
        })};
        Actor actor(QStringLiteral("A"), time.world, 1);
        actor.run(playAll(actor, nowhere(), &limiters, {}, every(10'000, 3), false));
        QVERIFY(time.pass([&] { return asked == 3; }));
        actor.kill();
        const std::vector<Event> decisions = decisionsOf(time.recorder, "silent");
        QCOMPARE(decisions.size(), 3u);
        for (const Event &event : decisions) {
            QCOMPARE(event.what, static_cast<quint8>(LimiterAnswer::Failed));
            QCOMPARE(event.answered, never);
            QCOMPARE(time.recorder.run().names.bytes(event.detail), QByteArray("died"));
        }
    }

    /// An open loop does not wait for a server that is slow.
    void goesOnSendingWhileNobodyAnswers()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter("gcra", {{"limit", "5"}, {"interval", "1s"}})};
        const auto program = [&](Actor &actor) -> Task<> {
            Player player(actor, {{QStringLiteral("redis"), server.endpoint()}}, limiters, {});
            co_await player.connect();
            server.server().pause();
            const std::vector<LimiterRequest> requests = every(2'000, 20);
            lab.clock.after(300ms, [&] { server.server().resume(); });
            co_await player.play(requests, lab.recorder.now());
        };
        QVERIFY(lab.run(program));
        const std::vector<Event> decisions = decisionsOf(lab.recorder, "gcra");
        QCOMPARE(pattern(decisions), QString(5, u'T') + QString(15, u'F'));
        for (const Event &event : decisions)
            QVERIFY(event.at < decisions.front().answered && event.at >= event.sent);
    }

    void decidesOnTheCallersClockAsTheModelDoes_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::newRow("fixed window") << "fixed-window" << Pairs {{"limit", "7"}, {"window", "100ms"}};
        QTest::newRow("sliding log") << "sliding-log" << Pairs {{"limit", "7"}, {"window", "100ms"}};
        QTest::newRow("token bucket") << "token-bucket" << Pairs {{"capacity", "7"}, {"rate", "70/s"}};
        QTest::newRow("leaky bucket as queue") << "leaky-bucket" << Pairs {{"capacity", "7"}, {"rate", "70/s"}, {"mode", "queue"}};
    }
    void decidesOnTheCallersClockAsTheModelDoes()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter(id, values)};
        std::vector<LimiterRequest> requests;
        Random random(11);
        qint64 at = 0;
        for (int i = 0; i < 2000; ++i)
            requests.push_back({"caller", 1 + static_cast<qint64>(random.below(3)), at += static_cast<qint64>(random.below(20'000))});
        Player::Options options;
        options.onCallersClock = true;
        options.connections = 4;
        QVERIFY(lab.run([&](Actor &actor) { return playAll(actor, node(), &limiters, options, requests, false); }));

        const std::vector<Event> decisions = decisionsOf(lab.recorder, id);
        QCOMPARE(decisions.size(), requests.size());
        const auto model = Limiter::make(id, values)->reference();
        for (size_t i = 0; i < requests.size(); ++i) {
            const DecisionFigures &figures = ::figures(lab.recorder, decisions[i]);
            const Decision expected = model->decide(requests[i].at, requests[i].cost);
            QCOMPARE(decisions[i].has(Event::Accepted), expected.admitted);
            QCOMPARE(figures.asked, requests[i].at);
            QCOMPARE(figures.cost, requests[i].cost);
            QCOMPARE(figures.remaining, expected.remaining);
            QCOMPARE(figures.retryAfter, expected.retryAfter.value_or(never));
            QCOMPARE(figures.delay, expected.delay);
            QCOMPARE(figures.now, expected.now);
            QCOMPARE(decisionTime(decisions[i], figures), requests[i].at * 1'000);
        }
    }

    /// A flush makes the server forget the scripts, not what they have counted: each request is decided once.
    void aScriptFlushLosesAndDoublesNothing()
    {
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter("fixed-window", {{"limit", "1000000"}, {"window", "3600s"}, {"start", "first-hit"}}, "flushed window"),
            limiter("token-bucket", {{"capacity", "100000"}, {"rate", "1/3600s"}}, "flushed bucket")};
        Player::Options options;
        options.connections = 3;
        const int count = 600;
        const auto flushing = [&](Actor &actor, const bool *isOver) -> Task<> {
            Client client(actor, node());
            while (!*isOver) {
                std::ignore = co_await client.command("SCRIPT", "FLUSH");
                co_await actor.sleep(5ms);
            }
        };
        bool isOver = false;
        Actor flusher(QStringLiteral("flusher"), lab.world, 2);
        flusher.run(flushing(flusher, &isOver));
        QVERIFY(lab.run([&](Actor &actor) { return playAll(actor, node(), &limiters, options, every(1'000, count), true); }));
        isOver = true;
        QTRY_VERIFY(!flusher.isAlive());

        for (const PlayedLimiter &one : limiters) {
            const std::vector<Event> decisions = decisionsOf(lab.recorder, one.info.name);
            QCOMPARE(pattern(decisions), QString(count, u'T'));
            std::set<qint64> remaining; // each was counted once if each left another number
            for (const Event &event : decisions)
                remaining.insert(figures(lab.recorder, event).remaining);
            QCOMPARE(remaining.size(), size_t(count));
            QCOMPARE(*remaining.rbegin() - *remaining.begin(), count - 1);
        }
        int noScript = 0;
        for (const Event &event : lab.recorder.events())
            noScript += event.kind == Event::Kind::Command && lab.recorder.run().names.bytes(event.detail).startsWith("NOSCRIPT");
        QVERIFY(noScript > 0);
    }

    void probesTestThePromiseOnCopies()
    {
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter("sliding-log", {{"limit", "2"}, {"window", "60s"}}, "probed log"),
            limiter("gcra", {{"limit", "2"}, {"interval", "30s"}}, "probed gcra")};
        QVERIFY(lab.run([&](Actor &actor) { return playAll(actor, node(), &limiters, {}, every(1'000, 4), true); }));
        for (const PlayedLimiter &one : limiters) {
            const std::vector<Event> traffic = decisionsOf(lab.recorder, one.info.name);
            QCOMPARE(pattern(traffic), QStringLiteral("TTFF"));
            const std::vector<Event> probes = decisionsOf(lab.recorder, one.info.name, true);
            QCOMPARE(pattern(probes), QStringLiteral("FT"));
            const DecisionFigures &promised = figures(lab.recorder, traffic.back());
            const QByteArray number = QByteArray::number(traffic.back().number);
            QCOMPARE(lab.recorder.run().names.bytes(probes[0].detail), number + "-before");
            QCOMPARE(lab.recorder.run().names.bytes(probes[1].detail), number + "-at");
            QCOMPARE(figures(lab.recorder, probes[0]).asked, promised.now + promised.retryAfter - 1);
            QCOMPARE(figures(lab.recorder, probes[1]).asked, promised.now + promised.retryAfter);
            QCOMPARE(probes[0].sent, never);
        }
    }

    void whatIsNotAnsweredHasFailedAsItsPolicySays_data()
    {
        QTest::addColumn<int>("policy");
        QTest::addColumn<QByteArray>("beginning");
        QTest::newRow("open") << int(WhenDown::Open) << QByteArray("let through: Could not connect to Redis at");
        QTest::newRow("closed") << int(WhenDown::Closed) << QByteArray("turned away: Could not connect to Redis at");
        QTest::newRow("none") << int(WhenDown::Failed) << QByteArray("Could not connect to Redis at");
    }
    void whatIsNotAnsweredHasFailedAsItsPolicySays()
    {
        QFETCH(int, policy);
        QFETCH(QByteArray, beginning);
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter("gcra", {{"limit", "1000"}, {"interval", "1s"}})};
        Player::Options options;
        options.whenDown = static_cast<WhenDown>(policy);
        int idle = 0;
        options.onIdle = [&] {
            if (++idle == 3)
                server.server().kill();
        };
        QVERIFY(lab.run([&](Actor &actor) { return playAll(actor, {QStringLiteral("redis"), server.endpoint()}, &limiters, options, every(100'000, 6), false); }));
        const std::vector<Event> decisions = decisionsOf(lab.recorder, "gcra");
        QVERIFY2(pattern(decisions).endsWith(QStringLiteral("???")), qPrintable(pattern(decisions)));
        QVERIFY(pattern(decisions).startsWith(QStringLiteral("T")));
        QVERIFY2(lab.recorder.run().names.bytes(decisions.back().detail).startsWith(beginning), lab.recorder.run().names.bytes(decisions.back().detail));
    }

    void countsWhatItCosts()
    {
        Lab lab;
        const std::vector<PlayedLimiter> limiters {limiter("gcra", {{"limit", "4"}, {"interval", "1s"}}, "counted gcra")};
        std::vector<Player::Costs> costs;
        const auto program = [&](Actor &actor) -> Task<> {
            Player player(actor, {node()}, limiters, {});
            co_await player.connect();
            const std::vector<LimiterRequest> requests = every(0, 10);
            co_await player.play(requests, lab.recorder.now());
            co_await player.probe(); // costs the limiter nothing
            costs = co_await player.lookAtKeys();
        };
        QVERIFY(lab.run(program));
        QCOMPARE(costs.size(), 1u);
        QCOMPARE(decisionsOf(lab.recorder, "counted gcra", true).size(), 2u);
        QCOMPARE(costs[0].commands, 10);
        QVERIFY2(costs[0].bytes > 10 * 100 && costs[0].bytes < 10 * 400, qPrintable(QString::number(costs[0].bytes)));
        QVERIFY2(costs[0].keyBytes >= 50 && costs[0].keyBytes <= 200, qPrintable(QString::number(costs[0].keyBytes)));
    }

    void initTestCase()
    {
        m_server = std::make_unique<TestServer>();
        QVERIFY2(m_server->isReady(), qPrintable(m_server->error()));
    }
    void cleanupTestCase() { m_server.reset(); }

private:
    NodeRef node() const { return {QStringLiteral("redis"), m_server->endpoint()}; }

    std::unique_ptr<TestServer> m_server;
};

QTEST_GUILESS_MAIN(PlayerTest)
#include "tst_player.moc"
