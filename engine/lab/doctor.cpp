// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/doctor.h"

#include "engine/lab/server.h"
#include "engine/redis/connection.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QSqlDatabase>
#include <QStandardPaths>
#include <QThread>
#include <QTimer>

#include <algorithm>

#include <sys/stat.h>

namespace interlock {

namespace {

constexpr auto answerLimit = 2s;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Doctor)
};

Finding directoryFinding(const QString &path)
{
    struct stat about;
    const bool isThere = stat(QFile::encodeName(path).constData(), &about) == 0;
    const bool isPrivate = isThere && (about.st_mode & 07777) == 0700;
    return {QStringLiteral("directory"), Text::tr("Private directory"), isPrivate, true,
        isPrivate ? Text::tr("Servers work in a fresh directory that only you can enter, such as %1.").arg(path)
                  : Text::tr("The directory %1 could not be made, or not for you alone.").arg(path),
        {}};
}

Finding sqliteFinding()
{
    const bool isThere = QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"));
    return {QStringLiteral("sqlite"), Text::tr("Orders database"), isThere, true,
        isThere ? Text::tr("Qt’s driver for SQLite is here.")
                : Text::tr("Qt’s driver for SQLite is missing. Install the package libqt6sql6-sqlite."),
        isThere ? QString() : QStringLiteral("libqt6sql6-sqlite")};
}

Finding redisCliFinding()
{
    const QString path = QStandardPaths::findExecutable(QStringLiteral("redis-cli"));
    return {QStringLiteral("redis-cli"), Text::tr("redis-cli"), !path.isEmpty(), false,
        path.isEmpty() ? Text::tr("redis-cli is missing; it is of use for commands that are copied from the window. "
                                  "Install the package redis-tools.")
                       : Text::tr("redis-cli is %1.").arg(path),
        path.isEmpty() ? QStringLiteral("redis-tools") : QString()};
}

/// Goes through the steps below, each of which starts the next.
class Examination final : public ReplyReceiver
{
public:
    /// @param finished called once, from the event loop; nothing happens afterwards.
    explicit Examination(std::function<void(QList<Finding>)> finished);

private:
    void startKeeper(const Result<ServerProgram> &program);
    void startServer(const Result<void> &keeper);
    void tryAnotherAddress(const Result<void> &server);
    void replied(Reply reply, Nanoseconds answered) override;
    void failed(Error error) override;
    void tryNotifications(bool isLoopbackOnly);
    void sendNotified(const Result<void> &subscribed);
    void conclude(bool isNotified);
    void add(const char *id, const QString &what, const Result<void> &result, const QString &good,
        const QString &package = {});
    void finish();

    std::function<void(QList<Finding>)> m_finished;
    QList<Finding> m_findings;
    std::unique_ptr<Keeper> m_keeper;
    std::unique_ptr<PrivateServer> m_server;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<Subscription> m_subscription;
    QTimer m_limit;
};

Examination::Examination(std::function<void(QList<Finding>)> finished)
    : m_finished(std::move(finished))
{
    startKeeper(findServerProgram());
}

void Examination::startKeeper(const Result<ServerProgram> &program)
{
    const Result<void> found = program ? Result<void>() : Result<void>(program.error());
    add("redis-server", Text::tr("Redis server program"), found,
        program ? Text::tr("%1 has version %2.").arg(program->path, program->version) : QString(),
        QStringLiteral("redis-server"));
    m_keeper = std::make_unique<Keeper>([this](const Result<void> &ready) { startServer(ready); });
}

void Examination::startServer(const Result<void> &keeper)
{
    add("keeper", Text::tr("Keeper"), keeper,
        Text::tr("The keeper runs, which ends the servers when the program ends."));
    m_findings.append(directoryFinding(m_keeper->directory()));
    m_server = std::make_unique<PrivateServer>(
        *m_keeper, PrivateServer::Options(), [this](const Result<void> &ready) { tryAnotherAddress(ready); });
}

// Every 127.x.y.z is this machine, so a server that listens everywhere would answer at another of them.
void Examination::tryAnotherAddress(const Result<void> &server)
{
    add("server", Text::tr("Private server"), server,
        Text::tr("A server started and answered at %1.").arg(m_server->endpoint().shown()));
    if (!server)
        return finish();
    Endpoint endpoint = m_server->endpoint();
    endpoint.host = QStringLiteral("127.0.0.2");
    m_connection = std::make_unique<Connection>(endpoint);
    m_connection->send(Command("PING"), answerLimit, this);
}

