// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets of runs in the window: how far one is, its runs while it goes on and afterwards, its files.
#include "app/menus.h"
#include "engine/run/setfiles.h"
#include "tests/support/laboratory.h"
#include "tests/support/measuring.h"
#include "tests/support/testserver.h"
#include "widgets/banner.h"
#include "widgets/controlpanel.h"
#include "widgets/measures/matrixview.h"
#include "widgets/measures/measuresview.h"
#include "widgets/runpage.h"
#include "widgets/verdictbar.h"

#include <QAction>
#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace interlock;

namespace {

/// A set whose runs are told of by hand. The run in which they come is a real one, which goes on until it is stopped.
struct GoingSet
{
    GoingSet()
    {
        lab.window.choose(QStringLiteral("limiter-memory"));
        QObject::connect(&session(), &Session::began, &lab.window, [this](quint64 run) { number = run; });
        lab.window.run();
        if (QTest::qWaitFor([this] { return number > 0; }, 20'000))
            progress(0);
    }
    Session &session() { return lab.window.session(); }
    void progress(int ended, qint64 left = never) { Q_EMIT session().setProgressed(number, ended, 30, left); }
    std::shared_ptr<const Run> childEnds(const QString &name, int events)
    {
        const auto record = std::make_shared<const Run>(recordOf(QStringLiteral("limiter-memory"), events));
        Q_EMIT session().childFinished(number, name, QStringLiteral("Run ") + name, record, Verdict());
        return record;
    }
    void ask(const QString &child) { Q_EMIT lab.window.page().measures().childAsked(child); }
    QString said() { return lab.window.page().banner().text(); }
    bool stop()
    {
        lab.window.control().stop();
        return QTest::qWaitFor([this] { return !lab.window.control().isRunning(); }, 5'000);
    }

    Laboratory lab;
    quint64 number = 0;
};

}

class TestWindowSets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useKeeperOfProgram(); }

