// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "tests/support/grouprecords.h"
#include "tests/support/sampleruns.h"
#include "widgets/timeline/merge.h"
#include "widgets/timeline/spans.h"

#include <QTest>

#include <set>

using namespace interlock;
using namespace interlock::samples;

class TestTimelineSpans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void actorWaitsHoldsAndThinks();
    void nodeSaysWhoOwns();
    void deletionIsAttributedToItsClient();
    void overlapsAreComputedFromSections();
    void turnsAreNoOverlap();
    void reEnteringIsNoOverlap();
    void deathEndsWaiting();
    void pauseAndWritesAreShown();
    void aHoldIsNoPause();
    void aServersPauseIsDrawnOnce();
    void missingEndStaysOpen();
    void whatNeverArrivedIsKnown();
    void aLockThatWasCopiedIsNoAbsence();
    void rolesAreMarkedWhenTheyChange();
    void twoCanSayThatTheyArePrimary();
    void aFaultThatLastsIsMarkedOnce();
    void aServerThatIsStartedAgainLives();
    void serversOfAGroupHaveLanes();
    void growingGivesTheSameAsTheWhole();
    void edgesAndEventsAreFound();
    void mergedCoverageEqualsUnmerged_data();
    void mergedCoverageEqualsUnmerged();
    void crowdedMarksLoseNoColumn();
    void crowdsAreJoinedButNotOverGaps();
    void blocksChangeNoPicture_data();
    void blocksChangeNoPicture();
    void blocksKnowWhatWasPutInLate();
};

namespace {

const LaneRow &row(const Spans &spans, const char *name)
{
    for (const LaneRow &each : spans.rows()) {
        if (each.lane.name == QLatin1String(name))
            return each;
    }
    qFatal("no lane %s", name);
}

}

void TestTimelineSpans::actorWaitsHoldsAndThinks()
{
    Spans spans;
    spans.extend(releaseBreak());
    const LaneRow &a = row(spans, "A");
    QCOMPARE(a.waiting.size(), 1u);
    QCOMPARE(a.waiting[0].begin, ms(100));
    QCOMPARE(a.waiting[0].end, ms(102));
    QCOMPARE(a.holding.size(), 1u);
    QCOMPARE(a.holding[0].begin, ms(102));
    QCOMPARE(a.holding[0].turn, ms(1101)); // its own lease: sent + TTL; the server's expiry came later
    QCOMPARE(a.holding[0].end, ms(1604));
    QCOMPARE(a.working.size(), 1u);
    QCOMPARE(a.working[0].end, ms(1604));
    const LaneRow &b = row(spans, "B");
    QCOMPARE(b.holding[0].turn, ms(1604.5)); // A's DEL, though its lease lasts until 2.607 s
}

void TestTimelineSpans::nodeSaysWhoOwns()
{
    const Run run = releaseBreak();
    Spans spans;
    spans.extend(run);
    const LaneRow &node = row(spans, "redis");
    QCOMPARE(node.owned.size(), 3u);
    QCOMPARE(run.text(node.owned[0].token), QStringLiteral("7f3a"));
    QCOMPARE(node.owned[0].begin, ms(101.5));
    QCOMPARE(node.owned[0].end, ms(1102));
    QCOMPARE(node.owned[1].end, ms(1604.5));
    QCOMPARE(node.owned[2].begin, ms(1610.5));
    QCOMPARE(node.owned[2].end, ms(2503.5));
    QCOMPARE(spans.rows()[size_t(spans.actorOf(node.owned[1].token))].lane.name, QStringLiteral("B"));
}

void TestTimelineSpans::deletionIsAttributedToItsClient()
{
    Spans spans;
    spans.extend(releaseBreak());
    QStringList by;
    for (const Mark &mark : row(spans, "redis").marks) {
        if (mark.kind == Mark::Kind::Deleted)
            by.append(spans.rows()[size_t(mark.by)].lane.name);
    }
    QCOMPARE(by, QStringList({QStringLiteral("A"), QStringLiteral("B")}));
}

