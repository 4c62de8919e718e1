// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testcluster.h"

#include "engine/lab/cluster.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <optional>

namespace interlock {

TestCluster::TestCluster()
{
    useKeeperOfProgram();
    m_keeper = std::make_unique<Keeper>([](const Result<void> &) {});
    PrivateServer::Options options;
    options.isClusterMember = true;
    for (const char *name : {"a", "b", "c"}) {
        options.name = QString::fromLatin1(name);
        m_servers.push_back(std::make_unique<PrivateServer>(*m_keeper, options, [this](const Result<void> &ready) {
            ++m_answered;
            if (!ready)
                m_error = ready.error().text;
        }));
    }
    if (!QTest::qWaitFor([this] { return m_answered == m_servers.size(); }, 10'000))
        m_error = QStringLiteral("The servers were not ready within 10 s.");
    if (!isReady())
        return;
    std::vector<Endpoint> members;
    for (size_t i = 0; i < m_servers.size(); ++i) {
        members.push_back(m_servers[i]->endpoint());
        m_nodes.push_back({QString(QChar(u'a' + static_cast<char16_t>(i))), m_servers[i]->endpoint()});
    }
    std::optional<Result<void>> formed;
    const auto form = [&]() -> Task<> { formed = co_await formCluster(members, m_clock); };
    Task<> task = form();
    task.start();
    if (!QTest::qWaitFor([&] { return formed.has_value(); }, 20'000))
        m_error = QStringLiteral("There was no cluster within 20 s.");
    else if (!*formed)
        m_error = formed->error().text;
}

TestCluster::~TestCluster() = default;

}
