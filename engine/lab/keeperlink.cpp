// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/keeperlink.h"

#include "engine/lab/keeper.h"
#include "engine/lab/labdirectory.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QSocketNotifier>
#include <QTimer>

#include <array>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace interlock {

namespace {

constexpr auto openLimit = 5s;
constexpr int closeLimit = 500; // ms

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Keeper)
};

QByteArray randomHex(size_t words)
{
    QByteArray bytes(static_cast<qsizetype>(words * sizeof(quint32)), Qt::Uninitialized);
    auto *numbers = reinterpret_cast<quint32 *>(bytes.data());
    QRandomGenerator::system()->fillRange(numbers, static_cast<qsizetype>(words));
    return bytes.toHex();
}

QString parentDirectory()
{
    const QFileInfo runtime(qEnvironmentVariable("XDG_RUNTIME_DIR"));
    const bool usable =
        runtime.isAbsolute() && runtime.isDir() && runtime.isWritable() && runtime.ownerId() == geteuid();
    return usable ? runtime.absoluteFilePath() : QFileInfo(QDir::tempPath()).absoluteFilePath();
}

QByteArray keeperProgram()
{
    if (qEnvironmentVariableIsSet("INTERLOCK_KEEPER"))
        return qgetenv("INTERLOCK_KEEPER");
    // Not applicationFilePath(): this one is still the same program when its file was replaced meanwhile.
    return canRunAsKeeper() ? "/proc/self/exe" : "";
}

QString systemSays(int error)
{
    return QString::fromLocal8Bit(strerror(error));
}

}

KeeperLink::KeeperLink()
    : m_directory(
        parentDirectory() + QLatin1Char('/') + QLatin1String(labDirectoryPrefix) + QString::fromLatin1(randomHex(2)))
    , m_password(randomHex(8))
    , m_context(std::make_unique<QObject>())
{
}

KeeperLink::~KeeperLink()
{
    close();
}

void KeeperLink::open(std::function<void(Result<void>)> ready)
{
    m_ready = std::move(ready);
    if (const Result<void> spawned = spawn(); !spawned) {
        m_loss = spawned.error().text;
        QTimer::singleShot(0, m_context.get(), [this, error = spawned.error()] { becomeReady(error); });
        return;
    }
    m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_context.get(), [this] { receive(); });
    QTimer::singleShot(openLimit, m_context.get(), [this] {
        if (m_ready)
            lost(Text::tr("The keeper of the servers did not answer within 5 s."));
    });
}

Result<void> KeeperLink::spawn()
{
    const QByteArray program = keeperProgram();
    if (program.isEmpty()) { // its main() would take the keeper's arguments for its own
        return Error {Error::Kind::Missing,
            Text::tr("This program cannot be the keeper of servers. Name the interlock program in $INTERLOCK_KEEPER.")};
    }
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return Error {
            Error::Kind::Failed, Text::tr("No socket to the keeper of the servers: %1.").arg(systemSays(errno))};

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
    // Whoever reads our output must not wait for the keeper's end.
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    // A session of its own, so that Ctrl-C on the program reaches the keeper only through the socket.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);

    QByteArray name = "interlock";
    QByteArray option = "--keep-servers";
    QByteArray directory = QFile::encodeName(m_directory);
    const std::array<char *, 4> arguments {name.data(), option.data(), directory.data(), nullptr};
    pid_t process = 0;
    const int error = posix_spawn(&process, program.constData(), &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        return Error {Error::Kind::Failed,
            Text::tr("The keeper of the servers (%1) did not start: %2.")
                .arg(QFile::decodeName(program), systemSays(error))};
    }
    m_process = process;
    m_socket = ends[0];
    return {};
}

void KeeperLink::close()
{
    m_followers.clear();
    m_ready = nullptr;
    m_context = std::make_unique<QObject>(); // forgets calls that were to come
    if (m_socket < 0)
        return;
    m_loss = Text::tr("The servers were ended.");
    shutdown(m_socket, SHUT_WR); // the keeper sees the end, and we see its own
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(closeLimit);
    char ignored[256];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd watched {m_socket, POLLIN, 0};
        if (left.count() <= 0 || poll(&watched, 1, static_cast<int>(left.count())) == 0) {
            ::kill(m_process, SIGKILL);
            break;
        }
        if (recv(m_socket, ignored, sizeof ignored, MSG_DONTWAIT) == 0)
            break;
    }
    releaseSocket();
    removeDirectory(QFile::encodeName(m_directory).toStdString());
}