void TestTimelineSpans::overlapsAreComputedFromSections()
{
    Spans spans;
    spans.extend(releaseBreak());
    QCOMPARE(spans.overlaps().size(), 2u);
    QCOMPARE(spans.overlaps()[0].begin, ms(1108));
    QCOMPARE(spans.overlaps()[0].end - spans.overlaps()[0].begin, ms(496));
    QCOMPARE(spans.overlaps()[0].owners, 2);
    QCOMPARE(spans.overlaps()[0].rows, std::vector<int>({0, 1}));
    QCOMPARE(spans.overlaps()[1].end - spans.overlaps()[1].begin, ms(892));
    const LaneRow &b = row(spans, "B");
    QCOMPARE(b.contested.size(), 2u); // between them it worked alone for 7 ms
    QCOMPARE(b.contested[0].end, ms(1604));
    QCOMPARE(b.contested[1].begin, ms(1611));
}

void TestTimelineSpans::turnsAreNoOverlap()
{
    Spans spans;
    spans.extend(contention(5, 3));
    QVERIFY(spans.overlaps().empty());
    QCOMPARE(row(spans, "C1").working.size(), 3u);
}

void TestTimelineSpans::reEnteringIsNoOverlap()
{
    RunBuilder run(QStringLiteral("x"), QString());
    run.actor(QStringLiteral("A"));
    run.entered(10, "A", "t");
    run.entered(20, "A", "t");
    run.left(30, "A");
    run.left(40, "A");
    Spans spans;
    spans.extend(run.finish(50));
    QVERIFY(spans.overlaps().empty());
    QCOMPARE(spans.rows()[0].working.size(), 1u);
    QCOMPARE(spans.rows()[0].working[0].end, ms(40));
}

void TestTimelineSpans::deathEndsWaiting()
{
    Spans spans;
    spans.extend(fencing());
    const LaneRow &c = row(spans, "C");
    QCOMPARE(c.waiting[0].end, ms(900));
    QCOMPARE(c.state.size(), 1u);
    QVERIFY(c.state[0].kind == Span::Kind::Dead);
    QCOMPARE(c.state[0].begin, ms(900));
}

void TestTimelineSpans::pauseAndWritesAreShown()
{
    Spans spans;
    spans.extend(fencing());
    const LaneRow &a = row(spans, "A");
    QCOMPARE(a.state.size(), 1u);
    QVERIFY(a.state[0].kind == Span::Kind::Paused);
    QCOMPARE(a.state[0].begin, ms(250));
    QCOMPARE(a.state[0].end, ms(1100));
    QCOMPARE(a.holding[0].turn, ms(700)); // renewed once
    const LaneRow &storage = row(spans, "storage");
    QCOMPARE(storage.marks.size(), 2u);
    QVERIFY(storage.marks[0].kind == Mark::Kind::WriteAccepted);
    QVERIFY(storage.marks[1].kind == Mark::Kind::WriteRefused);
    QVERIFY(row(spans, "redis").owned[1].inferred);
}

void TestTimelineSpans::aHoldIsNoPause()
{
    RunBuilder run(QStringLiteral("x"), QString());
    run.actor(QStringLiteral("A"));
    run.fault("hold", 20, 30, "A");
    Spans spans;
    spans.extend(run.finish(50));
    QCOMPARE(row(spans, "A").state.size(), 1u);
    QVERIFY(row(spans, "A").state[0].kind == Span::Kind::Held);
    QCOMPARE(row(spans, "A").state[0].end, ms(30));
}

void TestTimelineSpans::aServersPauseIsDrawnOnce()
{
    RunBuilder run(QStringLiteral("x"), QString());
    run.node(QStringLiteral("N1"), QStringLiteral("lock"));
    Event change;
    change.kind = Event::Kind::Node;
    change.lane = run.run().names.intern("N1");
    for (const auto &[what, at] : {std::pair {NodeChange::Paused, 20}, std::pair {NodeChange::Resumed, 30}}) {
        change.what = static_cast<quint8>(what);
        change.at = ms(at);
        run.run().events.push_back(change);
    }
    run.run().names.intern("lock");
    run.fault("pause", 20, 30, "N1"); // its whole, told at its end
    Spans spans;
    spans.extend(run.finish(50));
    const LaneRow &n1 = row(spans, "N1");
    QCOMPARE(n1.state.size(), 1u);
    QVERIFY(n1.state[0].kind == Span::Kind::Paused);
    QCOMPARE(n1.state[0].begin, ms(20));
    QCOMPARE(n1.state[0].end, ms(30));
}

