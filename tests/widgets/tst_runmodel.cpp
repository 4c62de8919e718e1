// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"
#include "widgets/runmodel.h"

#include <QTest>

using namespace interlock;

class RunModelTest : public QObject
{
    Q_OBJECT

private slots:
    void aLiveRunHasTheDecisionsOfItsBatches();
};

void RunModelTest::aLiveRunHasTheDecisionsOfItsBatches()
{
    samples::RunBuilder builder(QStringLiteral("limiter-windows"), QStringLiteral("safe"));
    LimiterInfo gcra;
    gcra.name = QStringLiteral("gcra");
    gcra.limit = 5;
    builder.limiter(gcra);
    builder.decision(1, "A", "gcra", LimiterAnswer::Admitted, {.cost = 1});
    builder.phase(2, "Burst");
    builder.decision(3, "A", "gcra", LimiterAnswer::Rejected, {.cost = 2});
    const Run recorded = builder.finish(4);

    RunModel model;
    model.begin({});
    for (size_t i = 0; i < recorded.events.size(); ++i) {
        Batch batch;
        if (i == 0) {
            for (size_t name = 1; name < recorded.names.size(); ++name)
                batch.names.push_back(recorded.names.bytes(Name(name)));
        }
        batch.events = {recorded.events[i]};
        if (const DecisionFigures *figures = recorded.figures(recorded.events[i]))
            batch.decisions = {*figures};
        batch.limiters = recorded.header.limiters;
        model.append(batch);
    }
    QVERIFY(model.run().events == recorded.events);
    QVERIFY(model.run().decisions == recorded.decisions);
    QVERIFY(model.run().header.limiters == recorded.header.limiters);
    QCOMPARE(model.run().figures(model.run().events[2])->cost, 2);
}

QTEST_GUILESS_MAIN(RunModelTest)
#include "tst_runmodel.moc"
