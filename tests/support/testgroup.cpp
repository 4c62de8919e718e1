// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testgroup.h"

#include "engine/redis/infofields.h"
#include "engine/redis/sentinel.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <algorithm>
#include <optional>

namespace interlock {

TestGroup::TestGroup(NodeGroup::Options options)
{
    useKeeperOfProgram();
    std::optional<Result<void>> result;
    m_keeper = std::make_unique<Keeper>([](const Result<void> &) {});
    m_group = std::make_unique<NodeGroup>(*m_keeper, std::move(options), m_clock, [&result](Result<void> ready) { result = std::move(ready); });
    if (!QTest::qWaitFor([&result] { return result.has_value(); }, 20'000))
        m_error = QStringLiteral("The servers were not ready within 20 s.");
    else if (!result->ok())
        m_error = result->error().text;
}

TestGroup::~TestGroup() = default;

Connection &TestGroup::connection(const QString &node)
{
    std::unique_ptr<Connection> &known = m_connections[node];
    if (!known || !known->isUsable())
        known = std::make_unique<Connection>(m_group->node(node).direct);
    return *known;
}

QByteArray TestGroup::replication(const QString &node, const QByteArray &line)
{
    return InfoFields(ask(node, "INFO", "replication").text).text(line.constData());
}

QString TestGroup::primary()
{
    std::optional<QString> agreed;
    for (const GroupNode &sentinel : m_group->nodes()) {
        if (sentinel.role != NodeRole::Sentinel || !m_group->isRunning(sentinel.name))
            continue;
        const auto address = primaryFrom(ask(sentinel.name, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NodeGroup::masterName));
        QString named;
        for (const GroupNode &node : m_group->nodes()) {
            if (address && *address && **address == ServerAddress {node.announced.host, node.announced.port})
                named = node.name;
        }
        if (agreed && *agreed != named)
            return {};
        agreed = named;
    }
    return agreed.value_or(QString());
}

void TestGroup::listen()
{
    size_t subscribed = 0;
    for (const GroupNode &sentinel : m_group->nodes()) {
        if (sentinel.role != NodeRole::Sentinel || !m_group->isRunning(sentinel.name))
            continue;
        const auto keep = [this, name = sentinel.name.toUtf8()](const Subscription::Message &message) {
            m_said.append(name + ' ' + message.channel + ' ' + message.payload);
        };
        m_subscriptions.push_back(std::make_unique<Subscription>(sentinel.direct, QList<QByteArray>(), QList<QByteArray> {"*"}, keep,
            [&subscribed](const Result<void> &ready) { subscribed += ready ? 1 : 0; }, [](const Error &) {}));
    }
    if (!QTest::qWaitFor([&] { return subscribed == m_subscriptions.size(); }))
        qFatal("A sentinel could not be listened to.");
}

int TestGroup::heard(const QByteArray &event, const QByteArray &about) const
{
    return static_cast<int>(std::count_if(m_said.begin(), m_said.end(),
        [&](const QByteArray &line) { return line.split(' ').value(1) == event && line.contains(about); }));
}

}
