// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A client that follows the primary through real failovers (row 26 of tests/oracles/locks.md), and the lock that it holds meanwhile.
#include "engine/locks/lock.h"
#include "engine/schedule/sentinelclient.h"
#include "tests/support/testgroup.h"

#include <QTest>

using namespace interlock;

namespace {

/// A group, and one client of it.
struct Lab
{
    TestGroup group;
    RealClock clock;
    RealTimeScheduler scheduler;
    Recorder recorder {[this] { return clock.now(); }};
    Signal goOn; ///< what the program waits for between two parts
    const SentinelClient *seen = nullptr;
    std::unique_ptr<Actor> actor;

    /// Starts program(actor, client), which waits for goOn wherever it likes.
    template<typename Program>
    void start(const Program &program)
    {
        actor = std::make_unique<Actor>(QStringLiteral("A"), World {clock, scheduler, &recorder}, 1);
        actor->run(with(*this, *actor, program));
    }
    bool awaitListening()
    {
        return QTest::qWaitFor([this] { return seen && seen->node() && seen->listening() == 3; }, 5'000);
    }
    bool awaitEnd()
    {
        return QTest::qWaitFor([this] { return !actor->isAlive(); }, 20'000);
    }
    /// What the node says of itself: "master", "slave".
    QByteArray role(const QString &node) { return group.replication(node, "role"); }
    QByteArray value(const QString &node, const QByteArray &key) { return group.ask(node, "GET", key).text; }

private:
    SentinelEndpoint endpoint()
    {
        const Endpoint &primary = group.group().node("N1").announced;
        SentinelEndpoint endpoint;
        for (const Endpoint &sentinel : group.group().sentinels())
            endpoint.sentinels.append(sentinel);
        endpoint.primaryName = NodeGroup::masterName;
        endpoint.user = primary.user;
        endpoint.password = primary.password;
        return endpoint;
    }
    std::vector<NodeRef> known()
    {
        std::vector<NodeRef> known;
        for (const GroupNode &node : group.group().nodes())
            known.push_back({node.name, node.announced});
        return known;
    }

    template<typename Program>
    static Task<> with(Lab &lab, Actor &self, Program program)
    {
        SearchOptions options;
        options.known = lab.known();
        SentinelClient client(self, lab.endpoint(), options);
        lab.seen = &client;
        co_await program(self, client);
        lab.seen = nullptr;
    }
};

QString shown(const Result<Reply> &reply)
{
    return reply ? QString::fromUtf8(reply->shown()) : reply.error().text;
}

QString shown(const Result<Ownership> &ownership)
{
    return !ownership ? ownership.error().text : *ownership == Ownership::Own ? "own" : *ownership == Ownership::Expired ? "expired" : "other";
}

}

class TestFollowingClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Row 26. The primary is killed while the client holds a connection: its next command is carried out by the one that is promoted. The
    /// old one comes back, at first as a primary, and does not attract the client.
    void findsTheNewPrimaryByItself()
    {
        Lab lab;
        QVERIFY2(lab.group.isReady(), qPrintable(lab.group.error()));
        QStringList said;
        QStringList wrong;
        QString promoted;
        bool isOldBack = false;
        lab.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            said.append(shown(co_await client.command("SET", "a", "before")));
            said.append(client.node()->name);
            co_await lab.goOn.raised(actor, Nanoseconds::max());
            said.append(shown(co_await client.command("SET", "a", "after")));
            said.append(QString::number(client.moves()));
            promoted = client.node()->name;
            while (!isOldBack) {
                const Result<void> verified = co_await client.verify();
                const Result<Reply> written = co_await client.command("INCR", "count");
                if (!verified || !written || written->type != ReplyType::Integer || client.node()->name != promoted)
                    wrong.append(!verified ? verified.error().text : shown(written) + " at " + client.node()->name);
                co_await actor.sleep(1ms);
            }
            said.append(QString::number(client.moves()));
        });
        QVERIFY(lab.awaitListening());
        QTRY_COMPARE(said.size(), 2);
        QVERIFY(lab.group.group().kill("N1"));
        QTRY_VERIFY(!lab.seen->client().isUsable());
        lab.goOn.raise();
        QTRY_VERIFY_WITH_TIMEOUT(!promoted.isEmpty() || said.size() > 2, 15'000);
        QCOMPARE(said.value(2), "OK");
        QVERIFY(promoted == "N2" || promoted == "N3");
        QCOMPARE(lab.role(promoted), QByteArray("master"));
        QCOMPARE(lab.value(promoted, "a"), QByteArray("after"));

        std::optional<Result<void>> restarted;
        lab.group.group().restart("N1", [&](Result<void> ready) { restarted = std::move(ready); });
        QTRY_VERIFY_WITH_TIMEOUT(restarted && restarted->ok(), 10'000);
        QCOMPARE(lab.role("N1"), QByteArray("master")); // as it believes
        QTRY_COMPARE_WITH_TIMEOUT(lab.role("N1"), QByteArray("slave"), 20'000);
        isOldBack = true;
        QVERIFY(lab.awaitEnd());
        QCOMPARE(wrong, QStringList());
        QCOMPARE(said, QStringList({"OK", "N1", "OK", "1", "1"}));
        QVERIFY(lab.value(promoted, "count").toInt() > 10);
    }

    /// The old primary stands still, so its connection stays open; the idle client leaves it all the same, and no command fails. When the
    /// old one goes on, still as a primary, the client stays where it is.
    void leavesASleepingPrimaryWhileIdle()
    {
        Lab lab;
        QVERIFY2(lab.group.isReady(), qPrintable(lab.group.error()));
        QStringList said;
        Nanoseconds took {0};
        lab.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            said.append(shown(co_await client.command("SET", "a", "before")));
            co_await lab.goOn.raised(actor, Nanoseconds::max());
            const Nanoseconds began = actor.now();
            said.append(shown(co_await client.command("SET", "a", "after")));
            took = actor.now() - began;
            co_await lab.goOn.raised(actor, Nanoseconds::max());
            said.append(shown(co_await client.command("SET", "a", "awake")));
            (void)co_await client.verify();
            said.append(QString::number(client.moves()));
        });
        QVERIFY(lab.awaitListening());
        QTRY_COMPARE(said.size(), 1);
        QVERIFY(lab.group.group().pause("N1"));
        QTRY_VERIFY_WITH_TIMEOUT(lab.seen->node()->name != "N1", 15'000); // by itself
        const QString promoted = lab.seen->node()->name;
        lab.goOn.raise();
        QTRY_COMPARE(said.size(), 2);
        QVERIFY2(took < 500ms, qPrintable(QString::number(took.count()))); // it was there already
        QVERIFY(lab.group.group().resume("N1"));
        QCOMPARE(lab.role("N1"), QByteArray("master")); // and would take what a client sent it
        lab.goOn.raise();
        QVERIFY(lab.awaitEnd());
        QCOMPARE(said, QStringList({"OK", "OK", "OK", "1"}));
        QCOMPARE(lab.value(promoted, "a"), QByteArray("awake"));
        for (const Event &event : lab.recorder.events()) {
            if (event.kind == Event::Kind::Command && lab.recorder.names().text(event.node) == "N1")
                QVERIFY2(event.answered != never, lab.recorder.names().bytes(event.text).constData());
        }
    }

    /// A lock that all replicas have is still its owner's after the failover: renewed, refused to another, and released where the primary is.
    void aLockIsHeldAcrossAFailover()
    {
        Lab lab;
        QVERIFY2(lab.group.isReady(), qPrintable(lab.group.error()));
        QStringList said;
        lab.start([&](Actor &actor, SentinelClient &client) -> Task<> {
            (void)co_await client.connect();
            LockOptions options;
            options.key = "lock";
            options.ttl = 30s;
            Lock lock(client.client(), options);
            const Result<bool> acquired = co_await lock.acquire();
            said.append(acquired && *acquired ? "acquired" : "refused");
            said.append(shown(co_await client.client().command("WAIT", 2, 5'000)));
            co_await lab.goOn.raised(actor, Nanoseconds::max());
            const Result<void> connected = co_await client.connect();
            said.append(connected ? QString::number(client.moves()) : connected.error().text);
            said.append(shown(co_await lock.renew(30s)));
            Lock another(client.client(), options);
            const Result<bool> taken = co_await another.acquire();
            said.append(taken && !*taken ? "refused" : "acquired");
            said.append(shown(co_await lock.release()));
            said.append(shown(co_await client.command("EXISTS", "lock")));
        });
        QVERIFY(lab.awaitListening());
        QTRY_COMPARE(said.size(), 2);
        QVERIFY(lab.group.group().kill("N1"));
        QTRY_VERIFY(!lab.seen->client().isUsable());
        lab.goOn.raise();
        QVERIFY(lab.awaitEnd());
        QCOMPARE(said, QStringList({"acquired", "2", "1", "own", "refused", "own", "0"}));
    }
};

QTEST_GUILESS_MAIN(TestFollowingClient)
#include "tst_followingclient.moc"
