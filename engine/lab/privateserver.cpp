// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/privateserver.h"

#include "engine/lab/keeper.h"
#include "engine/lab/keeperlink.h"
#include "engine/lab/labdirectory.h"
#include "engine/lab/serverprogram.h"
#include "engine/redis/connection.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTimer>

#include <atomic>

#include <csignal>

namespace interlock {

namespace {

constexpr int mostAttempts = 30;
constexpr int keptOutput = 4096; // bytes
constexpr int longestSocketPath = 107; // sockaddr_un

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::PrivateServer)
};

constexpr int busOffset = 10000; // from a cluster member's port to that on which it speaks with the others

// Below 32768, where the ports of outgoing connections begin.
quint16 randomPort(bool isClusterMember)
{
    return static_cast<quint16>(QRandomGenerator::global()->bounded(10000, isClusterMember ? 32768 - busOffset : 32768));
}

/// Empty if it cannot be read.
QByteArray textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

class PrivateServer::Impl final : public ServerFollower, public ReplyReceiver
{
public:
    Impl(PrivateServer &server, std::shared_ptr<KeeperLink> link, Options options,
        std::function<void(Result<void>)> ready);
    ~Impl();

    bool signal(int number);
    void restart(std::function<void(Result<void>)> ready);

    enum class State { Starting, Running, Killed, Ended };

    PrivateServer &m_server;
    std::shared_ptr<KeeperLink> m_link;
    Options m_options;
    std::function<void(Result<void>)> m_ready;
    ServerProgram m_program;
    Endpoint m_endpoint;
    QString m_directory;
    State m_state = State::Starting;
    pid_t m_process = 0;
    bool m_isPortTaken = false;

private:
    Result<void> begin();
    void nameDirectory();
    void limitStart();
    void launch();
    QByteArray configuration() const;
    bool isSentinel() const { return !m_options.watches.isEmpty(); }
    QString sentinelPath() const { return m_directory + QLatin1Char('/') + QLatin1String(sentinelFile); }
    QString unixPath() const { return m_directory + QStringLiteral("/redis.sock"); }
    QString lastWords() const;
    void fail(Error error);

    void started(pid_t process) override { m_process = process; }
    void wrote(const QByteArray &text) override;
    void ended(const QString &how) override;
    void replied(Reply reply, Nanoseconds answered) override;
    void failed(Error error) override;

    int m_id = 0;
    int m_attempts = 0;
    int m_starts = 0; // the first, and each restart
    QByteArray m_output;
    QByteArray m_written; // by a sentinel, before it was restarted
    std::unique_ptr<Connection> m_connection; // of the first PING
    QObject m_context; // of calls that come later

    friend class PrivateServer;
};

PrivateServer::Impl::Impl(
    PrivateServer &server, std::shared_ptr<KeeperLink> link, Options options, std::function<void(Result<void>)> ready)
    : m_server(server)
    , m_link(std::move(link))
    , m_options(std::move(options))
    , m_ready(std::move(ready))
{
    if (const Result<void> begun = begin(); !begun) {
        QTimer::singleShot(0, &m_context, [this, error = begun.error()] { fail(error); });
        return;
    }
    limitStart();
}

void PrivateServer::Impl::limitStart()
{
    QTimer::singleShot(m_options.startLimit, &m_context, [this, start = ++m_starts] {
        if (m_state == State::Starting && start == m_starts) {
            fail({Error::Kind::TimedOut,
                Text::tr("%1 did not answer within %2 s after its start.%3")
                    .arg(m_program.path)
                    .arg(static_cast<double>(m_options.startLimit.count()) / 1000)
                    .arg(lastWords())});
        }
    });
}

Result<void> PrivateServer::Impl::begin()
{
    const Result<ServerProgram> program = findServerProgram();
    if (!program)
        return program.error();
    m_program = *program;
    m_endpoint.host = m_options.host;
    m_endpoint.password = m_link->password();
    nameDirectory();
    if (m_options.unixSocket && QFile::encodeName(unixPath()).size() > longestSocketPath) {
        return Error {Error::Kind::Invalid,
            Text::tr("The path %1 is too long for a unix socket. Set XDG_RUNTIME_DIR or TMPDIR to a shorter one.")
                .arg(unixPath())};
    }
    launch();
    return {};
}

