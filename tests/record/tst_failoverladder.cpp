// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/failoverladder.h"
#include "tests/support/grouprecords.h"
#include "tests/support/history.h"

#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

constexpr int n1 = 0, n2 = 1, n3 = 2, s1 = 3, s2 = 4, s3 = 5; // as the header lists them

constexpr qint64 sec(double seconds) { return static_cast<qint64>(seconds * 1e9 + 0.5); }

using Kind = Rung::Kind;

std::vector<Ladder> laddersOf(const Run &run)
{
    FailoverLadders ladders;
    ladders.extend(run);
    return ladders.ladders();
}

std::vector<Kind> kindsOf(const Ladder &ladder)
{
    std::vector<Kind> kinds;
    for (const Rung &rung : ladder.rungs)
        kinds.push_back(rung.kind);
    return kinds;
}

const Rung *find(const Ladder &ladder, Kind kind, int nth = 0)
{
    for (const Rung &rung : ladder.rungs) {
        if (rung.kind == kind && nth-- == 0)
            return &rung;
    }
    return nullptr;
}

std::vector<int> whoOf(const Rung &rung)
{
    std::vector<int> who;
    for (const Rung::Telling &each : rung.told)
        who.push_back(each.who);
    return who;
}

}

class TestFailoverLadder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFailoverHasItsStepsInOrder();
    void eachStepNamesWhoToldOfIt();
    void theClockStartsWithTheLoss();
    void findsTheRungOfATime();
    void anAbortedFailoverIsTriedAgain();
    void aSleepingPrimaryIsReplacedAndConverted();
    void twoFailoversAreTwoLadders();
    void deadSentinelsStandBefore();
    void withoutAFaultASentinelBegins();
    void whoHasSwitchedCallsAReplicaDown();
    void aCopyHasItsSteps();
    void narrationIsNoStep();
    void anIncrementIsOneStep();
    void whatIsHealedIsNoCause();
    void whatEndsWithTheLossIsItsCause();
    void aReplicaThatIsStartedAgainIsCopiedTo();
    void growsAsTheRunDoes();
    void aRunWithoutAGroupHasNone();
};

void TestFailoverLadder::aFailoverHasItsStepsInOrder()
{
    const std::vector<Ladder> ladders = laddersOf(lockLoss());
    QCOMPARE(ladders.size(), 1u); // what the cut began is no copy
    QCOMPARE(ladders[0].kind, Ladder::Kind::Failover);
    QCOMPARE(ladders[0].about, n1);
    const std::vector<Kind> expected {Kind::Fault, Kind::Killed, Kind::CallsDown, Kind::AgreedDown, Kind::NewEpoch, Kind::Tries, Kind::Votes,
        Kind::Elected, Kind::CallsDown, Kind::Selected, Kind::PromotionSent, Kind::Promoted, Kind::PromotionSeen, Kind::OrdersSent,
        Kind::Switched, Kind::LinkUp, Kind::Partial, Kind::OrdersFollowed, Kind::FailoverEnded, Kind::Switched};
    QVERIFY(kindsOf(ladders[0]) == expected);
}

void TestFailoverLadder::eachStepNamesWhoToldOfIt()
{
    const Ladder ladder = laddersOf(lockLoss()).front();
    QCOMPARE(whoOf(*find(ladder, Kind::CallsDown)), (std::vector<int> {s2, s1})); // within 59 ms
    QCOMPARE(whoOf(*find(ladder, Kind::CallsDown, 1)), (std::vector<int> {s3}));
    QCOMPARE(find(ladder, Kind::CallsDown)->about, n1);
    QCOMPARE(find(ladder, Kind::AgreedDown)->quorum, QByteArray("2/2"));
    const Rung &epoch = *find(ladder, Kind::NewEpoch);
    QCOMPARE(whoOf(epoch), (std::vector<int> {s2, s1, s3}));
    QCOMPARE(epoch.number, 1);
    const Rung &votes = *find(ladder, Kind::Votes);
    QCOMPARE(votes.about, s2);
    QCOMPARE(whoOf(votes), (std::vector<int> {s2, s1, s3}));
    QCOMPARE(votes.told[2].at, sec(1.347));
    QCOMPARE(find(ladder, Kind::Selected)->about, n3);
    QCOMPARE(whoOf(*find(ladder, Kind::Promoted)), (std::vector<int> {n3}));
    QCOMPARE(whoOf(*find(ladder, Kind::Switched)), (std::vector<int> {s1, s3}));
    QCOMPARE(find(ladder, Kind::Switched)->about, n3);
    QCOMPARE(whoOf(*find(ladder, Kind::Switched, 1)), (std::vector<int> {s2}));
    QCOMPARE(find(ladder, Kind::Partial)->number, 110);
    const Run run = lockLoss();
    QCOMPARE(run.events[votes.told[1].event].at, sec(1.345));
    QCOMPARE(run.text(run.events[votes.told[1].event].text), QStringLiteral("+vote-for-leader"));
}

