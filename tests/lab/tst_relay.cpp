// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay in front of a node that is no Redis, so that each byte can be told. Time passes only when a test says so.
#include "engine/lab/relay.h"
#include "tests/support/fakeclock.h"

#include <QNetworkProxy>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <memory>
#include <optional>
#include <vector>

using namespace interlock;

namespace {

using Policy = std::optional<LinkPolicy>;

/// One end of a connection, which keeps what it was sent.
class End : public QObject
{
public:
    explicit End(QTcpSocket *socket)
        : m_socket(socket)
    {
        m_socket->setParent(this);
        connect(m_socket, &QTcpSocket::readyRead, this, [this] { got += m_socket->readAll(); });
    }
    /// Connects from @p from to a relay.
    End(const QString &from, const QString &host, quint16 port)
        : End(new QTcpSocket)
    {
        m_socket->setProxy(QNetworkProxy::NoProxy);
        m_socket->bind(QHostAddress(from));
        m_socket->connectToHost(QHostAddress(host), port);
    }

    void say(const QByteArray &text) { m_socket->write(text); }
    void close() { m_socket->disconnectFromHost(); }
    bool isOpen() const { return m_socket->state() == QAbstractSocket::ConnectedState; }
    bool isClosed() const { return m_socket->state() == QAbstractSocket::UnconnectedState; }
    bool isRefused() const { return m_socket->error() == QAbstractSocket::ConnectionRefusedError; }
    qint64 unwritten() const { return m_socket->bytesToWrite(); }

    QByteArray got;

private:
    QTcpSocket *m_socket;
};

/// Lets everything arrive that is on its way: on loopback what one end wrote can be read at the other at once.
void settle()
{
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();
}

}