    void saysHowFarItIs()
    {
        GoingSet set;
        QVERIFY(set.number > 0);
        const VerdictBar &verdict = set.lab.window.page().verdict();
        QTRY_VERIFY(verdict.texts().sentence.endsWith(QStringLiteral("0 of 30")));
        QVERIFY(set.lab.window.page().measures().isVisible());
        set.progress(12, 40'400'000'000);
        QTRY_VERIFY(verdict.texts().sentence.endsWith(QStringLiteral("12 of 30, about 40 s left")));
        set.progress(13, 165'000'000'000);
        QTRY_VERIFY(verdict.texts().sentence.endsWith(QStringLiteral("13 of 30, about 3 min left")));
        QVERIFY(set.stop());
    }

    /// Each run stands below its set from its end on, and is looked at while the set goes on; what the set measures meanwhile is there afterwards.
    void aRunIsLookedAtWhileItsSetGoesOn()
    {
        GoingSet set;
        MainWindow &window = set.lab.window;
        QCOMPARE(window.runs().count(), 1);
        QVERIFY(window.runs().at(0).isGoing);
        QVERIFY(!window.runs().findChild<QTreeWidget *>()->topLevelItem(0)->text(0).startsWith(u'?'));
        const std::shared_ptr<const Run> first = set.childEnds("first", 5);
        set.childEnds("second", 6);
        Q_EMIT set.session().childFinished(set.number + 7, QStringLiteral("another's"), {}, first, Verdict());
        QCOMPARE(window.runs().at(0).children.size(), size_t(2));
        set.ask("third");
        QVERIFY(set.said().contains("third"));
        QVERIFY(window.model().isLive() && !window.menus().backToSet->isEnabled());

        const size_t before = window.model().run().events.size();
        size_t meanwhile = 0;
        connect(&set.session(), &Session::batchReady, &window, [&meanwhile](const Batch &batch) { meanwhile += batch.events.size(); });
        set.ask("first");
        QCOMPARE(window.model().finishedRun(), first);
        QVERIFY(window.control().isRunning() && !window.page().measures().isVisible());
        QVERIFY(window.menus().backToSet->isEnabled() && window.menus().stop->isEnabled() && window.menus().save->isEnabled());
        QVERIFY2(set.said().contains("Alt+Up"), qPrintable(set.said()));
        set.progress(14);
        QVERIFY2(set.said().contains("14 of 30"), qPrintable(set.said()));
        const VerdictTexts texts = window.page().verdict().texts();
        QSignalSpy grown(&window.model(), &RunModel::grown);
        QSignalSpy batches(&set.session(), &Session::batchReady);
        QTRY_VERIFY_WITH_TIMEOUT(batches.count() >= 5 && meanwhile > 0, 20'000); // about one in 16 ms, and the bar is told of the time each 100 ms
        QVERIFY(grown.isEmpty());
        QCOMPARE(window.page().verdict().texts(), texts);

        window.menus().backToSet->trigger();
        QVERIFY(window.model().isLive() && window.page().measures().isVisible() && !window.menus().backToSet->isEnabled());
        QCOMPARE(window.model().run().events.size(), before + meanwhile);
        QTRY_VERIFY(window.page().verdict().texts().sentence.endsWith(QStringLiteral("14 of 30")));
        QVERIFY(set.said().isEmpty());
        QVERIFY(set.stop());
        QCOMPARE(window.runs().count(), 1);
        QVERIFY(!window.runs().at(0).isGoing);
        QCOMPARE(window.runs().at(0).children.size(), size_t(2));
    }

    void theListOfRunsLeadsThereAndBack()
    {
        GoingSet set;
        MainWindow &window = set.lab.window;
        const std::shared_ptr<const Run> first = set.childEnds("first", 5);
        auto *list = window.runs().findChild<QTreeWidget *>();
        QCOMPARE(list->topLevelItem(0)->childCount(), 1);
        list->setCurrentItem(list->topLevelItem(0)->child(0));
        QCOMPARE(window.model().finishedRun(), first);
        QVERIFY(window.control().isRunning());
        list->setCurrentItem(list->topLevelItem(0));
        QVERIFY(window.model().isLive() && window.control().isRunning());
        list->topLevelItem(0)->setExpanded(true);
        QVERIFY(set.stop());
        QCOMPARE(list->topLevelItemCount(), 1);
        QVERIFY(list->topLevelItem(0)->isExpanded()); // as the person left it
    }

    /// The person goes on looking at the run, and the way back leads to what the set has become.
    void aSetEndsWhileOneOfItsRunsIsLookedAt()
    {
        GoingSet set;
        MainWindow &window = set.lab.window;
        const std::shared_ptr<const Run> first = set.childEnds("first", 5);
        set.ask("first");
        const VerdictTexts texts = window.page().verdict().texts();
        QVERIFY(set.stop());
        QCOMPARE(window.model().finishedRun(), first);
        QCOMPARE(window.page().verdict().texts(), texts);
        QVERIFY2(set.said().contains("Alt+Up"), qPrintable(set.said()));
        QCOMPARE(window.runs().count(), 1);
        window.menus().backToSet->trigger();
        QCOMPARE(window.model().finishedRun(), window.runs().at(0).run);
        QVERIFY(!window.model().run().isComplete);
        set.ask("first");
        QCOMPARE(window.model().finishedRun(), first);
    }

    void anotherRunEndsTheSet()
    {
        GoingSet set;
        MainWindow &window = set.lab.window;
        set.childEnds("first", 5);
        set.ask("first");
        window.choose(QStringLiteral("lock-release"));
        QTRY_VERIFY_WITH_TIMEOUT(window.runs().count() == 1 && !window.runs().at(0).isGoing, 5'000); // what it had is kept
        QCOMPARE(window.runs().at(0).children.size(), size_t(1));
        QVERIFY(!window.model().isAside() && !window.model().isLive());
        QVERIFY(!window.menus().backToSet->isEnabled());
    }

    void isSavedWithItsRuns()
    {
        GoingSet set;
        MainWindow &window = set.lab.window;
        const std::shared_ptr<const Run> first = set.childEnds("first", 5);
        set.childEnds("second", 6);
        QVERIFY(set.stop());
        const std::shared_ptr<const Run> whole = window.model().finishedRun();
        set.ask("first");
        QCOMPARE(window.model().finishedRun(), first);
        QCOMPARE(window.runs().count(), 1);
        QVERIFY(!window.page().measures().isVisible()); // it has none
        window.menus().backToSet->trigger();
        QCOMPARE(window.model().finishedRun(), whole);
        const QString path = set.lab.directory.filePath("set.interlock.jsonl");
        window.saveTo(path);
        QTRY_VERIFY_WITH_TIMEOUT(set.said().contains(path), 10'000);
        QVERIFY(QFile::exists(childFile(path, QStringLiteral("first"))) && QFile::exists(childFile(path, QStringLiteral("second"))));
    }

    /// Two groups of servers, two failovers.
    void aRealSetIsLookedInto()
    {
        Laboratory lab;
        lab.window.choose(QStringLiteral("failover-lock-loss"));
        lab.window.panel().choosePreset(QStringLiteral("statistics"));
        ParameterForm::Written values = lab.window.panel().form().written();
        values.removeIf([](const auto &value) { return value.first == "runs"; });
        values.append(std::pair(QStringLiteral("runs"), QStringLiteral("3")));
        lab.window.panel().setValues(values);
        lab.window.run();
        QTRY_VERIFY_WITH_TIMEOUT(lab.window.runs().count() == 1 && !lab.window.runs().at(0).children.empty(), 60'000);
        const ChildRun child = lab.window.runs().at(0).children.front();
        QVERIFY(lab.window.model().isLive());
        Q_EMIT lab.window.page().matrix().childAsked(child.name);
        QCOMPARE(lab.window.model().finishedRun(), child.run);
        QVERIFY(lab.window.control().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!lab.window.control().isRunning(), 120'000);
        QCOMPARE(lab.window.model().finishedRun(), child.run);
        lab.window.menus().backToSet->trigger();
        QVERIFY2(lab.window.model().run().isComplete, qPrintable(lab.window.model().run().incompleteBecause));
        QCOMPARE(childrenNamedIn(lab.window.model().run()).size(), 3);
        QCOMPARE(lab.window.runs().at(0).children.size(), size_t(3));
        QVERIFY2(lab.window.page().verdict().texts().sentence.contains("of 3"), qPrintable(lab.window.page().verdict().texts().sentence));
    }

    void aSavedSetFindsItsRuns()
    {
        Laboratory lab;
        test::Measuring measuring({{QStringLiteral("lost"), QStringLiteral("Lost"), {}, QStringLiteral("Locks lost"), {}, {}}});
        measuring.share("lost", never, 0, 1, "run-1").share("lost", never, 1, 1, "run-2").share("lost", never, 1, 1, "run-3");
        Run set = measuring.run();
        set.header.experiment = QStringLiteral("limiter-memory");
        const QString path = lab.directory.filePath("set.interlock.jsonl");
        std::vector<ChildRun> children;
        for (int i = 1; i <= 3; ++i)
            children.push_back({QStringLiteral("run-%1").arg(i), {}, std::make_shared<const Run>(recordOf("limiter-memory", 10 + i)), {}, {}});
        QVERIFY(writeSetFiles(path, set, Verdict(), children).ok());
        QVERIFY(QFile::remove(childFile(path, QStringLiteral("run-2"))));

        lab.window.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.runs().count(), 1, 10'000);
        QCOMPARE(lab.window.runs().at(0).children.size(), size_t(2));
        QVERIFY2(lab.window.page().banner().text().contains(QStringLiteral("run-2")), qPrintable(lab.window.page().banner().text()));
        QVERIFY(lab.window.page().measures().isVisible());
        QCOMPARE(lab.window.page().verdict().texts().sentence, QStringLiteral("Lost: 2 of 3, 67 % (21 % to 94 %)."));

        Q_EMIT lab.window.page().measures().childAsked(QStringLiteral("run-3"));
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.model().run().events.size(), size_t(13), 10'000);
        QCOMPARE(lab.window.runs().count(), 1);
        lab.window.menus().backToSet->trigger();
        QCOMPARE(lab.window.model().run().events.size(), size_t(3));
        Q_EMIT lab.window.page().measures().childAsked(QStringLiteral("run-2"));
        QVERIFY(lab.window.page().banner().text().contains(QStringLiteral("run-2")));
        QCOMPARE(lab.window.model().run().events.size(), size_t(3));
    }
};

QTEST_MAIN(TestWindowSets)
#include "tst_windowsets.moc"
