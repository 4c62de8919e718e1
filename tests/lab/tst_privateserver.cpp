// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lab/processes.h"
#include "tests/support/testserver.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace interlock;

namespace {

// What the server at host and port answers to these inline commands, of so many lines.
QByteArray ask(const QString &host, quint16 port, const QByteArray &commands, int lines, int limit = 1000)
{
    QTcpSocket socket;
    socket.connectToHost(host, port);
    if (!socket.waitForConnected(limit))
        return "not connected";
    socket.write(commands);
    QByteArray answer;
    while (answer.count('\n') < lines && socket.waitForReadyRead(limit))
        answer += socket.readAll();
    return answer;
}

QByteArray ping(const Endpoint &endpoint, int limit = 1000)
{
    return ask(endpoint.host, endpoint.port, "AUTH " + endpoint.password + "\r\nPING\r\n", 2, limit);
}

QByteArray setting(const Endpoint &endpoint, const QByteArray &name)
{
    const QByteArray commands = "AUTH " + endpoint.password + "\r\nCONFIG GET " + name + "\r\n";
    return ask(endpoint.host, endpoint.port, commands, 6).split('\n').value(5).trimmed();
}

QString writeScript(const QTemporaryDir &folder, const QByteArray &lines)
{
    const QString path = folder.filePath(QStringLiteral("redis-server"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + lines);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

// Lets server listen on a port that was free, below those of outgoing connections. 0 if there is none.
quint16 takePort(QTcpServer &server)
{
    for (int i = 0; i < 100; ++i) {
        const auto port = static_cast<quint16>(QRandomGenerator::global()->bounded(10000, 32768));
        if (server.listen(QHostAddress::LocalHost, port))
            return port;
    }
    return 0;
}

const QByteArray pong = "+OK\r\n+PONG\r\n";

}

class tst_PrivateServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { qunsetenv("INTERLOCK_REDIS_SERVER"); }
    void startsAndAnswers();
    void refusesWithoutPassword();
    void listensOnOneLoopbackAddressOnly();
    void keepsItsDirectoryPrivate();
    void keepsThePasswordOutOfSight();
    void takesSettings();
    void listensOnAUnixSocket();
    void retriesWhenThePortIsTaken();
    void takesTheFirstPortWhenItIsFree();
    void triesNoOtherPortThanAFixedOne();
    void listensWhereItIsTold();
    void saysWhyThereIsNoServer_data();
    void saysWhyThereIsNoServer();
    void isKilledPausedAndResumed();
    void comesBackEmptyOnTheSamePort();
    void tellsOfAnEndNobodyAskedFor();
    void leavesNothingBehind();
    void endsWhatAScriptStarted();
    void mayBeDestroyedWhenReady();
    void isSilentWhenDestroyedAtOnce();
    void isRefusedWhereMainCannotKeep();
};

void tst_PrivateServer::startsAndAnswers()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint &endpoint = server.endpoint();
    QCOMPARE(ping(endpoint), pong);
    QVERIFY(server.server().isRunning());
    QVERIFY(endpoint.port < 32768);
    QVERIFY(endpoint.port != 6379);
    QVERIFY(processState(server.server().processId()) != 0);
}

void tst_PrivateServer::refusesWithoutPassword()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint &endpoint = server.endpoint();
    QVERIFY(endpoint.password.size() >= 32);
    QVERIFY(ask(endpoint.host, endpoint.port, "PING\r\n", 1).startsWith("-NOAUTH"));
    QVERIFY(ask(endpoint.host, endpoint.port, "AUTH wrong\r\n", 1).startsWith("-WRONGPASS"));
}

void tst_PrivateServer::listensOnOneLoopbackAddressOnly()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    // Every 127.x.y.z is this machine: a server that listens everywhere answers at each, ours at one.
    QTcpServer everywhere;
    QVERIFY(everywhere.listen(QHostAddress::AnyIPv4));
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.2"), everywhere.serverPort());
    QVERIFY(socket.waitForConnected(1000));
    QCOMPARE(ask(QStringLiteral("127.0.0.2"), server.endpoint().port, "PING\r\n", 1), "not connected");
    QCOMPARE(ask(QStringLiteral("::1"), server.endpoint().port, "PING\r\n", 1), "not connected");
}

