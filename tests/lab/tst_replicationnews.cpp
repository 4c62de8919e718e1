// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/replicationnews.h"

#include <QTest>

#include <memory>

using namespace interlock;

namespace {

const ServerAddress n1 {QStringLiteral("127.1.1.21"), 7001};
const ServerAddress n2 {QStringLiteral("127.1.1.22"), 7001};
const ServerAddress n3 {QStringLiteral("127.1.1.23"), 7001};

GroupNode node(const char *name, NodeRole role, const ServerAddress &address)
{
    GroupNode node;
    node.name = QString::fromLatin1(name);
    node.role = role;
    node.announced.host = address.host;
    node.announced.port = address.port;
    return node;
}

ReplicationInfo primary(qint64 offset = 100, qint64 fullCopies = 2, qint64 increments = 0)
{
    ReplicationInfo info;
    info.offset = offset;
    info.backlogStart = 1;
    info.fullCopies = fullCopies;
    info.increments = increments;
    return info;
}

ReplicationInfo replica(const ServerAddress &follows, const char *link = "up", qint64 offset = 100, qint64 backlogStart = 1, qint64 received = 300)
{
    ReplicationInfo info;
    info.isPrimary = false;
    info.follows = follows;
    info.link = link;
    info.offset = offset;
    info.backlogStart = backlogStart;
    info.received = received;
    return info;
}

}

