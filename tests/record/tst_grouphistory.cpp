// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/grouphistory.h"
#include "tests/support/grouprecords.h"
#include "tests/support/history.h"

#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

constexpr int n1 = 0, n2 = 1, n3 = 2, s1 = 3, s2 = 4, s3 = 5; // as the header lists them

constexpr qint64 sec(double seconds) { return static_cast<qint64>(seconds * 1e9 + 0.5); }

using Life = NodeState::Life;
using Link = ReplicationLink::State;

}

class TestGroupHistory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsAsTheHeaderSays();
    void aRunWithoutAGroupHasNone();
    void killedServersKnowNothing();
    void rolesAndLinksFollowTheRecord();
    void faultsAreOnWhileTheyLast();
    void aLagIsToldInTimeAndBytes();
    void oneLinkCanBeStruckAlone();
    void sentinelsBelieveWhatTheySaid();
    void votesAreForWhomTheyAre();
    void runIdsAreLearnedFromCandidates();
    void anAbortedFailoverEndsItsVotes();
    void aSleepingPrimaryStaysOne();
    void locksAreWithThoseWhoHaveThem();
    void clientsBelieve();
    void growsAsTheRunDoes();
    void isTheSameWhereverStatesAreKept();

private:
    static GroupState at(const Run &run, double seconds)
    {
        GroupHistory history;
        history.extend(run);
        return history.at(run, sec(seconds));
    }
    static ReplicationLink link(const Run &run, const GroupState &group, int to)
    {
        for (const ReplicationLink &each : group.links(run)) {
            if (each.to == to)
                return each;
        }
        return {};
    }
};

void TestGroupHistory::beginsAsTheHeaderSays()
{
    const Run run = lockLoss();
    const GroupState group = at(run, 0);
    QCOMPARE(group.servers.size(), 3u);
    QCOMPARE(group.sentinels.size(), 3u);
    QVERIFY(group.server(n1)->isPrimary);
    QVERIFY(!group.server(n2)->isPrimary);
    QCOMPARE(group.server(n3)->follows, n1);
    QCOMPARE(group.sentinel(s2)->primary, n1);
    QCOMPARE(group.agreedPrimary(), n1);
    QCOMPARE(group.links(run).size(), 2u);
    QCOMPARE(link(run, group, n2).state, Link::Up);
    QCOMPARE(group.server(n1)->offset, never); // not told yet
    QCOMPARE(link(run, group, n2).behind, never);
    QCOMPARE(group.node(s1)->life, Life::Running);
    QCOMPARE(group.server(n2)->changed, NodeState::beforeRun); // being told so is no change
}

void TestGroupHistory::aRunWithoutAGroupHasNone()
{
    Run run = lockLoss();
    for (NodeInfo &node : run.header.nodes)
        node.role = QStringLiteral("independent");
    GroupHistory history;
    history.extend(run);
    QVERIFY(!history.hasGroup());
    QVERIFY(history.at(run, sec(1)).servers.empty());
}

void TestGroupHistory::killedServersKnowNothing()
{
    const Run run = lockLoss();
    const Name lock = run.names.find("lock");
    QVERIFY(lock != 0);
    QCOMPARE(run.text(at(run, 0.52).server(n1)->key(lock)->token), QStringLiteral("7f3a"));
    const GroupState group = at(run, 0.53);
    QCOMPARE(group.server(n1)->life, Life::Dead);
    QCOMPARE(group.server(n1)->lifeSince, sec(0.53));
    QVERIFY(!group.server(n1)->key(lock));
    QVERIFY(group.server(n1)->isPrimary); // nobody told it otherwise
}

void TestGroupHistory::rolesAndLinksFollowTheRecord()
{
    const Run run = lockLoss();
    GroupState group = at(run, 0.45);
    QCOMPARE(link(run, group, n2).state, Link::Cut);
    QCOMPARE(link(run, group, n2).since, sec(0.38));
    QCOMPARE(link(run, group, n2).behind, 410 - 280);
    group = at(run, 1);
    QCOMPARE(link(run, group, n3).state, Link::Down); // its primary is dead
    QCOMPARE(link(run, group, n3).since, sec(0.53));
    group = at(run, 2.2);
    QVERIFY(group.server(n3)->isPrimary);
    QCOMPARE(group.server(n3)->roleSince, sec(2.193));
    QCOMPARE(group.server(n3)->follows, -1);
    QCOMPARE(group.links(run).size(), 1u); // N2 still follows N1
    QCOMPARE(group.links(run).front().from, n1);
    group = at(run, 2.32);
    QCOMPARE(link(run, group, n2).from, n3);
    QCOMPARE(group.server(n2)->followsSince, sec(2.3));
    QCOMPARE(group.server(n2)->roleSince, NodeState::beforeRun);
    QCOMPARE(link(run, group, n2).state, Link::Syncing);
    group = at(run, 2.75);
    QCOMPARE(link(run, group, n2).state, Link::Up);
    QCOMPARE(link(run, group, n2).since, sec(2.75));
    QCOMPARE(link(run, at(run, 3.605), n2).behind, 402 - 390);
    QCOMPARE(link(run, at(run, 3.61), n2).behind, 0);
}

