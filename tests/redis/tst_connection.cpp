// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/connection.h"
#include "tests/redis/fakeserver.h"
#include "tests/redis/waiter.h"
#include "tests/support/testserver.h"

#include <QElapsedTimer>
#include <QTest>

#include <memory>
#include <vector>

using namespace interlock;

/// What a connection does with a server that behaves.
class tst_Connection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_server.reset(); }

    void answersEveryTypeOfReply();
    void answersTenThousandPipelinedCommandsInOrder();
    void readsALongReply();
    void sendsCommandsThatWaitedForTheConnection();
    void logsInSelectsAndNamesItself();
    void usesAUnixSocket();
    void findsAHostByName();
    void stampsAnswersBetweenSendingAndTelling();

    void failsACommandAtItsDeadline();
    void failsTheShorterDeadlineFirst();
    void isNeverUsedAgainAfterATimeout();
    void tellsOfALateReply();
    void answersWhatWasSentBeforeTheTimeout();

    void callsNobodyFromInsideSend();
    void doesNotCallAForgottenReceiver();
    void refusesCommandsThatAnswerMoreThanOnce();
    void survivesALoopTurnedInsideAReceiver();
    void tellsEverybodyWhenTheServerIsKilled();

private:
    std::unique_ptr<TestServer> m_server;
};

void tst_Connection::init()
{
    PrivateServer::Options options;
    options.unixSocket = qstrcmp(QTest::currentTestFunction(), "usesAUnixSocket") == 0; // the others do without
    m_server = std::make_unique<TestServer>(options);
    QVERIFY2(m_server->isReady(), qPrintable(m_server->error()));
}

void tst_Connection::answersEveryTypeOfReply()
{
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "SET", "a", "1").isOk());
    QVERIFY(ask(connection, "INCRBY", "a", -43).isInteger(-42));
    QVERIFY(ask(connection, "GET", "none").isNil());
    QVERIFY(ask(connection, "LPUSH", "a", "x").isError("WRONGTYPE"));
    const QByteArray binary("\0\r\n\xff", 4);
    QCOMPARE(ask(connection, "ECHO", binary).text, binary);
    QCOMPARE(ask(connection, "ECHO", "").text, QByteArray());

    const Reply nested =
        ask(connection, "EVAL", "return {1, {'x', {2, {}}}, false, redis.status_reply('S'), 'end'}", 0);
    const auto number = [](qint64 value) { return Reply {ReplyType::Integer, value, {}, {}}; };
    const auto string = [](const char *text) { return Reply {ReplyType::String, 0, text, {}}; };
    const auto array = [](std::vector<Reply> elements) { return Reply {ReplyType::Array, 0, {}, std::move(elements)}; };
    const Reply status {ReplyType::Status, 0, "S", {}};
    const Reply nil {ReplyType::Nil, 0, {}, {}};
    QVERIFY(
        nested == array({number(1), array({string("x"), array({number(2), array({})})}), nil, status, string("end")}));
}

