// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/connection.h"
#include "tests/redis/fakeserver.h"
#include "tests/redis/waiter.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <memory>
#include <optional>
#include <vector>

using namespace interlock;

class tst_Subscription : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void isReadyWhenEverythingIsSubscribed();
    void tellsMessagesInOrder();
    void tellsWhichPatternFitted();
    void saysWhyItCannotSubscribe_data();
    void saysWhyItCannotSubscribe();
    void tellsOfItsEnd();
    void mayBeDestroyedFrom_data();
    void mayBeDestroyedFrom();
    void survivesWhatIsNoRedis_data();
    void survivesWhatIsNoRedis();

private:
    void subscribe(const Endpoint &endpoint, const QList<QByteArray> &channels, const QList<QByteArray> &patterns);
    bool waitReady()
    {
        return QTest::qWaitFor([this] { return m_ready.has_value(); });
    }
    bool waitMessages(size_t count)
    {
        return QTest::qWaitFor([this, count] { return m_messages.size() >= count; });
    }

    std::unique_ptr<TestServer> m_server;
    std::unique_ptr<Subscription> m_subscription;
    std::vector<Subscription::Message> m_messages;
    std::optional<Result<void>> m_ready;
    std::optional<Error> m_closed;
    int m_calls = 0;
    QByteArray m_destroyFrom;
};

void tst_Subscription::init()
{
    m_server = std::make_unique<TestServer>();
    QVERIFY2(m_server->isReady(), qPrintable(m_server->error()));
    m_messages.clear();
    m_ready.reset();
    m_closed.reset();
    m_calls = 0;
    m_destroyFrom.clear();
}

void tst_Subscription::cleanup()
{
    m_subscription.reset();
    m_server.reset();
}

void tst_Subscription::subscribe(
    const Endpoint &endpoint, const QList<QByteArray> &channels, const QList<QByteArray> &patterns)
{
    const auto called = [this](const char *from) {
        ++m_calls;
        if (m_destroyFrom == from)
            m_subscription.reset();
    };
    m_subscription = std::make_unique<Subscription>(
        endpoint, channels, patterns,
        [this, called](const Subscription::Message &message) {
            m_messages.push_back(message);
            called("a message");
        },
        [this, called](const Result<void> &ready) {
            m_ready = ready;
            called("being ready");
        },
        [this, called](const Error &error) {
            m_closed = error;
            called("the closing");
        });
}

void tst_Subscription::isReadyWhenEverythingIsSubscribed()
{
    subscribe(m_server->endpoint(), {"a", "b"}, {"c*"});
    QVERIFY(!m_ready);
    QVERIFY(waitReady());
    QVERIFY(m_ready->ok());
    Connection connection(m_server->endpoint());
    QCOMPARE(ask(connection, "PUBSUB", "NUMPAT").integer, 1);
    QCOMPARE(ask(connection, "PUBSUB", "CHANNELS").elements.size(), size_t(2));
}

void tst_Subscription::tellsMessagesInOrder()
{
    subscribe(m_server->endpoint(), {"a", "b"}, {});
    QVERIFY(waitReady());
    Connection connection(m_server->endpoint());
    const Nanoseconds before = monotonicNow();
    const char *script = "for i = 1, 5000 do redis.call('PUBLISH', i % 2 == 0 and 'a' or 'b', i) end return 1";
    QVERIFY(ask(connection, "EVAL", script, 0).isInteger(1));
    QVERIFY(waitMessages(5000));
    QCOMPARE(m_messages.size(), size_t(5000));
    for (int i = 1; i <= 5000; ++i) {
        const Subscription::Message &message = m_messages[size_t(i - 1)];
        QCOMPARE(message.payload, QByteArray::number(i));
        QCOMPARE(message.channel, QByteArray(i % 2 == 0 ? "a" : "b"));
        QVERIFY(message.pattern.isEmpty());
        QVERIFY(message.received > before);
    }
}

