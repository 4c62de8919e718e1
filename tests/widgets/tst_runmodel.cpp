// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"
#include "widgets/runmodel.h"

#include <QSignalSpy>
#include <QTest>

using namespace interlock;

class RunModelTest : public QObject
{
    Q_OBJECT

private slots:
    void aLiveRunHasTheDecisionsOfItsBatches();
    void aLiveRunGoesOnAside();
    void onlyTheRecordOfTheLiveRunContinuesIt();
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

void RunModelTest::aLiveRunGoesOnAside()
{
    const auto batchOf = [](qint64 now, size_t events) {
        Batch batch;
        batch.events.resize(events);
        batch.now = now;
        return batch;
    };
    RunModel model;
    QSignalSpy reset(&model, &RunModel::reset);
    QSignalSpy grown(&model, &RunModel::grown);
    model.begin({});
    model.append(batchOf(10, 2));
    const auto other = std::make_shared<const Run>(samples::releaseBreak());
    model.lookAt(other, {});
    QVERIFY(model.isAside() && !model.isLive());
    QCOMPARE(model.finishedRun(), other);
    QCOMPARE(model.now(), other->duration);
    model.append(batchOf(20, 3));
    QCOMPARE(model.run().events.size(), other->events.size());
    QCOMPARE(grown.count(), 1);
    model.lookBack();
    QVERIFY(model.isLive() && !model.isAside() && !model.finishedRun());
    QCOMPARE(model.run().events.size(), size_t(5));
    QCOMPARE(model.now(), 20);
    QCOMPARE(reset.count(), 3);

    model.lookAt(other, {});
    model.endAside();
    QVERIFY(!model.isAside());
    QCOMPARE(model.finishedRun(), other);
    model.append(batchOf(30, 1)); // of nobody
    QCOMPARE(grown.count(), 1);
}

void RunModelTest::onlyTheRecordOfTheLiveRunContinuesIt()
{
    Header header;
    header.started = QStringLiteral("2026-01-02T03:04:05Z");
    header.seed = 7;
    const auto recordOf = [&header](quint64 seed) {
        Run run;
        run.header = header;
        run.header.seed = seed;
        return std::make_shared<const Run>(std::move(run));
    };
    RunModel model;
    model.begin(header);
    QVERIFY(!model.isContinued());
    model.show(recordOf(7), {});
    QVERIFY(model.isContinued());
    model.show(recordOf(7), {}); // the live one has ended long since
    QVERIFY(!model.isContinued());
    model.begin(header);
    model.lookAt(recordOf(8), {}); // a run of the same second
    QVERIFY(!model.isContinued());
    model.lookBack();
    QVERIFY(!model.isContinued());
    model.show(recordOf(8), {});
    QVERIFY(!model.isContinued());
}

QTEST_GUILESS_MAIN(RunModelTest)
#include "tst_runmodel.moc"