void TestTimelineSpans::missingEndStaysOpen()
{
    RunBuilder run(QStringLiteral("x"), QString());
    run.actor(QStringLiteral("A"));
    run.belief(Belief::Wants, 10, "A", "t");
    Spans spans;
    spans.extend(run.finish(50));
    QCOMPARE(spans.rows()[0].waiting[0].end, never);
}

void TestTimelineSpans::whatNeverArrivedIsKnown()
{
    const Run run = lockLoss();
    Spans spans;
    spans.extend(run);
    const int n2 = int(&row(spans, "N2") - &spans.rows()[0]), n3 = int(&row(spans, "N3") - &spans.rows()[0]), n1 = int(&row(spans, "N1") - &spans.rows()[0]);
    const std::vector<Absence> toN3 = spans.absencesOf(n3, 0, ms(3900), ms(3900));
    QCOMPARE(toN3.size(), 1u);
    QCOMPARE(toN3[0].begin, ms(411));
    QCOMPARE(toN3[0].end, ms(2193)); // promoted without it
    QVERIFY(toN3[0].cut);
    QCOMPARE(run.text(run.events[*toN3[0].cut].text), QStringLiteral("cut-replication"));
    const std::vector<Absence> toN2 = spans.absencesOf(n2, 0, ms(3900), ms(3900));
    QCOMPARE(toN2.size(), 1u); // B's lock came to it, late
    QCOMPARE(toN2[0].end, ms(2750));
    QVERIFY(spans.absencesOf(n1, 0, ms(3900), ms(3900)).empty()); // dead when B's lock was set
    QVERIFY(spans.absencesOf(n3, ms(3000), ms(3900), ms(3900)).empty()); // nothing of it is seen there
    QVERIFY(spans.absencesOf(n3, 0, ms(3900), ms(500)).empty()); // it may still come
}

void TestTimelineSpans::aLockThatWasCopiedIsNoAbsence()
{
    Spans spans;
    spans.extend(sleepingPrimary());
    for (int place = 0; place < int(spans.rows().size()); ++place)
        QVERIFY(spans.absencesOf(place, 0, ms(4000), ms(4000)).empty());
    QVERIFY(row(spans, "N1").marks[0].kind == Mark::Kind::Set);
    QVERIFY(row(spans, "N2").marks[0].kind == Mark::Kind::Copied);
}

void TestTimelineSpans::twoCanSayThatTheyArePrimary()
{
    Spans spans;
    spans.extend(sleepingPrimary());
    const std::vector<Span> &old = row(spans, "N1").primary, &next = row(spans, "N2").primary;
    QCOMPARE(old.size(), 1u);
    QCOMPARE(old[0].begin, 0);
    QCOMPARE(old[0].end, ms(3400)); // it sleeps until 3.2 s, and knows of nothing for a while
    QCOMPARE(next.size(), 1u);
    QCOMPARE(next[0].begin, ms(2100));
    QCOMPARE(next[0].end, never);
    QVERIFY(row(spans, "N3").primary.empty());
    Spans killed;
    killed.extend(lockLoss());
    QCOMPARE(row(killed, "N1").primary[0].end, ms(530));
    QCOMPARE(row(killed, "N3").primary[0].begin, ms(2193));
}

void TestTimelineSpans::rolesAreMarkedWhenTheyChange()
{
    Spans spans;
    spans.extend(lockLoss());
    const auto changes = [&](const char *name) {
        std::vector<qint64> times;
        for (const Mark &mark : row(spans, name).marks) {
            if (mark.kind == Mark::Kind::Changed)
                times.push_back(mark.at);
        }
        return times;
    };
    QVERIFY(changes("N1").empty()); // a record begins with everybody's role
    QVERIFY(changes("N2").empty());
    QCOMPARE(changes("N3"), std::vector<qint64> {ms(2193)}); // though the key as it has it then was told as well
    QVERIFY(row(spans, "N3").isPrimary && !row(spans, "N2").isPrimary);
    QVERIFY(row(spans, "N2").isShared);
    Spans single;
    single.extend(releaseBreak());
    QVERIFY(!row(single, "redis").isShared && !row(single, "redis").isReplicated);
}

