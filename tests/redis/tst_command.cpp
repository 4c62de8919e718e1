// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/command.h"
#include "engine/redis/reply.h"
#include "engine/redis/script.h"
#include "tests/redis/waiter.h"
#include "tests/support/testserver.h"

#include <QProcess>
#include <QTest>

using namespace interlock;

class tst_Command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsItsArgumentsAsBytes();
    void showsItself_data();
    void showsItself();
    void isTakenByRedisCliAsItIsShown_data();
    void isTakenByRedisCliAsItIsShown();
    void showsAReplyInOneLine_data();
    void showsAReplyInOneLine();
    void knowsItsSizeOnTheWire();
    void knowsAnErrorByItsFirstWord();
    void namesAScriptAsTheServerDoes();

private:
    static QByteArray everyByte();
};

QByteArray tst_Command::everyByte()
{
    QByteArray bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    return bytes;
}

void tst_Command::holdsItsArgumentsAsBytes()
{
    const Command command("SET", QByteArray("a\0b", 3), QStringLiteral("ü"), -5, 7'000'000'000, "");
    QCOMPARE(command.size(), 6);
    QVERIFY(command.at(0) == "SET");
    QVERIFY(command.at(1) == QByteArray("a\0b", 3));
    QVERIFY(command.at(2) == "\xc3\xbc");
    QVERIFY(command.at(3) == "-5");
    QVERIFY(command.at(4) == "7000000000");
    QVERIFY(command.at(5).isEmpty());
}

void tst_Command::showsItself_data()
{
    QTest::addColumn<QByteArray>("argument");
    QTest::addColumn<QByteArray>("shown");

    QTest::newRow("plain") << QByteArray("lock:{run}:a-1") << QByteArray("E lock:{run}:a-1");
    QTest::newRow("empty") << QByteArray("") << QByteArray("E \"\"");
    QTest::newRow("space") << QByteArray("a b") << QByteArray("E \"a b\"");
    QTest::newRow("quote") << QByteArray("a\"b") << QByteArray("E \"a\\\"b\"");
    QTest::newRow("backslash") << QByteArray("a\\b") << QByteArray("E \"a\\\\b\"");
    QTest::newRow("apostrophe") << QByteArray("a'b") << QByteArray("E \"a'b\"");
    QTest::newRow("newline") << QByteArray("a\nb") << QByteArray("E \"a\\nb\"");
    QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray("E \"a\\x00b\"");
    QTest::newRow("byte above ASCII") << QByteArray("\xff") << QByteArray("E \"\\xff\"");
    QTest::newRow("exactly the limit") << QByteArray(18, 'x') << QByteArray("E xxxxxxxxxxxxxxxxxx");
    QTest::newRow("one beyond the limit") << QByteArray(19, 'x') << QByteArray("E xxxxxxxxxxxxxxxxxx…");
    QTest::newRow("far beyond the limit") << QByteArray(100'000, ' ') << QByteArray("E \"                 …");
}

void tst_Command::showsItself()
{
    QFETCH(QByteArray, argument);
    QFETCH(QByteArray, shown);
    QCOMPARE(Command("E", argument).shown(20), shown);
}

void tst_Command::isTakenByRedisCliAsItIsShown_data()
{
    QTest::addColumn<QByteArray>("value");

    QTest::newRow("plain") << QByteArray("a1");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("spaces") << QByteArray(" a  b ");
    QTest::newRow("quotes") << QByteArray("\"'\"'");
    QTest::newRow("looks like an escape") << QByteArray("\\x41\\n");
    QTest::newRow("ends in a backslash") << QByteArray("a\\");
    QTest::newRow("control characters") << QByteArray("\a\b\t\n\r\v\f");
    QTest::newRow("UTF-8") << QByteArray("Schlüssel…");
    QTest::newRow("every byte") << everyByte();
    QTest::newRow("hash and dash") << QByteArray("#-x");
    QTest::newRow("a script") << QByteArray("if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return 1\nend\n");
}

void tst_Command::isTakenByRedisCliAsItIsShown()
{
    QFETCH(QByteArray, value);
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));

    QProcess cli;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("REDISCLI_AUTH"), QString::fromUtf8(server.endpoint().password));
    cli.setProcessEnvironment(environment);
    cli.start(QStringLiteral("redis-cli"), {QStringLiteral("-p"), QString::number(server.endpoint().port)});
    QVERIFY(cli.waitForStarted());
    cli.write(Command("SET", "key", value).shown(10'000) + '\n');
    cli.closeWriteChannel();
    QVERIFY(cli.waitForFinished());
    QCOMPARE(cli.readAllStandardOutput().trimmed(), QByteArray("OK"));

    Connection connection(server.endpoint());
    const Reply stored = ask(connection, "GET", "key");
    QCOMPARE(stored.type, ReplyType::String);
    QCOMPARE(stored.text, value);
}

void tst_Command::showsAReplyInOneLine_data()
{
    QTest::addColumn<Reply>("reply");
    QTest::addColumn<QByteArray>("shown");
    const auto made = [](ReplyType type, qint64 number, const QByteArray &text, std::vector<Reply> elements = {}) {
        return Reply {type, number, text, std::move(elements)};
    };
    const Reply one = made(ReplyType::Integer, 1, "");
    const Reply x = made(ReplyType::String, 0, "x");

    QTest::newRow("status") << made(ReplyType::Status, 0, "OK") << QByteArray("OK");
    QTest::newRow("integer") << made(ReplyType::Integer, -12, "") << QByteArray("-12");
    QTest::newRow("nil") << made(ReplyType::Nil, 0, "") << QByteArray("(nil)");
    QTest::newRow("string") << made(ReplyType::String, 0, "a b") << QByteArray("\"a b\"");
    QTest::newRow("string with a newline") << made(ReplyType::String, 0, "a\n") << QByteArray("\"a\\n\"");
    QTest::newRow("error") << made(ReplyType::Error, 0, "ERR no") << QByteArray("ERR no");
    QTest::newRow("array") << made(ReplyType::Array, 0, "", {one, x}) << QByteArray("[1, \"x\"]");
    QTest::newRow("empty array") << made(ReplyType::Array, 0, "") << QByteArray("[]");
    QTest::newRow("array in an array") << made(ReplyType::Array, 0, "", {made(ReplyType::Array, 0, "", {x}), one})
                                       << QByteArray("[[\"x\"], 1]");
    QTest::newRow("long") << made(ReplyType::String, 0, QByteArray(5000, 'y')) << QByteArray("\"yyyyyyyyyyyyyyyyyyy…");
}

void tst_Command::showsAReplyInOneLine()
{
    QFETCH(Reply, reply);
    QFETCH(QByteArray, shown);
    QCOMPARE(reply.shown(20), shown);
}

void tst_Command::knowsItsSizeOnTheWire()
{
    QCOMPARE(Command("SET", "a", "b c").wireSize(), QByteArray("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$3\r\nb c\r\n").size());
    QCOMPARE(Command("ECHO", QByteArray(1000, 'x')).wireSize(), QByteArray("*2\r\n$4\r\nECHO\r\n$1000\r\n\r\n").size() + 1000);
    const Reply one {ReplyType::Integer, -12, {}, {}};
    const Reply text {ReplyType::String, 0, "a b", {}};
    const Reply nil {ReplyType::Nil, 0, {}, {}};
    const Reply error {ReplyType::Error, 0, "ERR no", {}};
    QCOMPARE((Reply {ReplyType::Array, 0, {}, {one, text, nil, error}}.wireSize()),
        QByteArray("*4\r\n:-12\r\n$3\r\na b\r\n$-1\r\n-ERR no\r\n").size());
}

void tst_Command::knowsAnErrorByItsFirstWord()
{
    const Reply error {ReplyType::Error, 0, "NOSCRIPT No matching script.", {}};
    QVERIFY(error.isError("NOSCRIPT"));
    QVERIFY(!error.isError("NO"));
    QVERIFY(!error.isError("NOSCRIPT No matching script. And more"));
    QVERIFY(!(Reply {ReplyType::String, 0, "NOSCRIPT x", {}}.isError("NOSCRIPT")));
}

void tst_Command::namesAScriptAsTheServerDoes()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    Connection connection(server.endpoint());
    const Script script = Script::fromText(QStringLiteral("test"), "return redis.call('INCR', KEYS[1]) -- ü\n");

    QVERIFY(ask(connection, "EVALSHA", script.sha, 1, "n").isError("NOSCRIPT"));
    QCOMPARE(ask(connection, "SCRIPT", "LOAD", script.body).text, script.sha);
    QCOMPARE(ask(connection, "EVALSHA", script.sha, 1, "n").integer, 1);
    QCOMPARE(ask(connection, "EVALSHA", script.sha, 1, "n").integer, 2);
}

QTEST_GUILESS_MAIN(tst_Command)
#include "tst_command.moc"
