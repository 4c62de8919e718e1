// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/eventtable.h"
#include "widgets/eventtablemodel.h"
#include "widgets/runmodel.h"

#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTest>

using namespace interlock;

namespace {

Event command(Names &names, qint64 at, const char *who, const char *text, const char *reply)
{
    Event event;
    event.kind = Event::Kind::Command;
    event.at = at;
    event.answered = at + 1'000'000;
    event.lane = names.intern(QByteArrayView(who));
    event.text = names.intern(QByteArrayView(text));
    event.detail = names.intern(QByteArrayView(reply));
    return event;
}

std::shared_ptr<Run> threeCommands()
{
    auto run = std::make_shared<Run>();
    run->header.experiment = "lock-release";
    run->header.lanes = {{Lane::Type::Actor, "A", {}}, {Lane::Type::Actor, "B", {}}, {Lane::Type::Node, "redis", "lock"}};
    run->events = {command(run->names, 101'000'000, "A", "SET lock 7f3a NX", "OK"), command(run->names, 149'000'000, "B", "SET lock c210 NX", "(nil)"),
        command(run->names, 1'604'000'000, "A", "DEL lock", "1")};
    run->duration = 2'000'000'000;
    run->isComplete = true;
    return run;
}

Verdict brokenBy(size_t event)
{
    Verdict verdict;
    verdict.judgement = Judgement::Broken;
    CheckResult check;
    check.check = "release-by-owner";
    check.judgement = Judgement::Broken;
    check.events = {event};
    verdict.checks = {check};
    return verdict;
}

class EventTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsARowForEachEvent()
    {
        RunModel run;
        EventTableModel rows(run);
        run.show(threeCommands(), {});
        QCOMPARE(rows.rowCount(), 3);
        QCOMPARE(rows.columnCount(), 5);
        QCOMPARE(rows.index(0, 0).data().toString(), "0.101");
        QCOMPARE(rows.index(1, 1).data().toString(), "B");
        QCOMPARE(rows.index(2, 2).data().toString(), "DEL lock");
        QCOMPARE(rows.index(1, 3).data().toString(), "(nil)");
    }

    void givesEachActorItsOwnColour()
    {
        RunModel run;
        EventTableModel rows(run);
        run.show(threeCommands(), {});
        const Theme theme = Theme::light();
        QCOMPARE(rows.index(0, 1).data(Qt::DecorationRole).value<QColor>(), theme.owner(0));
        QCOMPARE(rows.index(1, 1).data(Qt::DecorationRole).value<QColor>(), theme.owner(1));
        QCOMPARE(rows.index(2, 1).data(Qt::DecorationRole).value<QColor>(), theme.owner(0));
    }

    void marksOnlyWhatProvesTheBreach()
    {
        RunModel run;
        EventTableModel rows(run);
        run.show(threeCommands(), brokenBy(2));
        QVERIFY(!rows.provesBreach(0));
        QVERIFY(rows.provesBreach(2));
        QVERIFY(rows.index(2, 0).data(Qt::BackgroundRole).isValid());
        QVERIFY(!rows.index(0, 0).data(Qt::BackgroundRole).isValid());
        Verdict held = brokenBy(2);
        held.checks[0].judgement = Judgement::Held;
        run.show(threeCommands(), held);
        QVERIFY(!rows.provesBreach(2));
    }

    void growsWithALiveRun()
    {
        RunModel run;
        EventTableModel rows(run);
        const auto record = threeCommands();
        run.begin(record->header);
        Batch batch;
        for (size_t i = 1; i < record->names.size(); ++i)
            batch.names.push_back(record->names.bytes(static_cast<Name>(i)));
        batch.events = {record->events[0], record->events[1]};
        batch.lanes = record->header.lanes;
        run.append(batch);
        QTRY_COMPARE_WITH_TIMEOUT(rows.rowCount(), 2, 2000);
        batch.names.clear();
        batch.events = {record->events[2]};
        run.append(batch);
        QTRY_COMPARE_WITH_TIMEOUT(rows.rowCount(), 3, 2000);
        QCOMPARE(rows.index(2, 2).data().toString(), "DEL lock");
    }

    void rowAndEventAreSelectedTogether()
    {
        RunModel run;
        EventTable table(run);
        table.setTheme(Theme::light());
        run.show(threeCommands(), {});
        table.setCurrentIndex(table.model()->index(1, 2));
        QCOMPARE(run.selected(), std::optional<size_t>(1));
        run.select(2);
        QCOMPARE(table.currentIndex().row(), 2);
        QCOMPARE(run.selected(), std::optional<size_t>(2));
        run.select({});
        QVERIFY(!table.selectionModel()->hasSelection());
    }

    void copiesRowsAndCommands()
    {
        RunModel run;
        EventTable table(run);
        table.setTheme(Theme::light());
        run.show(threeCommands(), {});
        table.selectRow(0);
        QCOMPARE(table.selectedCommands(), "redis-cli SET lock 7f3a NX\n");
        QCOMPARE(table.actorCommands(), "redis-cli SET lock 7f3a NX\nredis-cli DEL lock\n");
        QVERIFY2(table.selectedText().startsWith("0.101\tA\tSET lock 7f3a NX\tOK\t"), qPrintable(table.selectedText()));
        table.selectAll();
        QCOMPARE(table.selectedText().count('\n'), 3);
        table.show();
        table.activateWindow();
        table.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::clipboard()->text(), table.selectedText(), 2000);
    }

    /// A million rows: showing them, going to the last and painting must not take as long as making a million of anything would.
    void staysFluidWithAMillionRows()
    {
        auto record = threeCommands();
        const Event one = record->events[0];
        record->events.assign(1'000'000, one);
        RunModel run;
        EventTable table(run);
        table.setTheme(Theme::light());
        table.resize(900, 300);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QElapsedTimer timer;
        timer.start();
        run.show(record, {});
        run.select(999'999);
        table.grab();
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString("%1 ms").arg(timer.elapsed())));
        QCOMPARE(table.currentIndex().row(), 999'999);
    }
};

}

QTEST_MAIN(EventTableTest)
#include "tst_eventtable.moc"
