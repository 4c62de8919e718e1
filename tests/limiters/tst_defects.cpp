// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each defect gives its wrong outcome on a real server, and its correct twin the right one on the same requests.
#include "engine/base/random.h"
#include "engine/limiters/decide.h"
#include "engine/limiters/defects/defect.h"
#include "engine/schedule/client.h"
#include "tests/limiters/limitertrials.h"
#include "tests/redis/waiter.h"
#include "tests/support/fakeclock.h"
#include "tests/support/servertest.h"

#include <QTest>

using namespace interlock;

namespace {

using Pairs = QList<std::pair<QString, QString>>;

DefectiveLimiter made(const QString &id, const Pairs &values = {})
{
    const Result<DefectiveLimiter> limiter = DefectiveLimiter::make(id, values);
    if (!limiter)
        qFatal("%s", qPrintable(limiter.error().text));
    return *limiter;
}

std::vector<qint64> every(qint64 gap, int count)
{
    std::vector<qint64> times;
    for (int i = 0; i < count; ++i)
        times.push_back(i * gap);
    return times;
}

QStringList allDefects()
{
    QStringList ids;
    for (const Defect &defect : DefectiveLimiter::defects())
        ids.append(defect.id);
    return ids;
}

void eachDefect()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : allDefects())
        QTest::newRow(qPrintable(id)) << id;
}

}