/// What servers said, on paper. Each look at one is a millisecond after the last.
class tst_ReplicationNews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_now = 0;
        m_told = 0;
        m_recorder = std::make_unique<Recorder>([this] { return Nanoseconds(m_now); });
        m_news = std::make_unique<ReplicationNews>(
            std::vector<GroupNode> {node("N1", NodeRole::Primary, n1), node("N2", NodeRole::Replica, n2), node("N3", NodeRole::Replica, n3),
                node("S1", NodeRole::Sentinel, {})},
            *m_recorder);
        hear("N1", primary());
        hear("N2", replica(n1));
        hear("N3", replica(n1));
        QVERIFY(m_recorder->events().empty());
        m_news->begin();
        QCOMPARE(told(),
            (QStringList {"N1 role primary", "N1 offset 100", "N2 role replica of N1", "N2 up of N1", "N2 offset 100", "N3 role replica of N1",
                "N3 up of N1", "N3 offset 100"}));
        m_told = m_recorder->events().size();
    }

    void saysNothingWhileNothingChanges()
    {
        hear("N1", primary());
        hear("N2", replica(n1));
        QVERIFY(told().isEmpty());
    }

    void tellsOffsetsTenTimesASecond()
    {
        for (int i = 1; i <= 250; ++i)
            hear("N2", replica(n1, "up", 100 + i));
        QCOMPARE(told(), (QStringList {"N2 offset 197", "N2 offset 297"}));
        m_told = m_recorder->events().size();
        for (int i = 0; i < 100; ++i)
            hear("N2", replica(n1, "up", 350));
        QCOMPARE(told(), QStringList {"N2 offset 350"}); // though it does not change any more
    }

    void tellsHowAReplicaWasBroughtUp_data()
    {
        QTest::addColumn<qint64>("fullCopies");
        QTest::addColumn<qint64>("increments");
        QTest::addColumn<qint64>("backlogStart");
        QTest::addColumn<QString>("synced");
        QTest::newRow("one copy") << qint64(3) << qint64(0) << qint64(1) << "N2 synced full 276 of N1";
        QTest::newRow("one increment") << qint64(2) << qint64(1) << qint64(141) << "N2 synced partial 276 of N1";
        QTest::newRow("both, and a new backlog") << qint64(3) << qint64(1) << qint64(141) << "N2 synced full 276 of N1";
        QTest::newRow("both, and the old backlog") << qint64(3) << qint64(1) << qint64(1) << "N2 synced partial 276 of N1";
        QTest::newRow("counted anew, one increment") << qint64(0) << qint64(1) << qint64(141) << "N2 synced partial 276 of N1";
    }
    void tellsHowAReplicaWasBroughtUp()
    {
        QFETCH(qint64, fullCopies);
        QFETCH(qint64, increments);
        QFETCH(qint64, backlogStart);
        QFETCH(QString, synced);
        hear("N2", replica(n1, "down"));
        hear("N2", replica(n1, "connecting"));
        const qint64 early = m_now;
        hear("N2", replica(n1, "up", 140, backlogStart, 576));
        hearAsked("N1", primary(100), early); // asked before it was up
        QCOMPARE(told(), (QStringList {"N2 down of N1", "N2 connecting of N1", "N2 up of N1"}));
        hear("N1", primary(140, fullCopies, increments));
        QCOMPARE(told().last(), synced);
        QCOMPARE(told().size(), 4);
        hear("N1", primary(140, fullCopies, increments));
        QCOMPARE(told().size(), 4);
    }

    void countsWhatComesAfterTheLinkIsUp()
    {
        hear("N2", replica(n1, "down"));
        hear("N2", replica(n1, "up")); // nothing has come yet
        hear("N1", primary(500, 2, 1));
        hear("N2", replica(n1, "up", 400, 1, 600));
        QCOMPARE(told(), (QStringList {"N2 down of N1", "N2 up of N1"}));
        hear("N2", replica(n1, "up", 530, 1, 730)); // all that it had missed, and 30 bytes that were written later
        QCOMPARE(told().mid(2), QStringList {"N2 synced partial 400 of N1"});
    }

    void saysWhatItKnowsWhenTheLinkIsLostAgain()
    {
        hear("N2", replica(n1, "down"));
        hear("N2", replica(n1, "up", 200, 1, 400));
        hear("N1", primary(500, 2, 1));
        hear("N2", replica(n1, "down", 200, 1, 400));
        QVERIFY2(told().contains("N2 synced partial 100 of N1"), qPrintable(told().join(", ")));
    }

    void tellsOfAFailover()
    {
        m_news->died(name("N1"));
        hear("N2", replica(n1, "down"));
        hear("N3", replica(n1, "down"));
        hear("N2", primary(100, 0, 0));
        hear("N3", replica(n2, "connecting"));
        hear("N3", replica(n2, "up", 100, 1, 300));
        hear("N2", primary(100, 0, 1));
        QCOMPARE(told(),
            (QStringList {"N2 down of N1", "N3 down of N1", "N2 role primary", "N3 role replica of N2", "N3 connecting of N2", "N3 up of N2",
                "N3 synced partial 0 of N2"}));
        m_told = m_recorder->events().size();
        hear("N1", primary(0, 0, 0)); // started again as what it was
        hear("N1", replica(n2, "syncing", 0, 0, 0));
        hear("N1", replica(n2, "up", 100, 101, 276));
        hear("N2", primary(100, 1, 1));
        QCOMPARE(told(),
            (QStringList {"N1 offset 0", "N1 role replica of N2", "N1 syncing of N2", "N1 up of N2", "N1 synced full 276 of N2"}));
    }

    /// A primary that others replaced while it slept has written on its own: no increment leads back.
    void whoIsBehindWhereItHadBeenWasGivenACopy()
    {
        hear("N2", primary(100, 0, 0));
        hear("N3", replica(n2, "up", 100, 1, 300));
        hear("N2", primary(100, 0, 1));
        hear("N1", primary(900));
        hear("N2", primary(140, 1, 1)); // it has given the copy before N1 is seen as a replica
        hear("N1", replica(n2, "up", 140, 141, 276));
        hear("N2", primary(140, 1, 1));
        QCOMPARE(told().last(), "N1 synced full 276 of N2");
    }

    void seesANewPrimaryThoughTheLinkWasNeverSeenDown()
    {
        hear("N2", primary(100, 0, 0));
        hear("N3", replica(n2, "up", 100, 1, 300));
        hear("N2", primary(100, 0, 1));
        QCOMPARE(told(), (QStringList {"N2 role primary", "N3 role replica of N2", "N3 up of N2", "N3 synced partial 0 of N2"}));
    }

    void aRestartedReplicaIsNewEvenIfItIsUpAtOnce()
    {
        m_news->died(name("N2"));
        hear("N2", replica(n1, "up", 140, 141, 276));
        hear("N1", primary(140, 3, 0));
        QVERIFY(told().contains("N2 up of N1"));
        QVERIFY(told().contains("N2 synced full 276 of N1"));
    }

    void tellsAtTheEndWhatThePrimaryDidNotSay()
    {
        hear("N2", replica(n1, "down"));
        hear("N2", replica(n1, "up", 140, 1, 340));
        m_news->end();
        QCOMPARE(told().last(), "N2 synced partial 40 of N1");
    }

    void anAbsenceEndsWithTheNext()
    {
        hear("N2", replica(n1, "down"));
        hear("N2", replica(n1, "up", 140, 1, 340));
        hear("N2", replica(n1, "down", 140, 1, 340));
        QCOMPARE(told().filter("synced"), QStringList {"N2 synced partial 40 of N1"});
        hear("N2", replica(n1, "up", 150, 1, 350));
        hear("N1", primary(150, 2, 2));
        QCOMPARE(told().filter("synced").last(), "N2 synced partial 10 of N1");
    }

    void readsWhatAServerSays()
    {
        const ReplicationInfo info = ReplicationInfo::from("# Replication\r\nrole:slave\r\nmaster_host:127.1.1.21\r\nmaster_port:7001\r\n"
                                                           "master_link_status:down\r\nmaster_sync_in_progress:1\r\nslave_repl_offset:100\r\nmaster_repl_offset:77\r\n"
                                                           "repl_backlog_first_byte_offset:1\r\n# Stats\r\ntotal_net_repl_input_bytes:300\r\nsync_full:4\r\nsync_partial_ok:5\r\n");
        ReplicationInfo expected = replica(n1, "syncing");
        expected.fullCopies = 4;
        expected.increments = 5;
        QVERIFY(info == expected);
        QVERIFY(ReplicationInfo::from("role:master\r\nmaster_repl_offset:100\r\nrepl_backlog_first_byte_offset:1\r\nsync_full:2\r\n") == primary());
    }

    void readsTheStateOfALink_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("link");
        QTest::newRow("waits for its next try") << QByteArray("connect") << QByteArray("down");
        QTest::newRow("connects") << QByteArray("connecting") << QByteArray("connecting");
        QTest::newRow("introduces itself") << QByteArray("handshake") << QByteArray("connecting");
        QTest::newRow("is given a copy") << QByteArray("sync") << QByteArray("syncing");
        QTest::newRow("is up to date") << QByteArray("connected") << QByteArray("up");
    }
    void readsTheStateOfALink()
    {
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, link);
        const auto text = [](const char *word) { return Reply {ReplyType::String, 0, word, {}}; };
        const Reply port {ReplyType::Integer, 7001, {}, {}};
        QCOMPARE(linkFrom({ReplyType::Array, 0, {}, {text("slave"), text("127.1.1.21"), port, {ReplyType::String, 0, state, {}}, port}}), link);
        QCOMPARE(linkFrom({ReplyType::Array, 0, {}, {text("master"), port, {ReplyType::Array, 0, {}, {}}}}), QByteArray());
    }

