// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"
#include "widgets/eventrows.h"

#include <QTest>

using namespace interlock;

class EventRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aScriptIsCalledByItsName_data();
    void aScriptIsCalledByItsName();
    void aDecisionSaysWhatWasAskedAndPromised_data();
    void aDecisionSaysWhatWasAskedAndPromised();
};

void EventRowsTest::aScriptIsCalledByItsName_data()
{
    QTest::addColumn<QByteArray>("recorded");
    QTest::addColumn<bool>("shortened");
    QTest::addColumn<QString>("shown");
    QTest::newRow("by its SHA") << QByteArray("EVALSHA abc123 1 lock c210") << false << "EVALSHA compare-and-delete lock c210";
    QTest::newRow("by its body") << QByteArray("EVAL \"-- Removes\\nreturn 1\\n\" 1 lock c210") << false
                                 << "EVAL compare-and-delete lock c210";
    QTest::newRow("shortened inside of its body") << QByteArray("EVAL \"-- Removes\\nretu…") << true << "EVAL compare-and-delete …";
    QTest::newRow("an unknown SHA") << QByteArray("EVALSHA ffff 1 lock c210") << false << "EVALSHA ffff 1 lock c210";
    QTest::newRow("an unknown body") << QByteArray("EVAL \"return 2\" 0") << false << "EVAL \"return 2\" 0";
    QTest::newRow("no script") << QByteArray("SET lock c210 NX PX 1500") << false << "SET lock c210 NX PX 1500";
}

void EventRowsTest::aScriptIsCalledByItsName()
{
    QFETCH(QByteArray, recorded);
    QFETCH(bool, shortened);
    Run run;
    run.header.scripts = {{QStringLiteral("locks/compare-and-delete"), QStringLiteral("abc123"), QStringLiteral("-- Removes\nreturn 1\n")}};
    Event event;
    event.kind = Event::Kind::Command;
    event.text = run.names.intern(recorded);
    event.flags = shortened ? Event::Shortened : 0;
    run.events = {event};
    QTEST(eventRow(run, 0).command, "shown");
}

void EventRowsTest::aDecisionSaysWhatWasAskedAndPromised_data()
{
    QTest::addColumn<LimiterAnswer>("what");
    QTest::addColumn<qint64>("retryAfter");
    QTest::addColumn<qint64>("delay");
    QTest::addColumn<QByteArray>("detail");
    QTest::addColumn<QStringList>("shown"); ///< answer, note
    QTest::newRow("admitted") << LimiterAnswer::Admitted << qint64(0) << qint64(0) << QByteArray() << QStringList {"admitted", "7 left"};
    QTest::newRow("has to wait") << LimiterAnswer::Admitted << qint64(0) << qint64(200'000) << QByteArray()
                                 << QStringList {"admitted", "7 left, waits 200 ms"};
    QTest::newRow("rejected") << LimiterAnswer::Rejected << qint64(1'500'000) << qint64(0) << QByteArray() << QStringList {"rejected", "again in 1.5 s"};
    QTest::newRow("never") << LimiterAnswer::Rejected << never << qint64(0) << QByteArray() << QStringList {"rejected", "never admitted"};
    QTest::newRow("failed") << LimiterAnswer::Failed << never << qint64(0) << QByteArray("let through") << QStringList {"no answer", "let through"};
}

void EventRowsTest::aDecisionSaysWhatWasAskedAndPromised()
{
    QFETCH(LimiterAnswer, what);
    QFETCH(qint64, retryAfter);
    QFETCH(qint64, delay);
    QFETCH(QByteArray, detail);
    samples::RunBuilder builder(QStringLiteral("limiter-windows"), QStringLiteral("safe"));
    const DecisionFigures figures {.cost = 3, .remaining = 7, .retryAfter = retryAfter, .delay = delay};
    const size_t index = builder.decision(10, "A", "gcra", what, figures);
    Run &run = builder.run();
    run.events[index].detail = run.names.intern(detail);
    const EventRow row = eventRow(run, index);
    QCOMPARE(row.who, QStringLiteral("A"));
    QCOMPARE(row.command, QStringLiteral("gcra asks api for 3"));
    QTEST((QStringList {row.answer, row.note}), "shown");
    run.events[index].flags |= Event::Touched;
    QCOMPARE(eventRow(run, index).command, QStringLiteral("probe: gcra asks api for 3"));
    run.events[index].number = 5; // of a damaged record
    QCOMPARE(eventRow(run, index).who, QStringLiteral("A"));
}

QTEST_GUILESS_MAIN(EventRowsTest)
#include "tst_eventrows.moc"
