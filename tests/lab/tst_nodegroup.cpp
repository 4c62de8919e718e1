// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A primary, replicas and sentinels become a group, or say why not, and leave nothing.
#include "engine/lab/grouplayout.h"
#include "tests/lab/holder.h"
#include "tests/support/grouptest.h"
#include "tests/support/testserver.h"

#include <QDir>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>
#include <functional>
#include <optional>

using namespace interlock;

namespace {

/// Empty if it cannot be read.
QByteArray fileText(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray valueOf(const Reply &pairs, const QByteArray &name)
{
    for (size_t i = 0; i + 1 < pairs.elements.size(); i += 2) {
        if (pairs.elements[i].text == name)
            return pairs.elements[i + 1].text;
    }
    return {};
}

QString shown(const Endpoint &endpoint)
{
    return QStringLiteral("%1:%2").arg(endpoint.host).arg(endpoint.port);
}

bool isOpen(const Endpoint &endpoint)
{
    QTcpSocket socket;
    socket.connectToHost(endpoint.host, endpoint.port);
    return socket.waitForConnected(1'000);
}

/// The program that is killed: this test run again.
int holdAGroup(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QProcess bystander;
    bystander.start(QStringLiteral("sleep"), {QStringLiteral("60")});
    Keeper keeper([](const Result<void> &) {});
    printf("%lld %lld %s\n", keeper.processId(), bystander.processId(), qPrintable(keeper.directory()));
    fflush(stdout);
    RealClock clock;
    const NodeGroup group(keeper, {}, clock, [&](const Result<void> &ready) {
        printf("%lld\n", ready ? group.processId(QStringLiteral("N1")) : 0);
        fflush(stdout);
    });
    return QCoreApplication::exec();
}

}

class tst_NodeGroup : public GroupTest
{
    Q_OBJECT

private Q_SLOTS:
    void init() { useKeeperOfProgram(); }

    void everyoneKnowsEveryone_data() { eachAddresses(); }
    void everyoneKnowsEveryone()
    {
        QFETCH(Addresses, addresses);
        TestGroup test(with(addresses));
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QStringList names;
        QSet<QString> places;
        for (const GroupNode &node : test.group().nodes()) {
            names.append(node.name);
            places += {shown(node.direct), shown(node.announced)};
            QVERIFY(node.direct.port < 32'768 && node.announced.port < 32'768);
            QVERIFY(node.version.startsWith('7') || node.version.startsWith('8'));
            QCOMPARE(node.announced.host == "127.0.0.1", addresses == Addresses::Shared);
        }
        QCOMPARE(names, QStringList({"N1", "N2", "N3", "S1", "S2", "S3"}));
        QCOMPARE(places.size(), 12);
        const Endpoint primary = test.group().node("N1").announced;
        QCOMPARE(test.replication("N1", "role"), QByteArray("master"));
        QCOMPARE(test.replication("N1", "connected_slaves"), QByteArray("2"));
        for (const char *name : {"N2", "N3"}) {
            QCOMPARE(test.replication(name, "role"), QByteArray("slave"));
            QCOMPARE(test.replication(name, "master_link_status"), QByteArray("up"));
            QCOMPARE(test.replication(name, "master_host") + ':' + test.replication(name, "master_port"), shown(primary).toUtf8());
        }
        for (const char *name : {"S1", "S2", "S3"}) {
            const Reply reply = test.ask(name, "SENTINEL", "MASTER", "lab");
            QCOMPARE(valueOf(reply, "flags"), QByteArray("master"));
            QCOMPARE(valueOf(reply, "num-slaves"), QByteArray("2"));
            QCOMPARE(valueOf(reply, "num-other-sentinels"), QByteArray("2"));
            QCOMPARE(valueOf(reply, "quorum"), QByteArray("2"));
            QCOMPARE(valueOf(reply, "down-after-milliseconds"), QByteArray(qstrcmp(name, "S3") == 0 ? "1000" : "700")); // not all at once
            QVERIFY(test.ask(name, "SENTINEL", "CKQUORUM", "lab").text.startsWith("OK 3 usable Sentinels"));
        }
        QCOMPARE(test.primary(), QString("N1"));
    }

    /// All of them go through the relays, and these know who they are.
    void linksGoThroughRelays_data() { eachAddresses(); }
    void linksGoThroughRelays()
    {
        QFETCH(Addresses, addresses);
        TestGroup test(with(addresses));
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        Connection client(test.group().node("N1").announced);
        QVERIFY(interlock::ask(client, "SET", "key", "value").isOk());
        QTRY_COMPARE(test.ask("N2", "GET", "key").text, QByteArray("value"));
        QCOMPARE(links(test.group(), "N1"), QStringList({"client  1", "replication N2 1", "replication N3 1", "sentinel S1 2", "sentinel S2 2", "sentinel S3 2"}));
        QCOMPARE(links(test.group(), "N2"), QStringList({"sentinel S1 2", "sentinel S2 2", "sentinel S3 2"}));
        QCOMPARE(links(test.group(), "S1"), QStringList({"sentinel S2 1", "sentinel S3 1"}));
        QCOMPARE(test.group().sentinels().size(), size_t(3));
        for (const Endpoint &sentinel : test.group().sentinels()) {
            Connection connection(sentinel);
            const Reply reply = interlock::ask(connection, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NodeGroup::masterName);
            QCOMPARE(reply.elements.size(), size_t(2));
            QCOMPARE(reply.elements[0].text, test.group().node("N1").announced.host.toUtf8());
        }
    }

    void everyoneWantsThePassword()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        const QByteArray password = test.group().node("N1").direct.password;
        QVERIFY(password.size() >= 32);
        for (const GroupNode &node : test.group().nodes()) {
            for (Endpoint stranger : {node.direct, node.announced}) {
                stranger.password.clear();
                Connection connection(stranger);
                const QByteArray answer = interlock::ask(connection, "PING").text;
                QVERIFY2(answer.contains("password"), answer.constData());
            }
            for (const char *what : {"cmdline", "environ"}) {
                const QByteArray text = fileText(QStringLiteral("/proc/%1/%2").arg(test.group().processId(node.name)).arg(QLatin1String(what)));
                QVERIFY(!text.isEmpty() && !text.contains(password));
            }
        }
    }

    /// Sentinels write what they know, with the password in it, where nobody else can read it.
    void sentinelsWriteInTheirDirectoriesAlone()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QCOMPARE(permissions(test.keeper().directory()), 0700);
        int files = 0;
        for (const GroupNode &node : test.group().nodes()) {
            const QString directory = QFile::symLinkTarget(QStringLiteral("/proc/%1/cwd").arg(test.group().processId(node.name)));
            QVERIFY2(directory.startsWith(test.keeper().directory() + '/' + node.name), qPrintable(directory));
            QCOMPARE(permissions(directory), 0700);
            files += static_cast<int>(QDir(directory).entryList(QDir::Files | QDir::Hidden).size());
            if (node.role == NodeRole::Sentinel)
                QVERIFY(fileText(directory + "/sentinel.conf").contains(node.direct.password));
        }
        QCOMPARE(files, 3);
    }