class tst_Relay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_clock = std::make_unique<FakeClock>();
        m_node = std::make_unique<QTcpServer>();
        m_node->setProxy(QNetworkProxy::NoProxy);
        QVERIFY(m_node->listen(QHostAddress(nodeHost)));
        connect(m_node.get(), &QTcpServer::newConnection, m_node.get(), [this] {
            while (QTcpSocket *socket = m_node->nextPendingConnection())
                m_ends.push_back(std::make_unique<End>(socket));
        });
    }
    void cleanup()
    {
        m_relay.reset();
        m_ends.clear();
        m_node.reset();
        m_clock.reset();
    }

    void passesBothWays()
    {
        const auto [peer, node] = connected(replicaHost);
        peer->say("question");
        QTRY_COMPARE(node->got, QByteArray("question"));
        node->say("an answer");
        QTRY_COMPARE(peer->got, QByteArray("an answer"));
        const LinkTraffic traffic {LinkClass::Replication, "N2", 1, 1, 8, 9};
        QTRY_COMPARE(m_relay->traffic(), std::vector {traffic});
        QCOMPARE(m_relay->touched(LinkClass::Replication), LinkTouch());
        peer->close();
        QTRY_VERIFY(node->isClosed());
        QTRY_COMPARE(m_relay->traffic().front().open, 0);
    }

    void tellsPeersByTheirAddresses()
    {
        start();
        const auto replica = from(replicaHost);
        const auto sentinel = from(sentinelHost);
        const auto client = from("127.0.0.1");
        QTRY_COMPARE(m_relay->traffic().size(), size_t(3));
        QCOMPARE(peers(), QStringList({"replication N2", "sentinel S1", "client "}));
    }

    void tellsPeersByTheirSpeech_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("peer");
        QTest::newRow("replica") << QByteArray("PING\r\nREPLCONF listening-port 1002\r\n") << "replication N2";
        QTest::newRow("sentinel") << QByteArray("AUTH secret\r\nCLIENT SETNAME sentinel-5e5e5e5e-cmd\r\n") << "sentinel S1";
        QTest::newRow("client") << QByteArray("GET a\r\n") << "client ";
        QTest::newRow("unknown replica") << QByteArray("REPLCONF listening-port 1\r\n") << "replication ";
        QTest::newRow("unknown sentinel") << QByteArray("CLIENT SETNAME sentinel-11111111-cmd\r\n") << "sentinel ";
    }
    void tellsPeersByTheirSpeech()
    {
        QFETCH(QByteArray, said);
        QFETCH(QString, peer);
        start(Relay::Recognition::BySpeech);
        const auto speaker = from("127.0.0.1");
        QTRY_COMPARE(m_ends.size(), size_t(1));
        QCOMPARE(peers(), QStringList());
        speaker->say(said);
        QTRY_COMPARE(m_ends[0]->got, said);
        QCOMPARE(peers(), QStringList(peer));
        QCOMPARE(m_relay->traffic()[0].towardsNode, said.size());
    }

    /// What tells who it is does not arrive any more, and the login before it did.
    void holdsWhoSpeaksAsSoonAsItIsKnown()
    {
        start(Relay::Recognition::BySpeech);
        m_relay->setPolicy(LinkClass::Replication, QString("N2"), LinkDirection::TowardsNode, LinkPolicy::hold());
        const auto replica = from("127.0.0.1");
        replica->say("PING\r\n");
        QTRY_VERIFY(m_ends.size() == 1 && m_ends[0]->got == "PING\r\n");
        m_ends[0]->say("+PONG\r\n");
        QTRY_COMPARE(replica->got, QByteArray("+PONG\r\n"));
        replica->say("REPLCONF listening-port 1002\r\n");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(30));
        QCOMPARE(m_ends[0]->got, QByteArray("PING\r\n"));
        m_relay->setPolicy(LinkClass::Replication, QString("N2"), LinkDirection::TowardsNode, LinkPolicy::cut());
        QTRY_VERIFY(replica->isClosed());

        const auto again = from("127.0.0.1");
        again->say("PING\r\nREPLCONF listening-port 1002\r\n");
        QTRY_VERIFY(again->isClosed());
        QCOMPARE(m_relay->touched(LinkClass::Replication), (LinkTouch {30, 30, 2}));
    }

    void delaysOneDirection_data() { eachDirection(); }
    void delaysOneDirection()
    {
        QFETCH(LinkDirection, direction);
        const auto [peer, node] = connected(replicaHost);
        End &sender = direction == LinkDirection::TowardsNode ? *peer : *node;
        End &receiver = direction == LinkDirection::TowardsNode ? *node : *peer;
        m_relay->setPolicy(LinkClass::Replication, {}, direction, LinkPolicy::delayed(500ms));
        const auto isTaken = [&](qint64 bytes) {
            return QTest::qWaitFor([&] { return m_relay->touched(LinkClass::Replication, {}, direction).bytes == bytes; });
        };
        sender.say("first");
        QVERIFY(isTaken(5));
        m_clock->advanceBy(100ms);
        sender.say("second");
        QVERIFY(isTaken(11));
        receiver.say("back"); // the other direction passes
        QTRY_COMPARE(sender.got, QByteArray("back"));
        m_clock->advanceBy(399ms);
        settle();
        QCOMPARE(receiver.got, QByteArray());
        m_clock->advanceBy(1ms);
        QTRY_COMPARE(receiver.got, QByteArray("first"));
        m_clock->advanceBy(99ms);
        settle();
        QCOMPARE(receiver.got, QByteArray("first"));
        m_clock->advanceBy(1ms);
        QTRY_COMPARE(receiver.got, QByteArray("firstsecond"));
        QCOMPARE(m_relay->touched(LinkClass::Replication), (LinkTouch {11, 0, 0}));
        const LinkDirection other = direction == LinkDirection::TowardsNode ? LinkDirection::FromNode : LinkDirection::TowardsNode;
        QCOMPARE(m_relay->touched(LinkClass::Replication, {}, other), LinkTouch());
    }

    void keepsTheOrderWhenTheDelayShrinks()
    {
        const auto [peer, node] = connected(replicaHost);
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::delayed(1s));
        node->say("a");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(1));
        m_clock->advanceBy(50ms);
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::delayed(100ms));
        node->say("b");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(2));
        m_clock->advanceBy(50ms); // a has waited for as long as the new delay says
        QTRY_COMPARE(peer->got, QByteArray("a"));
        node->say("c");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(3));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::pass());
        node->say("d");
        QTRY_COMPARE(peer->got, QByteArray("abcd"));
        QCOMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(3));
    }

    void holdsOneDirection_data() { eachDirection(); }
    void holdsOneDirection()
    {
        QFETCH(LinkDirection, direction);
        const auto [peer, node] = connected(replicaHost);
        End &sender = direction == LinkDirection::TowardsNode ? *peer : *node;
        End &receiver = direction == LinkDirection::TowardsNode ? *node : *peer;
        m_relay->setPolicy(LinkClass::Replication, {}, direction, LinkPolicy::hold());
        const QByteArray much = randomBytes(32 * 1024 * 1024); // more than all buffers on the way
        sender.say(much);
        // The sender stands still: what is not written any more stays.
        qint64 last = -1;
        QTRY_VERIFY(std::exchange(last, sender.unwritten()) == sender.unwritten() && m_relay->touched(LinkClass::Replication).bytes > 0);
        settle();
        QVERIFY(sender.unwritten() > 0);
        QCOMPARE(receiver.got, QByteArray());
        receiver.say("back");
        QTRY_COMPARE(sender.got, QByteArray("back"));
        const LinkTouch touch = m_relay->touched(LinkClass::Replication, {}, direction);
        m_relay->setPolicy(LinkClass::Replication, {}, direction, LinkPolicy::pass());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.got.size(), much.size(), 20'000);
        QVERIFY(receiver.got == much);
        QCOMPARE(m_relay->touched(LinkClass::Replication, {}, direction), touch); // what came later was not held
        QVERIFY(touch.bytes < much.size() && touch.lost == 0);
    }

    /// A hold after a delay keeps what waits, too.
    void holdsWhatIsDelayed()
    {
        const auto [peer, node] = connected(replicaHost);
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::delayed(1s));
        node->say("a");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(1));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::hold());
        m_clock->advanceBy(2s);
        settle();
        QCOMPARE(peer->got, QByteArray());
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::pass());
        QTRY_COMPARE(peer->got, QByteArray("a"));
    }

    void cutsOpenAndNewConnections_data() { eachDirection(); }
    void cutsOpenAndNewConnections()
    {
        QFETCH(LinkDirection, direction);
        const auto [peer, node] = connected(replicaHost);
        const auto sentinel = from(sentinelHost);
        QTRY_COMPARE(m_ends.size(), size_t(2));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::delayed(1s));
        node->say("never seen");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(10));
        m_relay->setPolicy(LinkClass::Replication, {}, direction, LinkPolicy::cut());
        QTRY_VERIFY(peer->isClosed() && node->isClosed());
        QCOMPARE(peer->got, QByteArray());
        QCOMPARE(m_relay->touched(LinkClass::Replication), (LinkTouch {10, 10, 1}));
        const auto refused = from(replicaHost);
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication), (LinkTouch {10, 10, 2}));
        QTRY_VERIFY(refused->isClosed());
        QVERIFY(sentinel->isOpen()); // of another class
        QCOMPARE(m_relay->touched(LinkClass::Sentinel), LinkTouch());

        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::Both, LinkPolicy::pass());
        const auto again = from(replicaHost);
        again->say("hello");
        QTRY_COMPARE(m_ends.size(), size_t(3));
        QTRY_COMPARE(m_ends[2]->got, QByteArray("hello"));
    }

    void aPeersOwnPolicyComesFirst()
    {
        start();
        const auto one = from(replicaHost);
        QTRY_COMPARE(m_ends.size(), size_t(1));
        const auto other = from(otherReplicaHost);
        QTRY_COMPARE(m_ends.size(), size_t(2));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::Both, LinkPolicy::hold());
        m_relay->setPolicy(LinkClass::Replication, QString("N3"), LinkDirection::FromNode, LinkPolicy::pass());
        for (const auto &end : m_ends)
            end->say("stream");
        QTRY_COMPARE(other->got, QByteArray("stream"));
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication, QString("N2")).bytes, qint64(6));
        QCOMPARE(m_relay->touched(LinkClass::Replication, QString("N3")), LinkTouch());
        QCOMPARE(one->got, QByteArray());
        m_relay->setPolicy(LinkClass::Replication, QString("N3"), LinkDirection::FromNode, std::nullopt);
        m_ends[1]->say("more");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication, QString("N3")).bytes, qint64(4));
        QCOMPARE(other->got, QByteArray("stream"));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::Both, std::nullopt);
        QTRY_COMPARE(other->got, QByteArray("streammore"));
        QTRY_COMPARE(one->got, QByteArray("stream"));
    }

    void dropsWhatADeadNodeSaid_data()
    {
        QTest::addColumn<bool>("isHeld");
        QTest::newRow("held") << true;
        QTest::newRow("delayed") << false;
    }
    void dropsWhatADeadNodeSaid()
    {
        QFETCH(bool, isHeld);
        const auto [peer, node] = connected(replicaHost);
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, isHeld ? LinkPolicy::hold() : LinkPolicy::delayed(1s));
        node->say("SET lock A");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(10));
        m_relay->nodeEnded();
        QTRY_VERIFY(peer->isClosed());
        m_clock->advanceBy(2s);
        settle();
        QCOMPARE(peer->got, QByteArray());
        QCOMPARE(m_relay->touched(LinkClass::Replication), (LinkTouch {10, 10, 0}));
        QCOMPARE(m_relay->traffic().front().open, 0);
    }

    void handsOnWhatADeadNodeHadSaid()
    {
        const auto [peer, node] = connected(replicaHost);
        const QByteArray words = randomBytes(4 * 1024 * 1024);
        node->say(words);
        node->close(); // the system closes the sockets of a process that dies
        m_relay->nodeEnded();
        QTRY_VERIFY(peer->isClosed());
        QVERIFY(peer->got == words);
        QCOMPARE(m_relay->touched(LinkClass::Replication), LinkTouch());
    }

    void doesNotListenForADeadNode()
    {
        const auto [peer, node] = connected(replicaHost);
        m_relay->nodeEnded();
        QVERIFY(!m_relay->isListening());
        const auto refused = from(replicaHost);
        QTRY_VERIFY(refused->isRefused());

        QVERIFY(m_relay->listen());
        const auto waits = from(replicaHost);
        waits->say("hello");
        settle();
        QCOMPARE(m_ends.size(), size_t(1)); // the node does not run yet
        m_relay->nodeStarted();
        QTRY_COMPARE(m_ends.size(), size_t(2));
        QTRY_COMPARE(m_ends[1]->got, QByteArray("hello"));
    }

    /// It stands still, and the system accepts in its name.
    void listensForAStoppedNode()
    {
        start();
        m_node->pauseAccepting();
        const auto peer = from(replicaHost);
        peer->say("hello");
        QTRY_VERIFY(peer->isOpen());
        settle();
        QVERIFY(peer->isOpen() && m_ends.empty());
        m_node->resumeAccepting();
        QTRY_COMPARE(m_ends.size(), size_t(1));
        QTRY_COMPARE(m_ends[0]->got, QByteArray("hello"));
    }

    void endsTheOtherEndAfterTheLastByte_data()
    {
        QTest::addColumn<LinkDirection>("direction");
        QTest::addColumn<bool>("isDelayed");
        QTest::newRow("passing to the node") << LinkDirection::TowardsNode << false;
        QTest::newRow("passing from the node") << LinkDirection::FromNode << false;
        QTest::newRow("delayed to the node") << LinkDirection::TowardsNode << true;
        QTest::newRow("delayed from the node") << LinkDirection::FromNode << true;
    }
    void endsTheOtherEndAfterTheLastByte()
    {
        QFETCH(LinkDirection, direction);
        QFETCH(bool, isDelayed);
        const auto [peer, node] = connected(replicaHost);
        End &sender = direction == LinkDirection::TowardsNode ? *peer : *node;
        End &receiver = direction == LinkDirection::TowardsNode ? *node : *peer;
        if (isDelayed)
            m_relay->setPolicy(LinkClass::Replication, {}, direction, LinkPolicy::delayed(1s));
        const QByteArray words = randomBytes(4 * 1024 * 1024);
        sender.say(words);
        sender.close();
        if (isDelayed) {
            QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, words.size());
            QVERIFY(receiver.isOpen());
            m_clock->advanceBy(1s);
        }
        QTRY_VERIFY(receiver.isClosed());
        QVERIFY(receiver.got == words);
        QTRY_COMPARE(m_relay->traffic().front().open, 0);
    }

    void isolatesTheNode()
    {
        const auto [peer, node] = connected(replicaHost);
        m_relay->isolate({});
        QTRY_VERIFY(peer->isClosed() && node->isClosed());
        const auto refused = from(sentinelHost);
        QTRY_VERIFY(refused->isRefused());
        QCOMPARE(m_relay->touched(LinkClass::Replication).connections, 1);
        QVERIFY(m_relay->heal({}));
        const auto again = from(sentinelHost);
        again->say("hello");
        QTRY_COMPARE(m_ends.size(), size_t(2));
        QTRY_COMPARE(m_ends[1]->got, QByteArray("hello"));
    }

    /// A node that died meanwhile is not listened for.
    void healsNoDeadNode()
    {
        start();
        m_relay->isolate({});
        m_relay->nodeEnded();
        QVERIFY(m_relay->heal({}));
        QVERIFY(!m_relay->isListening());
        QVERIFY(m_relay->listen());
        QVERIFY(m_relay->isListening());
    }

    void isolatesOnePeerOnTopOfPolicies()
    {
        start();
        const auto isolated = from(replicaHost);
        const auto other = from(otherReplicaHost);
        QTRY_COMPARE(m_ends.size(), size_t(2));
        m_relay->isolate(QString("N2"));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::Both, LinkPolicy::pass());
        QTRY_VERIFY(isolated->isClosed());
        QVERIFY(other->isOpen());
        const auto refused = from(replicaHost);
        QTRY_VERIFY(refused->isClosed());
        QCOMPARE(m_relay->touched(LinkClass::Replication, QString("N2")).connections, 2);
        QCOMPARE(m_relay->touched(LinkClass::Replication, QString("N3")).connections, 0);
        QVERIFY(m_relay->heal(QString("N2")));
        const auto again = from(replicaHost);
        QTRY_COMPARE(m_ends.size(), size_t(3));
        QVERIFY(again->isOpen());
    }

    void tellsWhenConnectionsOpenAndClose()
    {
        start();
        QStringList told;
        m_relay->onOpenChanged = [&](const LinkTraffic &traffic) { told.append(traffic.peer + ' ' + QString::number(traffic.open)); };
        const auto one = from(replicaHost);
        QTRY_COMPARE(told, QStringList({"N2 1"}));
        const auto other = from(replicaHost);
        QTRY_COMPARE(told, QStringList({"N2 1", "N2 2"}));
        one->close();
        QTRY_COMPARE(told.last(), QString("N2 1"));
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::Both, LinkPolicy::cut());
        QTRY_COMPARE(told.last(), QString("N2 0"));
    }

    void carriesMuchBothWaysAtOnce()
    {
        const auto [peer, node] = connected(replicaHost);
        const QByteArray there = randomBytes(64 * 1024 * 1024);
        const QByteArray back = randomBytes(64 * 1024 * 1024);
        peer->say(there);
        node->say(back);
        QTRY_VERIFY_WITH_TIMEOUT(node->got.size() == there.size() && peer->got.size() == back.size(), 60'000);
        QVERIFY(node->got == there && peer->got == back);
        QCOMPARE(m_relay->traffic().front(), (LinkTraffic {LinkClass::Replication, "N2", 1, 1, there.size(), back.size()}));
    }

    void saysWhyItCannotListen()
    {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress(relayHost)));
        Relay relay(options(other.serverPort()), *m_clock);
        const Result<void> listening = relay.listen();
        QVERIFY(!listening);
        QVERIFY2(listening.error().text.contains(relayHost + ':' + QString::number(other.serverPort())), qPrintable(listening.error().text));
    }

    void closesEverythingWithItself()
    {
        const auto [peer, node] = connected(replicaHost);
        m_relay->setPolicy(LinkClass::Replication, {}, LinkDirection::FromNode, LinkPolicy::delayed(1s));
        node->say("late");
        QTRY_COMPARE(m_relay->touched(LinkClass::Replication).bytes, qint64(4));
        m_relay.reset();
        QTRY_VERIFY(peer->isClosed() && node->isClosed());
        QVERIFY(!m_clock->advance()); // no timer is left
    }

