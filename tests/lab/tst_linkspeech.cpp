// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/linkspeech.h"

#include <QTest>

using namespace interlock;

namespace {

QByteArray command(const QList<QByteArray> &words)
{
    QByteArray text = '*' + QByteArray::number(words.size()) + "\r\n";
    for (const QByteArray &word : words)
        text += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
    return text;
}

}

class tst_LinkSpeech : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recognizesASpeaker_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("speaker"); // of its class, its port, its id; empty: open
        const QByteArray logIn = command({"AUTH", "secret"});
        const QByteArray port = command({"REPLCONF", "listening-port", "12345"});
        const QByteArray name = command({"CLIENT", "SETNAME", "sentinel-0a1b2c3d-cmd"});
        QTest::newRow("a replica") << command({"PING"}) + logIn + port << QByteArray("replication 12345 ");
        QTest::newRow("a replica without a login") << command({"PING"}) + port << QByteArray("replication 12345 ");
        QTest::newRow("a replica that does not tell its port") << command({"PSYNC", "?", "-1"}) << QByteArray("replication 0 ");
        QTest::newRow("an old replica") << command({"SYNC"}) << QByteArray("replication 0 ");
        QTest::newRow("a sentinel") << logIn + name << QByteArray("sentinel 0 0a1b2c3d");
        QTest::newRow("a sentinel that subscribes") << command({"CLIENT", "SETNAME", "sentinel-0a1b2c3d-pubsub"}) << QByteArray("sentinel 0 0a1b2c3d");
        QTest::newRow("lower case") << command({"ping"}) + command({"replconf", "LISTENING-PORT", "7"}) << QByteArray("replication 7 ");
        QTest::newRow("a client") << logIn + command({"SET", "a", "b"}) << QByteArray("client 0 ");
        QTest::newRow("a client with a name") << command({"CLIENT", "SETNAME", "worker"}) << QByteArray("client 0 ");
        QTest::newRow("a client of another client command") << command({"CLIENT", "ID"}) << QByteArray("client 0 ");
        QTest::newRow("a client that pings twice") << command({"PING"}) + command({"PING"}) << QByteArray("client 0 ");
        QTest::newRow("a client that pings after its login") << logIn + command({"PING"}) << QByteArray("client 0 ");
        QTest::newRow("in words on a line") << QByteArray("PING\r\nREPLCONF listening-port 12345\r\n") << QByteArray("replication 12345 ");
        QTest::newRow("a client with words on a line") << QByteArray("GET a\n") << QByteArray("client 0 ");
        QTest::newRow("an empty line") << QByteArray("\r\n") << QByteArray("client 0 ");
        QTest::newRow("an empty command") << QByteArray("*0\r\n") << QByteArray("client 0 ");
        QTest::newRow("no protocol") << QByteArray("*x\r\n") << QByteArray("client 0 ");
        QTest::newRow("no protocol inside") << QByteArray("*1\r\n:4\r\nPING\r\n") << QByteArray("client 0 ");
        QTest::newRow("a very long command") << QByteArray("*2\r\n$4\r\nAUTH\r\n$100000\r\n" + QByteArray(5'000, 'x')) << QByteArray("client 0 ");
        QTest::newRow("a word longer than any memory")
            << QByteArray("*1\r\n$9223372036854775807\r\n" + QByteArray(5'000, 'x')) << QByteArray("client 0 ");
        QTest::newRow("nothing yet") << QByteArray() << QByteArray();
        QTest::newRow("only a ping") << command({"PING"}) << QByteArray();
        QTest::newRow("only a login") << logIn << QByteArray();
        QTest::newRow("a login in the newer protocol") << command({"HELLO", "3", "AUTH", "default", "secret"}) << QByteArray();
        QTest::newRow("a part of a name") << logIn + name.chopped(3) << QByteArray();
    }
    void recognizesASpeaker()
    {
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, speaker);
        QCOMPARE(shown(LinkSpeech().hear(said)), speaker);

        // The same, byte by byte. What came after the last that is needed is not asked.
        LinkSpeech slow;
        std::optional<LinkSpeech::Speaker> told;
        for (qsizetype i = 0; i < said.size() && !told; ++i)
            told = slow.hear(said.sliced(i, 1));
        QCOMPARE(shown(told), speaker);
    }

private:
    static QByteArray shown(const std::optional<LinkSpeech::Speaker> &speaker)
    {
        if (!speaker)
            return {};
        const QByteArray linkClass = speaker->linkClass == LinkClass::Client ? "client" : speaker->linkClass == LinkClass::Sentinel ? "sentinel" : "replication";
        return linkClass + ' ' + QByteArray::number(speaker->announcedPort) + ' ' + speaker->sentinelId;
    }
};

QTEST_GUILESS_MAIN(tst_LinkSpeech)
#include "tst_linkspeech.moc"
