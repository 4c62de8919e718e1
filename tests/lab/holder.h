// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/cluster.h"
#include "engine/lab/server.h"
#include "engine/redis/endpoint.h"
#include "tests/lab/processes.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

namespace interlock {

/// The program that is killed: a test run again. It starts servers and tells of them on its output: a line with keeper, bystander
/// and directory, then, when all servers answer (and form a cluster, if they shall), a line with the last one, or 0.
inline int holdServers(int argc, char **argv, int count, bool isCluster)
{
    QCoreApplication application(argc, argv);
    QProcess bystander; // which must not keep the keeper's socket open
    bystander.start(QStringLiteral("sleep"), {QStringLiteral("60")});
    Keeper keeper([](const Result<void> &) {});
    printf("%lld %lld %s\n", keeper.processId(), bystander.processId(), qPrintable(keeper.directory()));
    fflush(stdout);

    RealClock clock;
    std::vector<std::unique_ptr<PrivateServer>> servers;
    Task<> task;
    const auto tell = [](qint64 process) {
        printf("%lld\n", process);
        fflush(stdout);
    };
    const auto form = [&]() -> Task<> {
        std::vector<Endpoint> members;
        for (const auto &server : servers)
            members.push_back(server->endpoint());
        const Result<void> formed = co_await formCluster(std::move(members), clock);
        tell(formed ? servers.back()->processId() : 0);
    };
    int missing = count;
    const auto answered = [&](const Result<void> &ready) {
        if (!ready)
            return tell(0);
        if (--missing > 0)
            return;
        if (!isCluster)
            return tell(servers.back()->processId());
        task = form();
        task.start();
    };
    PrivateServer::Options options;
    options.isClusterMember = isCluster;
    for (int i = 0; i < count; ++i)
        servers.push_back(std::make_unique<PrivateServer>(keeper, options, answered));
    return QCoreApplication::exec();
}

/// Runs that program and ends it.
struct Holder
{
    QProcess process;
    qint64 keeper = 0;
    qint64 server = 0;
    qint64 bystander = 0;
    QString directory;

    ~Holder()
    {
        process.kill();
        process.waitForFinished();
        if (bystander > 0)
            ::kill(static_cast<pid_t>(bystander), SIGKILL);
    }

    bool start(const QString &argument = QStringLiteral("--hold-a-server"))
    {
        process.start(QCoreApplication::applicationFilePath(), {argument});
        if (!awaitLine())
            return false;
        const QByteArray line = process.readLine().trimmed();
        const QList<QByteArray> words = line.split(' ');
        keeper = words[0].toLongLong();
        bystander = words.value(1).toLongLong();
        directory = QFile::decodeName(line.mid(words[0].size() + words.value(1).size() + 2));
        return keeper > 0 && bystander > 0 && !directory.isEmpty();
    }

    bool awaitServer()
    {
        if (!awaitLine())
            return false;
        server = process.readLine().trimmed().toLongLong();
        return server > 0;
    }

    bool awaitLine()
    {
        return QTest::qWaitFor([this] { return process.canReadLine(); }, 20'000);
    }

    bool leftNothing() const { return processesOf(directory).isEmpty() && !QFileInfo::exists(directory); }
};

}
