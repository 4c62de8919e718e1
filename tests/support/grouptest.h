// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/testgroup.h"

#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>

namespace interlock {

/// What tests of groups share: a folder of their own for what the servers leave, and both ways to give nodes addresses.
class GroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS: // Qt Test calls it by this name, also from here
    void initTestCase()
    {
        QVERIFY(m_parent.isValid());
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_parent.path()));
        qunsetenv("INTERLOCK_REDIS_SERVER");
    }

protected:
    using Addresses = NodeGroup::Addresses;

    static void eachAddresses()
    {
        QTest::addColumn<Addresses>("addresses");
        QTest::newRow("addresses of their own") << Addresses::Own;
        QTest::newRow("one address") << Addresses::Shared;
    }
    static NodeGroup::Options with(Addresses addresses)
    {
        NodeGroup::Options options;
        options.addresses = addresses;
        return options;
    }

private:
    QTemporaryDir m_parent;
};

}