void TestTimelineSpans::aFaultThatLastsIsMarkedOnce()
{
    const auto faults = [](const Run &run) {
        Spans spans;
        spans.extend(run);
        const std::vector<Mark> &marks = row(spans, "N1").marks;
        return std::count_if(marks.begin(), marks.end(), [](const Mark &mark) { return mark.kind == Mark::Kind::Fault; });
    };
    QCOMPARE(faults(lockLossUntil(0.45)), 1); // while it goes on
    QCOMPARE(faults(lockLoss()), 1); // the kill is told by the server's end
}

void TestTimelineSpans::aServerThatIsStartedAgainLives()
{
    Run run = lockLoss();
    Event event;
    event.kind = Event::Kind::Node;
    event.lane = run.names.find("N1");
    for (const auto &[what, at] : {std::pair(NodeChange::Started, 3000), std::pair(NodeChange::Ready, 3100), std::pair(NodeChange::Paused, 3200)}) {
        event.what = static_cast<quint8>(what);
        event.at = ms(at);
        run.events.push_back(event);
    }
    Spans spans;
    spans.extend(run);
    const std::vector<Span> &state = row(spans, "N1").state;
    QCOMPARE(state.size(), 2u);
    QVERIFY(state[0].kind == Span::Kind::Dead);
    QCOMPARE(state[0].begin, ms(530));
    QCOMPARE(state[0].end, ms(3000));
    QVERIFY(state[1].kind == Span::Kind::Paused);
    QCOMPARE(state[1].end, never);
}

void TestTimelineSpans::serversOfAGroupHaveLanes()
{
    Run run = lockLoss();
    const QList<Lane> lanes = run.header.lanes;
    run.header.lanes = lanes.mid(0, 2); // A and B: nobody watches the lock
    Spans spans;
    spans.extend(run);
    QCOMPARE(spans.rows().size(), 5u);
    QVERIFY(row(spans, "N1").state[0].kind == Span::Kind::Dead);
    QCOMPARE(row(spans, "N3").promotions, std::vector<qint64> {ms(2193)});
    QVERIFY(row(spans, "N3").owned.empty());
    run.header.lanes = lanes; // now somebody does, in a run that goes on
    spans.extend(run);
    QCOMPARE(spans.rows().size(), 5u);
    QCOMPARE(row(spans, "N3").lane.key, QStringLiteral("lock"));
}

void TestTimelineSpans::growingGivesTheSameAsTheWhole()
{
    const Run whole = contention(6, 5);
    Spans atOnce;
    atOnce.extend(whole);
    Spans grown;
    Run part;
    part.header = whole.header;
    part.names = whole.names;
    for (const Event &event : whole.events) {
        part.events.push_back(event);
        grown.extend(part);
    }
    QCOMPARE(grown.rows().size(), atOnce.rows().size());
    for (size_t i = 0; i < grown.rows().size(); ++i) {
        QVERIFY(grown.rows()[i].waiting == atOnce.rows()[i].waiting);
        QVERIFY(grown.rows()[i].holding == atOnce.rows()[i].holding);
        QVERIFY(grown.rows()[i].working == atOnce.rows()[i].working);
        QVERIFY(grown.rows()[i].owned == atOnce.rows()[i].owned);
        QVERIFY(grown.rows()[i].marks == atOnce.rows()[i].marks);
        QVERIFY(grown.rows()[i].commands == atOnce.rows()[i].commands);
    }
}

void TestTimelineSpans::edgesAndEventsAreFound()
{
    const Run run = releaseBreak();
    Spans spans;
    spans.extend(run);
    QCOMPARE(spans.nearestEdge(ms(1603), ms(3)), std::optional<qint64>(ms(1604)));
    QVERIFY(!spans.nearestEdge(ms(2650), ms(3)));
    const std::optional<size_t> found = spans.eventAt(0, ms(600), ms(1));
    QVERIFY(found);
    QVERIFY(run.events[*found].kind == Event::Kind::Resource);
    QVERIFY(!spans.eventAt(0, ms(2700), ms(1)));
    const auto [begin, end] = spans.extentOf(run, *found);
    QCOMPARE(begin, ms(102));
    QCOMPARE(end, ms(1604));
}

void TestTimelineSpans::mergedCoverageEqualsUnmerged_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("gap");
    QTest::newRow("far apart") << 20 << 5.0;
    QTest::newRow("several in a pixel") << 1000 << 0.013;
    QTest::newRow("about a pixel") << 300 << 0.37;
}