void tst_Connection::answersTenThousandPipelinedCommandsInOrder()
{
    constexpr int count = 10'000;
    Connection connection(m_server->endpoint());
    std::vector<int> order;
    std::vector<std::unique_ptr<Waiter>> waiters;
    for (int i = 0; i < count; ++i) {
        waiters.push_back(std::make_unique<Waiter>([&order, i] { order.push_back(i); }));
        connection.send(Command("ECHO", i), 20s, waiters.back().get());
        if (i == count / 2) // one half waits for the connection, the other finds it open
            QVERIFY(waiters.front()->wait());
    }
    QVERIFY(waiters.back()->wait(20'000));
    QCOMPARE(order.size(), size_t(count));
    for (int i = 0; i < count; ++i) {
        QCOMPARE(order[size_t(i)], i);
        QCOMPARE(waiters[size_t(i)]->reply().text, QByteArray::number(i));
        QCOMPARE(waiters[size_t(i)]->calls, 1);
    }
}

void tst_Connection::readsALongReply()
{
    Connection connection(m_server->endpoint());
    QVERIFY(
        ask(connection, "EVAL", "for i = 1, 100000 do redis.call('RPUSH', 'list', i) end return 1", 0).isInteger(1));
    const Reply list = ask(connection, "LRANGE", "list", 0, -1);
    QCOMPARE(list.elements.size(), size_t(100'000));
    QCOMPARE(list.elements.front().text, QByteArray("1"));
    QCOMPARE(list.elements.back().text, QByteArray("100000"));
    // Many reads; yet few enough turns of the server, which sends 64 KB in each, for a busy machine within the deadline.
    QVERIFY(ask(connection, "SET", "long", QByteArray(1'000'000, 'x')).isOk());
    QCOMPARE(ask(connection, "GET", "long").text, QByteArray(1'000'000, 'x'));
}

void tst_Connection::sendsCommandsThatWaitedForTheConnection()
{
    Waiter first;
    Waiter second;
    Connection connection(m_server->endpoint());
    connection.send(Command("RPUSH", "l", "1"), 5s, &first);
    connection.send(Command("RPUSH", "l", "2"), 5s, &second);
    QVERIFY(connection.isUsable());
    QVERIFY(second.wait());
    QVERIFY(first.reply().isInteger(1));
    QVERIFY(second.reply().isInteger(2));
}

void tst_Connection::logsInSelectsAndNamesItself()
{
    Connection plain(m_server->endpoint());
    QVERIFY(ask(plain, "ACL", "SETUSER", "ann", "on", ">s3 cret", "~*", "+@all").isOk());
    Endpoint endpoint = m_server->endpoint();
    endpoint.user = QStringLiteral("ann");
    endpoint.password = "s3 cret";
    endpoint.database = 3;
    Connection::Options options;
    options.name = "watchdog-1";
    Connection connection(endpoint, options);
    QCOMPARE(ask(connection, "CLIENT", "GETNAME").text, QByteArray("watchdog-1"));
    QCOMPARE(ask(connection, "ACL", "WHOAMI").text, QByteArray("ann"));
    QVERIFY(ask(connection, "SET", "in3", "x").isOk());
    QVERIFY(ask(plain, "GET", "in3").isNil());
    QVERIFY(ask(plain, "SELECT", 3).isOk());
    QCOMPARE(ask(plain, "GET", "in3").text, QByteArray("x"));
}

void tst_Connection::usesAUnixSocket()
{
    const Endpoint endpoint = m_server->server().unixEndpoint();
    QVERIFY(endpoint.host.isEmpty());
    Connection overTcp(m_server->endpoint());
    Connection connection(endpoint);
    QVERIFY(ask(connection, "SET", "a", "over a socket").isOk());
    QCOMPARE(ask(overTcp, "GET", "a").text, QByteArray("over a socket"));
}

void tst_Connection::findsAHostByName()
{
    // Often found as ::1 first, where a private server does not listen: then the next address is tried.
    Endpoint endpoint = m_server->endpoint();
    endpoint.host = QStringLiteral("localhost");
    Connection connection(endpoint);
    QCOMPARE(ask(connection, "PING").text, QByteArray("PONG"));
}

void tst_Connection::stampsAnswersBetweenSendingAndTelling()
{
    Connection connection(m_server->endpoint());
    QCOMPARE(ask(connection, "PING").text, QByteArray("PONG"));
    Waiter waiter;
    const Nanoseconds before = monotonicNow();
    connection.send(Command("PING"), 5s, &waiter);
    QVERIFY(waiter.wait());
    QVERIFY(before < waiter.answered);
    QVERIFY(waiter.answered < monotonicNow());
}

void tst_Connection::failsACommandAtItsDeadline()
{
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "PING").text == "PONG");
    Waiter waiter;
    QElapsedTimer elapsed;
    elapsed.start();
    connection.send(Command("BLPOP", "empty", 0), 150ms, &waiter);
    QVERIFY(waiter.wait());
    QVERIFY2(elapsed.elapsed() >= 150, qPrintable(QString::number(elapsed.elapsed())));
    QVERIFY(waiter.hasError(Error::Kind::TimedOut));
    const Endpoint &endpoint = m_server->endpoint();
    QCOMPARE(waiter.error().text,
        QStringLiteral("Redis at %1:%2 did not answer within 150 ms. Is it running?")
            .arg(endpoint.host)
            .arg(endpoint.port));
}

void tst_Connection::failsTheShorterDeadlineFirst()
{
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "PING").text == "PONG");
    Waiter patient;
    Waiter hasty;
    connection.send(Command("BLPOP", "empty", 0), 5s, &patient);
    connection.send(Command("PING"), 100ms, &hasty);
    QVERIFY(hasty.wait(2000));
    QVERIFY(hasty.hasError(Error::Kind::TimedOut));
    QVERIFY(!patient.isTold());
}

void tst_Connection::isNeverUsedAgainAfterATimeout()
{
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "PING").text == "PONG"); // open, so that the deadline is the command's alone
    Waiter first;
    connection.send(Command("BLPOP", "empty", 0), 200ms, &first);
    QVERIFY(first.wait());
    QVERIFY(!connection.isUsable());
    Waiter second;
    connection.send(Command("SET", "written", "x"), 5s, &second);
    QVERIFY(second.wait());
    QVERIFY(second.hasError(Error::Kind::TimedOut));
    Connection other(m_server->endpoint());
    QVERIFY(ask(other, "RPUSH", "empty", "x").isInteger(1));
    QVERIFY(ask(other, "GET", "written").isNil());
}

void tst_Connection::tellsOfALateReply()
{
    Connection other(m_server->endpoint());
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "PING").text == "PONG"); // open, so that the deadline is the command's alone
    std::optional<Reply> late;
    connection.onLateReply = [&late](const Reply &reply, Nanoseconds) { late = reply; };
    Waiter waiter;
    connection.send(Command("BLPOP", "list", 0), 200ms, &waiter);
    QVERIFY(waiter.wait());
    QVERIFY(waiter.hasError(Error::Kind::TimedOut));
    QVERIFY(ask(other, "RPUSH", "list", "x").isInteger(1));
    QVERIFY(QTest::qWaitFor([&late] { return late.has_value(); }));
    QCOMPARE(late->shown(), QByteArray("[\"list\", \"x\"]"));
    QCOMPARE(waiter.calls, 1);
}

