// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/reply.h"
#include "engine/redis/slot.h"

#include <QTest>

using namespace interlock;

class TestSlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The first is the check value of CRC-16/XMODEM, as the cluster specification gives it; the last two are divided on paper.
    void countsAsPublished_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("sum");
        QTest::newRow("123456789") << QByteArray("123456789") << 0x31C3;
        QTest::newRow("nothing") << QByteArray() << 0;
        QTest::newRow("A") << QByteArray("A") << 0x58E5;
        QTest::newRow("a zero byte") << QByteArray("\0", 1) << 0;
        QTest::newRow("a high byte") << QByteArray("\x80", 1) << 0x9188;
    }
    void countsAsPublished()
    {
        QFETCH(QByteArray, key);
        QFETCH(int, sum);
        QCOMPARE(int(crc16(key)), sum);
    }

    /// What CLUSTER KEYSLOT of Redis 7.0.15 answers.
    void knowsTheSlotOfAKey_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("slot");
        const auto row = [](const QByteArray &key, int slot) { QTest::newRow(key.isEmpty() ? "empty" : key.constData()) << key << slot; };
        row("foo", 12182);
        row("bar", 5061);
        row("hello", 866);
        row("somekey", 11058);
        row("123456789", 12739);
        row("", 0);
        row("foo{hash_tag}", 2515);
        row("bar{hash_tag}", 2515);
        row("hash_tag", 2515);
    }
    void knowsTheSlotOfAKey()
    {
        QFETCH(QByteArray, key);
        QFETCH(int, slot);
        QCOMPARE(slotOf(key), slot);
    }

    /// The examples of the cluster specification, "Hash tags".
    void findsHashTags_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("tag");
        QTest::newRow("one") << QByteArray("{user1000}.following") << QByteArray("user1000");
        QTest::newRow("an empty one first") << QByteArray("foo{}{bar}") << QByteArray();
        QTest::newRow("two braces") << QByteArray("foo{{bar}}zap") << QByteArray("{bar");
        QTest::newRow("two of them") << QByteArray("foo{bar}{zap}") << QByteArray("bar");
        QTest::newRow("none") << QByteArray("foo") << QByteArray();
        QTest::newRow("not closed") << QByteArray("foo{bar") << QByteArray();
        QTest::newRow("closed before") << QByteArray("}foo{bar") << QByteArray();
        QTest::newRow("not opened") << QByteArray("foo}bar") << QByteArray();
    }
    void findsHashTags()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, tag);
        QCOMPARE(hashTag(key).toByteArray(), tag);
        QCOMPARE(slotOf(key), crc16(tag.isEmpty() ? key : tag) % 16384);
    }

    void sharesCoverEverySlotOnce()
    {
        QCOMPARE(slotShare(0, 1), std::pair(0, 16383));
        QCOMPARE(slotShare(0, 3), std::pair(0, 5460));
        QCOMPARE(slotShare(1, 3), std::pair(5461, 10921));
        QCOMPARE(slotShare(2, 3), std::pair(10922, 16383));
        for (const int nodes : {1, 2, 3, 5, 6, 100, 16384}) {
            int next = 0;
            for (int node = 0; node < nodes; ++node) {
                const auto [first, last] = slotShare(node, nodes);
                QCOMPARE(first, next);
                QVERIFY(last >= first);
                next = last + 1;
            }
            QCOMPARE(next, slotCount);
        }
    }

    void readsWhereASlotHasMoved_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected"); // empty: no MOVED that can be followed
        QTest::newRow("moved") << QByteArray("MOVED 3999 127.0.0.1:6381") << "3999 127.0.0.1 6381";
        QTest::newRow("IPv6") << QByteArray("MOVED 0 ::1:6381") << "0 ::1 6381";
        QTest::newRow("another error") << QByteArray("ASK 3999 127.0.0.1:6381") << "";
        QTest::newRow("no port") << QByteArray("MOVED 3999 127.0.0.1") << "";
        QTest::newRow("a bad port") << QByteArray("MOVED 3999 127.0.0.1:99999") << "";
        QTest::newRow("no slot") << QByteArray("MOVED x 127.0.0.1:6381") << "";
        QTest::newRow("too large a slot") << QByteArray("MOVED 16384 127.0.0.1:6381") << "";
        QTest::newRow("cut short") << QByteArray("MOVED 3999") << "";
    }
    void readsWhereASlotHasMoved()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        const auto moved = movedFrom(Reply {ReplyType::Error, 0, text, {}});
        QCOMPARE(moved ? QString("%1 %2 %3").arg(moved->slot).arg(moved->host).arg(moved->port) : QString(), expected);
        QVERIFY(!movedFrom(Reply {ReplyType::Status, 0, text, {}}));
    }
};

QTEST_APPLESS_MAIN(TestSlot)
#include "tst_slot.moc"