void tst_PrivateServer::keepsItsDirectoryPrivate()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    for (const QString &path : {server.keeper().directory(), server.server().directory()}) {
        QVERIFY(QFileInfo(path).isDir());
        QCOMPARE(permissions(path), 0700);
    }
    QVERIFY(server.server().directory().startsWith(server.keeper().directory() + QLatin1Char('/')));
    QVERIFY(QDir(server.server().directory()).isEmpty());
}

void tst_PrivateServer::keepsThePasswordOutOfSight()
{
    TestServer first;
    TestServer second;
    QVERIFY2(first.isReady() && second.isReady(), qPrintable(first.error() + second.error()));
    const QByteArray password = first.endpoint().password;
    QVERIFY(password != second.endpoint().password);
    for (const qint64 process : {first.server().processId(), first.keeper().processId()}) {
        for (const char *what : {"cmdline", "environ"}) {
            QFile file(QStringLiteral("/proc/%1/%2").arg(process).arg(QLatin1String(what)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY(!text.isEmpty());
            QVERIFY(!text.contains(password));
        }
    }
}

void tst_PrivateServer::takesSettings()
{
    PrivateServer::Options options;
    options.settings = {QStringLiteral("maxmemory-policy allkeys-lfu"), QStringLiteral("loglevel warning")};
    TestServer server(options);
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint &endpoint = server.endpoint();
    QCOMPARE(setting(endpoint, "maxmemory-policy"), "allkeys-lfu");
    QCOMPARE(setting(endpoint, "busy-reply-threshold"), "100");
    QCOMPARE(setting(endpoint, "save"), "");
    QCOMPARE(setting(endpoint, "appendonly"), "no");
    // K, E and A, in whatever order the server writes them.
    const QByteArray events = setting(endpoint, "notify-keyspace-events");
    QVERIFY2(events.contains('K') && events.contains('E') && events.contains('A'), events.constData());
}

void tst_PrivateServer::listensOnAUnixSocket()
{
    PrivateServer::Options options;
    options.unixSocket = true;
    TestServer server(options);
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint endpoint = server.server().unixEndpoint();
    QVERIFY(endpoint.host.isEmpty());
    QVERIFY(QFileInfo::exists(endpoint.path));
    QCOMPARE(endpoint.password, server.endpoint().password);
}

void tst_PrivateServer::retriesWhenThePortIsTaken()
{
    QTcpServer other;
    const quint16 port = takePort(other);
    QVERIFY(port > 0);
    PrivateServer::Options options;
    options.firstPort = port;
    TestServer server(options);
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QVERIFY(server.endpoint().port != port);
    QCOMPARE(ping(server.endpoint()), pong);
}

void tst_PrivateServer::takesTheFirstPortWhenItIsFree()
{
    bool isTaken = false;
    for (int i = 0; i < 3 && !isTaken; ++i) { // somebody else may take it in between
        QTcpServer other;
        PrivateServer::Options options;
        options.firstPort = takePort(other);
        other.close();
        TestServer server(options);
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        isTaken = options.firstPort > 0 && server.endpoint().port == options.firstPort;
    }
    QVERIFY(isTaken);
}

void tst_PrivateServer::triesNoOtherPortThanAFixedOne()
{
    QTcpServer other;
    PrivateServer::Options options;
    options.firstPort = takePort(other);
    options.isPortFixed = true;
    TestServer refused(options);
    QVERIFY(!refused.isReady());
    QVERIFY(refused.server().isPortTaken());
    other.close();
    TestServer server(options);
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QCOMPARE(server.endpoint().port, options.firstPort);
    QVERIFY(!server.server().isPortTaken());
}

void tst_PrivateServer::listensWhereItIsTold()
{
    PrivateServer::Options options;
    options.host = QStringLiteral("127.83.19.11");
    options.announced = {QStringLiteral("127.83.19.21"), 12345};
    TestServer server(options);
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint &endpoint = server.endpoint();
    QCOMPARE(endpoint.host, options.host);
    QCOMPARE(ping(endpoint), pong);
    QCOMPARE(ask(QStringLiteral("127.0.0.1"), endpoint.port, "PING\r\n", 1), "not connected");
    QCOMPARE(setting(endpoint, "bind-source-addr"), "127.83.19.11");
    QCOMPARE(setting(endpoint, "replica-announce-ip"), "127.83.19.21");
    QCOMPARE(setting(endpoint, "replica-announce-port"), "12345");
}

void tst_PrivateServer::saysWhyThereIsNoServer_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("says");
    const QByteArray good = "[ \"$1\" = --version ] && { echo 'Redis server v=7.2.4 sha=0'; exit; }\n";
    QTest::newRow("not there") << QByteArray() << QStringLiteral("package redis-server");
    QTest::newRow("too old") << QByteArray("echo 'Redis server v=6.2.7 sha=0'\n") << QStringLiteral("6.2.7");
    QTest::newRow("something else") << QByteArray("echo hello\n") << QStringLiteral("is not a redis-server");
    QTest::newRow("silent about its version")
        << QByteArray("exec sleep 60\n") << QStringLiteral("is not a redis-server");
    QTest::newRow("exits at once") << good + "echo 'no memory today'; exit 3\n" << QStringLiteral("no memory today");
    QTest::newRow("status of an exit") << good + "exit 3\n" << QStringLiteral("status 3");
    QTest::newRow("is killed") << good + "kill -9 $$\n" << QStringLiteral("signal 9");
    QTest::newRow("never answers") << good + "exec sleep 60\n" << QStringLiteral("did not answer within 0.5 s");
    QTest::newRow("says ready, is not") << good + "echo 'Ready to accept connections'; exec sleep 60\n"
                                        << QStringLiteral("did not answer");
}

void tst_PrivateServer::saysWhyThereIsNoServer()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const QString path = script.isEmpty() ? folder.filePath(QStringLiteral("nothing")) : writeScript(folder, script);
    qputenv("INTERLOCK_REDIS_SERVER", QFile::encodeName(path));
    PrivateServer::Options options;
    options.startLimit = 500ms;
    QElapsedTimer time;
    time.start();
    const TestServer server(options);
    QVERIFY(!server.isReady());
    QVERIFY2(server.error().contains(says), qPrintable(server.error()));
    QVERIFY2(server.error().contains(path), qPrintable(server.error()));
    QVERIFY(time.elapsed() < 5000);
}