void TestTimelineSpans::mergedCoverageEqualsUnmerged()
{
    QFETCH(int, count);
    QFETCH(double, gap);
    const Scale scale {.begin = 0, .length = 400e6, .width = 400}; // a pixel is a millisecond
    std::vector<Span> spans;
    std::set<int> expected;
    double at = 0.25;
    for (int i = 0; i < count; ++i) {
        const double length = 0.1 + (i % 7) * 0.11;
        Span span {.begin = ms(at), .end = ms(at + length)};
        spans.push_back(span);
        const double left = scale.toPixel(double(span.begin));
        const double right = scale.toPixel(double(span.end));
        for (int x = int(std::floor(left)); x < right && x < 400; ++x)
            expected.insert(x);
        at += length + gap;
    }
    std::set<int> drawn;
    int runs = 0;
    walkSpans(spans, scale, never, [](const Span &) { return 0; },
        [&](const Span &, double left, double right) {
            for (int x = int(std::floor(left)); x < right && x < 400; ++x)
                drawn.insert(x);
        },
        [&](const Columns &columns, int) {
            ++runs;
            for (int x = columns.first; x <= columns.last && x < 400; ++x)
                drawn.insert(x);
        });
    QVERIFY(drawn == expected);
    QVERIFY(runs <= count);
}