void TestFailoverLadder::theClockStartsWithTheLoss()
{
    const Ladder ladder = laddersOf(lockLoss()).front();
    QCOMPARE(ladder.first, 1u);
    QCOMPARE(ladder.begin(), sec(0.53));
    QCOMPARE(ladder.rungs[0].word, QByteArray("cut-replication"));
    QCOMPARE(ladder.rungs[0].at(), sec(0.38));
    QCOMPARE(find(ladder, Kind::Promoted)->at() - ladder.begin(), sec(1.663));
}

void TestFailoverLadder::findsTheRungOfATime()
{
    const Ladder ladder = laddersOf(lockLoss()).front();
    QCOMPARE(ladder.rungAt(sec(0.3)), -1);
    QCOMPARE(ladder.rungAt(sec(0.38)), 0);
    QCOMPARE(ladder.rungAt(sec(1)), 1);
    QCOMPARE(ladder.rungs[size_t(ladder.rungAt(sec(2.2)))].kind, Kind::Promoted);
    QCOMPARE(ladder.rungAt(sec(100)), int(ladder.rungs.size()) - 1);
}

void TestFailoverLadder::anAbortedFailoverIsTriedAgain()
{
    const std::vector<Ladder> ladders = laddersOf(abortedFailover());
    QCOMPARE(ladders.size(), 1u);
    QCOMPARE(find(ladders[0], Kind::Aborted)->word, QByteArray("-failover-abort-no-good-slave"));
    QVERIFY(find(ladders[0], Kind::Aborted, 1));
    QCOMPARE(find(ladders[0], Kind::NewEpoch, 1)->number, 2);
    QCOMPARE(find(ladders[0], Kind::Votes)->about, s1);
    QCOMPARE(find(ladders[0], Kind::Votes, 1)->about, s2);
    QVERIFY(!find(ladders[0], Kind::Promoted));
    QVERIFY(!find(ladders[0], Kind::Switched));
}

void TestFailoverLadder::aSleepingPrimaryIsReplacedAndConverted()
{
    const std::vector<Ladder> ladders = laddersOf(sleepingPrimary());
    QCOMPARE(ladders.size(), 1u);
    const Ladder &ladder = ladders[0];
    QCOMPARE(ladder.rungs[ladder.first].kind, Kind::Paused);
    QCOMPARE(find(ladder, Kind::Votes)->about, s1); // by the run id of the candidate
    QCOMPARE(whoOf(*find(ladder, Kind::Votes)), (std::vector<int> {s1, s3}));
    QCOMPARE(find(ladder, Kind::Resumed)->at(), sec(3.2));
    QCOMPARE(find(ladder, Kind::Converted)->about, n1);
    QCOMPARE(whoOf(*find(ladder, Kind::Demoted)), (std::vector<int> {n1}));
    QCOMPARE(find(ladder, Kind::Demoted)->about, n2);
    QCOMPARE(ladder.rungs.back().kind, Kind::Partial);
    QCOMPARE(whoOf(ladder.rungs.back()), (std::vector<int> {n1}));
}