PrivateServer::Impl::~Impl()
{
    m_link->stop(m_id);
}

// Numbered, so that two of the same name do not meet.
void PrivateServer::Impl::nameDirectory()
{
    static std::atomic<int> lastNumber = 0;
    m_directory = QStringLiteral("%1/%2-%3").arg(m_link->directory(), m_options.name).arg(++lastNumber);
}

void PrivateServer::Impl::launch()
{
    ++m_attempts;
    m_output.clear();
    m_isPortTaken = false;
    m_connection.reset();
    if (m_options.isPortFixed) {
        m_endpoint.port = m_options.firstPort;
    } else if (m_starts < 2) { // a restarted one keeps its port
        const quint16 port = m_attempts == 1 ? m_options.firstPort : quint16(0);
        m_endpoint.port = port ? port : randomPort(m_options.isClusterMember);
    }
    const ServerMode mode = isSentinel() ? ServerMode::Sentinel : ServerMode::Data;
    m_id = m_link->start(QFileInfo(m_directory).fileName(), m_program.path, m_written.isEmpty() ? configuration() : m_written, mode, this);
}

QByteArray PrivateServer::Impl::configuration() const
{
    const QByteArray host = m_endpoint.host.toLatin1();
    QByteArray lines = textOf(isSentinel() ? QStringLiteral(":/server/sentinel.conf") : QStringLiteral(":/server/private.conf"));
    Q_ASSERT(!lines.isEmpty());
    for (const QString &setting : m_options.settings)
        lines += setting.toUtf8() + '\n';
    if (m_options.unixSocket)
        lines += "unixsocket redis.sock\nunixsocketperm 700\n"; // relative: paths with spaces need no quotes
    lines += "bind " + host + "\nport " + QByteArray::number(m_endpoint.port) + '\n';
    if (m_options.host != Options().host)
        lines += "bind-source-addr " + host + '\n';
    lines += "requirepass " + m_endpoint.password + '\n';
    if (isSentinel())
        lines += "sentinel sentinel-pass " + m_endpoint.password + "\nsentinel auth-pass " + m_options.watches.toUtf8() + ' ' + m_endpoint.password + '\n';
    else
        lines += "masterauth " + m_endpoint.password + '\n';
    if (!m_options.announced.host.isEmpty()) {
        const QByteArray prefix = isSentinel() ? "sentinel " : "replica-";
        lines += prefix + "announce-ip " + m_options.announced.host.toLatin1() + '\n';
        lines += prefix + "announce-port " + QByteArray::number(m_options.announced.port) + '\n';
    }
    if (m_options.isClusterMember)
        lines += "cluster-enabled yes\ncluster-port " + QByteArray::number(m_endpoint.port + busOffset) + '\n';
    lines += "loglevel notice\nlogfile \"\"\ndaemonize no\n"; // its log tells when it is ready
    return lines;
}

void PrivateServer::Impl::wrote(const QByteArray &text)
{
    m_output = (m_output + text).right(keptOutput);
    // A sentinel tells its id instead, when it has begun to listen.
    const bool isListening = m_output.contains(isSentinel() ? "Sentinel ID is" : "Ready to accept connections");
    if (m_state != State::Starting || m_connection || !isListening)
        return;
    m_connection = std::make_unique<Connection>(m_endpoint);
    m_connection->send(Command("PING"), m_options.startLimit, this);
}

void PrivateServer::Impl::replied(Reply reply, Nanoseconds)
{
    m_connection.reset();
    if (reply.text != "PONG")
        return fail({Error::Kind::Failed,
            Text::tr("%1 answered its first PING with: %2").arg(m_program.path, QString::fromUtf8(reply.shown()))});
    m_state = State::Running;
    if (const auto ready = std::exchange(m_ready, nullptr))
        ready({});
}