void tst_PrivateServer::isKilledPausedAndResumed()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    bool hasEnded = false;
    server.server().onEnded = [&hasEnded](const QString &) { hasEnded = true; };
    const Endpoint endpoint = server.endpoint();
    const qint64 process = server.server().processId();
    QVERIFY(server.server().pause());
    QTRY_COMPARE(processState(process), 'T');
    QCOMPARE(ping(endpoint, 100), "");
    QVERIFY(server.server().resume());
    QTRY_COMPARE(ping(endpoint), pong);
    QVERIFY(server.server().pause());
    QVERIFY(server.server().kill()); // also a paused one
    QTRY_VERIFY(hasGone(process));
    QVERIFY(!server.server().kill());
    QVERIFY(!server.server().pause());
    QVERIFY(!server.server().resume());
    QVERIFY(!server.server().isRunning());
    // Its main thread is gone, but the last of its threads closes the sockets.
    QTRY_COMPARE(ping(endpoint, 100), "not connected");
    QVERIFY(!QTest::qWaitFor([&hasEnded] { return hasEnded; }, 200)); // we asked for it
}

void tst_PrivateServer::comesBackEmptyOnTheSamePort()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const Endpoint endpoint = server.endpoint();
    const QByteArray logIn = "AUTH " + endpoint.password + "\r\n";
    QCOMPARE(ask(endpoint.host, endpoint.port, logIn + "SET a b\r\n", 2), "+OK\r\n+OK\r\n");
    for (int times = 0; times < 2; ++times) {
        const qint64 before = server.server().processId();
        QVERIFY(server.server().kill());
        std::optional<Result<void>> restarted;
        server.server().restart([&restarted](Result<void> result) { restarted = std::move(result); });
        QTRY_VERIFY(restarted);
        QVERIFY2(*restarted, qPrintable(restarted->ok() ? QString() : restarted->error().text));
        QVERIFY(server.server().isRunning() && server.server().processId() != before);
        QCOMPARE(server.endpoint().port, endpoint.port);
        QCOMPARE(ask(endpoint.host, endpoint.port, logIn + "EXISTS a\r\n", 2), "+OK\r\n:0\r\n");
    }
}

