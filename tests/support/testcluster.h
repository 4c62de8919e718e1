// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/server.h"
#include "engine/schedule/client.h"

#include <QString>

#include <memory>
#include <vector>

namespace interlock {

/// A private cluster of three servers for a test: made, started and awaited in the constructor, gone with the object.
class TestCluster
{
public:
    TestCluster();
    ~TestCluster();

    bool isReady() const { return m_error.isEmpty(); }
    /// Why it was not ready within 20 s.
    const QString &error() const { return m_error; }

    /// In the order of their shares of the slots.
    const std::vector<NodeRef> &nodes() const { return m_nodes; }
    PrivateServer &server(size_t node) { return *m_servers[node]; }
    Keeper &keeper() { return *m_keeper; }

private:
    QString m_error;
    size_t m_answered = 0;
    RealClock m_clock;
    std::unique_ptr<Keeper> m_keeper;
    std::vector<std::unique_ptr<PrivateServer>> m_servers;
    std::vector<NodeRef> m_nodes;
};

}