class TestDefects : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void areNoLimitersAmongOthers_data() { eachDefect(); }
    void areNoLimitersAmongOthers()
    {
        QFETCH(QString, id);
        QVERIFY(!Limiter::algorithm(id));
        QVERIFY(!Limiter::make(id).ok());
        const DefectiveLimiter limiter = made(id);
        QCOMPARE(limiter.twin().id(), limiter.defect().algorithm);
        QVERIFY(!limiter.defect().title.isEmpty() && limiter.defect().taught.endsWith('.') && limiter.defect().harm.endsWith('.'));
        QCOMPARE(limiter.defect().point.isEmpty(), !limiter.defect().program);
    }

    void refuseInASentence_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<QString>("said");
        QTest::newRow("near miss") << "equal-member" << Pairs {} << "Did you mean “equal-members”?";
        QTest::newRow("correct limiter") << "gcra" << Pairs {} << "There is no defect named “gcra”.";
        QTest::newRow("limit 0") << "equal-members" << Pairs {{"limit", "0"}} << "0 is out of range for limit";
        QTest::newRow("another window") << "expire-on-every-hit" << Pairs {{"start", "aligned"}} << "“EXPIRE on every hit” goes with start=first-hit only.";
        QTest::newRow("value of another") << "refill-floored" << Pairs {{"limit", "5"}} << "There is no value named “limit”";
    }
    void refuseInASentence()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(QString, said);
        const Result<DefectiveLimiter> limiter = DefectiveLimiter::make(id, values);
        QVERIFY(!limiter.ok() && limiter.error().kind == Error::Kind::Invalid);
        QVERIFY2(limiter.error().text.contains(said), qPrintable(limiter.error().text));
    }

    void sendNothingThatTheyCannotDecide_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<qint64>("cost");
        QTest::addColumn<qint64>("now"); // -2: none
        QTest::newRow("a look") << "refill-floored" << qint64(0) << qint64(5);
        QTest::newRow("more than one") << "refill-floored" << qint64(2) << qint64(5);
        QTest::newRow("a caller's clock") << "incr-without-expire" << qint64(1) << qint64(5);
        QTest::newRow("a caller's clock, twice") << "separate-commands" << qint64(1) << qint64(5);
        QTest::newRow("no caller's clock") << "caller-clock" << qint64(1) << qint64(-2);
        QTest::newRow("before the beginning") << "caller-clock" << qint64(1) << qint64(-1);
        QTest::newRow("too late") << "refill-floored" << qint64(1) << mostNumber + 1;
    }
    void sendNothingThatTheyCannotDecide()
    {
        QFETCH(QString, id);
        QFETCH(qint64, cost);
        QFETCH(qint64, now);
        const DefectiveLimiter limiter = made(id);
        std::optional<Error::Kind> kind;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            const auto clock = now == -2 ? std::optional<qint64>() : std::optional(now);
            const Result<Decision> decision = co_await decide(client, limiter, m_key, cost, clock);
            if (!decision)
                kind = decision.error().kind;
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(kind, std::optional(Error::Kind::Invalid));
        QCOMPARE(ask(*m_connection, "EXISTS", m_key).integer, qint64(0));
    }

    /// Of the table of worst cases, limit 100 per 60 s, those lines that are defects; and the milder one by the same arithmetic:
    /// in B it admits 100 at first, then one each 0.75 s from 25.5 s to 599.25 s, for which 0.6 s would be enough.
    void theWorstTrailingWindow_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<QList<int>>("wrong"); // A admitted, A most, B admitted, B most
        QTest::addColumn<QList<int>>("right");
        const Pairs rate {{"rate", "100/60s"}};
        QTest::newRow("refill floored, time always advanced")
            << "refill-floored" << rate << QList<int> {100, 100, 100, 100} << QList<int> {200, 199, 1099, 199};
        QTest::newRow("recorded before counted")
            << "record-before-count" << Pairs {} << QList<int> {100, 100, 100, 100} << QList<int> {101, 100, 1000, 100};
        QTest::newRow("refill floored, time advanced on success")
            << "refill-floored-on-success" << rate << QList<int> {200, 199, 866, 146} << QList<int> {200, 199, 1099, 199};
    }
    void theWorstTrailingWindow()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(QList<int>, wrong);
        QFETCH(QList<int>, right);
        const DefectiveLimiter limiter = made(id, values);
        const LimiterRequests a = unitRequests(m_key + 'A', trafficA());
        const LimiterRequests b = unitRequests(m_key + 'B', trafficB());
        QCOMPARE(admittedAndMost(a, byDefect(limiter, a)) + admittedAndMost(b, byDefect(limiter, b)), wrong);
        const LimiterRequests rightA = unitRequests(m_key + "A twin", trafficA());
        const LimiterRequests rightB = unitRequests(m_key + "B twin", trafficB());
        QCOMPARE(admittedAndMost(rightA, byScript(*m_connection, limiter.twin(), rightA))
                + admittedAndMost(rightB, byScript(*m_connection, limiter.twin(), rightB)),
            right);
    }

    void decideAsTheirTutorialsDo_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<std::vector<qint64>>("times");
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<QString>("right");
        const auto row = [](const char *name, const char *id, const Pairs &values, const std::vector<qint64> &times, const char *wrong, const char *right) {
            QTest::newRow(name) << id << values << times << wrong << right;
        };
        const Pairs threeInTen {{"limit", "3"}, {"window", "10s"}};
        // Below the limit: two or three hits in each window.
        row("EXPIRE on every hit never resets", "expire-on-every-hit", threeInTen, every(4 * second, 12), "TTTFFFFFFFFF", "TTTTTTTTTTTT");
        // Hits at 0, 4, 8: the counter lives until 18, so 12 and 16 are rejected, and 20 begins anew.
        row("EXPIRE on admitted hits rejects for a window", "expire-on-admitted-only", threeInTen, every(4 * second, 12), "TTTFFTTTFFTT", "TTTTTTTTTTTT");
        row("rejected requests starve all", "record-before-count", threeInTen, every(second, 24), "TTTFFFFFFFFFFFFFFFFFFFFF", "TTTFFFFFFFTTTFFFFFFFTTTF");
        row("equal times count as one", "equal-members", threeInTen, every(0, 10), "TTTTTTTTTT", "TTTFFFFFFF");
        row("equal milliseconds count as one", "equal-members", threeInTen, every(100, 10), "TTTTTTTTTT", "TTTFFFFFFF");
        row("different milliseconds are counted", "equal-members", threeInTen, every(1'000, 10), "TTTFFFFFFF", "TTTFFFFFFF");
        const Pairs two {{"capacity", "2"}, {"rate", "1/s"}};
        // Twice as often as tokens come; the twin has 1.5 at 0.5 s, 1 at 1 s, 0.5 at 1.5 s.
        row("the fraction is lost with time", "refill-floored", two, every(500'000, 10), "TTFFFFFFFF", "TTTFTFTFTF");
        // Half as often, so no fraction is lost that matters.
        row("slow traffic is served", "refill-floored", two, every(2 * second, 5), "TTTTT", "TTTTT");
        // 0.6 s apart: one each 1.2 s. The twin has 1.6, 1.2, 0.8, 1.4, 1, 0.6, 1.2, 0.8, 1.4 from 0.6 s on.
        row("less than the rate", "refill-floored-on-success", two, every(600'000, 10), "TTFTFTFTFT", "TTTFTTFTFT");
        const Pairs three {{"capacity", "3"}, {"rate", "1/s"}};
        const std::vector<qint64> twoBursts {0, 0, 0, 0, second, second, second, second};
        row("a forgotten bucket is full", "ttl-shorter-than-refill", three, twoBursts, "TTTFTTTF", "TTTFTFFF");
        row("a bucket in use is not forgotten", "ttl-shorter-than-refill", three, every(250'000, 8), "TTTFTFFF", "TTTFTFFF");
        row("one server knows both keys", "undeclared-key", three, twoBursts, "TTTFTFFF", "TTTFTFFF");
        row("no TTL decides rightly", "keys-without-ttl", three, twoBursts, "TTTFTFFF", "TTTFTFFF");
        // 4 in 10 s; one caller is 10 s behind.
        const std::vector<qint64> skewed {20 * second, 20 * second, 20 * second, 20 * second, 10 * second, 20 * second, 20 * second, 20 * second, 20 * second};
        row("a clock behind gives tokens twice", "caller-clock", {{"capacity", "4"}, {"rate", "4/10s"}}, skewed, "TTTTFTTTT", "TTTTFFFFF");
    }
    void decideAsTheirTutorialsDo()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(std::vector<qint64>, times);
        QFETCH(QString, wrong);
        QFETCH(QString, right);
        const DefectiveLimiter limiter = made(id, values);
        QCOMPARE(pattern(byDefect(limiter, unitRequests(m_key, times))), wrong);
        QCOMPARE(pattern(byScript(*m_connection, limiter.twin(), unitRequests(m_key + " twin", times))), right);
        QCOMPARE(pattern(byReference(limiter.twin(), unitRequests(m_key, times))), right);
    }

    /// On one server nothing tells these from their twins, in any field of the answer: their fault lies elsewhere.
    void answerLikeTheirTwins_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("undeclared-key") << "undeclared-key";
        QTest::newRow("keys-without-ttl") << "keys-without-ttl";
    }
    void answerLikeTheirTwins()
    {
        QFETCH(QString, id);
        const DefectiveLimiter limiter = made(id, {{"capacity", "7"}, {"rate", "7/11s"}, {"initial", "3"}});
        Random random(11);
        LimiterRequests requests;
        for (qint64 at = 1'700'000'000'000'000; requests.size() < 500; at += static_cast<qint64>(random.below(3 * second)))
            requests.push_back({m_key, 1, at - static_cast<qint64>(random.below(second))}); // and steps back
        QCOMPARE(difference(requests, byDefect(limiter, requests), byReference(limiter.twin(), requests)), QString());
    }

    /// Nothing but what is declared comes into being, and on the server's clock it goes again, unless that is the defect.
    void leaveTheirKeys_data() { eachDefect(); }
    void leaveTheirKeys()
    {
        QFETCH(QString, id);
        const bool isBucket = DefectiveLimiter::find(id)->algorithm == "token-bucket";
        const DefectiveLimiter limiter = made(id, isBucket ? Pairs {{"capacity", "1"}, {"rate", "1/60s"}} : Pairs {{"window", "60s"}});
        ask(*m_connection, "FLUSHALL");
        const bool isOfCaller = limiter.defect().time == Defect::Time::Caller;
        const auto decisions = byDefect(limiter, {{m_key, 1, 5}}, isOfCaller);
        QCOMPARE(decisions.size(), size_t(1));
        QVERIFY(decisions[0].admitted && decisions[0].serverTime > 1'600'000'000'000'000);
        QCOMPARE(decisions[0].now, isOfCaller ? 5 : decisions[0].serverTime);
        QCOMPARE(ask(*m_connection, "DBSIZE").integer, qint64(limiter.keys(m_key).size()));
        for (const QByteArray &key : limiter.keys(m_key)) {
            const qint64 ttl = ask(*m_connection, "PTTL", key).integer;
            if (id == "keys-without-ttl")
                QCOMPARE(ttl, qint64(-1));
            else
                QVERIFY2(ttl > 0 && ttl <= (isOfCaller ? 3'600'000 : 60'000), qPrintable(QString::number(ttl)));
        }
    }

    /// The client dies between INCR and EXPIRE. No client can die in the middle of the twin's script.
    void aCrashBeforeExpireBlocksForEver()
    {
        const DefectiveLimiter limiter = made("incr-without-expire", {{"limit", "2"}, {"window", "20ms"}});
        RealClock clock;
        RealTimeScheduler scheduler;
        Actor victim(QStringLiteral("A"), World {clock, scheduler}, 1);
        const auto one = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await decide(client, limiter, m_key);
        };
        victim.holdAt(limiter.defect().point);
        victim.run(one(victim));
        QTRY_VERIFY(victim.isHeldAt(limiter.defect().point));
        victim.kill();
        QCOMPARE(ask(*m_connection, "PTTL", m_key).integer, qint64(-1));
        const auto once = [&] {
            const auto decisions = byDefect(limiter, {{m_key, 1, 0}}, false);
            return decisions.empty() ? Decision() : decisions.front();
        };
        QVERIFY(once().admitted);
        const Decision rejected = once();
        QVERIFY(!rejected.admitted);
        QCOMPARE(rejected.retryAfter, std::optional<qint64>());
        QCOMPARE(rejected.resetAfter, mostNumber);

        // Three hits on the twin, and then a window passes: it admits again, and the other does not.
        const QByteArray twinKey = m_key + " twin";
        const auto twinOnce = [&] {
            Command command("EVAL", limiter.twin().script().body, 1, twinKey);
            for (const QByteArray &argument : limiter.twin().arguments(1))
                command.add(argument);
            Waiter waiter;
            m_connection->send(command, 5s, &waiter);
            waiter.wait();
            return decisionFrom(waiter.reply()).value();
        };
        const Decision first = twinOnce();
        QVERIFY(first.admitted);
        const auto isAdmittedLater = [&] {
            const Decision decision = twinOnce();
            return decision.admitted && decision.now >= first.now + 20'000;
        };
        QVERIFY(QTest::qWaitFor(isAdmittedLater, 10'000)); // which asks once more only after a no
        QVERIFY(!once().admitted);
        QCOMPARE(ask(*m_connection, "PTTL", m_key).integer, qint64(-1));
    }

    /// Without a crash the same program is right: the counter goes with its window.
    void withoutACrashTheCounterExpires()
    {
        const DefectiveLimiter limiter = made("incr-without-expire", {{"limit", "2"}, {"window", "3600s"}});
        const auto decisions = byDefect(limiter, {{m_key, 1, 0}, {m_key, 1, 0}, {m_key, 1, 0}}, false);
        QCOMPARE(pattern(decisions), QString("TTF"));
        QVERIFY(decisions[2].retryAfter && *decisions[2].retryAfter > 3'500 * second && *decisions[2].retryAfter <= 3'600 * second);
        QCOMPARE(decisions[0].remaining, qint64(1));
        QCOMPARE(decisions[2].remaining, qint64(0));
    }

    /// All fifty have read before the first one writes: all are admitted. With the script five are, however they come.
    void whoReadsBeforeAnybodyWritesIsAdmitted()
    {
        const DefectiveLimiter limiter = made("separate-commands", {{"limit", "5"}, {"window", "3600s"}});
        const QString point = limiter.defect().point;
        QCOMPARE(admittedOfFifty([&](Client &client) { return decide(client, limiter, m_key); }, point), 50);
        QCOMPARE(admittedOfFifty([&](Client &client) { return decide(client, limiter.twin(), m_key + " twin"); }, {}), 5);
        QVERIFY(ask(*m_connection, "PTTL", m_key).integer > 0);
        // One after another they are right.
        LimiterRequests requests(8, {m_key + " alone", 1, 0});
        QCOMPARE(pattern(byDefect(limiter, requests, false)), QString("TTTTTFFF"));
    }

    /// A key that holds something else is an answer: neither admitted nor rejected.
    void aKeyOfAnotherTypeIsAnError_data() { eachDefect(); }
    void aKeyOfAnotherTypeIsAnError()
    {
        QFETCH(QString, id);
        const DefectiveLimiter limiter = made(id);
        ask(*m_connection, "LPUSH", m_key, "mine");
        std::optional<Error> error;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            const bool isOfCaller = limiter.defect().time == Defect::Time::Caller;
            const Result<Decision> decision = co_await decide(client, limiter, m_key, 1, isOfCaller ? std::optional<qint64>(5) : std::nullopt);
            if (!decision)
                error = decision.error();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QVERIFY(error && error->kind == Error::Kind::Failed && error->text.contains("WRONGTYPE"));
        QCOMPARE(ask(*m_connection, "LLEN", m_key).integer, qint64(1));
    }

private:
    /// One after another through one client; fewer than asked for, and a warning, if something went wrong.
    /// @param isExplicit on the requests' own times; otherwise on the server's clock.
    std::vector<Decision> byDefect(const DefectiveLimiter &limiter, const LimiterRequests &requests, bool isExplicit = true)
    {
        std::vector<Decision> decisions;
        bool isOver = false;
        QEventLoop loop; // and no polling: thousands of requests would wait for most of the time
        QTimer::singleShot(60'000, &loop, &QEventLoop::quit);
        RealClock clock;
        RealTimeScheduler scheduler;
        Actor actor(QStringLiteral("A"), World {clock, scheduler}, 1);
        const auto decideAll = [&]() -> Task<> {
            Client client(actor, m_node, 10s);
            for (const LimiterRequest &request : requests) {
                const auto now = isExplicit ? std::optional(request.at) : std::nullopt;
                const Result<Decision> decision = co_await decide(client, limiter, request.key, request.cost, now);
                if (!decision) {
                    qWarning("%s", qPrintable(decision.error().text));
                    co_return;
                }
                decisions.push_back(*decision);
            }
        };
        const auto program = [&]() -> Task<> {
            co_await decideAll();
            isOver = true;
            loop.quit();
        };
        actor.run(program());
        loop.exec();
        if (!isOver)
            qWarning("The requests were not decided within 60 s.");
        return decisions;
    }

    /// How many of fifty clients are admitted that ask at once. @param point where all are held until the last has come.
    template<typename Ask>
    int admittedOfFifty(const Ask &askLimiter, const QString &point)
    {
        int admitted = 0;
        int decided = 0;
        const auto one = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node, 10s);
            const Result<Decision> decision = co_await askLimiter(client);
            decided += decision ? 1 : 0;
            admitted += decision && decision->admitted ? 1 : 0;
        };
        RealClock clock;
        RealTimeScheduler scheduler;
        std::vector<std::unique_ptr<Actor>> actors;
        for (quint64 i = 0; i < 50; ++i) {
            actors.push_back(std::make_unique<Actor>(QString("client%1").arg(i), World {clock, scheduler}, i));
            if (!point.isEmpty())
                actors.back()->holdAt(point);
            actors.back()->run(one(*actors.back()));
        }
        const auto all = [&](auto is) { return std::all_of(actors.begin(), actors.end(), is); };
        if (!point.isEmpty() && QTest::qWaitFor([&] { return all([&](const auto &actor) { return actor->isHeldAt(point); }); }, 15'000)) {
            for (const auto &actor : actors)
                actor->proceed();
        }
        const bool isOver = QTest::qWaitFor([&] { return all([](const auto &actor) { return !actor->isAlive(); }); }, 15'000);
        return isOver && decided == 50 ? admitted : -1;
    }
};

QTEST_GUILESS_MAIN(TestDefects)
#include "tst_defects.moc"
