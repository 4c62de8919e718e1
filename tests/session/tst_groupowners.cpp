// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each server of a group says of a lock's key, while clients take it and servers die.
#include "engine/experiments/failoverplay.h"
#include "engine/locks/lock.h"
#include "engine/schedule/sentinelclient.h"
#include "tests/session/grouprun.h"
#include "tests/support/descendants.h"

#include <QTest>

using namespace interlock;

namespace {

const QString n1 = QStringLiteral("N1");

/// Takes the lock at whatever server is the primary, and stays with it until it may go on; then gives it back, where the primary is by then.
Task<> holder(Actor &actor, GroupAccess group, LockOptions options)
{
    SentinelClient primary(actor, group.sentinels, group.search);
    if (!co_await primary.connect())
        co_return;
    Lock lock(primary.client(), options);
    const Result<bool> granted = co_await lock.acquire(Waiting::fixed(30s, 20ms), [&primary] { return primary.verify(); });
    if (!granted || !*granted)
        co_return;
    co_await actor.reach("held");
    if (co_await primary.connect())
        std::ignore = co_await lock.release();
}

Actor &hold(Stage &stage, const char *name, Nanoseconds ttl = 30s)
{
    LockOptions options;
    options.key = stage.key("lock");
    options.ttl = ttl;
    Actor &actor = stage.actor(QString::fromLatin1(name), holder, accessTo(stage), options);
    stage.holdAt(actor, QStringLiteral("held"));
    return actor;
}

/// The server says that the key is this client's; nobody's: empty.
SeenStep::Fits owned(const QString &server, const char *by, qint64 since = 0)
{
    return [server = server.toUtf8(), by = QByteArray(by), since](const Event &event, const Names &names) {
        const QByteArray token = names.bytes(event.text);
        return event.kind == Event::Kind::Owner && event.at >= since && names.bytes(event.lane) == server
            && (by.isEmpty() ? token.isEmpty() : token.startsWith(by + ':'));
    };
}

Task<Result<void>> ownedEverywhere(Stage &stage, const char *by)
{
    for (const QString &server : actingServers(stage)) {
        if (const auto seen = co_await stage.seen(owned(server, by)); !seen)
            co_return Error {seen.error().kind, QStringLiteral("%1 does not say that %2 has the lock.").arg(server, QString::fromLatin1(by))};
    }
    co_return Result<void>();
}

Task<Result<QString>> killThePrimary(Stage &stage)
{
    const qint64 since = stage.recorder().now();
    stage.strike({n1, Strike::Kind::Kill, {}});
    const Result<QString> promoted = co_await promotion(stage, since);
    if (!promoted)
        co_return promoted;
    if (const Result<void> settled = co_await settlement(stage, *promoted, since); !settled)
        co_return settled.error();
    co_return promoted;
}

Task<Result<void>> whole(Stage &stage)
{
    stage.watch(stage.key("lock"));
    Actor &a = hold(stage, "A");
    if (const Result<void> there = co_await ownedEverywhere(stage, "A"); !there)
        co_return there.error();
    const Result<QString> primary = co_await killThePrimary(stage);
    if (!primary)
        co_return primary.error();
    const qint64 since = stage.recorder().now();
    if (const Result<void> started = co_await stage.restartServer(n1); !started)
        co_return started.error();
    if (const auto seen = co_await stage.seen(owned(n1, "A", since), 30s); !seen)
        co_return Error {seen.error().kind, QStringLiteral("N1 was not given a copy.")};
    stage.proceed(a);
    co_await stage.ended(a);
    for (const QString &server : actingServers(stage)) {
        if (const auto seen = co_await stage.seen(owned(server, "", since + 1)); !seen)
            co_return seen.error();
    }
    co_return Result<void>();
}

Task<Result<void>> cut(Stage &stage)
{
    stage.watch(stage.key("lock"));
    if (const Result<void> done = co_await cutReplication(stage, n1); !done)
        co_return done.error();
    hold(stage, "A");
    if (const auto seen = co_await stage.seen(owned(n1, "A")); !seen)
        co_return seen.error();
    const Result<QString> primary = co_await killThePrimary(stage);
    if (!primary)
        co_return primary.error();
    hold(stage, "B");
    co_return co_await ownedEverywhere(stage, "B");
}

Task<Result<void>> late(Stage &stage)
{
    stage.watch(stage.key("lock"));
    stage.strike({n1, Strike::Kind::LagReplication, 400ms});
    hold(stage, "A", 1s);
    if (const Result<void> there = co_await ownedEverywhere(stage, "A"); !there)
        co_return there.error();
    co_return co_await ownedEverywhere(stage, "");
}

}

