// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/eventrows.h"

#include <QTest>

using namespace interlock;

class EventRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aScriptIsCalledByItsName_data();
    void aScriptIsCalledByItsName();
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

QTEST_GUILESS_MAIN(EventRowsTest)
#include "tst_eventrows.moc"