void TestFailoverLadder::twoFailoversAreTwoLadders()
{
    const std::vector<Ladder> ladders = laddersOf(twoFailovers());
    QCOMPARE(ladders.size(), 2u);
    QCOMPARE(ladders[0].about, n1);
    QCOMPARE(ladders[1].about, n3);
    QCOMPARE(ladders[1].begin(), sec(3));
    QCOMPARE(ladders[1].rungs[0].kind, Kind::Killed); // N1 is still dead
    QCOMPARE(whoOf(ladders[1].rungs[0]), (std::vector<int> {n1}));
    QCOMPARE(whoOf(*find(ladders[1], Kind::Promoted)), (std::vector<int> {n2}));
    QCOMPARE(whoOf(*find(ladders[0], Kind::Promoted)), (std::vector<int> {n3}));
    QCOMPARE(whoOf(*find(ladders[1], Kind::CallsDown)), (std::vector<int> {s2, s3}));
}

void TestFailoverLadder::deadSentinelsStandBefore()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
node: N3 replica
node: S1 sentinel
node: S2 sentinel
node: S3 sentinel
0.1 S2 node killed
0.2 S3 node killed
0.3 S2 node started
0.4 S2 node ready
0.5 N1 node killed
1.2 S1 sentinel +sdown node=S3
1.3 S1 sentinel +sdown node=N1
)").run);
    QCOMPARE(ladders.size(), 1u);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::Killed, Kind::Killed, Kind::CallsDown})); // S2 is back
    QCOMPARE(whoOf(ladders[0].rungs[0]), (std::vector<int> {s3}));
    QCOMPARE(whoOf(ladders[0].rungs[1]), (std::vector<int> {n1}));
    QCOMPARE(ladders[0].first, 1u);
}

void TestFailoverLadder::withoutAFaultASentinelBegins()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
node: S1 sentinel
1.3 S1 sentinel +sdown node=N1
1.4 S1 sentinel -sdown node=N1
)").run);
    QCOMPARE(ladders.size(), 1u);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::CallsDown, Kind::CallsUp}));
    QCOMPARE(ladders[0].begin(), sec(1.3));
}

void TestFailoverLadder::whoHasSwitchedCallsAReplicaDown()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
node: N3 replica
node: S1 sentinel
node: S2 sentinel
node: S3 sentinel
0.5 N1 node killed
1.2 S1 sentinel +sdown node=N1
1.4 S2 sentinel +sdown node=N1
2.0 N2 node role-changed text=primary
2.2 S1 sentinel +switch-master node=N2
3.2 S1 sentinel +sdown node=N1
3.4 S3 sentinel +sdown node=N1
4.0 S3 sentinel +switch-master node=N2
5.0 S1 sentinel -sdown node=N1
)").run);
    QCOMPARE(ladders.size(), 1u);
    const std::vector<Kind> expected {Kind::Killed, Kind::CallsDown, Kind::CallsDown, Kind::Promoted, Kind::Switched, Kind::CallsDown, Kind::Switched, Kind::CallsUp};
    QVERIFY(kindsOf(ladders[0]) == expected);
    QCOMPARE(whoOf(*find(ladders[0], Kind::CallsDown, 2)), (std::vector<int> {s3})); // alone: it knows of no other primary yet
}

void TestFailoverLadder::narrationIsNoStep()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
0.5 N1 fault cut-replication node=N2 begins
0.5 N2 node linked text=down node=N1
0.6 N2 phase N2_is_cut_off
0.7 N2 phase snapshot
0.8 N2 note remark
0.9 N2 node linked text=up node=N1
)").run);
    QCOMPARE(ladders.size(), 1u);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::Fault, Kind::LinkDown, Kind::LinkUp}));
}