void Examination::replied(Reply, Nanoseconds)
{
    tryNotifications(false);
}

void Examination::failed(Error)
{
    tryNotifications(true);
}

void Examination::tryNotifications(bool isLoopbackOnly)
{
    m_findings.append({QStringLiteral("loopback"), Text::tr("Closed to the network"), isLoopbackOnly, true,
        isLoopbackOnly ? Text::tr("The server listens on 127.0.0.1 only.")
                       : Text::tr("The server listens on other addresses than 127.0.0.1."),
        {}});
    m_subscription = std::make_unique<Subscription>(
        m_server->endpoint(), QList<QByteArray> {"__keyevent@0__:set"}, QList<QByteArray>(),
        [this](const Subscription::Message &) { conclude(true); },
        [this](const Result<void> &ready) { sendNotified(ready); }, [this](const Error &) { conclude(false); });
    m_limit.setSingleShot(true);
    QObject::connect(&m_limit, &QTimer::timeout, &m_limit, [this] { conclude(false); });
    m_limit.start(answerLimit);
}

void Examination::sendNotified(const Result<void> &subscribed)
{
    if (!subscribed)
        return conclude(false);
    m_connection = std::make_unique<Connection>(m_server->endpoint());
    m_connection->send(Command("SET", "doctor", "1"), answerLimit, nullptr);
}

void Examination::conclude(bool isNotified)
{
    if (!m_finished)
        return; // told already
    m_findings.append({QStringLiteral("notifications"), Text::tr("Keyspace notifications"), isNotified, true,
        isNotified ? Text::tr("The server tells of changes of its keys.")
                   : Text::tr("The server does not tell of changes of its keys, which the owner lanes are drawn from."),
        {}});
    finish();
}

void Examination::add(
    const char *id, const QString &what, const Result<void> &result, const QString &good, const QString &package)
{
    m_findings.append({QString::fromLatin1(id), what, result.ok(), true, result ? good : result.error().text,
        result ? QString() : package});
}

void Examination::finish()
{
    m_limit.stop();
    const QString untried = Text::tr("This was not tried, since there is no server to ask.");
    if (m_findings.size() == 4) {
        m_findings.append({QStringLiteral("loopback"), Text::tr("Closed to the network"), false, true, untried, {}});
        m_findings.append(
            {QStringLiteral("notifications"), Text::tr("Keyspace notifications"), false, true, untried, {}});
    }
    m_findings.append(sqliteFinding());
    m_findings.append(redisCliFinding());
    std::exchange(m_finished, nullptr)(std::move(m_findings));
}

}

QString advice(const Finding &finding)
{
    if (finding.package.isEmpty() || finding.sentence.contains(finding.package))
        return finding.sentence;
    return finding.sentence + QLatin1Char(' ') + Text::tr("Install the package %1.").arg(finding.package);
}

bool isHealthy(const QList<Finding> &findings)
{
    return std::all_of(
        findings.begin(), findings.end(), [](const Finding &finding) { return finding.ok || !finding.needed; });
}

/// The examination has a thread of its own: looking for the program and ending a keeper block for some ms.
class Doctor::Impl
{
public:
    explicit Impl(std::function<void(QList<Finding>)> done);
    ~Impl();

private:
    std::function<void(QList<Finding>)> m_done;
    QList<Finding> m_findings; // of the thread until it has finished
    std::unique_ptr<QThread> m_thread;
    QObject m_context;
};

Doctor::Impl::Impl(std::function<void(QList<Finding>)> done)
    : m_done(std::move(done))
    , m_thread(QThread::create([this] {
        QEventLoop loop;
        const Examination examination([this, &loop](QList<Finding> findings) {
            m_findings = std::move(findings);
            loop.quit();
        });
        loop.exec();
    }))
{
    QObject::connect(m_thread.get(), &QThread::finished, &m_context, [this] {
        const auto call = std::move(m_done); // it may destroy the doctor
        call(std::move(m_findings));
    });
    m_thread->start();
}

Doctor::Impl::~Impl()
{
    m_thread->quit();
    m_thread->wait();
}

Doctor::Doctor(std::function<void(QList<Finding>)> done)
    : m_impl(std::make_unique<Impl>(std::move(done)))
{
}

Doctor::~Doctor() = default;

}
