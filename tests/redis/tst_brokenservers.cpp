// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/connection.h"
#include "tests/redis/fakeserver.h"
#include "tests/redis/waiter.h"
#include "tests/support/testserver.h"

#include <QElapsedTimer>
#include <QTest>

#include <memory>

using namespace interlock;

/// What a connection says of a target that refuses, is silent or is no Redis at all; and that it may be destroyed from
/// every call that it makes.
class tst_BrokenServers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWithinTwoSecondsWhatIsWrong_data();
    void saysWithinTwoSecondsWhatIsWrong();
    void survivesWhatIsNoRedis_data();
    void survivesWhatIsNoRedis();
    void isNotEndedByABrokenPipe();
    void failsAQueuedCommandAtItsDeadlineAsNotSent();

    void mayBeDestroyedFrom_data();
    void mayBeDestroyedFrom();
};

void tst_BrokenServers::saysWithinTwoSecondsWhatIsWrong_data()
{
    QTest::addColumn<QString>("said");

    QTest::newRow("wrong password") << "refused the password";
    QTest::newRow("no password") << "needs a password";
    QTest::newRow("no such database") << "database 999999";
    QTest::newRow("nobody listens") << "refused";
    QTest::newRow("no such socket") << "No such file";
    QTest::newRow("silent listener") << "did not answer within 1.8 s";
    QTest::newRow("stopped server") << "did not answer within 1.8 s";
    QTest::newRow("closes at once") << "closed";
    QTest::newRow("no such host") << "nowhere.invalid";
}

void tst_BrokenServers::saysWithinTwoSecondsWhatIsWrong()
{
    QFETCH(QString, said);
    const QByteArray what = QTest::currentDataTag();
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    FakeServer silent;
    FakeServer closing({}, [](QTcpSocket &peer, const QByteArray &) { peer.close(); });

    Endpoint endpoint = server.endpoint();
    if (what == "wrong password") {
        endpoint.password = "hidden-word";
    } else if (what == "no password") {
        endpoint.password.clear();
    } else if (what == "no such database") {
        endpoint.database = 999'999;
    } else if (what == "nobody listens") {
        QVERIFY(server.server().kill());
        Connection watching(endpoint); // until the port is closed
        QVERIFY(QTest::qWaitFor([&watching] { return !watching.isUsable(); }));
    } else if (what == "no such socket") {
        endpoint.host.clear();
        endpoint.path = QStringLiteral("/nonexistent/redis.sock");
    } else if (what == "silent listener") {
        endpoint = silent.endpoint();
        endpoint.password = "hidden-word";
    } else if (what == "stopped server") {
        QVERIFY(server.server().pause());
    } else if (what == "closes at once") {
        endpoint = closing.endpoint();
    } else {
        endpoint.host = QStringLiteral("nowhere.invalid");
    }

    QElapsedTimer elapsed;
    elapsed.start();
    Connection connection(endpoint);
    std::optional<Error> closed;
    connection.onClosed = [&closed](const Error &error) { closed = error; };
    Waiter waiter;
    connection.send(Command("PING"), 10s, &waiter);
    QVERIFY(waiter.wait());
    QVERIFY2(elapsed.elapsed() < 2000, qPrintable(QString::number(elapsed.elapsed())));
    const QString text = waiter.error().text;
    QVERIFY(waiter.hasError(Error::Kind::Failed)); // known not to have been sent
    QVERIFY2(text.contains(said), qPrintable(text));
    QVERIFY2(text.contains(endpoint.host.isEmpty() ? endpoint.path : QString::number(endpoint.port)), qPrintable(text));
    QVERIFY2(!text.contains(QStringLiteral("hidden-word")), qPrintable(text));
    QVERIFY(QTest::qWaitFor([&closed] { return closed.has_value(); }));
    QVERIFY(!connection.isUsable());
    server.server().resume();
}

void tst_BrokenServers::survivesWhatIsNoRedis_data()
{
    QTest::addColumn<QByteArray>("greeting");
    QTest::addColumn<QByteArray>("answer");

    const QByteArray none;
    QTest::newRow("web server") << none << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTest::newRow("mail server") << QByteArray("220 mail ready\r\n") << none;
    QTest::newRow("greets with a status") << QByteArray("+OK ready\r\n+OK really\r\n") << none;
    QTest::newRow("answers twice") << none << QByteArray("+PONG\r\n+PONG\r\n+PONG\r\n");
    QTest::newRow("unasked array") << none << QByteArray("+PONG\r\n*1\r\n$1\r\nx\r\n");
    QTest::newRow("unasked number") << none << QByteArray("+PONG\r\n:1\r\n");
    QTest::newRow("unasked nil") << none << QByteArray("+PONG\r\n$-1\r\n");
    QTest::newRow("unasked error") << none << QByteArray("+PONG\r\n-ERR going down\r\n");
    QTest::newRow("refuses everybody") << none << QByteArray("-ERR max number of clients reached\r\n");
    QTest::newRow("endless array") << none << QByteArray("+PONG\r\n*2147483647\r\n");
    QTest::newRow("nested too deep") << QByteArray("*1\r\n").repeated(20) << none;
    QTest::newRow("bytes") << QByteArray("\0\xff\0\r\n", 5) << none;
}