void tst_PrivateServer::tellsOfAnEndNobodyAskedFor()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QStringList ends;
    server.server().onEnded = [&ends](const QString &how) { ends.append(how); };
    QCOMPARE(::kill(static_cast<pid_t>(server.server().processId()), SIGKILL), 0);
    QTRY_COMPARE(ends.size(), 1);
    QVERIFY2(ends[0].contains(QStringLiteral("signal 9")), qPrintable(ends[0]));
    QVERIFY(!server.server().kill());
}

void tst_PrivateServer::leavesNothingBehind()
{
    auto server = std::make_unique<TestServer>();
    QVERIFY2(server->isReady(), qPrintable(server->error()));
    const QString directory = server->keeper().directory();
    const qint64 process = server->server().processId();
    const qint64 keeper = server->keeper().processId();
    QVERIFY(!hasGone(process) && !hasGone(keeper) && QFileInfo::exists(directory));
    QElapsedTimer time;
    time.start();
    server.reset();
    QVERIFY2(time.elapsed() <= 600, qPrintable(QString::number(time.elapsed())));
    QVERIFY(hasGone(process));
    QVERIFY(hasGone(keeper));
    QVERIFY(!QFileInfo::exists(directory));
}

// A script in the server's place is the keeper's child, the server only its grandchild.
void tst_PrivateServer::endsWhatAScriptStarted()
{
    const Result<ServerProgram> program = findServerProgram();
    QVERIFY2(program, program ? "" : qPrintable(program.error().text));
    const QTemporaryDir folder;
    const QByteArray real = QFile::encodeName(program->path);
    const QString path =
        writeScript(folder, "bash -c 'exec -a redis-server \"$0\" \"$@\"' '" + real + "' \"$@\"\necho \"ended: $?\"\n");
    qputenv("INTERLOCK_REDIS_SERVER", QFile::encodeName(path));
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    const QString directory = server.keeper().directory();
    std::unique_ptr<PrivateServer> second;
    bool isReady = false;
    second = std::make_unique<PrivateServer>(
        server.keeper(), PrivateServer::Options(), [&isReady](const Result<void> &ready) { isReady = ready.ok(); });
    QTRY_VERIFY(isReady);
    QCOMPARE(processesOf(directory).size(), 5); // the keeper, and a shell and a server for each
    second.reset();
    QTRY_COMPARE(processesOf(directory).size(), 3);
}

void tst_PrivateServer::mayBeDestroyedWhenReady()
{
    useKeeperOfProgram();
    auto keeper = std::make_unique<Keeper>([](const Result<void> &) {});
    const QString directory = keeper->directory();
    std::unique_ptr<PrivateServer> server;
    bool called = false;
    server = std::make_unique<PrivateServer>(*keeper, PrivateServer::Options(), [&](const Result<void> &) {
        server.reset();
        keeper.reset();
        called = true;
    });
    QTRY_VERIFY(called);
    QVERIFY(!QFileInfo::exists(directory));
}

void tst_PrivateServer::isSilentWhenDestroyedAtOnce()
{
    useKeeperOfProgram();
    QString directory;
    bool called = false;
    {
        const Keeper keeper([&called](const Result<void> &) { called = true; });
        directory = keeper.directory();
    }
    {
        Keeper keeper([](const Result<void> &) {});
        const PrivateServer server(keeper, {}, [&called](const Result<void> &) { called = true; });
    }
    QCoreApplication::processEvents();
    QVERIFY(!called);
    QVERIFY(!QFileInfo::exists(directory));
}

// This test's main() does not call runAsKeeper(), so it must not be started again with a keeper's arguments.
void tst_PrivateServer::isRefusedWhereMainCannotKeep()
{
    qunsetenv("INTERLOCK_KEEPER");
    QVERIFY(!canRunAsKeeper());
    QList<Result<void>> says;
    Keeper keeper([&says](Result<void> ready) { says.append(std::move(ready)); });
    const PrivateServer server(keeper, {}, [&says](Result<void> ready) { says.append(std::move(ready)); });
    QVERIFY(says.isEmpty());
    QTRY_COMPARE(says.size(), 2);
    for (const Result<void> &result : says) {
        QVERIFY(!result);
        QVERIFY2(result.error().text.contains(QStringLiteral("INTERLOCK_KEEPER")), qPrintable(result.error().text));
    }
    QCOMPARE(keeper.processId(), 0);
}

QTEST_GUILESS_MAIN(tst_PrivateServer)
#include "tst_privateserver.moc"