private:
    static inline const QString nodeHost = QStringLiteral("127.0.9.11");
    static inline const QString relayHost = QStringLiteral("127.0.9.21");
    static inline const QString replicaHost = QStringLiteral("127.0.9.12");
    static inline const QString otherReplicaHost = QStringLiteral("127.0.9.13");
    static inline const QString sentinelHost = QStringLiteral("127.0.9.31");

    static void eachDirection()
    {
        QTest::addColumn<LinkDirection>("direction");
        QTest::newRow("towards the node") << LinkDirection::TowardsNode;
        QTest::newRow("from the node") << LinkDirection::FromNode;
    }

    static QByteArray randomBytes(qsizetype size)
    {
        QByteArray bytes(size, Qt::Uninitialized);
        QRandomGenerator random(1);
        random.fillRange(reinterpret_cast<quint32 *>(bytes.data()), size / 4);
        return bytes;
    }

    Relay::Options options(quint16 port) const
    {
        Relay::Options options;
        options.host = relayHost;
        options.port = port;
        options.nodeHost = nodeHost;
        options.nodePort = m_node->serverPort();
        options.peers = {{"N2", LinkClass::Replication, replicaHost, 1002, {}}, {"N3", LinkClass::Replication, otherReplicaHost, 1003, {}},
            {"S1", LinkClass::Sentinel, sentinelHost, 1004, QByteArray(40, '\0').replace(QByteArray(1, '\0'), "5e").left(40)}};
        return options;
    }

    /// A relay that listens, in front of a node that runs.
    void start(Relay::Recognition recognition = Relay::Recognition::ByAddress)
    {
        for (int i = 0; i < 100; ++i) {
            m_port = static_cast<quint16>(QRandomGenerator::global()->bounded(10'000, 32'768));
            Relay::Options where = options(m_port);
            where.recognition = recognition;
            m_relay = std::make_unique<Relay>(where, *m_clock);
            if (m_relay->listen())
                return m_relay->nodeStarted();
        }
        QFAIL("There is no free port.");
    }

    std::unique_ptr<End> from(const QString &host) const { return std::make_unique<End>(host, relayHost, m_port); }

    struct Pair
    {
        std::unique_ptr<End> peer;
        End *node = nullptr;
    };
    /// The first connection, open at both ends.
    Pair connected(const QString &host)
    {
        start();
        Pair pair {from(host), nullptr};
        if (QTest::qWaitFor([&] { return m_ends.size() == 1 && pair.peer->isOpen(); }))
            pair.node = m_ends[0].get();
        return pair;
    }

    QStringList peers() const
    {
        QStringList list;
        for (const LinkTraffic &traffic : m_relay->traffic())
            list.append((traffic.linkClass == LinkClass::Client ? "client " : traffic.linkClass == LinkClass::Sentinel ? "sentinel " : "replication ") + traffic.peer);
        return list;
    }

    std::unique_ptr<FakeClock> m_clock;
    std::unique_ptr<QTcpServer> m_node;
    std::vector<std::unique_ptr<End>> m_ends; // the node's, in the order in which they came
    std::unique_ptr<Relay> m_relay;
    quint16 m_port = 0;
};

QTEST_GUILESS_MAIN(tst_Relay)
#include "tst_relay.moc"
