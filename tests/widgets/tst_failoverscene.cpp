// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "tests/support/grouprecords.h"
#include "tests/support/pictures.h"
#include "widgets/scenes.h"
#include "widgets/scenes/topologyscene.h"
#include "widgets/theme.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

constexpr qint64 sec(double seconds) { return static_cast<qint64>(seconds * 1e9 + 0.5); }

}

class TestFailoverScene : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunWithAGroupHasTheViews();
    void sameRunGivesTheSameBytes_data();
    void sameRunGivesTheSameBytes();
    void theMomentIsWhereThePromiseBroke();
    void topologySaysRolesLocksAndBeliefs();
    void anotherMomentCanBeAskedFor();
    void ladderSaysEveryStep();
    void failoverHasAllThreePictures();
    void allTextIsInsideAndLargeEnough_data();
    void allTextIsInsideAndLargeEnough();
    void nodesAreData();
    void stepsAreData();

private:
    QString drawnWords(const Run &run, const QString &view, const ExportOptions &options = {})
    {
        return wordsOf(m_pictures.exported(run, view, QStringLiteral("svg"), options));
    }

    Pictures m_pictures;
};

void TestFailoverScene::aRunWithAGroupHasTheViews()
{
    const QStringList views = viewsOf(lockLoss());
    for (const char *view : {"timeline", "topology", "ladder", "failover", "table"})
        QVERIFY2(views.contains(QLatin1String(view)), view);
    QVERIFY(formatsOf(QStringLiteral("topology")).contains(QStringLiteral("json")));
    QVERIFY(!formatsOf(QStringLiteral("failover")).contains(QStringLiteral("csv")));
    Run run = lockLoss();
    for (NodeInfo &node : run.header.nodes)
        node.role = QStringLiteral("independent");
    run.header.experiment = QStringLiteral("lock-release");
    QVERIFY(!viewsOf(run).contains(QStringLiteral("topology")));
}

void TestFailoverScene::sameRunGivesTheSameBytes_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("suffix");
    for (const char *view : {"topology", "ladder", "failover"}) {
        for (const char *suffix : {"svg", "png", "csv", "json"}) {
            if (formatsOf(view).contains(suffix))
                QTest::addRow("%s as %s", view, suffix) << view << suffix;
        }
    }
}

void TestFailoverScene::sameRunGivesTheSameBytes()
{
    QFETCH(QString, view);
    QFETCH(QString, suffix);
    const QByteArray first = m_pictures.exported(lockLoss(), view, suffix);
    QVERIFY(first.size() > 200);
    QCOMPARE(m_pictures.exported(lockLoss(), view, suffix), first);
    QVERIFY(m_pictures.exported(sleepingPrimary(), view, suffix) != first);
    const QByteArray pdf = m_pictures.exported(lockLoss(), view, QStringLiteral("pdf"));
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY(pdf.contains("/CreationDate (D:20260501120000Z)")); // the run's, not the clock's
}

void TestFailoverScene::theMomentIsWhereThePromiseBroke()
{
    const Run broken = lockLoss();
    QCOMPARE(judge(broken).judgement, Judgement::Broken);
    QCOMPARE(tellingMoment(broken, judge(broken)), sec(2.204)); // B began to work beside A
    QCOMPARE(tellingMoment(sleepingPrimary(), {}), sec(2.1)); // the promotion
    QCOMPARE(tellingMoment(abortedFailover(), {}), sec(12)); // the end
}

void TestFailoverScene::topologySaysRolesLocksAndBeliefs()
{
    const QString words = drawnWords(lockLoss(), QStringLiteral("topology"), {.millimetres = {160, 130}});
    for (const char *expected : {"Topology at 2.204 s", "primary, killed", "replica of N1", "promoted", "c210 (B)", "no lock", "votes for S2", "leads, picks N3", "A holds 7f3a",
             "B holds c210", "offset 280", "6403"})
        QVERIFY2(words.contains(QString::fromUtf8(expected)), qPrintable(QString::fromUtf8(expected) + QStringLiteral(" is missing in ") + words));
}

void TestFailoverScene::anotherMomentCanBeAskedFor()
{
    const QString words = drawnWords(lockLoss(), QStringLiteral("topology"), {.millimetres = {160, 130}, .at = sec(0.45)});
    QVERIFY2(words.contains(QStringLiteral("Topology at 0.450 s")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("130 B behind")), qPrintable(words));
    QVERIFY(!words.contains(QStringLiteral("killed at")));
    QVERIFY(!words.contains(QStringLiteral("primary, killed")));
}

void TestFailoverScene::ladderSaysEveryStep()
{
    const QString words = drawnWords(lockLoss(), QStringLiteral("ladder"), {.millimetres = {160, 130}});
    for (const char *expected : {"Failover of N1", "replication cut", "−0.150 s", "+odown 2/2", "+vote ×3 → S2", "promoted", "1.663 s", "+switch → N3", "2.741 s"})
        QVERIFY2(words.contains(QString::fromUtf8(expected)), qPrintable(QString::fromUtf8(expected) + QStringLiteral(" is missing in ") + words));
    QVERIFY(drawnWords(lockLoss(), QStringLiteral("ladder"), {.millimetres = {70, 60}}).contains(QStringLiteral("more steps")));
}