void KeeperLink::releaseSocket()
{
    if (m_notifier) {
        m_notifier->setEnabled(false);
        m_notifier.release()->deleteLater(); // it may be what called us
    }
    ::close(m_socket);
    m_socket = -1;
    while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) { }
}

int KeeperLink::start(
    const QString &name, const QString &program, const QByteArray &configuration, ServerMode mode, ServerFollower *follower)
{
    const int server = ++m_lastServer;
    m_followers[server] = follower;
    const QByteArray packet = "start " + QByteArray::number(server) + ' ' + QFile::encodeName(name)
        + (mode == ServerMode::Sentinel ? " sentinel\n" : "\n") + QFile::encodeName(program) + '\n' + configuration;
    if (!send(packet)) {
        QTimer::singleShot(0, m_context.get(), [this, server] {
            const auto found = m_followers.find(server);
            if (found == m_followers.end())
                return;
            ServerFollower *waiting = found->second;
            m_followers.erase(found);
            waiting->ended(m_loss.isEmpty() ? Text::tr("The keeper of the servers does not listen.") : m_loss);
        });
    }
    return server;
}

void KeeperLink::stop(int server)
{
    m_followers.erase(server);
    send("stop " + QByteArray::number(server));
}

bool KeeperLink::send(const QByteArray &packet)
{
    if (m_socket < 0)
        return false;
    ssize_t sent = 0;
    do {
        sent = ::send(m_socket, packet.constData(), static_cast<size_t>(packet.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent == packet.size();
}

void KeeperLink::receive()
{
    const std::shared_ptr<KeeperLink> self = shared_from_this(); // what is called below may drop us
    char buffer[8192];
    while (m_socket >= 0) {
        const ssize_t size = recv(m_socket, buffer, sizeof buffer, MSG_DONTWAIT);
        if (size > 0)
            handle(QByteArray(buffer, size));
        else if (size < 0 && (errno == EINTR || errno == ECONNRESET))
            continue; // reset: it ended without having read all of ours, its own words may still follow
        else if (size == 0 || errno != EAGAIN)
            return lost(Text::tr("The keeper of the servers ended, and the servers with it."));
        else
            return;
    }
}

void KeeperLink::handle(const QByteArray &packet)
{
    const qsizetype lineEnd = packet.indexOf('\n');
    const QList<QByteArray> words = packet.left(lineEnd < 0 ? packet.size() : lineEnd).split(' ');
    const QByteArray &verb = words[0];
    if (verb == "ready")
        return becomeReady({});
    if (words.size() < 2)
        return;
    if (verb == "failed") {
        return lost(Text::tr("The directory %1 for the servers could not be made: %2.")
                        .arg(m_directory, systemSays(words[1].toInt())));
    }
    const auto found = m_followers.find(words[1].toInt());
    if (found == m_followers.end())
        return;
    ServerFollower *follower = found->second;
    if (verb == "output")
        return follower->wrote(packet.mid(lineEnd + 1));
    if (words.size() < 3)
        return;
    if (verb == "started")
        return follower->started(words[2].toInt());
    m_followers.erase(found);
    if (verb == "refused")
        follower->ended(Text::tr("It could not be started: %1.").arg(systemSays(words[2].toInt())));
    else if (words[2] == "exit")
        follower->ended(Text::tr("It ended with status %1.").arg(words.last().toInt()));
    else
        follower->ended(Text::tr("It was ended by signal %1.").arg(words.last().toInt()));
}

// The keeper is gone or no good: its servers die with it, the directory is left to us.
void KeeperLink::lost(const QString &why)
{
    const std::shared_ptr<KeeperLink> self = shared_from_this();
    m_loss = why;
    ::kill(m_process, SIGKILL);
    releaseSocket();
    removeDirectory(QFile::encodeName(m_directory).toStdString());
    becomeReady(Error {Error::Kind::Failed, why});
    while (!m_followers.empty()) {
        ServerFollower *follower = m_followers.begin()->second;
        m_followers.erase(m_followers.begin());
        follower->ended(why);
    }
}

void KeeperLink::becomeReady(Result<void> result)
{
    if (const auto ready = std::exchange(m_ready, nullptr))
        ready(std::move(result));
}

}
