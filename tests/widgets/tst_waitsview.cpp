// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"
#include "widgets/waitsplot.h"

#include <QTest>

using namespace interlock;

namespace {

class WaitsViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A waits 100 ms and B 300 ms, each granted once: the median by nearest rank is 100, 99 % are within 300, and both got the same share.
    void summaryHasMedianAndFairness()
    {
        samples::RunBuilder builder("lock-contention", "safe");
        builder.actor("A").actor("B").node("redis", "lock");
        builder.belief(Belief::Wants, 0, "A", "a");
        builder.belief(Belief::Wants, 0, "B", "b");
        builder.belief(Belief::Granted, 100, "A", "a", 1000);
        builder.belief(Belief::Granted, 300, "B", "b", 1000);
        const QString summary = waitsSummary(waitsOf(builder.finish(400)));
        QVERIFY2(summary.contains("Median wait 100 ms"), qPrintable(summary));
        QVERIFY2(summary.contains("99 % within 300 ms"), qPrintable(summary));
        QVERIFY2(summary.contains("Fairness of acquisitions 1.00"), qPrintable(summary));
    }

    void summaryNamesThoseWhoWaitedInVain()
    {
        samples::RunBuilder builder("lock-contention", "safe");
        builder.actor("A").actor("B").node("redis", "lock");
        builder.belief(Belief::Wants, 0, "A", "a");
        builder.belief(Belief::Wants, 0, "B", "b");
        builder.belief(Belief::Granted, 100, "A", "a", 1000);
        const QString summary = waitsSummary(waitsOf(builder.finish(400)));
        QVERIFY2(summary.contains("1 of 2 clients were never granted it."), qPrintable(summary));
    }

    void summaryWithoutGrantsSaysSo()
    {
        samples::RunBuilder builder("lock-contention", "safe");
        builder.actor("A");
        builder.belief(Belief::Wants, 0, "A", "a");
        const QString summary = waitsSummary(waitsOf(builder.finish(10)));
        QVERIFY2(summary.startsWith("No client"), qPrintable(summary));
    }
};

}

QTEST_MAIN(WaitsViewTest)
#include "tst_waitsview.moc"