    void takesSettings()
    {
        NodeGroup::Options options;
        options.replicas = 1;
        options.sentinels = 0;
        options.settings = {"min-replicas-max-lag 3", "repl-backlog-size 64kb"};
        options.nodeSettings = {{"N2", {"replica-priority 7", "repl-backlog-size 128kb"}}};
        TestGroup test(options);
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QCOMPARE(test.group().nodes().size(), size_t(2));
        const auto setting = [&](const char *node, const char *name) { return valueOf(test.ask(node, "CONFIG", "GET", name), name); };
        QCOMPARE(setting("N1", "min-replicas-max-lag"), QByteArray("3"));
        QCOMPARE(setting("N1", "repl-backlog-size"), QByteArray("65536"));
        QCOMPARE(setting("N1", "replica-priority"), QByteArray("100"));
        QCOMPARE(setting("N2", "repl-backlog-size"), QByteArray("131072"));
        QCOMPARE(setting("N2", "replica-priority"), QByteArray("7"));
    }

    void triesOtherPortsWhenOneIsTaken_data()
    {
        QTest::addColumn<int>("offset");
        QTest::newRow("of a server") << 2; // N2
        QTest::newRow("of a relay") << 3;
        QTest::newRow("of a sentinel") << 4;
    }
    void triesOtherPortsWhenOneIsTaken()
    {
        QFETCH(int, offset);
        NodeGroup::Options options;
        options.replicas = 1;
        options.sentinels = 1;
        options.addresses = Addresses::Shared;
        QTcpServer other;
        for (quint16 port = 11'000; port < 30'000 && !other.isListening(); port = static_cast<quint16>(port + 97)) {
            options.firstPort = port;
            other.listen(QHostAddress::LocalHost, static_cast<quint16>(port + offset));
        }
        QVERIFY(other.isListening());
        TestGroup test(options);
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QVERIFY(test.group().node("N1").direct.port != options.firstPort);
        QCOMPARE(test.primary(), QString("N1"));
        QCOMPARE(processesOf(test.keeper().directory()).size(), 4); // none of the first attempt is left
    }

