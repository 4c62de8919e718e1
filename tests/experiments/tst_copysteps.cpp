// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How samples become the steps of a copy. The samples are written by hand, after what a Redis 7.0 answers while it copies.
#include "engine/experiments/copysteps.h"

#include <QTest>

using namespace interlock;

namespace {

using What = CopyStep::What;
using Steps = std::vector<CopyStep>;

CopySample linked(qint64 at, qint64 sent, qint64 applied, qint64 copies = 1)
{
    CopySample sample;
    sample.at = at;
    sample.fullCopies = copies;
    sample.isLinked = true;
    sample.sent = sent;
    sample.applied = applied;
    return sample;
}

CopySample down(qint64 at, qint64 sent, qint64 copies = 1)
{
    CopySample sample = linked(at, sent, 0, copies);
    sample.isLinked = false;
    return sample;
}

CopySample writing(qint64 at, qint64 sent)
{
    CopySample sample = down(at, sent, 2);
    sample.isWriting = true;
    return sample;
}

CopySample sending(qint64 at, qint64 sent, qint64 snapshot)
{
    CopySample sample = down(at, sent, 2);
    sample.snapshot = snapshot;
    return sample;
}

CopySample loading(qint64 at, qint64 sent, qint64 snapshot)
{
    CopySample sample = sending(at, sent, snapshot);
    sample.isLoading = true;
    return sample;
}

Steps stepsOf(const std::vector<CopySample> &samples)
{
    CopySteps steps;
    Steps all;
    for (const CopySample &sample : samples) {
        for (const CopyStep &step : steps.add(sample))
            all.push_back(step);
    }
    return all;
}

}

Q_DECLARE_METATYPE(std::vector<CopySample>)
Q_DECLARE_METATYPE(std::vector<CopyStep>)

class CopyStepsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheStepsOfACopy_data()
    {
        QTest::addColumn<std::vector<CopySample>>("samples");
        QTest::addColumn<Steps>("expected");
        QTest::newRow("nothing happens") << std::vector {linked(10, 100, 100), linked(20, 150, 140), linked(30, 150, 150)} << Steps {};
        QTest::newRow("never linked yet") << std::vector {down(10, 100, 0), writing(20, 100), linked(30, 100, 100, 2)} << Steps {};
        QTest::newRow("down for ever") << std::vector {linked(10, 100, 100), down(20, 150), down(30, 200)} << Steps {};
        QTest::newRow("increment") << std::vector {linked(10, 100, 90), down(20, 150), down(30, 300), linked(40, 300, 300)}
                                   << Steps {{What::Increment, 40, 40, 210}};
        QTest::newRow("increment that takes a while")
            << std::vector {linked(10, 100, 100), down(20, 150), linked(40, 300, 120), linked(50, 310, 290), linked(60, 320, 305)}
            << Steps {{What::Increment, 40, 60, 200}};
        QTest::newRow("full copy")
            << std::vector {linked(10, 100, 100), down(20, 900), writing(30, 1000), writing(40, 1010), sending(50, 1020, 5000), loading(60, 1030, 5000),
                   loading(70, 1040, 5000), linked(80, 1050, 1020, 2), linked(90, 1060, 1060, 2)}
            << Steps {{What::Snapshot, 30, 50, 5000}, {What::Transfer, 50, 60, 5000}, {What::Load, 60, 80, 5000}, {What::Buffer, 30, 80, 50},
                   {What::CatchUp, 80, 90, 50}};
        QTest::newRow("full copy between two samples") << std::vector {linked(10, 100, 100), down(20, 900), linked(30, 1000, 1000, 2)}
                                                       << Steps {{What::Snapshot, 30, 30, 0}, {What::Transfer, 30, 30, 0}, {What::Load, 30, 30, 0},
                                                              {What::Buffer, 30, 30, 0}, {What::CatchUp, 30, 30, 0}};
        QTest::newRow("the transfer is over before it is seen")
            << std::vector {linked(10, 100, 100), down(20, 900), writing(30, 1000), loading(60, 1030, 5000), linked(80, 1050, 1050, 2)}
            << Steps {{What::Snapshot, 30, 60, 5000}, {What::Transfer, 60, 60, 5000}, {What::Load, 60, 80, 5000}, {What::Buffer, 30, 80, 50},
                   {What::CatchUp, 80, 80, 50}};
        QTest::newRow("an increment after a full copy")
            << std::vector {linked(10, 100, 100), writing(30, 1000), loading(60, 1030, 5000), linked(80, 1050, 1050, 2), down(90, 1060, 2),
                   linked(95, 1070, 1070, 2)}
            << Steps {{What::Snapshot, 30, 60, 5000}, {What::Transfer, 60, 60, 5000}, {What::Load, 60, 80, 5000}, {What::Buffer, 30, 80, 50},
                   {What::CatchUp, 80, 80, 50}, {What::Increment, 95, 95, 20}};
    }
    void tellsTheStepsOfACopy()
    {
        QFETCH(std::vector<CopySample>, samples);
        QFETCH(Steps, expected);
        const Steps steps = stepsOf(samples);
        QCOMPARE(steps.size(), expected.size());
        for (size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(stepWord(steps[i].what), stepWord(expected[i].what));
            QCOMPARE(steps[i].from, expected[i].from);
            QCOMPARE(steps[i].until, expected[i].until);
            QCOMPARE(steps[i].bytes, expected[i].bytes);
        }
    }

    void readsASampleOffINFO()
    {
        const InfoFields primary("sync_full:2\r\nmaster_repl_offset:9289982\r\nrepl_backlog_first_byte_offset:9027839\r\n"
                                 "slave0:ip=127.0.0.1,port=6391,state=wait_bgsave,offset=0,lag=0\r\n");
        const InfoFields replica("role:slave\r\nmaster_link_status:down\r\nslave_repl_offset:8258982\r\nmaster_sync_in_progress:1\r\n"
                                 "master_sync_total_bytes:-1\r\nloading:0\r\n");
        const CopySample waiting = CopySample::from(primary, replica, 7);
        QCOMPARE(waiting.at, qint64(7));
        QCOMPARE(waiting.fullCopies, qint64(2));
        QVERIFY(waiting.isWriting && !waiting.isLoading && !waiting.isLinked);
        QCOMPARE(waiting.sent, qint64(9289982));
        QCOMPARE(waiting.oldest, qint64(9027839));
        QCOMPARE(waiting.applied, qint64(0));
        QCOMPARE(waiting.snapshot, qint64(0));

        const InfoFields online("sync_full:2\r\nmaster_repl_offset:9410611\r\nslave0:ip=127.0.0.1,port=6391,state=online,offset=1,lag=0\r\n");
        const InfoFields loads("master_link_status:down\r\nmaster_sync_in_progress:1\r\nmaster_sync_total_bytes:8212081\r\nloading:1\r\n");
        const CopySample loading = CopySample::from(online, loads, 8);
        QVERIFY(!loading.isWriting && loading.isLoading && !loading.isLinked);
        QCOMPARE(loading.snapshot, qint64(8212081));

        const CopySample done = CopySample::from(online, InfoFields("master_link_status:up\r\nslave_repl_offset:9410000\r\nloading:0\r\n"), 9);
        QVERIFY(done.isLinked && !done.isLoading);
        QCOMPARE(done.applied, qint64(9410000));
    }
};

QTEST_APPLESS_MAIN(CopyStepsTest)
#include "tst_copysteps.moc"
