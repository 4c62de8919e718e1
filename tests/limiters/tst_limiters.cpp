// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What limiters promise, on a real server and in their reference models: known examples, bounds, keys and their TTL.
#include "engine/base/random.h"
#include "engine/limiters/decide.h"
#include "engine/redis/script.h"
#include "engine/schedule/client.h"
#include "tests/limiters/limitertrials.h"
#include "tests/redis/waiter.h"
#include "tests/support/fakeclock.h"
#include "tests/support/servertest.h"

#include <QTest>

using namespace interlock;

namespace {

using Pairs = QList<std::pair<QString, QString>>;

Limiter made(const QString &id, const Pairs &values)
{
    const Result<Limiter> limiter = Limiter::make(id, values);
    if (!limiter)
        qFatal("%s", qPrintable(limiter.error().text));
    return *limiter;
}

struct Kind
{
    const char *name;
    QString id;
    Pairs values;
};

/// Each with a limit of five that lasts for long.
QList<Kind> fiveEach()
{
    return {{"fixed window, aligned", "fixed-window", {{"limit", "5"}, {"window", "3600s"}}},
        {"fixed window, first hit", "fixed-window", {{"limit", "5"}, {"window", "3600s"}, {"start", "first-hit"}}},
        {"sliding log", "sliding-log", {{"limit", "5"}, {"window", "3600s"}}},
        {"sliding window", "sliding-window", {{"limit", "5"}, {"window", "3600s"}}},
        {"sliding counter", "sliding-counter", {{"limit", "5"}, {"window", "3600s"}}},
        {"token bucket", "token-bucket", {{"capacity", "5"}, {"rate", "1/3600s"}}},
        {"leaky bucket, meter", "leaky-bucket", {{"capacity", "5"}, {"rate", "1/3600s"}}},
        {"leaky bucket, queue", "leaky-bucket", {{"capacity", "5"}, {"rate", "1/3600s"}, {"mode", "queue"}}},
        {"GCRA", "gcra", {{"limit", "5"}, {"interval", "3600s"}}}};
}

void eachKind()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<Pairs>("values");
    for (const Kind &kind : fiveEach())
        QTest::newRow(kind.name) << kind.id << kind.values;
}

}

