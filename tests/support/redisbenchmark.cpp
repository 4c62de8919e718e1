// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisbenchmark.h"

#include "engine/redis/connection.h"
#include "engine/redis/script.h"
#include "tests/redis/waiter.h"

#include <QProcess>

namespace interlock {

RedisBenchmark::RedisBenchmark(const Endpoint &endpoint)
    : m_endpoint(endpoint)
{
    Connection connection(endpoint);
    if (!ask(connection, "ACL", "SETUSER", "bench", "on", "nopass", "~*", "&*", "+@all").isOk())
        qFatal("The server did not take the user.");
}

void RedisBenchmark::load(const Script &script) const
{
    Connection connection(m_endpoint);
    if (ask(connection, "SCRIPT", "LOAD", script.body).text != script.sha)
        qFatal("The server did not take the script.");
}

double RedisBenchmark::perSecond(const QStringList &options, const QByteArrayList &command) const
{
    QStringList arguments {"-h", m_endpoint.host, "-p", QString::number(m_endpoint.port), "--user", "bench", "-a", "any", "--csv", "--precision", "3"};
    arguments += options;
    for (const QByteArray &argument : command)
        arguments.append(QString::fromUtf8(argument));
    QProcess benchmark;
    benchmark.start(QStringLiteral("redis-benchmark"), arguments);
    if (!benchmark.waitForFinished(300'000) || benchmark.exitCode() != 0)
        qFatal("redis-benchmark: %s", benchmark.readAllStandardError().constData());
    // "test","rps",… and below it "EVALSHA …","61234.5",…
    const QList<QByteArray> fields = benchmark.readAllStandardOutput().trimmed().split('\n').last().split(',');
    const double figure = fields.value(1).replace('"', "").toDouble();
    if (figure <= 0)
        qFatal("redis-benchmark gave no figure.");
    return figure;
}

}