void PrivateServer::Impl::failed(Error error)
{
    fail({error.kind, Text::tr("%1 did not answer after its start. %2").arg(m_program.path, error.text)});
}

void PrivateServer::Impl::fail(Error error)
{
    m_state = State::Ended;
    m_connection.reset();
    m_link->stop(std::exchange(m_id, 0));
    if (const auto ready = std::exchange(m_ready, nullptr))
        ready(std::move(error));
}

void PrivateServer::Impl::ended(const QString &how)
{
    const State before = std::exchange(m_state, State::Ended);
    if (before == State::Starting) {
        m_isPortTaken = m_output.contains("Address already in use") || m_output.contains("Failed listening on port");
        if (m_isPortTaken && !m_options.isPortFixed && m_attempts < mostAttempts) {
            m_link->stop(m_id);
            m_state = State::Starting;
            return launch();
        }
        return fail({Error::Kind::Failed, Text::tr("%1 did not start. %2%3").arg(m_program.path, how, lastWords())});
    }
    if (before == State::Running && m_server.onEnded) {
        const auto onEnded = m_server.onEnded; // it may destroy the server and itself with it
        onEnded(how);
    }
}

// What it wrote last, as a sentence's appendix. Its lines begin with process, role and time, which nobody wants to
// read.
QString PrivateServer::Impl::lastWords() const
{
    const QByteArray line = m_output.trimmed().split('\n').last();
    const qsizetype mark = std::max(line.indexOf(" # "), line.indexOf(" * "));
    const QString words = QString::fromUtf8(mark < 0 ? line : line.mid(mark + 3));
    return words.isEmpty() ? QString() : Text::tr(" It last said: %1").arg(words);
}

void PrivateServer::Impl::restart(std::function<void(Result<void>)> ready)
{
    Q_ASSERT(m_state == State::Killed || m_state == State::Ended);
    if (isSentinel())
        m_written = textOf(sentinelPath());
    m_link->stop(m_id);
    m_ready = std::move(ready);
    m_state = State::Starting;
    m_attempts = 0;
    limitStart();
    launch();
}

bool PrivateServer::Impl::signal(int number)
{
    // The keeper leaves an ended server a zombie until we say stop, so this number is nobody else's.
    return m_state == State::Running && ::kill(m_process, number) == 0;
}

PrivateServer::PrivateServer(Keeper &keeper, Options options, std::function<void(Result<void>)> ready)
    : m_impl(std::make_unique<Impl>(*this, keeper.m_link, std::move(options), std::move(ready)))
{
}

PrivateServer::~PrivateServer() = default;

const Endpoint &PrivateServer::endpoint() const
{
    return m_impl->m_endpoint;
}

Endpoint PrivateServer::unixEndpoint() const
{
    Endpoint endpoint = m_impl->m_endpoint;
    endpoint.host.clear();
    endpoint.port = 0;
    endpoint.path = m_impl->unixPath();
    return endpoint;
}

QString PrivateServer::directory() const
{
    return m_impl->m_directory;
}

QString PrivateServer::version() const
{
    return m_impl->m_program.version;
}

qint64 PrivateServer::processId() const
{
    return m_impl->m_process;
}

bool PrivateServer::isRunning() const
{
    return m_impl->m_state == Impl::State::Running;
}

bool PrivateServer::kill()
{
    if (!m_impl->signal(SIGKILL))
        return false;
    m_impl->m_state = Impl::State::Killed;
    return true;
}

bool PrivateServer::pause()
{
    return m_impl->signal(SIGSTOP);
}

bool PrivateServer::resume()
{
    return m_impl->signal(SIGCONT);
}

bool PrivateServer::isPortTaken() const
{
    return m_impl->m_isPortTaken;
}

void PrivateServer::restart(std::function<void(Result<void>)> ready)
{
    m_impl->restart(std::move(ready));
}

}