void tst_Subscription::tellsWhichPatternFitted()
{
    subscribe(m_server->endpoint(), {}, {"news.*", "none"});
    QVERIFY(waitReady());
    Connection connection(m_server->endpoint());
    const QByteArray payload("\0 \r\n", 4);
    QVERIFY(ask(connection, "PUBLISH", "news.x", payload).isInteger(1));
    QVERIFY(waitMessages(1));
    QCOMPARE(m_messages[0].pattern, QByteArray("news.*"));
    QCOMPARE(m_messages[0].channel, QByteArray("news.x"));
    QCOMPARE(m_messages[0].payload, payload);
}

void tst_Subscription::saysWhyItCannotSubscribe_data()
{
    QTest::addColumn<QString>("said");
    QTest::newRow("wrong password") << "refused the password";
    QTest::newRow("not allowed") << "refused the subscription: NOPERM";
    QTest::newRow("nobody listens") << "refused";
}

void tst_Subscription::saysWhyItCannotSubscribe()
{
    QFETCH(QString, said);
    const QByteArray what = QTest::currentDataTag();
    Endpoint endpoint = m_server->endpoint();
    Connection connection(endpoint);
    QVERIFY(ask(connection, "ACL", "SETUSER", "ann", "on", ">word", "~*", "+@all", "resetchannels").isOk());
    if (what == "wrong password") {
        endpoint.password = "wrong";
    } else if (what == "not allowed") {
        endpoint.user = QStringLiteral("ann");
        endpoint.password = "word";
    } else {
        QVERIFY(m_server->server().kill());
        QVERIFY(QTest::qWaitFor([&connection] { return !connection.isUsable(); }));
    }
    subscribe(endpoint, {"a"}, {});
    QVERIFY(waitReady());
    QVERIFY(!m_ready->ok());
    QVERIFY2(m_ready->error().text.contains(said), qPrintable(m_ready->error().text));
    QCOMPARE(m_calls, 1);
}

void tst_Subscription::tellsOfItsEnd()
{
    subscribe(m_server->endpoint(), {"a"}, {});
    QVERIFY(waitReady());
    QVERIFY(m_server->server().kill());
    QVERIFY(QTest::qWaitFor([this] { return m_closed.has_value(); }));
    QCOMPARE(m_closed->kind, Error::Kind::Closed);
    QCOMPARE(m_calls, 2);
}

void tst_Subscription::mayBeDestroyedFrom_data()
{
    QTest::addColumn<int>("calls");
    QTest::newRow("being ready") << 1;
    QTest::newRow("a message") << 2;
    QTest::newRow("the closing") << 12;
}

void tst_Subscription::mayBeDestroyedFrom()
{
    QFETCH(int, calls);
    m_destroyFrom = QTest::currentDataTag();
    subscribe(m_server->endpoint(), {"a"}, {});
    QVERIFY(waitReady());
    Connection connection(m_server->endpoint());
    QVERIFY(ask(connection, "EVAL", "for i = 1, 10 do redis.call('PUBLISH', 'a', i) end return 1", 0).isInteger(1));
    if (m_destroyFrom == "the closing") {
        QVERIFY(waitMessages(10));
        QVERIFY(m_server->server().kill());
    }
    QVERIFY(QTest::qWaitFor([this] { return !m_subscription; }));
    QCOMPARE(m_calls, calls);
}

void tst_Subscription::survivesWhatIsNoRedis_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("status") << QByteArray("+OK\r\n");
    QTest::newRow("numbers") << QByteArray("*3\r\n:1\r\n:2\r\n:3\r\n");
    QTest::newRow("empty array") << QByteArray("*0\r\n");
    QTest::newRow("nil") << QByteArray("$-1\r\n");
    QTest::newRow("no protocol") << QByteArray("HTTP/1.1\r\n");
}

void tst_Subscription::survivesWhatIsNoRedis()
{
    QFETCH(QByteArray, answer);
    FakeServer server({}, [answer](QTcpSocket &peer, const QByteArray &received) {
        peer.write(received.contains("PING") ? QByteArray("+PONG\r\n") : answer);
    });
    subscribe(server.endpoint(), {"a"}, {});
    QVERIFY(waitReady());
    QVERIFY(!m_ready->ok());
}

QTEST_GUILESS_MAIN(tst_Subscription)
#include "tst_subscription.moc"
