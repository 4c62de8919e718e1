// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the record tells of a run on a primary, two replicas and three sentinels.
#include "engine/experiments/failoverplay.h"
#include "tests/session/grouprun.h"
#include "tests/support/descendants.h"

#include <QTest>

using namespace interlock;

namespace {

Task<Result<void>> nothing(Stage &stage)
{
    co_await stage.director().sleep(300ms);
    co_return Result<void>();
}

Task<Result<void>> killThePrimary(Stage &stage)
{
    const qint64 since = stage.recorder().now();
    stage.strike({QStringLiteral("N1"), Strike::Kind::Kill, {}});
    const Result<QString> promoted = co_await promotion(stage, since);
    if (!promoted)
        co_return promoted.error();
    co_return co_await settlement(stage, *promoted, since);
}

}

class TestGroupRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QTRY_VERIFY(descendants("redis-server").isEmpty()); }

    void beginsWithEverybodysRole()
    {
        const Experiment experiment = groupExperiment(nothing);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(group.progress,
            (QStringList {"Starting a primary, two replicas and three sentinels…", "They agree on who is primary…", ""}));
        const Header &header = group.run->header;
        QVERIFY(header.relay);
        QStringList nodes;
        QStringList addresses;
        for (const NodeInfo &node : header.nodes) {
            nodes.append(node.name + u' ' + node.role);
            QVERIFY(node.isPrivate && node.version.startsWith("7."));
            QVERIFY(!addresses.contains(node.address) && node.address.startsWith("127."));
            addresses.append(node.address);
        }
        QCOMPARE(nodes, (QStringList {"N1 primary", "N2 replica", "N3 replica", "S1 sentinel", "S2 sentinel", "S3 sentinel"}));
        QCOMPARE(group.told(NodeChange::Ready), (QStringList {"N1", "N2", "N3", "S1", "S2", "S3"}));
        QCOMPARE(group.told(NodeChange::RoleChanged),
            (QStringList {"N1 primary", "N2 replica N1", "N3 replica N1", "S1 sentinel", "S2 sentinel", "S3 sentinel"}));
        QCOMPARE(group.told(NodeChange::Linked), (QStringList {"N2 up N1", "N3 up N1"}));
        QVERIFY(group.told(NodeChange::Synced).isEmpty());
        QVERIFY(group.told(NodeChange::Offset).size() >= 3);
        for (const Event &event : group.run->events) {
            if (event.kind == Event::Kind::Node && event.what != static_cast<quint8>(NodeChange::Offset))
                QCOMPARE(event.at, 0);
        }
    }

    void tellsOfAFailover()
    {
        const Experiment experiment = groupExperiment(killThePrimary);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        QCOMPARE(group.told(NodeChange::Killed), QStringList {"N1"});
        const QStringList roles = group.told(NodeChange::RoleChanged).mid(6);
        QVERIFY2(roles.size() == 2, qPrintable(roles.join(", ")));
        const QString primary = roles[0].section(' ', 0, 0);
        const QString other = primary == "N2" ? "N3" : "N2";
        QCOMPARE(roles, (QStringList {primary + " primary", other + " replica " + primary}));
        QCOMPARE(group.told(NodeChange::Synced), QStringList {other + " partial " + primary});
        QCOMPARE(group.told(NodeChange::Linked).last(), other + " up " + primary);
        const QStringList news = group.sentinelEvents();
        for (const char *sentinel : {"S1", "S2", "S3"}) {
            QVERIFY2(news.contains(QString("%1 +sdown N1").arg(sentinel)), qPrintable(news.join('\n')));
            QVERIFY2(news.contains(QString("%1 +switch-master %2").arg(sentinel, primary)), qPrintable(news.join('\n')));
        }
        QCOMPARE(news.filter("+vote-for-leader S").size(), 3);
        QCOMPARE(news.filter(QString("+promoted-slave %1").arg(primary)).size(), 1);
        for (const Event &event : group.run->events) {
            if (event.kind == Event::Kind::Sentinel && group.run->text(event.text) == "+vote-for-leader")
                QCOMPARE(event.number, 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestGroupRun)
#include "tst_grouprun.moc"