void TestFailoverScene::failoverHasAllThreePictures()
{
    const QString words = drawnWords(lockLoss(), QStringLiteral("failover"), {.millimetres = {240, 200}});
    for (const char *expected : {"Topology at 2.204 s", "Failover of N1", "two owners · 1.208 s", "never arrived: replication cut at 0.380 s", "killed at 0.530 s, lock and all"})
        QVERIFY2(words.contains(QString::fromUtf8(expected)), qPrintable(QString::fromUtf8(expected) + QStringLiteral(" is missing in ") + words));
    // A low picture has no room for the timeline.
    QVERIFY(!drawnWords(lockLoss(), QStringLiteral("failover")).contains(QStringLiteral("two owners ·")));
}

void TestFailoverScene::allTextIsInsideAndLargeEnough_data()
{
    QTest::addColumn<Run>("run");
    QTest::addColumn<QString>("view");
    QTest::addColumn<QSizeF>("millimetres");
    for (const char *view : {"topology", "ladder", "failover"}) {
        QTest::addRow("%s, usual size", view) << lockLoss() << view << QSizeF(160, 90);
        QTest::addRow("%s, narrow", view) << lockLoss() << view << QSizeF(90, 120);
        QTest::addRow("%s, large", view) << lockLoss() << view << QSizeF(320, 220);
        QTest::addRow("%s of a copy", view) << resync() << view << QSizeF(160, 90);
        QTest::addRow("%s of a sleeper", view) << sleepingPrimary() << view << QSizeF(160, 110);
        QTest::addRow("%s of two failovers", view) << twoFailovers() << view << QSizeF(160, 110);
    }
}

void TestFailoverScene::allTextIsInsideAndLargeEnough()
{
    QFETCH(Run, run);
    QFETCH(QString, view);
    QFETCH(QSizeF, millimetres);
    const QByteArray svg = m_pictures.exported(run, view, QStringLiteral("svg"), {.millimetres = millimetres});
    verifyTextsAreInside(svg, millimetres);
    if (view != QLatin1String("failover"))
        verifyTextsAreApart(svg);
}

void TestFailoverScene::nodesAreData()
{
    const QList<QByteArray> lines = m_pictures.exported(lockLoss(), QStringLiteral("topology"), QStringLiteral("csv"), {.at = sec(0.45)}).split('\n');
    QCOMPARE(lines[0].trimmed(), QByteArray("at s,node,role,process,primary,link,offset,behind,locks,calls down,votes for,leads"));
    QCOMPARE(lines[1].trimmed(), QByteArray("0.450000,N1,primary,running,,,410,,lock=7f3a,,,"));
    QCOMPARE(lines[2].trimmed(), QByteArray("0.450000,N2,replica,running,N1,cut,280,130,,,,"));
    QCOMPARE(lines[4].trimmed(), QByteArray("0.450000,S1,sentinel,running,N1,,,,,,,"));
    const QJsonObject json = QJsonDocument::fromJson(m_pictures.exported(lockLoss(), QStringLiteral("topology"), QStringLiteral("json"), {.at = sec(1.42)})).object();
    QCOMPARE(json["at"].toDouble(), 1.42);
    const QJsonArray nodes = json["nodes"].toArray();
    QCOMPARE(nodes.size(), 6);
    QCOMPARE(nodes[0].toObject()["process"].toString(), QStringLiteral("dead"));
    const QJsonObject leader = nodes[4].toObject();
    QVERIFY(leader["leads"].toBool());
    QCOMPARE(leader["votesFor"].toString(), QStringLiteral("S2"));
    QCOMPARE(leader["callsDown"].toArray(), QJsonArray {QStringLiteral("N1")});
}

void TestFailoverScene::stepsAreData()
{
    const QByteArray csv = m_pictures.exported(lockLoss(), QStringLiteral("ladder"), QStringLiteral("csv"));
    const QList<QByteArray> lines = csv.split('\n');
    QCOMPARE(lines[0].trimmed(), QByteArray("ladder,kind,of,step,what,about,who,at s,since loss s,since step before s,bytes"));
    QCOMPARE(lines[1].trimmed(), QByteArray("1,failover,N1,1,replication cut,,N1,0.380000,-0.150000,0.000000,"));
    QVERIFY2(csv.contains("1,failover,N1,3,+sdown,N1,S1,1.301000,0.771000,0.712000,\r\n"), csv.constData()); // of two who told the second
    QVERIFY(csv.contains("partial: 110 B,N3,N2,2.750000,2.220000,0.000000,110\r\n"));
    const QJsonArray ladders = QJsonDocument::fromJson(m_pictures.exported(resync(), QStringLiteral("ladder"), QStringLiteral("json"))).array();
    QCOMPARE(ladders.size(), 2);
    QCOMPARE(ladders[0].toObject()["kind"].toString(), QStringLiteral("copy"));
    QCOMPARE(ladders[0].toObject()["of"].toString(), QStringLiteral("N2"));
    const QJsonObject snapshot = ladders[0].toObject()["steps"].toArray()[4].toObject();
    QCOMPARE(snapshot["bytes"].toInteger(), 1'200'000);
    QCOMPARE(snapshot["sinceLoss"].toDouble(), 1.02);
}

QTEST_MAIN(TestFailoverScene)
#include "tst_failoverscene.moc"
