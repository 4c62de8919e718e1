// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testserver.h"
#include "widgets/rediscli.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

namespace {

Event command(Run &run, const char *who, const QByteArray &text)
{
    Event event;
    event.kind = Event::Kind::Command;
    event.lane = run.names.intern(QByteArrayView(who));
    event.text = run.names.intern(QByteArrayView(text));
    return event;
}

class RedisCliTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void undoesQuotes_data()
    {
        QTest::addColumn<QByteArray>("recorded");
        QTest::addColumn<QList<QByteArray>>("arguments");
        const auto row = [](const char *name, const QByteArray &recorded, const QList<QByteArray> &arguments) {
            QTest::newRow(name) << recorded << arguments;
        };
        row("plain", "SET lock a1 NX PX 1000", {"SET", "lock", "a1", "NX", "PX", "1000"});
        row("quoted", "SET \"my lock\" \"it's\"", {"SET", "my lock", "it's"});
        row("escapes", "SET k \"a\\nb\\t\\\"c\\\"\\\\\\x41\"", {"SET", "k", "a\nb\t\"c\"\\A"});
        row("zero byte", "SET k \"\\x00\"", {"SET", "k", QByteArray(1, '\0')});
        row("empty argument", "SET k \"\"", {"SET", "k", ""});
    }
    void undoesQuotes()
    {
        QFETCH(QByteArray, recorded);
        QFETCH(QList<QByteArray>, arguments);
        const auto found = commandArguments(recorded);
        QVERIFY(found);
        QCOMPARE(*found, arguments);
    }

    void refusesAnOpenQuote()
    {
        QVERIFY(!commandArguments("SET k \"abc"));
        QVERIFY(commandArguments("SET k \"abc\""));
    }

    void quotesForAShell_data()
    {
        QTest::addColumn<QByteArray>("argument");
        QTest::addColumn<QByteArray>("quoted");
        QTest::newRow("plain") << QByteArray("lock:1") << QByteArray("lock:1");
        QTest::newRow("empty") << QByteArray("") << QByteArray("''");
        QTest::newRow("space") << QByteArray("a b") << QByteArray("'a b'");
        QTest::newRow("quote") << QByteArray("it's") << QByteArray("'it'\\''s'");
        QTest::newRow("dollar") << QByteArray("$HOME") << QByteArray("'$HOME'");
        QTest::newRow("star") << QByteArray("*") << QByteArray("'*'");
        QTest::newRow("braces") << QByteArray("{sale}:1") << QByteArray("'{sale}:1'");
    }
    void quotesForAShell()
    {
        QFETCH(QByteArray, argument);
        QFETCH(QByteArray, quoted);
        QCOMPARE(shellQuoted(argument), quoted);
    }

    void writesBodiesForKnownScripts()
    {
        Run run;
        run.header.scripts = {{"locks/release", "abc123", "return 1"}};
        QCOMPARE(redisCliLine(run, command(run, "A", "EVALSHA abc123 1 lock a1")), "redis-cli EVAL 'return 1' 1 lock a1");
        QCOMPARE(redisCliLine(run, command(run, "A", "evalsha ABC123 0")), "redis-cli EVAL 'return 1' 0");
        QCOMPARE(redisCliLine(run, command(run, "A", "EVALSHA ffff 0")), "redis-cli EVALSHA ffff 0");
    }

    void makesAShortenedCommandAComment()
    {
        Run run;
        Event event = command(run, "A", "SET k aaaa…");
        event.flags |= Event::Shortened;
        QVERIFY(redisCliLine(run, event).startsWith("# "));
        Event longReply = command(run, "A", "GET k"); // only its reply was shortened
        longReply.flags |= Event::Shortened;
        QCOMPARE(redisCliLine(run, longReply), "redis-cli GET k");
    }

    void takesOneActorsCommandsOnly()
    {
        Run run;
        run.events = {command(run, "A", "SET lock a NX"), command(run, "B", "SET lock b NX"), command(run, "A", "DEL lock")};
        Event note;
        note.lane = run.events[0].lane;
        run.events.push_back(note);
        QCOMPARE(redisCliLinesOf(run, "A"), "redis-cli SET lock a NX\nredis-cli DEL lock\n");
        QCOMPARE(redisCliLinesOf(run, "nobody"), "");
    }

    /// The copied lines do on a server, through sh, what the recorded commands did.
    void linesWorkInAShell()
    {
        if (QStandardPaths::findExecutable("redis-cli").isEmpty())
            QSKIP("redis-cli is not installed");
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        QTemporaryDir directory;
        QFile wrapper(directory.filePath("redis-cli")); // finds this test's server, as a person's own redis-cli finds theirs
        QVERIFY(wrapper.open(QIODevice::WriteOnly));
        wrapper.write("#!/bin/sh\nexec " + QStandardPaths::findExecutable("redis-cli").toUtf8() + " -p "
            + QByteArray::number(server.endpoint().port) + " \"$@\"\n");
        wrapper.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        wrapper.close();

        Run run;
        run.header.scripts = {{"compare-and-delete", "0123",
            "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0"}};
        run.events = {command(run, "A", "SET \"my lock\" \"it's $HOME * \\\"x\\\"\" NX PX 60000"), command(run, "A", "GET \"my lock\""),
            command(run, "A", "SET bytes \"\\x00\\x01\\xff\\n\""), command(run, "A", "STRLEN bytes"),
            command(run, "A", "EVALSHA 0123 1 \"my lock\" wrong"), command(run, "A", "EVALSHA 0123 1 \"my lock\" \"it's $HOME * \\\"x\\\"\""),
            command(run, "A", "EXISTS \"my lock\"")};
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", directory.path() + ":" + environment.value("PATH"));
        environment.insert("REDISCLI_AUTH", QString::fromUtf8(server.endpoint().password));
        shell.setProcessEnvironment(environment);
        shell.start("sh", {});
        QVERIFY(shell.waitForStarted());
        shell.write(redisCliLinesOf(run, "A").toUtf8());
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished(20'000));
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        const QByteArray expected = "OK\nit's $HOME * \"x\"\nOK\n4\n0\n1\n0\n";
        QCOMPARE(shell.readAllStandardOutput(), expected);
    }
};

}

QTEST_MAIN(RedisCliTest)
#include "tst_rediscli.moc"