class TestGroupOwners : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QTRY_VERIFY(descendants("redis-server").isEmpty()); }

    void aCopiedLockOutlivesThePrimary()
    {
        const Experiment experiment = groupExperiment(whole);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        const QString primary = promoted(group);
        const QString other = primary == "N2" ? "N3" : "N2";
        // The one that N1 was given in the end is read; the deletion comes with the stream.
        QCOMPARE(owners(group, n1), (QStringList {"set A", "restarted", "read A", "deleted by A"}));
        QCOMPARE(owners(group, primary), (QStringList {"set A", "promoted A", "deleted by A"}));
        QCOMPARE(owners(group, other), (QStringList {"set A", "deleted by A"}));
        QStringList lanes;
        for (const Lane &lane : group.run->header.lanes) {
            if (lane.type == Lane::Type::Node)
                lanes.append(lane.name + ' ' + lane.key);
        }
        QCOMPARE(lanes, (QStringList {"N1 lock", "N2 lock", "N3 lock"}));
    }

    void aLockThatNeverArrivedIsGone()
    {
        const Experiment experiment = groupExperiment(cut);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        const QString primary = promoted(group);
        QCOMPARE(owners(group, n1), QStringList {"set A"});
        QCOMPARE(owners(group, primary), (QStringList {"promoted", "set B"}));
        QCOMPARE(owners(group, primary == "N2" ? "N3" : "N2"), QStringList {"set B"});
    }

    void aReplicaHasItLaterAndLetsItExpireWithThePrimary()
    {
        const Experiment experiment = groupExperiment(late);
        GroupRun group(experiment);
        QVERIFY(group.wait());
        QVERIFY2(group.run && group.run->isComplete, qPrintable(group.why()));
        std::map<QString, qint64> set;
        std::map<QString, qint64> expired;
        for (const Event &event : group.run->events) {
            if (event.kind != Event::Kind::Owner)
                continue;
            (event.text ? set : expired)[group.run->text(event.lane)] = event.at;
            QVERIFY(!event.has(Event::Inferred));
            QCOMPARE(event.what, static_cast<quint8>(event.text ? OwnerChange::Set : OwnerChange::Expired));
        }
        QCOMPARE(set.size(), size_t(3));
        QCOMPARE(expired.size(), size_t(3));
        for (const char *replica : {"N2", "N3"}) {
            const qint64 lag = set[replica] - set[n1];
            QVERIFY2(lag >= 400'000'000 && lag < 900'000'000, qPrintable(QString::number(lag)));
            const qint64 apart = std::abs(expired[replica] - expired[n1]); // by the same clock
            QVERIFY2(apart < 20'000'000, qPrintable(QString::number(apart)));
        }
    }

private:
    static QString promoted(const GroupRun &group)
    {
        return group.told(NodeChange::RoleChanged).mid(6).filter(" primary").value(0).section(' ', 0, 0);
    }

    /// "set A", "deleted by A", …: all that the server said.
    static QStringList owners(const GroupRun &group, const QString &server)
    {
        static constexpr const char *words[] = {"set", "renewed", "deleted", "expired", "promoted", "restarted", "read"};
        QStringList said;
        for (const Event &event : group.run->events) {
            if (event.kind != Event::Kind::Owner || group.run->text(event.lane) != server)
                continue;
            QString line = words[event.what];
            if (event.text)
                line += ' ' + group.run->text(event.text).section(':', 0, 0);
            if (event.detail)
                line += " by " + group.run->text(event.detail);
            said.append(line);
        }
        return said;
    }
};

QTEST_GUILESS_MAIN(TestGroupOwners)
#include "tst_groupowners.moc"
