// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testserver.h"

#include <QTest>

#include <optional>

namespace interlock {

void useKeeperOfProgram()
{
    qputenv("INTERLOCK_KEEPER", INTERLOCK_PROGRAM);
}

TestServer::TestServer(PrivateServer::Options options)
{
    useKeeperOfProgram();
    std::optional<Result<void>> result;
    m_keeper = std::make_unique<Keeper>([](const Result<void> &) {});
    m_server = std::make_unique<PrivateServer>(
        *m_keeper, std::move(options), [&result](Result<void> ready) { result = std::move(ready); });
    if (!QTest::qWaitFor([&result] { return result.has_value(); }, 10'000))
        m_error = QStringLiteral("The server was not ready within 10 s.");
    else if (!result->ok())
        m_error = result->error().text;
}

TestServer::~TestServer() = default;

}
