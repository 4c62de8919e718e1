// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/nodegroup.h"
#include "engine/lab/server.h"
#include "engine/schedule/clock.h"
#include "tests/redis/waiter.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace interlock {

/// A primary, its replicas and sentinels for a test: made, started and awaited in the constructor, gone with the object.
class TestGroup
{
public:
    explicit TestGroup(NodeGroup::Options options = {});
    ~TestGroup();

    bool isReady() const { return m_error.isEmpty(); }
    /// Why it was not ready within 20 s.
    const QString &error() const { return m_error; }

    NodeGroup &group() { return *m_group; }
    Keeper &keeper() { return *m_keeper; }

    /// Asks a node past its relay.
    template<typename... Arguments>
    Reply ask(const QString &node, const Arguments &...arguments)
    {
        return interlock::ask(connection(node), arguments...);
    }
    /// A line of a node's INFO replication; empty: there is none.
    QByteArray replication(const QString &node, const QByteArray &line);
    /// The node that every running sentinel names as the primary; empty if they do not agree.
    QString primary();

    /// Starts to keep what the sentinels that run publish.
    void listen();
    /// How often that event was published since, by all of them together. @param about what its text must contain.
    int heard(const QByteArray &event, const QByteArray &about = {}) const;
    /// All of it, a line each.
    QByteArray said() const { return m_said.join('\n'); }

private:
    Connection &connection(const QString &node);

    QString m_error;
    RealClock m_clock;
    std::unique_ptr<Keeper> m_keeper;
    std::unique_ptr<NodeGroup> m_group;
    std::map<QString, std::unique_ptr<Connection>> m_connections;
    std::vector<std::unique_ptr<Subscription>> m_subscriptions;
    QList<QByteArray> m_said;
};

}
