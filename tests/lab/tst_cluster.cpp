// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A private cluster: its servers, what a client has to know of it, and a script with an undeclared key on it.
#include "engine/lab/cluster.h"
#include "engine/limiters/decide.h"
#include "engine/limiters/defects/defect.h"
#include "engine/redis/slot.h"
#include "engine/schedule/clusterclient.h"
#include "tests/lab/holder.h"
#include "tests/redis/waiter.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testcluster.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

namespace {

constexpr int busOffset = 10'000;

bool isOpen(const QString &host, int port)
{
    QTcpSocket socket;
    socket.connectToHost(host, static_cast<quint16>(port));
    return socket.waitForConnected(1'000);
}

/// A key of each share of the slots.
QByteArray keyOf(int node, int nodes)
{
    const auto [first, last] = slotShare(node, nodes);
    for (int i = 0;; ++i) {
        const QByteArray key = "key" + QByteArray::number(i);
        if (slotOf(key) >= first && slotOf(key) <= last)
            return key;
    }
}

/// The node that serves the slot of the key, counted from 0.
int nodeOf(const QByteArray &key)
{
    return slotOf(key) <= 5460 ? 0 : slotOf(key) <= 10921 ? 1 : 2; // of three nodes
}

}

class tst_Cluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_parent.isValid());
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_parent.path()));
        qunsetenv("INTERLOCK_REDIS_SERVER");
        QElapsedTimer time;
        time.start();
        m_cluster = std::make_unique<TestCluster>();
        QVERIFY2(m_cluster->isReady(), qPrintable(m_cluster->error()));
        qInfo("The cluster was ready after %lld ms.", time.elapsed());
        for (const NodeRef &node : m_cluster->nodes())
            m_connections.push_back(std::make_unique<Connection>(node.endpoint));
    }
    void cleanupTestCase()
    {
        m_connections.clear();
        if (!m_cluster)
            return;
        const QString directory = m_cluster->keeper().directory();
        m_cluster.reset();
        QVERIFY(QTest::qWaitFor([&] { return processesOf(directory).isEmpty() && !QFileInfo::exists(directory); }, 2'000));
    }

    void everyMemberKnowsTheWhole()
    {
        for (const auto &connection : m_connections) {
            const QByteArray info = ask(*connection, "CLUSTER", "INFO").text;
            for (const char *line : {"cluster_state:ok", "cluster_slots_assigned:16384", "cluster_slots_ok:16384", "cluster_known_nodes:3", "cluster_size:3"})
                QVERIFY2(info.contains(line), info.constData());
            const Reply shares = ask(*connection, "CLUSTER", "SLOTS");
            QCOMPARE(shares.elements.size(), size_t(3));
            for (const Reply &share : shares.elements) {
                const Reply &node = share.elements.at(2);
                const size_t i = nodeOfPort(node.elements.at(1).integer);
                const auto [first, last] = slotShare(static_cast<int>(i), 3);
                QCOMPARE(share.elements[0].integer, qint64(first));
                QCOMPARE(share.elements[1].integer, qint64(last));
                QCOMPARE(node.elements[0].text, QByteArray("127.0.0.1"));
            }
        }
    }

    void aKeyIsServedByTheNodeOfItsSlot()
    {
        for (int node = 0; node < 3; ++node) {
            const QByteArray key = keyOf(node, 3);
            for (size_t asked = 0; asked < 3; ++asked) {
                const Reply reply = ask(*m_connections[asked], "SET", key, "x");
                QCOMPARE(reply.isOk(), static_cast<int>(asked) == node);
                if (reply.isOk())
                    continue;
                const auto moved = movedFrom(reply);
                QVERIFY2(moved, reply.shown().constData());
                QCOMPARE(moved->slot, slotOf(key));
                QCOMPARE(moved->port, m_cluster->nodes()[static_cast<size_t>(node)].endpoint.port);
            }
        }
    }

    void aClientSendsToThatNode()
    {
        QStringList wrong;
        const auto program = [&](Actor &actor) -> Task<> {
            ClusterClient cluster(actor, m_cluster->nodes());
            for (int i = 0; i < 300; ++i) {
                const QByteArray key = "user:" + QByteArray::number(i);
                if (cluster.of(key).node().name != m_cluster->nodes()[static_cast<size_t>(nodeOf(key))].name)
                    wrong.append(QString::fromLatin1(key));
                // Without a detour: this client follows nothing.
                const Result<Reply> set = co_await cluster.of(key).command("SET", key, i);
                const Result<Reply> read = co_await cluster.command(key, Command("GET", key));
                if (!set || !set->isOk() || !read || read->text != QByteArray::number(i))
                    wrong.append(QString::fromLatin1(key));
            }
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(wrong, QStringList());
    }

    /// A client that knows the nodes in another order is told, follows once, and knows it from then on.
    void aClientFollowsMoved()
    {
        const QByteArray key = keyOf(0, 3);
        std::vector<NodeRef> turned = m_cluster->nodes();
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
        QString before;
        QString after;
        Result<Reply> first = Reply();
        Answer second {Reply()};
        const auto program = [&](Actor &actor) -> Task<> {
            ClusterClient cluster(actor, turned);
            before = cluster.of(key).node().name;
            first = co_await cluster.command(key, Command("SET", key, "followed"));
            after = cluster.of(key).node().name;
            const Limiter limiter = Limiter::make("gcra").value();
            const QByteArray other = "limit:{" + keyOf(1, 3) + '}';
            second = co_await cluster.evaluate(limiter.script(), limiter.keys(other), limiter.arguments(1));
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(before, QString("b"));
        QCOMPARE(after, QString("a"));
        QVERIFY(first && first->isOk());
        QVERIFY2(decisionFrom(*second.reply).ok(), second.reply->shown().constData());
        QCOMPARE(ask(*m_connections[0], "GET", key).text, QByteArray("followed"));
    }

    /// A node outside of what the client was given is not followed: its answer is handed on.
    void aClientStaysAmongItsNodes()
    {
        const QByteArray key = keyOf(0, 3);
        Result<Reply> reply = Reply();
        const auto program = [&](Actor &actor) -> Task<> {
            const std::vector<NodeRef> one {m_cluster->nodes()[1]};
            ClusterClient cluster(actor, one);
            reply = co_await cluster.command(key, Command("GET", key));
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QVERIFY(reply && reply->isError("MOVED"));
    }

    /// The second key is made up inside the script: it fails for those users whose two keys belong to different nodes, and for
    /// nobody else. The correct limiter, in one key, and the sliding log, in two of one slot, decide for all.
    void anUndeclaredKeyFailsForSomeUsers()
    {
        const DefectiveLimiter defective = DefectiveLimiter::make("undeclared-key", {{"capacity", "2"}, {"rate", "1/3600s"}}).value();
        const Limiter log = Limiter::make("sliding-log", {{"limit", "2"}}).value();
        int failed = 0;
        QStringList wrong;
        const auto program = [&](Actor &actor) -> Task<> {
            ClusterClient cluster(actor, m_cluster->nodes());
            for (int i = 0; i < 300; ++i) {
                const QByteArray user = "limit:" + QByteArray::number(i);
                const Result<Decision> decision = co_await decide(cluster.of(user), defective, user);
                const bool isApart = nodeOf(defective.keys(user).at(0)) != nodeOf(defective.keys(user).at(1));
                failed += decision ? 0 : 1;
                if (decision.ok() == isApart)
                    wrong.append(QString::fromLatin1(user));
                if (!decision && !decision.error().text.contains("non local key"))
                    wrong.append(decision.error().text);
                const Result<Decision> twin = co_await decide(cluster.of(user), defective.twin(), "twin:{" + user + '}');
                const QByteArray logKey = log.keys(user).first();
                const Result<Decision> logged = co_await decide(cluster.of(logKey), log, user);
                if (!twin || !twin->admitted || !logged || !logged->admitted)
                    wrong.append("twin of " + QString::fromLatin1(user));
            }
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(wrong, QStringList());
        QVERIFY2(failed > 150 && failed < 250, qPrintable(QString::number(failed))); // two thirds of 300 on average
    }

    void listensOnLoopbackOnly()
    {
        QTcpServer everywhere; // which the search can find
        QVERIFY(everywhere.listen(QHostAddress::AnyIPv4));
        QVERIFY(isOpen("127.0.0.2", everywhere.serverPort()));
        for (const NodeRef &node : m_cluster->nodes()) {
            for (const int port : {int(node.endpoint.port), node.endpoint.port + busOffset}) {
                QVERIFY(port < 32'768); // where those of outgoing connections begin
                QVERIFY(isOpen("127.0.0.1", port));
                QVERIFY(!isOpen("127.0.0.2", port));
            }
        }
    }

    void everyMemberWantsThePassword()
    {
        for (const NodeRef &node : m_cluster->nodes()) {
            Endpoint stranger = node.endpoint;
            QVERIFY(!stranger.password.isEmpty());
            stranger.password.clear();
            Connection connection(stranger);
            const QByteArray answer = ask(connection, "GET", "key").text;
            QVERIFY2(answer.contains("password"), answer.constData());
        }
    }

    void directoriesArePrivate()
    {
        for (size_t i = 0; i < 3; ++i) {
            const QString directory = m_cluster->server(i).directory();
            QVERIFY(directory.startsWith(m_cluster->keeper().directory() + '/'));
            QVERIFY(QFileInfo::exists(directory + "/nodes.conf")); // what the cluster writes stays in there
        }
        QCOMPARE(permissions(m_cluster->keeper().directory()), 0700);
    }

    /// The port is free, but not the one for the other members: another pair is taken.
    void triesAnotherPairOfPorts()
    {
        QTcpServer taken;
        quint16 port = 0;
        for (int i = 0; i < 100 && !taken.isListening(); ++i) {
            port = static_cast<quint16>(11'000 + i * 7);
            taken.listen(QHostAddress::LocalHost, static_cast<quint16>(port + busOffset));
        }
        QVERIFY(taken.isListening());
        PrivateServer::Options options;
        options.isClusterMember = true;
        options.firstPort = port;
        std::optional<Result<void>> result;
        const PrivateServer server(m_cluster->keeper(), options, [&](Result<void> ready) { result = std::move(ready); });
        QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), 10'000);
        QVERIFY2(result->ok(), result->ok() ? "" : qPrintable(result->error().text));
        QVERIFY(server.endpoint().port != port);
        QVERIFY(isOpen("127.0.0.1", server.endpoint().port + busOffset));
    }

    void saysWhyThereIsNoCluster_data()
    {
        QTest::addColumn<bool>("isMember");
        QTest::addColumn<bool>("isKilled");
        QTest::addColumn<QString>("says");
        QTest::newRow("no cluster server") << false << false << "refused “CLUSTER ADDSLOTSRANGE 0 16383”: ERR This instance has cluster support disabled";
        QTest::newRow("a dead one") << true << true << "127.0.0.1";
    }
    void saysWhyThereIsNoCluster()
    {
        QFETCH(bool, isMember);
        QFETCH(bool, isKilled);
        QFETCH(QString, says);
        PrivateServer::Options options;
        options.isClusterMember = isMember;
        std::optional<Result<void>> started;
        PrivateServer server(m_cluster->keeper(), options, [&](Result<void> ready) { started = std::move(ready); });
        QTRY_VERIFY_WITH_TIMEOUT(started.has_value() && started->ok(), 10'000);
        if (isKilled)
            QVERIFY(server.kill());
        const Result<void> formed = form({server.endpoint()}, 10s);
        QVERIFY(!formed.ok());
        QVERIFY2(formed.error().text.contains(says), qPrintable(formed.error().text));
    }

    /// One that stands still answers, if at all, only after the limit: the sentence says what was missing.
    void saysWhatIsMissingAfterTheLimit()
    {
        PrivateServer::Options options;
        options.isClusterMember = true;
        std::vector<std::unique_ptr<PrivateServer>> servers;
        int started = 0;
        for (int i = 0; i < 2; ++i)
            servers.push_back(std::make_unique<PrivateServer>(m_cluster->keeper(), options, [&](const Result<void> &ready) { started += ready ? 1 : 0; }));
        QTRY_COMPARE_WITH_TIMEOUT(started, 2, 10'000);
        const Result<void> formed = form({servers[0]->endpoint(), servers[1]->endpoint()}, 0s);
        QVERIFY(!formed.ok());
        QCOMPARE(formed.error().kind, Error::Kind::TimedOut);
        QVERIFY2(formed.error().text.contains("still says cluster_"), qPrintable(formed.error().text));
    }

    /// Destroyed while it waits, it leaves nothing that could be called.
    void canBeGivenUp()
    {
        PrivateServer::Options options;
        options.isClusterMember = true;
        std::optional<Result<void>> started;
        PrivateServer server(m_cluster->keeper(), options, [&](Result<void> ready) { started = std::move(ready); });
        QTRY_VERIFY_WITH_TIMEOUT(started.has_value() && started->ok(), 10'000);
        RealClock clock;
        for (int turns = 0; turns < 40; ++turns) {
            Task<Result<void>> forming = formCluster({server.endpoint()}, clock);
            forming.start();
            for (int i = 0; i < turns; ++i)
                QCoreApplication::processEvents();
        }
        QVERIFY(server.isRunning());
    }

    void nothingIsLeftWhenTheProgramIsKilled_data()
    {
        QTest::addColumn<bool>("isReady");
        QTest::newRow("while the cluster runs") << true;
        QTest::newRow("while it forms") << false;
    }
    void nothingIsLeftWhenTheProgramIsKilled()
    {
        QFETCH(bool, isReady);
        qunsetenv("INTERLOCK_KEEPER"); // this very program, since main() below knows how to be one
        for (int i = 0; i < 3; ++i) {
            Holder holder;
            QVERIFY(holder.start("--hold-a-cluster"));
            if (isReady)
                QVERIFY(holder.awaitServer());
            QTRY_COMPARE_WITH_TIMEOUT(processesOf(holder.directory).size(), 4, 10'000); // the keeper and three servers
            QCOMPARE(::kill(static_cast<pid_t>(holder.process.processId()), SIGKILL), 0);
            QVERIFY2(QTest::qWaitFor([&holder] { return holder.leftNothing(); }, 2'000), qPrintable(holder.directory));
        }
    }

private:
    size_t nodeOfPort(qint64 port) const
    {
        size_t i = 0;
        while (i < 3 && m_cluster->nodes()[i].endpoint.port != port)
            ++i;
        return i;
    }

    static Result<void> form(std::vector<Endpoint> members, Nanoseconds limit)
    {
        RealClock clock;
        Result<void> result = Error {Error::Kind::Cancelled, QStringLiteral("It did not come to an end.")};
        bool isOver = false;
        const auto program = [&]() -> Task<> {
            result = co_await formCluster(std::move(members), clock, limit);
            isOver = true;
        };
        Task<> task = program();
        task.start();
        (void)QTest::qWaitFor([&] { return isOver; }, 20'000);
        return result;
    }

    QTemporaryDir m_parent;
    std::unique_ptr<TestCluster> m_cluster;
    std::vector<std::unique_ptr<Connection>> m_connections;
};

int main(int argc, char **argv)
{
    if (const auto status = runAsKeeper(argc, argv))
        return *status;
    if (argc == 2 && qstrcmp(argv[1], "--hold-a-cluster") == 0)
        return holdServers(argc, argv, 3, true);
    QCoreApplication application(argc, argv);
    tst_Cluster test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_cluster.moc"
