// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a watch is ready. What it records of real servers: see tst_grouprun.
#include "engine/lab/groupwatch.h"
#include "tests/support/fakeclock.h"

#include <QTest>

using namespace interlock;

class tst_GroupWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isReadyLater()
    {
        FakeTime time;
        int told = 0;
        const GroupWatch watch({}, time.recorder, time.clock, [&](const Result<void> &ready) { told += ready.ok(); });
        QCOMPARE(told, 0); // whoever makes it does not have it yet
        QVERIFY(time.clock.advance());
        QCOMPARE(told, 1);
    }

    void tellsNobodyOnceItIsGone()
    {
        FakeTime time;
        bool isTold = false;
        std::make_unique<GroupWatch>(std::vector<GroupNode>(), time.recorder, time.clock, [&](const Result<void> &) { isTold = true; }).reset();
        time.clock.advanceBy(1s);
        QVERIFY(!isTold);
    }
};

QTEST_GUILESS_MAIN(tst_GroupWatch)
#include "tst_groupwatch.moc"