void TestGroupHistory::faultsAreOnWhileTheyLast()
{
    const Run run = lockLoss();
    QVERIFY(!at(run, 0.379).fault(run, "cut-replication", n1));
    QVERIFY(at(run, 0.38).fault(run, "cut-replication", n1));
    QCOMPARE(at(run, 0.5).fault(run, "cut-replication", n1)->until, sec(0.53));
    QVERIFY(!at(run, 0.53).fault(run, "cut-replication", n1));
    QVERIFY(!at(run, 0.5).fault(run, "kill", n1)); // happens at once
    QVERIFY(!at(run, 0.5).fault(run, "cut-replication", n2));
}

void TestGroupHistory::aLagIsToldInTimeAndBytes()
{
    const Run run = test::parseHistory(R"(
node: N1 primary
node: N2 replica
1.0 N1 fault lag-replication begins by=0.2
1.1 N1 node offset offset=500
1.2 N2 node offset offset=430
2.0 N2 fault isolate begins
)").run;
    const ReplicationLink lag = link(run, at(run, 1.5), n2);
    QCOMPARE(lag.state, Link::Lagging);
    QCOMPARE(lag.amount, sec(0.2));
    QCOMPARE(lag.behind, 70);
    QCOMPARE(link(run, at(run, 2), n2).state, Link::Cut); // nobody reaches N2
    QVERIFY(at(run, 2).isIsolated(run, n2));
    QVERIFY(!at(run, 2).isIsolated(run, n1));
}

void TestGroupHistory::oneLinkCanBeStruckAlone()
{
    const Run run = test::parseHistory(R"(
node: N1 primary
node: N2 replica
node: N3 replica
1.0 N1 fault hold-replication begins node=N3
)").run;
    const GroupState group = at(run, 1);
    QCOMPARE(link(run, group, n2).state, Link::Up);
    QCOMPARE(link(run, group, n3).state, Link::Held);
}

void TestGroupHistory::sentinelsBelieveWhatTheySaid()
{
    const Run run = lockLoss();
    GroupState group = at(run, 1.25);
    QVERIFY(group.sentinel(s2)->holdsDown(n1));
    QVERIFY(!group.sentinel(s2)->down.front().isAgreed);
    QVERIFY(!group.sentinel(s1)->holdsDown(n1));
    group = at(run, 1.4);
    QVERIFY(group.sentinel(s2)->down.front().isAgreed);
    QCOMPARE(group.sentinel(s2)->down.front().quorum, QByteArray("2/2"));
    QVERIFY(group.sentinel(s2)->isLeader);
    QVERIFY(!group.sentinel(s1)->isLeader);
    QCOMPARE(at(run, 1.45).sentinel(s2)->selected, n3);
    group = at(run, 2.3);
    QCOMPARE(group.sentinel(s1)->primary, n3);
    QCOMPARE(group.sentinel(s1)->primarySince, sec(2.278));
    QVERIFY(!group.sentinel(s1)->holdsDown(n1)); // its notes are new
    QCOMPARE(group.sentinel(s2)->primary, n1); // the leader switches last
    QCOMPARE(group.agreedPrimary(), n3); // two of three
    group = at(run, 3.3);
    QCOMPARE(group.sentinel(s2)->primary, n3);
    QVERIFY(!group.sentinel(s2)->isLeader);
}

void TestGroupHistory::votesAreForWhomTheyAre()
{
    const Run run = lockLoss();
    const GroupState group = at(run, 1.35);
    for (const int sentinel : {s1, s2, s3}) {
        QVERIFY(group.sentinel(sentinel)->vote);
        QCOMPARE(group.sentinel(sentinel)->vote->candidate, s2);
        QCOMPARE(group.sentinel(sentinel)->vote->epoch, 1);
    }
    QCOMPARE(group.sentinel(s3)->vote->at, sec(1.347));
    QVERIFY(!at(run, 2.3).sentinel(s3)->vote);
}

void TestGroupHistory::runIdsAreLearnedFromCandidates()
{
    const Run run = sleepingPrimary(); // its votes have run ids only
    const GroupState group = at(run, 1.35);
    QCOMPARE(group.sentinel(s1)->vote->candidate, s1);
    QCOMPARE(group.sentinel(s3)->vote->candidate, s1);
    QVERIFY(!group.sentinel(s2)->vote);
    QCOMPARE(at(run, 2.17).sentinel(s2)->primary, n2); // from the addresses in the message
}

void TestGroupHistory::anAbortedFailoverEndsItsVotes()
{
    const Run run = abortedFailover();
    QVERIFY(at(run, 1.43).sentinel(s1)->isLeader);
    const GroupState group = at(run, 2);
    QVERIFY(!group.sentinel(s1)->isLeader);
    QVERIFY(!group.sentinel(s1)->vote);
    QCOMPARE(group.agreedPrimary(), n1);
    QVERIFY(group.sentinel(s1)->holdsDown(n1));
    QVERIFY(at(run, 9.5).sentinel(s2)->isLeader);
}

