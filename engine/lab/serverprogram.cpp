// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/serverprogram.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QMutex>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QVersionNumber>

#include <array>
#include <chrono>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace interlock {

namespace {

constexpr int answerLimit = 2000; // ms

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::ServerProgram)
};

// What the program at path prints when it is called "redis-server --version". QProcess cannot give it that name.
QByteArray versionLine(const QString &path)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return {};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "redis-server";
    char option[] = "--version";
    const std::array<char *, 3> arguments {name, option, nullptr};
    pid_t process = 0;
    const int error =
        posix_spawn(&process, QFile::encodeName(path).constData(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    QByteArray answer;
    if (error == 0) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(answerLimit);
        for (;;) {
            using std::chrono::milliseconds;
            const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
            pollfd watched {ends[0], POLLIN, 0};
            char text[512];
            if (left.count() <= 0 || poll(&watched, 1, static_cast<int>(left.count())) <= 0)
                break;
            const ssize_t size = read(ends[0], text, sizeof text);
            if (size <= 0 || answer.size() > 4096)
                break;
            answer.append(text, size);
        }
        kill(process, SIGKILL); // it has said what we want, or never will
        waitpid(process, nullptr, 0);
    }
    close(ends[0]);
    return answer;
}

Result<ServerProgram> examine(const QString &path)
{
    static const QRegularExpression pattern(QStringLiteral("server.* v=(\\d+\\.\\d+\\.\\d+)"));
    const QRegularExpressionMatch match = pattern.match(QString::fromLocal8Bit(versionLine(path)));
    if (!match.hasMatch())
        return Error {
            Error::Kind::Missing, Text::tr("%1 is not a redis-server: it does not tell its version.").arg(path)};
    const ServerProgram program {path, match.captured(1), QFileInfo(path).fileName() != QLatin1String("redis-server")};
    if (QVersionNumber::fromString(program.version) < QVersionNumber(7, 0)) {
        return Error {Error::Kind::Missing,
            Text::tr("%1 has version %2, but 7.0 or later is needed. Install a newer package redis-server.")
                .arg(path, program.version)};
    }
    return program;
}

Result<ServerProgram> search(const QString &named)
{
    if (!named.isEmpty()) {
        const QFileInfo file(named);
        if (!file.isFile() || !file.isExecutable()) {
            return Error {Error::Kind::Missing,
                Text::tr(
                    "$INTERLOCK_REDIS_SERVER names %1, which is not a program. Name a redis-server, or unset it and "
                    "install "
                    "the package redis-server.")
                    .arg(named)};
        }
        return examine(file.absoluteFilePath());
    }
    const QStringList usual {QStringLiteral("/usr/local/bin"), QStringLiteral("/usr/bin"),
        QStringLiteral("/usr/local/sbin"), QStringLiteral("/usr/sbin")};
    std::optional<Error> firstError;
    for (const auto &name : {QStringLiteral("redis-server"), QStringLiteral("redis-check-rdb")}) {
        QString path = QStandardPaths::findExecutable(name);
        if (path.isEmpty())
            path = QStandardPaths::findExecutable(name, usual);
        if (path.isEmpty())
            continue;
        Result<ServerProgram> found = examine(path);
        if (found)
            return found;
        if (!firstError)
            firstError = found.error();
    }
    return firstError.value_or(Error {Error::Kind::Missing,
        Text::tr(
            "No redis-server was found. Install the package redis-tools, which holds it too, or redis-server, or name "
            "one in "
            "$INTERLOCK_REDIS_SERVER.")});
}

}

Result<ServerProgram> findServerProgram()
{
    static QMutex mutex;
    static QString knownFor;
    static std::optional<ServerProgram> known;
    const QMutexLocker lock(&mutex);
    const QString named = qEnvironmentVariable("INTERLOCK_REDIS_SERVER");
    const QString searchedIn = named + QLatin1Char('\n') + qEnvironmentVariable("PATH");
    if (known && knownFor == searchedIn)
        return *known;
    Result<ServerProgram> found = search(named);
    known = found ? std::optional(*found) : std::nullopt;
    knownFor = searchedIn;
    return found;
}

}