void tst_BrokenServers::survivesWhatIsNoRedis()
{
    QFETCH(QByteArray, greeting);
    QFETCH(QByteArray, answer);
    FakeServer server(greeting, [answer](QTcpSocket &peer, const QByteArray &) { peer.write(answer); });
    Connection connection(server.endpoint());
    Waiter waiter;
    connection.send(Command("PING"), 300ms, &waiter);
    bool isClosed = false;
    connection.onClosed = [&isClosed](const Error &) { isClosed = true; };
    QVERIFY(QTest::qWaitFor([&] { return isClosed || (waiter.isTold() && !connection.isUsable()); }));
    QVERIFY(waiter.isTold());
}

void tst_BrokenServers::isNotEndedByABrokenPipe()
{
    // The peer's end is reset while commands are written to it: the second write raises SIGPIPE unless that is ignored.
    FakeServer server({}, [](QTcpSocket &peer, const QByteArray &received) {
        if (received.contains("PING"))
            peer.write("+PONG\r\n");
        else
            peer.abort();
    });
    Connection connection(server.endpoint());
    bool isClosed = false;
    connection.onClosed = [&isClosed](const Error &) { isClosed = true; };
    std::vector<std::unique_ptr<Waiter>> waiters;
    const QByteArray much(4'000'000, 'x');
    for (int i = 0; i < 3; ++i) {
        waiters.push_back(std::make_unique<Waiter>());
        connection.send(Command("ECHO", much), 5s, waiters.back().get());
    }
    QVERIFY(waiters.back()->wait());
    for (const auto &waiter : waiters)
        QVERIFY(waiter->hasError(Error::Kind::Closed));
    QVERIFY(QTest::qWaitFor([&isClosed] { return isClosed; }));
}

void tst_BrokenServers::failsAQueuedCommandAtItsDeadlineAsNotSent()
{
    FakeServer silent;
    Connection connection(silent.endpoint());
    Waiter hasty;
    connection.send(Command("PING"), 100ms, &hasty);
    QVERIFY(hasty.wait(1000));
    QVERIFY(hasty.hasError(Error::Kind::Failed));
    QVERIFY(connection.isUsable()); // it may still open
}

void tst_BrokenServers::mayBeDestroyedFrom_data()
{
    QTest::addColumn<int>("more"); // commands behind the one whose call destroys the connection

    for (const char *call : {"a reply", "a failure, not sent", "a failure, timed out", "a failure, closed",
             "a failure in send", "a late reply", "the closing"}) {
        QTest::addRow("%s", call) << 0;
        QTest::addRow("%s, with more behind it", call) << 100;
    }
}

void tst_BrokenServers::mayBeDestroyedFrom()
{
    QFETCH(int, more);
    const QByteArray what = QByteArray(QTest::currentDataTag()).replace(", with more behind it", "");
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    Endpoint endpoint = server.endpoint();
    if (what == "a failure, not sent" || what == "a failure in send")
        endpoint.password = "wrong";

    auto connection = std::make_unique<Connection>(endpoint);
    bool isDestroyed = false;
    const auto destroy = [&] {
        connection.reset();
        isDestroyed = true;
    };
    Waiter waiter([&] {
        if (what != "a late reply" && what != "the closing" && what != "a failure in send")
            destroy();
    });
    connection->onLateReply = [&](const Reply &, Nanoseconds) { destroy(); };
    if (what == "the closing")
        connection->onClosed = [&](const Error &) { destroy(); };
    const bool blocks = what == "a failure, timed out" || what == "a failure, closed" || what == "a late reply"
        || what == "the closing";
    if (blocks)
        QVERIFY(ask(*connection, "PING").text == "PONG"); // open, so that the deadline is the command's alone
    connection->send(blocks ? Command("BLPOP", "list", 0) : Command("PING"),
        what == "a failure, timed out" || what == "a late reply" ? 100ms : 5s, &waiter);
    std::vector<std::unique_ptr<Waiter>> others;
    for (int i = 0; i < more; ++i) {
        others.push_back(std::make_unique<Waiter>());
        connection->send(Command("PING"), 5s, others.back().get());
    }
    if (what == "a late reply") {
        QVERIFY(waiter.wait());
        Connection helper(server.endpoint());
        QVERIFY(ask(helper, "RPUSH", "list", "x").isInteger(1));
    } else if (what == "a failure, closed" || what == "the closing") {
        Connection helper(server.endpoint());
        QVERIFY(QTest::qWaitFor([&] { return ask(helper, "INFO", "clients").text.contains("blocked_clients:1"); }));
        QVERIFY(server.server().kill());
    } else if (what == "a failure in send") {
        QVERIFY(waiter.wait());
        Waiter second(destroy);
        connection->send(Command("PING"), 5s, &second);
        QVERIFY(second.wait());
    }
    QVERIFY(QTest::qWaitFor([&isDestroyed] { return isDestroyed; }));

    // Nobody behind it is called any more, whatever the loop still brings. Only those told before may have been.
    const auto told = [&others] {
        return std::count_if(others.begin(), others.end(), [](const auto &other) { return other->isTold(); });
    };
    const auto before = told();
    if (what == "a reply" || what == "a failure, timed out" || what == "a failure, closed"
        || what == "a failure, not sent")
        QCOMPARE(before, 0);
    Connection marker(server.endpoint());
    Waiter markerWaiter;
    marker.send(Command("PING"), 5s, &markerWaiter);
    QVERIFY(markerWaiter.wait());
    QCOMPARE(told(), before);
}

QTEST_GUILESS_MAIN(tst_BrokenServers)
#include "tst_brokenservers.moc"