void tst_Connection::answersWhatWasSentBeforeTheTimeout()
{
    Connection other(m_server->endpoint());
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "PING").text == "PONG"); // open, so that the deadline is the command's alone
    Waiter late;
    Waiter patient;
    connection.send(Command("BLPOP", "list", 0), 200ms, &late);
    connection.send(Command("ECHO", "after"), 10s, &patient);
    QVERIFY(late.wait());
    QVERIFY(ask(other, "RPUSH", "list", "x").isInteger(1));
    QVERIFY(patient.wait());
    QCOMPARE(patient.reply().text, QByteArray("after"));
}

void tst_Connection::callsNobodyFromInsideSend()
{
    Endpoint wrong = m_server->endpoint();
    wrong.password = "not this";
    Connection connection(wrong);
    Waiter first;
    connection.send(Command("PING"), 5s, &first);
    QVERIFY(first.wait());
    Waiter second;
    connection.send(Command("PING"), 5s, &second);
    QVERIFY(!second.isTold());
    QVERIFY(second.wait());
    QVERIFY(second.hasError(Error::Kind::Failed));
}

void tst_Connection::doesNotCallAForgottenReceiver()
{
    Connection connection(m_server->endpoint());
    Waiter queued;
    connection.send(Command("SET", "a", "queued"), 5s, &queued);
    connection.forget(&queued);
    QCOMPARE(ask(connection, "GET", "a").text, QByteArray("queued")); // it went its way all the same

    Waiter sent;
    connection.send(Command("SET", "a", "sent"), 5s, &sent);
    connection.forget(&sent);
    QCOMPARE(ask(connection, "GET", "a").text, QByteArray("sent"));

    // One whose answer has arrived, but who is to be told after this:
    Waiter arrived;
    Waiter forgetting([&] { connection.forget(&arrived); });
    connection.send(Command("PING"), 5s, &forgetting);
    connection.send(Command("PING"), 5s, &arrived);
    QVERIFY(forgetting.wait());
    QCOMPARE(ask(connection, "GET", "a").text, QByteArray("sent"));
    QVERIFY(!queued.isTold());
    QVERIFY(!sent.isTold());
    QVERIFY(!arrived.isTold());
}

void tst_Connection::refusesCommandsThatAnswerMoreThanOnce()
{
    Connection connection(m_server->endpoint());
    for (const char *name : {"SUBSCRIBE", "psubscribe", "ssubscribe", "Monitor"}) {
        Waiter waiter;
        connection.send(Command(name, "x"), 5s, &waiter);
        QVERIFY(waiter.wait());
        QVERIFY2(waiter.hasError(Error::Kind::Invalid), name);
    }
    QCOMPARE(ask(connection, "PING").text, QByteArray("PONG"));
}

void tst_Connection::survivesALoopTurnedInsideAReceiver()
{
    Connection connection(m_server->endpoint());
    QByteArray inner;
    Waiter outer([&] { inner = ask(connection, "ECHO", "inner").text; });
    Waiter after;
    connection.send(Command("PING"), 5s, &outer);
    connection.send(Command("ECHO", "after"), 5s, &after);
    QVERIFY(after.wait());
    QVERIFY(outer.hasReply());
    QVERIFY(QTest::qWaitFor([&] { return !inner.isEmpty(); }));
    QCOMPARE(inner, QByteArray("inner"));
    QCOMPARE(after.reply().text, QByteArray("after"));
}

void tst_Connection::tellsEverybodyWhenTheServerIsKilled()
{
    Connection connection(m_server->endpoint());
    int closings = 0;
    connection.onClosed = [&closings](const Error &) { ++closings; };
    QVERIFY(ask(connection, "PING").text == "PONG");
    Waiter first;
    Waiter second;
    connection.send(Command("BLPOP", "empty", 0), 10s, &first);
    connection.send(Command("PING"), 10s, &second);
    QVERIFY(m_server->server().kill());
    QVERIFY(second.wait());
    QVERIFY(first.hasError(Error::Kind::Closed));
    QVERIFY(second.hasError(Error::Kind::Closed));
    QVERIFY2(first.error().text.contains(QString::number(m_server->endpoint().port)), qPrintable(first.error().text));
    QVERIFY(!connection.isUsable());
    Waiter later; // it is known not to have been sent
    connection.send(Command("PING"), 10s, &later);
    QVERIFY(later.wait());
    QVERIFY(later.hasError(Error::Kind::Failed));
    QCOMPARE(closings, 1);
}

QTEST_GUILESS_MAIN(tst_Connection)
#include "tst_connection.moc"
