// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// How long "interlock limit" takes for a trace of a million lines and how much memory it needs at its peak, beside
/// redis-benchmark with as many calls of the same script, 16 in flight on each of its connections. Prints one JSON line.
///
///     bench_limit [lines]

#include "engine/limiters/limiter.h"
#include "engine/redis/script.h"
#include "tests/support/redisbenchmark.h"
#include "tests/support/testserver.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace interlock;

extern char **environ;

namespace {

struct Cost
{
    double seconds = 0;
    double peakMegabytes = 0;
};

/// Runs it with its output thrown away. QProcess does not tell how much memory a child has used.
Cost costOf(const QByteArrayList &command)
{
    std::vector<char *> arguments;
    for (const QByteArray &argument : command)
        arguments.push_back(const_cast<char *>(argument.constData()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t pid = 0;
    QElapsedTimer elapsed;
    elapsed.start();
    if (posix_spawn(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ) != 0)
        qFatal("%s could not be started.", arguments.front());
    int status = 0;
    rusage usage {};
    if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        qFatal("It ended with status %d.", status);
    posix_spawn_file_actions_destroy(&actions);
    return {static_cast<double>(elapsed.nsecsElapsed()) / 1e9, static_cast<double>(usage.ru_maxrss) / 1024};
}

void writeTrace(const QString &path, int lines)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("%s", qPrintable(file.errorString()));
    file.write("at_us,cost\n");
    for (int i = 0; i < lines; ++i)
        file.write(QByteArray::number(i * qint64(1'000)) + ",1\n");
}

}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const int lines = argc > 1 ? std::max(1'000, atoi(argv[1])) : 1'000'000;
    QTemporaryDir folder;
    const QString trace = folder.filePath("trace.csv");
    writeTrace(trace, lines);

    const Result<Limiter> limiter = Limiter::make("token-bucket", {{"capacity", "100"}, {"rate", "500/s"}});
    if (!limiter)
        qFatal("%s", qPrintable(limiter.error().text));
    const Cost cost = costOf({INTERLOCK_PROGRAM, "limit", "token-bucket", "--set", "capacity=100", "--set", "rate=500/s", "--json", "--trace", trace.toUtf8()});

    TestServer server;
    if (!server.isReady())
        qFatal("%s", qPrintable(server.error()));
    const RedisBenchmark benchmark(server.endpoint());
    benchmark.load(limiter->script());
    const QList<QByteArray> keys = limiter->keys("bench");
    const double perSecond = benchmark.perSecond({"-P", "16", "-n", QString::number(lines)},
        QByteArrayList {"EVALSHA", limiter->script().sha, QByteArray::number(keys.size())} + keys + limiter->arguments(1, 0));

    const double theirs = lines / perSecond;
    const QJsonObject line {
        {"bench", "limit"},
        {"lines", lines},
        {"seconds", qRound(cost.seconds * 1000) / 1000.0},
        {"peak_megabytes", qRound(cost.peakMegabytes * 10) / 10.0},
        {"redis_benchmark_seconds", qRound(theirs * 1000) / 1000.0},
        {"ratio", qRound(cost.seconds / theirs * 1000) / 1000.0}, // includes starting a server and reading the file
    };
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    return 0;
}
