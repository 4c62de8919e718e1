// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/servertest.h"

#include <QTest>

namespace interlock {

void ServerTest::initTestCase()
{
    m_server = std::make_unique<TestServer>();
    QVERIFY2(m_server->isReady(), qPrintable(m_server->error()));
    m_connection = std::make_unique<Connection>(m_server->endpoint());
    m_node = {QStringLiteral("redis"), m_server->endpoint()};
}

void ServerTest::cleanupTestCase()
{
    m_connection.reset();
    m_server.reset();
}

void ServerTest::init()
{
    m_key = "test:" + QByteArray(QTest::currentTestFunction()) + QByteArray(QTest::currentDataTag());
}

}
