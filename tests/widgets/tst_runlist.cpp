// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runlist.h"
#include "widgets/statusbadge.h"

#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace interlock;

namespace {

KeptRun kept(const char *experiment, size_t events)
{
    auto run = std::make_shared<Run>();
    run->header.experiment = experiment;
    run->events.resize(events);
    KeptRun entry;
    entry.run = run;
    entry.title = experiment;
    entry.ended = QDateTime::currentDateTime();
    return entry;
}

class RunListTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestStandsFirst()
    {
        RunList list;
        list.add(kept("one", 1));
        list.add(kept("two", 1));
        QCOMPARE(list.at(0).title, "two");
        QCOMPARE(list.newestOf("one")->title, "one");
        QCOMPARE(list.newestOf("three"), nullptr);
    }

    /// Each of these takes a little over 640 kB, so that two fit in 1.5 MB and a third does not.
    void dropsTheOldestBeyondItsMemory()
    {
        RunList list(nullptr, 1'500'000);
        list.add(kept("one", 10'000));
        list.add(kept("two", 10'000));
        QCOMPARE(list.count(), 2);
        list.add(kept("three", 10'000));
        QCOMPARE(list.count(), 2);
        QCOMPARE(list.at(0).title, "three");
        QCOMPARE(list.at(1).title, "two");
        list.add(kept("huge", 1'000'000)); // larger than all that is allowed: kept, since it is what is shown
        QCOMPARE(list.count(), 1);
        QCOMPARE(list.findChild<QTreeWidget *>()->topLevelItemCount(), 1);
    }

    void choosingARowAsksForItsRun()
    {
        RunList list;
        QSignalSpy asked(&list, &RunList::asked);
        list.add(kept("one", 1));
        list.add(kept("two", 1));
        QCOMPARE(asked.count(), 0);
        auto *tree = list.findChild<QTreeWidget *>();
        tree->setCurrentItem(tree->topLevelItem(1));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<KeptRun>().title, "one");
    }

    void runsOfASetStandBelowIt()
    {
        RunList list;
        QSignalSpy asked(&list, &RunList::asked);
        KeptRun set = kept("set", 1);
        set.children = {{"lag-0", "Lag 0 ms", kept("set", 1).run, {}, {}}, {"lag-50", "Lag 50 ms", kept("set", 1).run, {}, {}}};
        list.add(set);
        list.add(kept("other", 1));
        QCOMPARE(list.count(), 2);
        auto *tree = list.findChild<QTreeWidget *>();
        QCOMPARE(tree->topLevelItem(1)->childCount(), 2);
        tree->setCurrentItem(tree->topLevelItem(1)->child(1));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<KeptRun>().title, "Lag 50 ms");
        QCOMPARE(asked.first().first().value<KeptRun>().run, set.children[1].run);

        QCOMPARE(list.setOf(set.children[0].run), list.find(set.run));
        QCOMPARE(list.setOf(set.run), nullptr);
        QCOMPARE(list.setOf(nullptr), nullptr);
        QCOMPARE(list.child(set.run, "lag-0")->title, "Lag 0 ms");
        QVERIFY(!list.child(set.run, "lag-7"));
        list.mark(set.children[0].run);
        QCOMPARE(tree->currentItem(), tree->topLevelItem(1)->child(0));
        QCOMPARE(asked.count(), 1); // marking asks for nothing
    }

    /// A set that was opened knows where its runs lie; each is read when it is wanted.
    void runsInFilesAreFilledIn()
    {
        RunList list;
        KeptRun set = kept("set", 1);
        set.children = {{"lag-0", "lag-0", nullptr, {}, "set.children/lag-0.interlock.jsonl"}};
        list.add(set);
        QVERIFY(!list.child(set.run, "lag-0")->run);
        const auto record = kept("set", 3).run;
        QVERIFY(!list.fill("elsewhere", record, {}));
        QCOMPARE(list.fill("set.children/lag-0.interlock.jsonl", record, {})->run, record);
        QCOMPARE(list.child(set.run, "lag-0")->run, record);
        QCOMPARE(list.setOf(record)->title, "set");
    }

    void aSetTakesItsRunsWithIt()
    {
        RunList list(nullptr, 1'500'000);
        KeptRun set = kept("set", 1);
        set.children = {{"a", "a", kept("set", 10'000).run, {}, {}}, {"b", "b", kept("set", 10'000).run, {}, {}}};
        list.add(set);
        list.add(kept("new", 10'000)); // three of these are too much
        QCOMPARE(list.count(), 1);
        QCOMPARE(list.at(0).title, "new");
    }

    void badgeSaysWhatWasReal()
    {
        Header header;
        header.experiment = "lock-release";
        header.nodes = {{"redis", "primary", "7.0.15", true, {}}};
        header.lanes = {{Lane::Type::Actor, "A", {}}, {Lane::Type::Actor, "B", {}}, {Lane::Type::Actor, "C", {}}, {Lane::Type::Node, "redis", "lock"}};
        QCOMPARE(badgeText(header, 24, false), "Redis 7.0.15 · own server · real time, pace 1 · 3 clients · 24 commands");
        header.relay = true;
        header.clockShim = true;
        header.pace = 0.1;
        QCOMPARE(badgeText(header, 1, false),
            "Redis 7.0.15 · own server · through a relay · shifted clocks · real time, pace 0.1 · 3 clients · 1 command");
        header.target = "redis://127.0.0.1:6390";
        QVERIFY(badgeText(header, 1, false).contains("your server redis://127.0.0.1:6390"));
        QVERIFY(badgeText(header, 1, true).startsWith("Recorded"));
    }
};

}

QTEST_MAIN(RunListTest)
#include "tst_runlist.moc"