private:
    Name name(const char *server) { return m_recorder->intern(server); }
    void hear(const char *server, const ReplicationInfo &info) { hearAsked(server, info, m_now); }
    void hearAsked(const char *server, const ReplicationInfo &info, qint64 asked)
    {
        m_now += 1'000'000;
        m_news->heard(name(server), info, asked);
    }

    QStringList told() const
    {
        QStringList lines;
        const Run &run = m_recorder->run();
        for (size_t i = m_told; i < run.events.size(); ++i) {
            const Event &event = run.events[i];
            QStringList words {run.text(event.lane)};
            const auto what = static_cast<NodeChange>(event.what);
            if (what == NodeChange::RoleChanged)
                words.append("role");
            if (what == NodeChange::Synced)
                words.append("synced");
            if (event.text)
                words.append(run.text(event.text));
            if (what == NodeChange::Offset)
                words.append("offset");
            if (what == NodeChange::Offset || what == NodeChange::Synced)
                words.append(QString::number(event.number));
            if (event.node)
                words.append("of " + run.text(event.node));
            lines.append(words.join(' '));
        }
        return lines;
    }

    qint64 m_now = 0;
    size_t m_told = 0;
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<ReplicationNews> m_news;
};

QTEST_GUILESS_MAIN(tst_ReplicationNews)
#include "tst_replicationnews.moc"