class TestLimiters : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void knownExamples_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<std::vector<qint64>>("times");
        QTest::addColumn<QString>("expected");
        const std::vector<qint64> five(5, 0);
        std::vector<qint64> eightAndThree(8, 0);
        eightAndThree.insert(eightAndThree.end(), 3, second);
        QTest::newRow("fixed window") << "fixed-window" << Pairs {{"limit", "3"}, {"window", "2s"}} << five << "TTTFF";
        QTest::newRow("sliding log") << "sliding-log" << Pairs {{"limit", "3"}, {"window", "2s"}} << five << "TTTFF";
        QTest::newRow("bucket") << "token-bucket" << Pairs {{"capacity", "5"}, {"rate", "2/s"}} << eightAndThree << "TTTTTFFFTTF";
    }
    void knownExamples()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(std::vector<qint64>, times);
        QFETCH(QString, expected);
        const Limiter limiter = made(id, values);
        const LimiterRequests requests = unitRequests(m_key, times);
        QCOMPARE(pattern(byReference(limiter, requests)), expected);
        QCOMPARE(pattern(byScript(*m_connection, limiter, requests)), expected);
    }

    /// Limit 100 per 60 s, by exact arithmetic; intervals are half open.
    void theWorstTrailingWindow_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<QList<int>>("expected"); // A admitted, A most, B admitted, B most
        QTest::newRow("fixed window, aligned") << "fixed-window" << Pairs {} << QList<int> {200, 200, 1000, 100};
        QTest::newRow("sliding log") << "sliding-log" << Pairs {} << QList<int> {101, 100, 1000, 100};
        QTest::newRow("sliding counter") << "sliding-counter" << Pairs {} << QList<int> {199, 199, 991, 100};
        QTest::newRow("token bucket, burst 100") << "token-bucket" << Pairs {{"rate", "100/60s"}} << QList<int> {200, 199, 1099, 199};
        QTest::newRow("GCRA, burst 100") << "gcra" << Pairs {{"interval", "600ms"}} << QList<int> {200, 199, 1099, 199};
        QTest::newRow("token bucket, burst 1")
            << "token-bucket" << Pairs {{"capacity", "1"}, {"rate", "100/60s"}} << QList<int> {101, 100, 800, 80};
        QTest::newRow("GCRA, burst 1") << "gcra" << Pairs {{"limit", "1"}, {"interval", "600ms"}} << QList<int> {101, 100, 800, 80};
    }
    void theWorstTrailingWindow()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(QList<int>, expected);
        const Limiter limiter = made(id, values);
        const LimiterRequests a = unitRequests(m_key + 'A', trafficA());
        const LimiterRequests b = unitRequests(m_key + 'B', trafficB());
        const auto figures = [&](const std::vector<Decision> &inA, const std::vector<Decision> &inB) {
            return admittedAndMost(a, inA) + admittedAndMost(b, inB);
        };
        QCOMPARE(figures(byReference(limiter, a), byReference(limiter, b)), expected);
        const auto inA = byScript(*m_connection, limiter, a);
        const auto inB = byScript(*m_connection, limiter, b);
        QCOMPARE(inA.size(), a.size());
        QCOMPARE(inB.size(), b.size());
        QCOMPARE(figures(inA, inB), expected);
    }

    void exactlyFiveOfFiftyAtOnceAreAdmitted_data() { eachKind(); }
    void exactlyFiveOfFiftyAtOnceAreAdmitted()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        const Limiter limiter = made(id, values);
        int admitted = 0;
        int rejected = 0;
        const auto one = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node, 10s);
            const Result<Decision> decision = co_await decide(client, limiter, m_key);
            if (decision)
                ++(decision->admitted ? admitted : rejected);
        };
        RealClock clock;
        RealTimeScheduler scheduler;
        const World world {clock, scheduler};
        std::vector<std::unique_ptr<Actor>> actors;
        for (quint64 i = 0; i < 50; ++i) {
            actors.push_back(std::make_unique<Actor>(QString("client%1").arg(i), world, i));
            actors.back()->run(one(*actors.back()));
        }
        const auto isOver = [&] {
            return std::none_of(actors.begin(), actors.end(), [](const auto &actor) { return actor->isAlive(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isOver(), 15'000);
        QCOMPARE(admitted, 5);
        QCOMPARE(rejected, 45);
    }

    /// On the server's clock every key that was written has a TTL: what the algorithm needs, rounded up, and no longer.
    void keysHaveTheirTtl_data() { eachKind(); }
    void keysHaveTheirTtl()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        const Limiter limiter = made(id, values);
        for (const int cost : {1, 6, 5, 1}) { // admitted, never, rejected or admitted, rejected
            const Result<Decision> decision = decisionFrom(evaluate(limiter, m_key, cost, {}));
            QVERIFY2(decision.ok(), decision ? "" : qPrintable(decision.error().text));
            QVERIFY(decision->serverTime > 1'600'000'000'000'000 && decision->now == decision->serverTime);
            for (const QByteArray &key : limiter.keys(m_key)) {
                const qint64 ttl = ask(*m_connection, "PTTL", key).integer;
                // 2 × 3600 s at the most: the counter's share of the previous window. 5 × 3600 s in buckets.
                QVERIFY2(ttl > 0 && ttl <= 5 * 3'600'000, qPrintable(QString("%1: %2").arg(QString(key)).arg(ttl)));
                QVERIFY2(ttl * 1'000 <= decision->resetAfter + 1'000, qPrintable(QString("%1, reset %2").arg(ttl).arg(decision->resetAfter)));
                QVERIFY2(ttl * 1'000 >= decision->resetAfter - 5 * second, qPrintable(QString("%1, reset %2").arg(ttl).arg(decision->resetAfter)));
            }
        }
    }

    void aCallersClockKeepsKeysForAnHour_data() { eachKind(); }
    void aCallersClockKeepsKeysForAnHour()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        for (auto &[name, value] : values) { // short ones: a millisecond each
            if (name == "window" || name == "interval")
                value = id == "sliding-window" ? "6ms" : "1ms";
            if (name == "rate")
                value = "1000/s";
        }
        const Limiter limiter = made(id, values);
        QVERIFY(decisionFrom(evaluate(limiter, m_key, 1, 5)).ok());
        for (const QByteArray &key : limiter.keys(m_key)) {
            const qint64 ttl = ask(*m_connection, "PTTL", key).integer;
            QVERIFY2(ttl > 3'590'000 && ttl <= 3'600'000, qPrintable(QString::number(ttl)));
        }
    }

    void aLookLeavesNothingBehind_data() { eachKind(); }
    void aLookLeavesNothingBehind()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        const Limiter limiter = made(id, values);
        const Result<Decision> look = decisionFrom(evaluate(limiter, m_key, 0, 7 * second));
        QVERIFY(look.ok() && look->admitted);
        QCOMPARE(look->remaining, qint64(5));
        for (const QByteArray &key : limiter.keys(m_key))
            QCOMPARE(ask(*m_connection, "EXISTS", key).integer, qint64(0));
    }

    /// At now + retry after the same cost is admitted, one microsecond earlier it is not. Each probe has a state of its own.
    void retryAfterKeepsItsWord_data() { eachKind(); }
    void retryAfterKeepsItsWord()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        for (auto &[name, value] : values) { // with fractions
            if (name == "rate")
                value = "7/11s";
        }
        const Limiter limiter = made(id, values);
        Random random(3);
        int probed = 0;
        for (int trial = 0; trial < 60; ++trial) {
            LimiterRequests before;
            qint64 at = 1'000'000'000'000;
            do {
                at += static_cast<qint64>(random.below(400 * second));
                before.push_back({m_key, 1 + static_cast<qint64>(random.below(5)), at});
            } while (byReference(limiter, before).back().admitted);
            const Decision rejected = byReference(limiter, before).back();
            QVERIFY(rejected.retryAfter && *rejected.retryAfter > 0);
            for (const qint64 early : {0, 1}) {
                LimiterRequests requests = before;
                requests.push_back({m_key, before.back().cost, rejected.now + *rejected.retryAfter - early});
                for (LimiterRequest &request : requests)
                    request.key = m_key + QByteArray::number(2 * trial + early);
                const auto answers = byScript(*m_connection, limiter, requests);
                QCOMPARE(answers.size(), requests.size());
                QCOMPARE(answers[before.size() - 1].retryAfter, rejected.retryAfter);
                QCOMPARE(answers.back().admitted, early == 0);
                ++probed;
            }
        }
        QCOMPARE(probed, 120);
    }

    /// Each key is as good as any, and nothing but what is declared comes into being.
    void oddKeysWork_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("spaces") << QByteArray(" a  b ");
        QTest::newRow("newlines") << QByteArray("a\r\nb\n");
        QTest::newRow("zero bytes") << QByteArray("a\0b", 3);
        QTest::newRow("hash tag") << QByteArray("user:{42}:api");
        QTest::newRow("an opening brace") << QByteArray("a{b");
        QTest::newRow("a closing brace") << QByteArray("}a");
        QTest::newRow("an empty tag") << QByteArray("a{}{b}");
        QTest::newRow("nested braces") << QByteArray("{{a}}");
        QTest::newRow("percent") << QByteArray("100%");
        QTest::newRow("10 kB") << QByteArray(10'240, 'x');
    }
    void oddKeysWork()
    {
        QFETCH(QByteArray, key);
        for (const Kind &kind : fiveEach()) {
            const Limiter limiter = made(kind.id, kind.values);
            const QList<QByteArray> keys = limiter.keys(key);
            ask(*m_connection, "FLUSHALL");
            const auto decisions = byScript(*m_connection, limiter, {{key, 3, 0}, {key, 3, 0}, {key, 2, 0}});
            QCOMPARE(pattern(decisions), QString("TFT"));
            QCOMPARE(ask(*m_connection, "DBSIZE").integer, qint64(keys.size())); // the declared ones, and no other
            QCOMPARE(ask(*m_connection, "EXISTS", keys.first()).integer, qint64(1));
        }
    }

    void twoKeysLieInOneSlotAndNeverMeet()
    {
        const QList<QByteArray> names {"", "a", "{a}", "a{", "}a", "{}a", "a{}b", "{{a}}", "%", "%25", "%7B", "log:{a}", "{a}:log", "log:a", "{a}b{c}"};
        QList<QByteArray> seen;
        for (const QByteArray &name : names) {
            const auto [first, second] = keysOfOneSlot(name);
            const QByteArray tag = hashed(first);
            QCOMPARE(hashed(second), tag);
            QVERIFY(tag != first && tag != second);
            QVERIFY2(!seen.contains(first) && !seen.contains(second), name.constData());
            seen << first << second;
        }
        QCOMPARE(hashed(keysOfOneSlot("user:{42}:api").first), QByteArray("42"));
    }

    /// After SCRIPT FLUSH between two answers nothing is lost and nothing is counted twice.
    void aLostScriptLosesNoDecision()
    {
        const Limiter limiter = made("fixed-window", {{"limit", "100000"}, {"window", "3600s"}});
        LimiterRequests requests(5'000, {m_key, 1, 0});
        size_t next = 0;
        std::vector<qint64> remaining;
        Connection other(m_server->endpoint());
        QVERIFY(ask(other, "PING").type == ReplyType::Status);
        Waiter flushed;
        std::optional<Result<void>> result;
        LimiterPipeline pipeline(*m_connection, limiter,
            {[&] { return next < requests.size() ? std::optional(requests[next++]) : std::nullopt; },
                [&](qint64 number, const Decision &decision) {
                    QCOMPARE(number, static_cast<qint64>(remaining.size()));
                    remaining.push_back(decision.remaining);
                    if (number == 1'500)
                        other.send(Command("SCRIPT", "FLUSH"), 5s, &flushed);
                },
                [&](Result<void> ended) { result = std::move(ended); }});
        pipeline.start();
        QTRY_VERIFY_WITH_TIMEOUT(result && flushed.isTold(), 20'000);
        QVERIFY(result->ok() && flushed.reply().isOk());
        QCOMPARE(remaining.size(), requests.size());
        for (size_t i = 0; i < remaining.size(); ++i)
            QCOMPARE(remaining[i], 100'000 - static_cast<qint64>(i) - 1);
    }

    void extremeValuesAreRightOrRefused_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Pairs>("values");
        QTest::addColumn<QString>("said"); // empty: they are right
        const auto row = [](const char *name, const QString &id, const Pairs &values, const QString &said = {}) {
            QTest::newRow(name) << id << values << said;
        };
        row("limit 0", "fixed-window", {{"limit", "0"}}, "0 is out of range for limit: it takes a whole number from 1");
        row("negative limit", "gcra", {{"limit", "-5"}}, "-5 is out of range for limit");
        row("limit is a word", "gcra", {{"limit", "many"}}, "“many” is no value for limit");
        row("rate 0", "token-bucket", {{"rate", "0/s"}}, "0/s is out of range for rate: it takes a rate such as 10/s");
        row("rate without time", "token-bucket", {{"rate", "10"}}, "“10” is no value for rate");
        row("too fast", "token-bucket", {{"rate", "1000000001/s"}}, "out of range for rate");
        row("window 0", "sliding-log", {{"window", "0s"}}, "0s is out of range for window");
        row("window without unit", "sliding-log", {{"window", "60"}}, "“60” is no value for window");
        row("nanoseconds", "sliding-log", {{"window", "0.5us"}}, "“0.5us” is no value for window");
        row("31 days", "sliding-log", {{"window", "2678400s"}}, "2678400s is out of range for window");
        row("odd buckets", "sliding-window", {{"window", "1s"}, {"buckets", "7"}}, "A window of 1000000 µs cannot be cut into 7 buckets");
        row("unknown value", "gcra", {{"burts", "5"}}, "There is no value named “burts”");
        row("near miss", "sliding-log", {{"windw", "5s"}}, "Did you mean “window”?");
        row("unknown limiter", "tokenbucket", {}, "Did you mean “token-bucket”?");
        row("wrong start", "fixed-window", {{"start", "now"}}, "“now” is no value for start: it takes aligned or first-hit");
        row("more than it holds", "token-bucket", {{"capacity", "5"}, {"initial", "6"}}, "A bucket of 5 cannot begin with 6 tokens");
        row("not exact", "token-bucket", {{"capacity", "4000000000000"}, {"rate", "1/2592000s"}}, "cannot be counted exactly");
        row("a million a second", "token-bucket", {{"capacity", "1000000"}, {"rate", "1000000/s"}});
        row("30 days at a million a second", "token-bucket", {{"capacity", "2592000000000"}, {"rate", "1000000/s"}});
        row("the same, leaking", "leaky-bucket", {{"capacity", "2592000000000"}, {"rate", "1000000/s"}});
        row("the same, GCRA", "gcra", {{"limit", "2592000000000"}, {"interval", "1us"}});
        row("30 days", "sliding-counter", {{"limit", "2592000000000"}, {"window", "2592000s"}});
        row("30 days, log", "sliding-log", {{"limit", "2592000000000"}, {"window", "2592000s"}});
        row("30 days, buckets", "sliding-window", {{"limit", "2592000000000"}, {"window", "2592000s"}, {"buckets", "1000"}});
        row("30 days, fixed", "fixed-window", {{"limit", "2592000000000"}, {"window", "2592000s"}, {"start", "first-hit"}});
        row("1 ms", "fixed-window", {{"limit", "1"}, {"window", "1ms"}});
        row("1 ms, counter", "sliding-counter", {{"limit", "1"}, {"window", "1ms"}});
        row("one in 30 days", "token-bucket", {{"capacity", "3"}, {"rate", "1/2592000s"}});
    }
    void extremeValuesAreRightOrRefused()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        QFETCH(QString, said);
        const Result<Limiter> limiter = Limiter::make(id, values);
        QCOMPARE(limiter.ok(), said.isEmpty());
        if (!limiter) {
            QCOMPARE(limiter.error().kind, Error::Kind::Invalid);
            QVERIFY2(limiter.error().text.contains(said), qPrintable(limiter.error().text));
            return;
        }
        const qint64 most = limiter->limit();
        const qint64 day = 86'400 * second;
        const qint64 at = 20'000 * day + 1;
        const LimiterRequests requests {{m_key, 1, at}, {m_key, most, at}, {m_key, most - 1, at + 1}, {m_key, 1, at + 1}, {m_key, most, at + 30 * day},
            {m_key, most, at + 61 * day}, {m_key, most + 1, at + 61 * day}, {m_key, mostNumber, at + 61 * day}, {m_key, 1, mostNumber}};
        const QString differs = difference(requests, byScript(*m_connection, *limiter, requests), byReference(*limiter, requests));
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    void badNumbersAreNotSent()
    {
        const Limiter limiter = made("gcra", {});
        std::vector<Error::Kind> kinds;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            for (const auto &[cost, now] : {std::pair<qint64, qint64> {-1, 0}, {mostNumber + 1, 0}, {1, -1}, {1, mostNumber + 1}}) {
                const Result<Decision> decision = co_await decide(client, limiter, m_key, cost, now);
                kinds.push_back(decision ? Error::Kind::Failed : decision.error().kind);
            }
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(kinds, std::vector<Error::Kind>(4, Error::Kind::Invalid));
        QCOMPARE(ask(*m_connection, "EXISTS", m_key).integer, qint64(0));
    }

    /// A key that holds something else is an answer: neither admitted nor rejected, and it is left alone.
    void aKeyOfAnotherTypeIsAnError_data() { eachKind(); }
    void aKeyOfAnotherTypeIsAnError()
    {
        QFETCH(QString, id);
        QFETCH(Pairs, values);
        const Limiter limiter = made(id, values);
        for (const QByteArray &key : limiter.keys(m_key)) {
            ask(*m_connection, "SET", key, "mine");
            const Result<Decision> decision = decisionFrom(evaluate(limiter, m_key, 1, {}));
            QVERIFY(!decision.ok() && decision.error().text.contains("WRONGTYPE"));
            QCOMPARE(ask(*m_connection, "GET", key).text, QByteArray("mine"));
            ask(*m_connection, "DEL", key);
        }
    }

private:
    Reply evaluate(const Limiter &limiter, const QByteArray &key, qint64 cost, std::optional<qint64> now)
    {
        const QList<QByteArray> keys = limiter.keys(key);
        Command command("EVAL", limiter.script().body, keys.size());
        for (const QByteArray &one : keys + limiter.arguments(cost, now))
            command.add(one);
        Waiter waiter;
        m_connection->send(command, 5s, &waiter);
        waiter.wait();
        return waiter.reply();
    }

    /// What a cluster hashes of a key: what is between the first { and the first } behind it, or all.
    static QByteArray hashed(const QByteArray &key)
    {
        const qsizetype open = key.indexOf('{');
        const qsizetype close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.mid(open + 1, close - open - 1) : key;
    }
};

QTEST_GUILESS_MAIN(TestLimiters)
#include "tst_limiters.moc"