void TestGroupHistory::aSleepingPrimaryStaysOne()
{
    const Run run = sleepingPrimary();
    QCOMPARE(at(run, 1).server(n1)->life, Life::Paused);
    GroupState group = at(run, 3.3); // awake, and has not been told yet
    QVERIFY(group.server(n1)->isPrimary && group.server(n1)->isActing());
    QVERIFY(group.server(n2)->isPrimary);
    QCOMPARE(group.agreedPrimary(), n2);
    QCOMPARE(run.text(group.server(n1)->key(run.names.find("lock"))->token), QStringLiteral("7f3a")); // a pause forgets nothing
    group = at(run, 3.45);
    QVERIFY(!group.server(n1)->isPrimary);
    QCOMPARE(group.server(n1)->follows, n2);
}

void TestGroupHistory::locksAreWithThoseWhoHaveThem()
{
    const Run run = lockLoss();
    GroupHistory history;
    history.extend(run);
    const Name lock = run.names.find("lock");
    GroupState group = history.at(run, sec(2.21));
    QCOMPARE(run.text(group.server(n3)->key(lock)->token), QStringLiteral("c210"));
    QCOMPARE(group.server(n3)->key(lock)->until, sec(32.203));
    QVERIFY(!group.server(n2)->key(lock)); // never arrived
    QCOMPARE(history.at(run, sec(2.2)).server(n3)->key(lock)->token, Name(0)); // promoted, and has none
    QCOMPARE(run.text(history.clientOf(run.names.find("c210"))), QStringLiteral("B"));
    QCOMPARE(history.clientOf(run.names.find("up")), Name(0));
}

void TestGroupHistory::clientsBelieve()
{
    const Run run = lockLoss();
    QVERIFY(at(run, 0.3).clients.empty());
    GroupState group = at(run, 0.6);
    QCOMPARE(group.clients.size(), 2u);
    QCOMPARE(run.text(group.clients[0].lane), QStringLiteral("A"));
    QCOMPARE(group.clients[0].lock, ClientState::Lock::Holds);
    QCOMPARE(group.clients[0].until, sec(30.41));
    QCOMPARE(group.clients[1].lock, ClientState::Lock::Waits);
    QCOMPARE(at(run, 2.3).clients[1].lock, ClientState::Lock::Holds);
    QCOMPARE(at(run, 3.5).clients[0].lock, ClientState::Lock::None);
}

void TestGroupHistory::growsAsTheRunDoes()
{
    // A live record is in order of recording: the whole of the cut comes when it is over.
    Run run = lockLossUntil(0.45);
    GroupHistory history;
    history.extend(run);
    QVERIFY(history.at(run, sec(0.45)).fault(run, "cut-replication", n1));
    QCOMPARE(history.at(run, sec(0.45)).fault(run, "cut-replication", n1)->until, never);
    const Run whole = lockLoss();
    std::vector<Event> late;
    for (const Event &event : whole.events) {
        const bool isWhole = event.kind == Event::Kind::Fault && event.until != never && event.until > event.at;
        if (event.at > sec(0.45))
            run.events.push_back(event);
        else if (isWhole)
            late.push_back(event);
    }
    QCOMPARE(late.size(), 1u);
    run.events.push_back(late.front());
    history.extend(run);
    GroupHistory atOnce;
    atOnce.extend(whole);
    for (const double seconds : {0.2, 0.4, 0.45, 0.6, 1.35, 2.2, 2.8, 3.9})
        QVERIFY2(history.at(run, sec(seconds)) == atOnce.at(whole, sec(seconds)), qPrintable(QString::number(seconds)));
}

void TestGroupHistory::isTheSameWhereverStatesAreKept()
{
    // 3,000 offsets before and between what matters, so that states are kept in between.
    Run run = lockLoss();
    const std::vector<Event> events = run.events;
    run.events.clear();
    const auto offset = [&](qint64 time, qint64 bytes) {
        Event event;
        event.kind = Event::Kind::Node;
        event.what = static_cast<quint8>(NodeChange::Offset);
        event.at = time;
        event.lane = run.names.find("N2");
        event.number = bytes;
        return event;
    };
    for (int i = 0; i < 3'000; ++i)
        run.events.push_back(offset(qint64(i) * 1'300'000, i));
    run.events.insert(run.events.end(), events.begin(), events.end());
    std::stable_sort(run.events.begin(), run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
    GroupHistory history;
    history.extend(run);
    QVERIFY(history.events().size() > 3'000);
    for (const double seconds : {0.4, 1.35, 2.2, 2.8, 3.9}) {
        GroupState many = history.at(run, sec(seconds));
        GroupState few = at(lockLoss(), seconds);
        for (GroupState *each : {&many, &few})
            each->servers[1].offset = 0;
        QVERIFY2(many == few, qPrintable(QString::number(seconds)));
    }
    QCOMPARE(history.at(run, sec(3.5)).server(n2)->offset, qint64(3.5e9) / 1'300'000);
}

QTEST_GUILESS_MAIN(TestGroupHistory)
#include "tst_grouphistory.moc"