void TestTimelineSpans::crowdedMarksLoseNoColumn()
{
    const Scale scale {.begin = 0, .length = 100e6, .width = 100};
    std::vector<Mark> marks;
    std::set<int> expected;
    for (int i = 0; i < 5000; ++i) {
        marks.push_back({.at = qint64(i) * 10'000 + (i > 2500 ? 30'000'000 : 0)});
        expected.insert(int(scale.toPixel(double(marks.back().at))));
    }
    std::set<int> drawn;
    int calls = 0;
    walkMarks(marks, scale, 3, [&](const Mark &, double x) { drawn.insert(int(x)); ++calls; },
        [&](const Columns &columns, const Mark &) {
            ++calls;
            for (int x = columns.first; x <= columns.last; ++x)
                drawn.insert(x);
        });
    QVERIFY(drawn == expected);
    QCOMPARE(calls, 2); // two crowds
}

void TestTimelineSpans::crowdsAreJoinedButNotOverGaps()
{
    // 100 pixels, a millisecond each: a box of 0.2 ms every 2 ms up to 40 ms, and again from 60 ms on.
    const Scale scale {.begin = 0, .length = 100e6, .width = 100};
    std::vector<Span> spans;
    for (int i = 0; i < 50; ++i) {
        if (i < 20 || i >= 30)
            spans.push_back({.begin = ms(i * 2 + 0.5), .end = ms(i * 2 + 0.7)});
    }
    const int joined = joinedColumns(spans, scale, never);
    QCOMPARE(joined, 3);
    std::vector<std::pair<int, int>> runs;
    const auto walk = [&](int gap) {
        runs.clear();
        walkSpans(spans, scale, never, [](const Span &) { return 0; }, [](const Span &, double, double) { QFAIL("none is wide"); },
            [&](const Columns &columns, int) { runs.emplace_back(columns.first, columns.last); }, gap);
    };
    walk(joined);
    QCOMPARE(runs, (std::vector<std::pair<int, int>> {{0, 38}, {60, 98}}));
    walk(0);
    QCOMPARE(runs.size(), 40u);
    // The same boxes on a tenth of the view have air around them.
    const Scale closer {.begin = 0, .length = 10e6, .width = 100};
    QCOMPARE(joinedColumns(spans, closer, never), 0);
}

namespace {

/// 4,000 holds of A, most of them close together, some wide, some after a pause. Two commands each.
Run crowdedRun()
{
    RunBuilder run(QStringLiteral("lock-contention"), QStringLiteral("safe"));
    run.actor(QStringLiteral("A")).node(QStringLiteral("redis"), QStringLiteral("lock"));
    Random random(11);
    const auto milliseconds = [&random](int most) { return static_cast<double>(random.below(static_cast<quint64>(most) * 1000) + 1) / 1000; };
    double now = 0.137;
    for (int i = 0; i < 4000; ++i) {
        run.command(now, "A", "SET lock t NX PX 1000", "OK", ReplyType::Status, 0.1);
        run.belief(Belief::Granted, now + 0.1, "A", "t", now + 1000);
        now += 0.2 + milliseconds(i % 97 == 0 ? 60 : 1);
        run.belief(Belief::Ended, now, "A", "t", -1, "released");
        run.command(now, "A", "DEL lock", "(integer) 1", ReplyType::Integer, 0.1);
        now += milliseconds(i % 61 == 0 ? 90 : 2);
    }
    return run.finish(now);
}

/// What a walk would draw, as numbers.
template<typename Walk>
std::vector<double> drawn(Walk walk)
{
    std::vector<double> numbers;
    walk([&](const Columns &columns) { numbers.insert(numbers.end(), {-1, double(columns.first), double(columns.last)}); },
        [&](double left, double right) { numbers.insert(numbers.end(), {-2, left, right}); });
    return numbers;
}

std::vector<double> drawnHolds(const LaneRow &row, const Scale &scale, const Blocks *blocks)
{
    return drawn([&](auto run, auto single) {
        walkSpans(row.holding, scale, never, [](const Span &) { return 0; }, [&](const Span &, double left, double right) { single(left, right); },
            [&](const Columns &columns, int) { run(columns); }, joinedColumns(row.holding, scale, never), blocks);
    });
}

std::vector<double> drawnCommands(const LaneRow &row, const Scale &scale, const Blocks *blocks)
{
    return drawn([&](auto run, auto single) {
        walkMarks(row.commands, scale, 6, [&](const Mark &, double at) { single(at, at); }, [&](const Columns &columns, const Mark &) { run(columns); }, blocks);
    });
}

}

void TestTimelineSpans::blocksChangeNoPicture_data()
{
    QTest::addColumn<double>("part");
    QTest::newRow("all") << 1.0;
    QTest::newRow("half") << 0.5;
    QTest::newRow("a tenth") << 0.1;
    QTest::newRow("a thirtieth") << 0.03;
    QTest::newRow("a hundredth") << 0.01;
}

void TestTimelineSpans::blocksChangeNoPicture()
{
    QFETCH(double, part);
    const Run run = crowdedRun();
    Spans spans;
    spans.extend(run);
    const LaneRow &a = row(spans, "A");
    QCOMPARE(a.blocks.holding.known(), 3968u); // 62 blocks of 64; the other 32 may change
    QCOMPARE(a.blocks.commands.known(), 7936u); // the last of 125 waits for its next
    const auto duration = static_cast<double>(run.duration);
    for (const double begin : {0.0, 0.317, 0.6}) {
        const Scale scale {.begin = begin * duration * (1 - part), .length = part * duration, .width = 1234};
        const std::vector<double> holds = drawnHolds(a, scale, nullptr);
        QVERIFY(!holds.empty());
        QCOMPARE(drawnHolds(a, scale, &a.blocks.holding), holds);
        QCOMPARE(drawnCommands(a, scale, &a.blocks.commands), drawnCommands(a, scale, nullptr));
    }
}

void TestTimelineSpans::blocksKnowWhatWasPutInLate()
{
    // 200 commands, one each ms but for a hole of 20 ms after the 100th. One in the middle of it is recorded last.
    RunBuilder live(QStringLiteral("lock-contention"), QStringLiteral("safe"));
    live.actor(QStringLiteral("A"));
    for (int i = 0; i < 200; ++i)
        live.command(i < 100 ? i : i + 19, "A", "PING", "PONG", ReplyType::Status);
    Spans spans;
    spans.extend(live.run());
    const Blocks &blocks = row(spans, "A").blocks.commands;
    QCOMPARE(blocks.known(), 192u);
    QCOMPARE(blocks.crowdedUntil(0, 0, ms(19)), 64u); // the second block has the hole
    QCOMPARE(blocks.crowdedUntil(70, 0, ms(19)), 70u);
    QCOMPARE(blocks.crowdedUntil(0, 0, ms(20)), 192u);
    live.command(109, "A", "PING", "PONG", ReplyType::Status);
    spans.extend(live.run());
    QCOMPARE(blocks.known(), 192u);
    QCOMPARE(blocks.crowdedUntil(0, 0, ms(10)), 192u); // 99 to 109, 109 to 119
    QCOMPARE(blocks.crowdedUntil(0, 0, ms(9)), 64u);
}

QTEST_APPLESS_MAIN(TestTimelineSpans)
#include "tst_timelinespans.moc"
