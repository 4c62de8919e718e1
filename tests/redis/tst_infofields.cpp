// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/infofields.h"

#include <QTest>

using namespace interlock;

class InfoFieldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsNamesAndValues()
    {
        const InfoFields fields("# Replication\r\nrole:slave\r\nslave_repl_offset:4711\r\nslave0:ip=127.0.0.1,port=6390,state=online\r\nempty:\r\n");
        QCOMPARE(fields.text("role"), QByteArray("slave"));
        QCOMPARE(fields.number("slave_repl_offset"), qint64(4711));
        QCOMPARE(fields.text("slave0"), QByteArray("ip=127.0.0.1,port=6390,state=online"));
        QCOMPARE(fields.text("empty"), QByteArray());
        QCOMPARE(fields.all().size(), size_t(4));
    }

    void keepsColonsOfAValue()
    {
        QCOMPARE(InfoFields("config_file:/a:b\r\n").text("config_file"), QByteArray("/a:b"));
    }

    void saysNothingOfWhatIsNotThere()
    {
        const InfoFields fields("role:master\r\n");
        QCOMPARE(fields.text("slave_repl_offset"), QByteArray());
        QCOMPARE(fields.number("slave_repl_offset"), qint64(0));
        QCOMPARE(fields.number("role"), qint64(0));
        QVERIFY(InfoFields("").all().empty());
        QVERIFY(InfoFields(":no name\r\nno value\r\n").all().empty());
    }
};

QTEST_APPLESS_MAIN(InfoFieldsTest)
#include "tst_infofields.moc"
