// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/sentinelnews.h"

#include <QTest>

using namespace interlock;

/// Messages as sentinels of Redis 7.0 publish them.
class tst_SentinelNews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhomItIsAbout_data()
    {
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QString>("about");
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<qint64>("epoch");
        const auto row = [](const char *channel, const char *message, const char *about, const char *id = "", qint64 epoch = 0) {
            QTest::addRow("%s", channel) << QByteArray(channel) << QByteArray(message) << QString(about) << QByteArray(id) << epoch;
        };
        row("+sdown", "master lab 127.1.2.21 7001", "127.1.2.21:7001");
        row("-sdown", "slave 127.1.2.22:7001 127.1.2.22 7001 @ lab 127.1.2.21 7001", "127.1.2.22:7001");
        row("+odown", "master lab 127.1.2.21 7001 #quorum 2/2", "127.1.2.21:7001");
        row("+config-update-from", "sentinel 5f2c 127.1.2.42 7001 @ lab 127.1.2.21 7001", "127.1.2.42:7001");
        row("+switch-master", "lab 127.1.2.21 7001 127.1.2.22 7001", "127.1.2.22:7001");
        row("+vote-for-leader", "5f2c 3", "", "5f2c", 3);
        row("+new-epoch", "3", "", "", 3);
        row("+tilt", "#tilt mode entered", "");
        row("-monitor", "", "");
    }
    void saysWhomItIsAbout()
    {
        QFETCH(QByteArray, channel);
        QFETCH(QByteArray, message);
        QFETCH(QString, about);
        QFETCH(QByteArray, id);
        QFETCH(qint64, epoch);
        const SentinelNews news = SentinelNews::from(channel, message);
        QCOMPARE(news.about ? news.about->shown() : QString(), about);
        QCOMPARE(news.sentinelId, id);
        QCOMPARE(news.epoch, epoch);
    }
};

QTEST_GUILESS_MAIN(tst_SentinelNews)
#include "tst_sentinelnews.moc"
