// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/connection.h"
#include "engine/schedule/client.h"
#include "tests/support/testserver.h"

#include <QObject>

#include <memory>

namespace interlock {

/// What tests share that need a server: one for all of them, and for each test and row a key of its own.
class ServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS: // Qt Test calls them by these names, also from here
    void initTestCase();
    void cleanupTestCase();
    void init();

protected:
    std::unique_ptr<TestServer> m_server;
    std::unique_ptr<Connection> m_connection;
    NodeRef m_node; ///< the same server, for actors
    QByteArray m_key;
};

}