    /// Where a network of its own cannot be had, all share one address.
    void findsOutWhatTheSystemCan()
    {
        NodeGroup::Options options;
        QTcpServer own;
        QCOMPARE(hasOwnLoopbackAddresses(), own.listen(QHostAddress(QStringLiteral("127.99.98.97"))));
        QCOMPARE(GroupLayout::make(options).hasOwnAddresses, hasOwnLoopbackAddresses());
        options.addresses = Addresses::Shared;
        QVERIFY(!GroupLayout::make(options).hasOwnAddresses);
    }

    void saysWhoDiedWhileItFormed_data()
    {
        QTest::addColumn<QString>("victim");
        QTest::addColumn<QString>("whenRuns");
        QTest::newRow("the primary, at its start") << "N1" << "N1";
        QTest::newRow("a replica, at its start") << "N3" << "N3";
        QTest::newRow("a sentinel, at its start") << "S2" << "S2";
        QTest::newRow("the primary, when sentinels start") << "N1" << "S1";
        QTest::newRow("a replica, when sentinels start") << "N2" << "S3";
    }
    void saysWhoDiedWhileItFormed()
    {
        QFETCH(QString, victim);
        QFETCH(QString, whenRuns);
        Forming forming;
        QVERIFY(forming.reaches([&](const NodeGroup &group) { return !group.nodes().empty() && group.processId(whenRuns) > 0; }));
        QCOMPARE(::kill(static_cast<pid_t>(forming.group->processId(victim)), SIGKILL), 0);
        QTRY_VERIFY(forming.result);
        QVERIFY(!*forming.result);
        QVERIFY2(forming.result->error().text.contains(victim), qPrintable(forming.result->error().text));
        QTRY_COMPARE(processesOf(forming.keeper->directory()).size(), 1); // the keeper
    }

