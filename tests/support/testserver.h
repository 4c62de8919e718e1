// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/server.h"
#include "engine/redis/endpoint.h"

#include <QString>

#include <memory>

namespace interlock {

/// Lets the keeper be the interlock program, since a test program's main() does not know how to be one. Called by
/// TestServer; tests that make a Keeper or a Session on their own call it first.
void useKeeperOfProgram();

/// A private server for a test: made, started and awaited in the constructor, gone with the object.
///
///     TestServer server;
///     QVERIFY2(server.isReady(), qPrintable(server.error()));
class TestServer
{
public:
    explicit TestServer(PrivateServer::Options options = {});
    ~TestServer();

    bool isReady() const { return m_error.isEmpty(); }
    /// Why it did not start within 10 s.
    const QString &error() const { return m_error; }

    const Endpoint &endpoint() const { return m_server->endpoint(); }
    Keeper &keeper() { return *m_keeper; }
    PrivateServer &server() { return *m_server; }

private:
    QString m_error;
    std::unique_ptr<Keeper> m_keeper;
    std::unique_ptr<PrivateServer> m_server;
};

}
