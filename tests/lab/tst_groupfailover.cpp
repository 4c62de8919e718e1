// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What becomes of a group when nodes are killed, stopped or cut off.
#include "tests/support/grouptest.h"

#include <QTcpSocket>
#include <QTest>

#include <optional>

using namespace interlock;

namespace {

// Three sentinels that stand for election at the same time try again 8 s later. Here that may happen, since Qt Test turns the loop,
// and so the relays, each 10 ms only.
constexpr int failoverLimit = 30'000; // ms

}

class tst_GroupFailover : public GroupTest
{
    Q_OBJECT

private Q_SLOTS:
    /// Row 25 of the oracle on locks.
    void oneReplicaIsPromotedAndTheOldPrimaryFollows_data() { eachAddresses(); }
    void oneReplicaIsPromotedAndTheOldPrimaryFollows()
    {
        QFETCH(Addresses, addresses);
        TestGroup test(with(addresses));
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        test.listen();
        QVERIFY(test.ask("N1", "SET", "key", "kept").isOk());
        QTRY_VERIFY(test.ask("N2", "GET", "key").text == "kept" && test.ask("N3", "GET", "key").text == "kept");

        QVERIFY(test.group().kill("N1"));
        QVERIFY(!test.group().kill("N1") && !test.group().isRunning("N1"));
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        const QString promoted = test.primary();
        const QString other = promoted == "N2" ? "N3" : "N2";
        QCOMPARE(test.replication(promoted, "role"), QByteArray("master"));
        QTRY_VERIFY_WITH_TIMEOUT(follows(test, other, promoted), failoverLimit);
        QCOMPARE(test.ask(promoted, "GET", "key").text, QByteArray("kept"));
        Connection client(test.group().node(promoted).announced);
        QVERIFY(interlock::ask(client, "SET", "key", "new").isOk());
        QTRY_COMPARE(test.ask(other, "GET", "key").text, QByteArray("new"));

        std::optional<Result<void>> restarted;
        test.group().restart("N1", [&](Result<void> result) { restarted = std::move(result); });
        QTRY_VERIFY_WITH_TIMEOUT(restarted, 10'000);
        QVERIFY2(*restarted, restarted->ok() ? "" : qPrintable(restarted->error().text));
        QCOMPARE(test.replication("N1", "role"), QByteArray("master")); // nobody has told it yet
        QTRY_VERIFY_WITH_TIMEOUT(follows(test, "N1", promoted), failoverLimit);
        QTRY_COMPARE(test.ask("N1", "GET", "key").text, QByteArray("new"));
        QCOMPARE(test.primary(), promoted);
        QCOMPARE(test.heard("+promoted-slave"), 1);
        QCOMPARE(test.heard("+switch-master"), 3); // one of each sentinel
        QStringList replicas;
        for (const LinkTraffic &traffic : test.group().traffic(promoted)) {
            if (traffic.linkClass == LinkClass::Replication && traffic.open == 1)
                replicas.append(traffic.peer);
        }
        replicas.sort();
        QCOMPARE(replicas, QStringList({"N1", other}));
    }

    void withoutAMajorityOfSentinelsThereIsNoFailover()
    {
        NodeGroup::Options options;
        options.quorum = 1; // so that one sentinel may call it dead, and must look for votes
        TestGroup test(options);
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QVERIFY(test.group().kill("S2") && test.group().kill("S3"));
        test.listen();
        QVERIFY(test.group().kill("N1"));
        QTRY_COMPARE_WITH_TIMEOUT(test.heard("-failover-abort-not-elected"), 1, failoverLimit);
        QCOMPARE(test.heard("+try-failover"), 1);
        QCOMPARE(test.heard("+switch-master"), 0);
        QCOMPARE(test.primary(), QString("N1"));
        QCOMPARE(test.replication("N2", "role"), QByteArray("slave"));
        QCOMPARE(test.replication("N3", "role"), QByteArray("slave"));
    }

    void theReplicaOfTheLowerPriorityIsPromoted()
    {
        NodeGroup::Options options;
        options.nodeSettings = {{"N2", {"replica-priority 50"}}, {"N3", {"replica-priority 10"}}};
        TestGroup test(options);
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QVERIFY(test.group().kill("N1"));
        QTRY_COMPARE_WITH_TIMEOUT(test.primary(), QString("N3"), failoverLimit);
    }

    /// What the primary had acknowledged and the relay held is gone with it; where it passes, it is there.
    void whatIsHeldDiesWithThePrimary_data()
    {
        QTest::addColumn<std::optional<LinkPolicy>>("policy");
        QTest::addColumn<bool>("isLost");
        QTest::newRow("held") << std::optional(LinkPolicy::hold()) << true;
        QTest::newRow("delayed") << std::optional(LinkPolicy::delayed(60s)) << true;
        QTest::newRow("cut") << std::optional(LinkPolicy::cut()) << true;
        QTest::newRow("passing") << std::optional<LinkPolicy>() << false;
    }
    void whatIsHeldDiesWithThePrimary()
    {
        QFETCH(std::optional<LinkPolicy>, policy);
        QFETCH(bool, isLost);
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        test.listen();
        const LinkTouch before = test.group().touched("N1", LinkClass::Replication);
        test.group().setPolicy("N1", LinkClass::Replication, {}, LinkDirection::FromNode, policy);
        Connection client(test.group().node("N1").announced); // of another class
        QVERIFY(interlock::ask(client, "SET", "lock", "A", "NX", "PX", 60'000).isOk());
        if (!policy)
            QTRY_VERIFY(test.ask("N2", "GET", "lock").text == "A" && test.ask("N3", "GET", "lock").text == "A");
        else
            QTRY_VERIFY((test.group().touched("N1", LinkClass::Replication) - before).any());
        QVERIFY(test.group().kill("N1"));
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        QCOMPARE(test.ask(test.primary(), "GET", "lock").isNil(), isLost);
        const LinkTouch touch = test.group().touched("N1", LinkClass::Replication) - before;
        QCOMPARE(touch.any(), isLost);
        if (policy && policy->kind != LinkPolicy::Kind::Cut)
            QVERIFY(touch.lost > 0 && touch.lost == touch.bytes);
        QCOMPARE(test.heard("+promoted-slave"), 1);
    }

    /// Its relay goes on to listen, and it wakes up as a primary that nobody follows.
    void aStoppedPrimaryIsReplacedAndDemoted()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        test.listen();
        QVERIFY(test.group().pause("N1") && test.group().isRunning("N1"));
        const Endpoint announced = test.group().node("N1").announced;
        QTcpSocket socket;
        socket.connectToHost(announced.host, announced.port);
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        QCOMPARE(socket.state(), QAbstractSocket::ConnectedState);
        const QString promoted = test.primary();
        QVERIFY(test.group().resume("N1"));
        QTRY_VERIFY_WITH_TIMEOUT(follows(test, "N1", promoted), failoverLimit);
        QCOMPARE(test.heard("+promoted-slave"), 1);
    }

    void anIsolatedPrimaryIsReplacedAndDemotedWhenHealed()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        test.listen();
        test.group().isolate("N1");
        QVERIFY(test.group().touched("N1").connections >= 8); // two replicas, and three sentinels twice
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        const QString promoted = test.primary();
        QCOMPARE(test.replication("N1", "role"), QByteArray("master")); // it does not know
        QCOMPARE(test.replication("N1", "connected_slaves"), QByteArray("0"));
        QVERIFY(test.group().heal("N1"));
        QTRY_VERIFY_WITH_TIMEOUT(follows(test, "N1", promoted), failoverLimit);
        QCOMPARE(test.heard("+promoted-slave"), 1);
    }

    /// One that cannot reach anybody has no say, and learns of the new primary afterwards.
    void anIsolatedSentinelIsOutvoted()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        test.listen();
        test.group().isolate("S1");
        QTRY_COMPARE_WITH_TIMEOUT(test.heard("+sdown", "S1 +sdown master"), 1, failoverLimit);
        QVERIFY(test.group().kill("N1"));
        QTRY_VERIFY_WITH_TIMEOUT(test.heard("+promoted-slave") == 1, failoverLimit);
        QTRY_COMPARE_WITH_TIMEOUT(test.heard("+switch-master"), 2, failoverLimit);
        QCOMPARE(test.primary(), QString()); // they do not agree
        QVERIFY(test.group().heal("S1"));
        QTRY_VERIFY_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), failoverLimit);
        QCOMPARE(test.heard("+promoted-slave"), 1);
    }

    void aRestartedSentinelVotesAgain()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QVERIFY(test.group().kill("S3"));
        std::optional<Result<void>> restarted;
        test.group().restart("S3", [&](Result<void> result) { restarted = std::move(result); });
        QTRY_VERIFY_WITH_TIMEOUT(restarted, 10'000);
        QVERIFY2(*restarted, restarted->ok() ? "" : qPrintable(restarted->error().text));
        test.listen();
        QVERIFY(test.group().kill("S2")); // so that its vote is needed
        QVERIFY(test.group().kill("N1"));
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        QCOMPARE(test.heard("+promoted-slave"), 1);

        // It finds what it wrote, so it knows the new primary before anybody could have told it.
        const QString promoted = test.primary();
        QVERIFY(test.group().kill("S1") && test.group().kill("S3"));
        restarted.reset();
        test.group().restart("S3", [&](Result<void> result) { restarted = std::move(result); });
        QTRY_VERIFY_WITH_TIMEOUT(restarted, 10'000);
        QCOMPARE(test.primary(), promoted);
    }

    void twoGroupsDoNotDisturbEachOther()
    {
        TestGroup test;
        TestGroup other;
        QVERIFY2(test.isReady() && other.isReady(), qPrintable(test.error() + other.error()));
        test.listen();
        other.listen();
        QVERIFY(test.group().kill("N1"));
        QTRY_VERIFY2_WITH_TIMEOUT(!QStringList({"", "N1"}).contains(test.primary()), test.said().constData(), failoverLimit);
        QTRY_COMPARE_WITH_TIMEOUT(test.heard("+switch-master"), 3, failoverLimit);
        QCOMPARE(other.said(), QByteArray());
        QCOMPARE(other.primary(), QString("N1"));
    }

private:
    /// As the node itself and the primary's relay see it.
    static bool follows(TestGroup &test, const QString &replica, const QString &primary)
    {
        const Endpoint announced = test.group().node(primary).announced;
        return test.replication(replica, "role") == "slave" && test.replication(replica, "master_host") == announced.host.toUtf8()
            && test.replication(replica, "master_port") == QByteArray::number(announced.port) && test.replication(replica, "master_link_status") == "up";
    }
};

QTEST_GUILESS_MAIN(tst_GroupFailover)
#include "tst_groupfailover.moc"