    void saysWhatWasMissing_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("setting");
        QTest::addColumn<int>("limit");
        QTest::addColumn<QString>("says");
        QTest::newRow("all") << "N1" << "maxclients 100" << 1 << "not all servers answer";
        QTest::newRow("a replica") << "N2" << "replicaof no one" << 1'500 << "N1 has 1 of 2 replicas online";
    }
    void saysWhatWasMissing()
    {
        QFETCH(QString, node);
        QFETCH(QString, setting);
        QFETCH(int, limit);
        QFETCH(QString, says);
        NodeGroup::Options options;
        options.nodeSettings = {{node, {setting}}};
        options.limit = Milliseconds(limit);
        const TestGroup test(options);
        QVERIFY(!test.isReady());
        QVERIFY2(test.error().contains(says), qPrintable(test.error()));
    }

    void leavesNothingWhereverItIsGivenUp_data()
    {
        QTest::addColumn<QString>("stage");
        for (const char *stage : {"at once", "the keeper runs", "the primary starts", "the sentinels start", "ready", "ready and killed", "restarting"})
            QTest::newRow(stage) << QString::fromLatin1(stage);
    }
    void leavesNothingWhereverItIsGivenUp()
    {
        QFETCH(QString, stage);
        Forming forming;
        const QString directory = forming.keeper->directory();
        if (stage == "the keeper runs")
            QTRY_VERIFY(QFileInfo::exists(directory));
        else if (stage == "the primary starts")
            QVERIFY(forming.reaches([](const NodeGroup &group) { return group.processId("N1") > 0; }));
        else if (stage == "the sentinels start")
            QVERIFY(forming.reaches([](const NodeGroup &group) { return group.processId("S2") > 0; }));
        else if (stage != "at once")
            QTRY_VERIFY(forming.result && *forming.result);
        if (stage == "ready and killed" || stage == "restarting")
            QVERIFY(forming.group->kill("N1"));
        bool isRestarted = false;
        if (stage == "restarting")
            forming.group->restart("N1", [&](const Result<void> &) { isRestarted = true; });
        forming.group.reset();
        QTRY_VERIFY(QFileInfo::exists(directory)); // also where the keeper had not yet begun
        QTRY_COMPARE(QDir(directory).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList("lock"));
        QTRY_COMPARE(processesOf(directory).size(), 1);
        forming.keeper.reset();
        QVERIFY(processesOf(directory).isEmpty() && !QFileInfo::exists(directory));
        QVERIFY(!isRestarted);
        QCOMPARE(forming.result.has_value(), stage.startsWith("ready") || stage == "restarting");
    }

    void mayBeDestroyedWhenReady()
    {
        RealClock clock;
        Keeper keeper([](const Result<void> &) {});
        std::unique_ptr<NodeGroup> group;
        bool isCalled = false;
        group = std::make_unique<NodeGroup>(keeper, NodeGroup::Options(), clock, [&](const Result<void> &) {
            group.reset();
            isCalled = true;
        });
        QTRY_VERIFY(isCalled);
        QTRY_COMPARE(processesOf(keeper.directory()).size(), 1);
    }

    void nothingIsLeftWhenTheProgramIsKilled()
    {
        qunsetenv("INTERLOCK_KEEPER"); // this very program, since main() below knows how to be one
        Holder holder;
        QVERIFY(holder.start("--hold-a-group"));
        QVERIFY(holder.awaitServer());
        QCOMPARE(processesOf(holder.directory).size(), 7);
        QCOMPARE(::kill(static_cast<pid_t>(holder.process.processId()), SIGKILL), 0);
        QVERIFY2(QTest::qWaitFor([&holder] { return holder.leftNothing(); }, 2'000), qPrintable(holder.directory));
    }

    void tellsOfAnEndNobodyAskedFor()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QStringList ends;
        test.group().onEnded = [&](const QString &name, const QString &how) { ends.append(name + ' ' + how); };
        const Endpoint announced = test.group().node("N3").announced;
        QVERIFY(isOpen(announced));
        QCOMPARE(::kill(static_cast<pid_t>(test.group().processId("N3")), SIGKILL), 0);
        QTRY_COMPARE(ends.size(), 1);
        QVERIFY2(ends[0].startsWith("N3 ") && ends[0].contains("signal 9"), qPrintable(ends[0]));
        QVERIFY(!test.group().isRunning("N3") && !test.group().kill("N3"));
        QVERIFY(!isOpen(announced));
    }

private:
    /// What the relay of a node knows, in alphabetical order.
    static QStringList links(const NodeGroup &group, const QString &node)
    {
        QStringList list;
        for (const LinkTraffic &traffic : group.traffic(node)) {
            const char *name = traffic.linkClass == LinkClass::Client ? "client" : traffic.linkClass == LinkClass::Sentinel ? "sentinel" : "replication";
            list.append(QStringLiteral("%1 %2 %3").arg(QLatin1String(name), traffic.peer).arg(traffic.open));
        }
        list.sort();
        return list;
    }

    /// A group that is not awaited.
    struct Forming
    {
        RealClock clock;
        std::optional<Result<void>> result;
        std::unique_ptr<Keeper> keeper = std::make_unique<Keeper>([](const Result<void> &) {});
        std::unique_ptr<NodeGroup> group
            = std::make_unique<NodeGroup>(*keeper, NodeGroup::Options(), clock, [this](Result<void> ready) { result = std::move(ready); });

        /// Turn by turn, so that it is noticed at once.
        bool reaches(const std::function<bool(const NodeGroup &)> &stage) const
        {
            const Nanoseconds end = monotonicNow() + 10s;
            while (!result && !stage(*group) && monotonicNow() < end)
                QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
            return !result && stage(*group);
        }
    };
};

int main(int argc, char **argv)
{
    if (const auto status = runAsKeeper(argc, argv))
        return *status;
    if (argc == 2 && qstrcmp(argv[1], "--hold-a-group") == 0)
        return holdAGroup(argc, argv);
    QCoreApplication application(argc, argv);
    tst_NodeGroup test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_nodegroup.moc"