void TestFailoverLadder::aCopyHasItsSteps()
{
    const std::vector<Ladder> ladders = laddersOf(resync());
    QCOMPARE(ladders.size(), 2u);
    const Ladder &copy = ladders[0];
    QCOMPARE(copy.kind, Ladder::Kind::Copy);
    QCOMPARE(copy.about, n2);
    QCOMPARE(copy.begin(), sec(0.51));
    QVERIFY(kindsOf(copy) == (std::vector<Kind> {Kind::Fault, Kind::LinkDown, Kind::Connecting, Kind::Syncing, Kind::Step, Kind::Step, Kind::Step, Kind::Step,
        Kind::LinkUp, Kind::Full, Kind::Step}));
    QCOMPARE(copy.rungs[4].word, QByteArray("snapshot"));
    QCOMPARE(copy.rungs[4].number, 1'200'000);
    QCOMPARE(copy.rungs[4].until, sec(1.7));
    QCOMPARE(copy.rungs[10].word, QByteArray("catch-up"));
    QCOMPARE(find(copy, Kind::Full)->number, 1'200'000);
}

void TestFailoverLadder::anIncrementIsOneStep()
{
    const Ladder copy = laddersOf(resync())[1];
    QVERIFY(kindsOf(copy) == (std::vector<Kind> {Kind::Fault, Kind::LinkDown, Kind::LinkUp, Kind::Partial}));
    QCOMPARE(find(copy, Kind::Partial)->number, 4'100);
    QCOMPARE(copy.rungs[0].at(), sec(3)); // the first cut is over
}

void TestFailoverLadder::whatIsHealedIsNoCause()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
0.1 N1 fault lag-replication begins by=0.2
0.2 N1 fault heal
0.3 N1 fault hold-replication begins
0.4 N1 fault kill
0.4 N1 node killed
)").run);
    QCOMPARE(ladders.size(), 1u);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::Fault, Kind::Killed}));
    QCOMPARE(ladders[0].rungs[0].word, QByteArray("hold-replication"));
}

void TestFailoverLadder::whatEndsWithTheLossIsItsCause()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
0.1 N1 fault lag-replication begins by=0.2
0.1 N1 fault lag-replication until=0.3 by=0.2
0.4 N1 fault cut-replication begins
0.4 N1 fault cut-replication until=0.5999
0.6 N1 node killed
)").run);
    QCOMPARE(ladders.size(), 1u);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::Fault, Kind::Killed}));
    QCOMPARE(ladders[0].rungs[0].word, QByteArray("cut-replication"));
}

void TestFailoverLadder::aReplicaThatIsStartedAgainIsCopiedTo()
{
    const std::vector<Ladder> ladders = laddersOf(test::parseHistory(R"(
node: N1 primary
node: N2 replica
0.4 N2 node killed
1.0 N2 node started
1.1 N2 node ready
1.2 N2 node linked text=syncing node=N1
1.5 N2 node linked text=up node=N1
1.5 N2 node synced text=full bytes=900 node=N1
)").run);
    QCOMPARE(ladders.size(), 1u);
    QCOMPARE(ladders[0].kind, Ladder::Kind::Copy);
    QVERIFY(kindsOf(ladders[0]) == (std::vector<Kind> {Kind::Killed, Kind::Started, Kind::Ready, Kind::Syncing, Kind::LinkUp, Kind::Full}));
}

void TestFailoverLadder::growsAsTheRunDoes()
{
    Run run = lockLossUntil(1.35);
    FailoverLadders ladders;
    QVERIFY(ladders.extend(run));
    QCOMPARE(ladders.ladders().front().rungs.back().kind, Kind::Votes);
    QVERIFY(!ladders.extend(run)); // nothing new
    for (const Event &event : lockLoss().events) {
        if (event.at > sec(1.35))
            run.events.push_back(event);
    }
    QVERIFY(ladders.extend(run));
    // The events have other places in the record; all else is the same.
    QCOMPARE(kindsOf(ladders.ladders().front()), kindsOf(laddersOf(lockLoss()).front()));
}

void TestFailoverLadder::aRunWithoutAGroupHasNone()
{
    const Run run = test::parseHistory("node: redis independent\n0.5 redis node killed\n").run;
    FailoverLadders ladders;
    QVERIFY(!ladders.extend(run));
    QVERIFY(ladders.ladders().empty());
}

QTEST_GUILESS_MAIN(TestFailoverLadder)
#include "tst_failoverladder.moc"
