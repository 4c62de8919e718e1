// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Row 18 of tests/oracles/locks.md: the server grants the lock, and its answer is lost on the way.
#include "engine/locks/lock.h"
#include "engine/schedule/client.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testserver.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <memory>
#include <optional>

using namespace interlock;

namespace {

/// A relay that loses the answers of one connection as soon as a certain word has been asked on it. Other connections pass.
class ForgetfulRelay : public QObject
{
public:
    ForgetfulRelay(quint16 serverPort, QByteArray word)
        : m_serverPort(serverPort)
        , m_word(std::move(word))
    {
        connect(&m_listener, &QTcpServer::newConnection, this, &ForgetfulRelay::accept);
        m_listener.listen(QHostAddress::LocalHost);
    }

    quint16 port() const { return m_listener.serverPort(); }
    int lost() const { return m_lost; }

private:
    void accept()
    {
        QTcpSocket *near = m_listener.nextPendingConnection();
        auto *far = new QTcpSocket(near);
        auto forgets = std::make_shared<bool>(false);
        far->connectToHost(QHostAddress(QHostAddress::LocalHost), m_serverPort);
        connect(near, &QTcpSocket::readyRead, far, [this, near, far, forgets] {
            const QByteArray asked = near->readAll();
            *forgets |= asked.contains(m_word);
            far->write(asked);
        });
        connect(far, &QTcpSocket::readyRead, near, [this, near, far, forgets] {
            const QByteArray answer = far->readAll();
            if (*forgets)
                ++m_lost;
            else
                near->write(answer);
        });
    }

    QTcpServer m_listener;
    quint16 m_serverPort;
    QByteArray m_word;
    int m_lost = 0;
};

}

class LostReplyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLockIsReleasedByItsToken_data()
    {
        QTest::addColumn<int>("acquiring");
        QTest::addColumn<bool>("fenced");
        QTest::addColumn<QByteArray>("word");
        QTest::addRow("row 18: SET NX PX") << int(Acquiring::SetNxPx) << false << QByteArray("NX");
        QTest::addRow("SETNX") << int(Acquiring::SetNx) << false << QByteArray("SETNX");
        QTest::addRow("EXPIRE") << int(Acquiring::SetNxThenExpire) << false << QByteArray("EXPIRE");
        QTest::addRow("fenced") << int(Acquiring::SetNxPx) << true << QByteArray("fencing-counter");
    }
    void theLockIsReleasedByItsToken()
    {
        QFETCH(int, acquiring);
        QFETCH(bool, fenced);
        QFETCH(QByteArray, word);
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        ForgetfulRelay relay(server.endpoint().port, word);
        NodeRef direct {QStringLiteral("redis"), server.endpoint()};
        NodeRef relayed = direct;
        relayed.endpoint.port = relay.port();

        FakeTime time;
        std::optional<Error> error;
        bool isHeld = true;
        qint64 exists = -1, wrote = -1;
        const auto program = [&](Actor &actor) -> Task<> {
            Client tester(actor, direct);
            (void)co_await tester.command("CONFIG", "RESETSTAT");
            Client client(actor, relayed, 300ms);
            LockOptions options;
            options.key = "lock";
            options.acquiring = Acquiring(acquiring);
            if (fenced) {
                // So that the answer that is lost is not the server's wish to be sent the script.
                (void)co_await tester.command("SCRIPT", "LOAD", Script::named(QStringLiteral("locks/acquire-fenced")).body);
                options.fencingCounter = "fencing-counter";
            }
            Lock lock(client, options);
            const Result<bool> acquired = co_await lock.acquire(Waiting::fixed(10s, 100ms));
            if (!acquired)
                error = acquired.error();
            isHeld = lock.isHeld();
            exists = (co_await tester.command("EXISTS", "lock"))->integer;
            const QByteArray statistics = (co_await tester.command("INFO", "commandstats"))->text;
            wrote = statistics.count("cmdstat_set:calls=1,") + statistics.count("cmdstat_setnx:calls=1,");
        };
        QVERIFY(time.run(program));
        QCOMPARE(relay.lost(), 1); // there was an answer
        QCOMPARE(wrote, qint64(1)); // and the server had granted the lock
        QVERIFY(error);
        QCOMPARE(error->kind, Error::Kind::TimedOut);
        QCOMPARE(exists, qint64(0));
        QVERIFY(!isHeld);
    }
};

QTEST_GUILESS_MAIN(LostReplyTest)
#include "tst_lostreply.moc"
