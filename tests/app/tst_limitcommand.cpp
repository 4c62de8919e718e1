// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

// The program's command `limit`, as scripts call it.
namespace {

Ended limit(const QStringList &arguments)
{
    return call(QStringList {"limit"} + arguments);
}

constexpr auto emptied = "at_us,cost,admitted,remaining,retry_after_us,reset_after_us,delay_us\n";

}

class TestLimitCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachLineIsOneDecision_data();
    void eachLineIsOneDecision();
    void withoutJsonTheSameStandsBetweenCommas();
    void keysAreLimitedEachForItself();
    void aQueueTellsTheDelay();
    void stepsBackAreSaid();
    void badInputIsSaid_data();
    void badInputIsSaid();

private:
    QString file(const QByteArray &text)
    {
        const QString path = m_directory.filePath(QString("trace%1.csv").arg(++m_files));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
    }

    QTemporaryDir m_directory;
    int m_files = 0;
};

void TestLimitCommand::eachLineIsOneDecision_data()
{
    QTest::addColumn<QStringList>("how");
    QTest::newRow("script") << QStringList {};
    QTest::newRow("reference") << QStringList {"--reference"};
}

void TestLimitCommand::eachLineIsOneDecision()
{
    QFETCH(QStringList, how);
    const QString trace = file("at_us,cost\n0,6\n0,5\n0,1\n1500000,1\n");
    const Ended ended = limit(QStringList {"gcra", "--set", "limit=5", "--set", "interval=1s", "--trace", trace, "--json"} + how);
    QVERIFY2(ended.status == 0, ended.err.constData());
    // Burst 5, one a second: six at once never; five use it up; the next fits after 1 s, and half a second is spare at 1.5 s.
    QCOMPARE(ended.out,
        QByteArray(R"({"at_us":0,"cost":6,"admitted":false,"remaining":5,"retry_after_us":null,"reset_after_us":0,"delay_us":0})"
                   "\n"
                   R"({"at_us":0,"cost":5,"admitted":true,"remaining":0,"retry_after_us":0,"reset_after_us":5000000,"delay_us":0})"
                   "\n"
                   R"({"at_us":0,"cost":1,"admitted":false,"remaining":0,"retry_after_us":1000000,"reset_after_us":5000000,"delay_us":0})"
                   "\n"
                   R"({"at_us":1500000,"cost":1,"admitted":true,"remaining":0,"retry_after_us":0,"reset_after_us":4500000,"delay_us":0})"
                   "\n"));
    QVERIFY(ended.err.contains("Requests: 4, admitted: 2, rejected: 2."));
    QVERIFY(!QJsonDocument::fromJson(ended.out.split('\n').first()).isNull());
}

void TestLimitCommand::withoutJsonTheSameStandsBetweenCommas()
{
    const Ended ended = limit({"sliding-log", "--set", "limit=1 window=1s", "--trace", file("0,1\n0,2\n400000,1\n")});
    QVERIFY2(ended.status == 0, ended.err.constData());
    QCOMPARE(ended.out, QByteArray(emptied) + "0,1,1,0,0,1000000,0\n0,2,0,0,-,1000000,0\n400000,1,0,0,600000,600000,0\n");
}

void TestLimitCommand::keysAreLimitedEachForItself()
{
    const Ended ended = limit({"fixed-window", "--set", "limit=1", "--set", "window=1s", "--trace", file("0,1,a\n0,1,b c\n0,1,a\n0,1\n")});
    QVERIFY2(ended.status == 0, ended.err.constData());
    const QByteArray yes = "0,1,1,0,0,1000000,0\n";
    QCOMPARE(ended.out, emptied + yes + yes + "0,1,0,0,1000000,1000000,0\n" + yes);
}

void TestLimitCommand::aQueueTellsTheDelay()
{
    const Ended ended = limit({"leaky-bucket", "--set", "capacity=3", "--set", "rate=4/s", "--set", "mode=queue", "--trace", file("0,1\n0,1\n0,1\n0,1\n")});
    QVERIFY2(ended.status == 0, ended.err.constData());
    // A quarter of a second apart; a fourth would overflow.
    QCOMPARE(ended.out, QByteArray(emptied) + "0,1,1,2,0,250000,0\n0,1,1,1,0,500000,250000\n0,1,1,0,0,750000,500000\n0,1,0,0,250000,750000,0\n");
}

void TestLimitCommand::stepsBackAreSaid()
{
    const Ended ended = limit({"token-bucket", "--trace", file("\xEF\xBB\xBF" "at_us,cost\r\n9,1\r\n5,1\r\n7,1\r\n6,1\r\n"), "--reference"});
    QCOMPARE(ended.status, 0);
    QVERIFY2(ended.err.contains("2 requests are earlier than the one before them"), ended.err.constData());
    QCOMPARE(ended.out.count('\n'), 5);
}

void TestLimitCommand::badInputIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments"); // TRACE stands for a good one
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *name, const QStringList &arguments, int status, const char *said) {
        QTest::newRow(name) << arguments << status << QByteArray(said);
    };
    row("unknown algorithm", {"gcr", "--trace", "TRACE"}, 64, "Did you mean “gcra”?");
    row("no algorithm", {"--trace", "TRACE"}, 64, "ALGORITHM");
    row("no trace", {"gcra"}, 64, "--trace");
    row("empty name", {"gcra", "--trace", ""}, 64, "--trace");
    row("limit 0", {"gcra", "--set", "limit=0", "--trace", "TRACE"}, 64, "0 is out of range for limit");
    row("rate 0", {"token-bucket", "--set", "rate=0/s", "--trace", "TRACE"}, 64, "0/s is out of range for rate");
    row("nothing set", {"gcra", "--set", "limit", "--trace", "TRACE"}, 64, "NAME=VALUE");
    row("no such file", {"gcra", "--trace", "none.csv"}, 2, "none.csv cannot be read");
    row("a directory", {"gcra", "--trace", "/"}, 2, "directory");
    row("negative cost", {"gcra", "--trace", "BAD"}, 2, "line 2: cost is -1");
}

void TestLimitCommand::badInputIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, said);
    const QString good = file("0,1\n");
    const QString bad = file("0,1\n0,-1\n");
    for (QString &argument : arguments)
        argument = argument == "TRACE" ? good : argument == "BAD" ? bad : argument;
    const Ended ended = limit(arguments);
    QCOMPARE(ended.status, status);
    QVERIFY2(ended.err.contains(said), ended.err.constData());
    QCOMPARE(ended.out, QByteArray());
}

QTEST_GUILESS_MAIN(TestLimitCommand)
#include "tst_limitcommand.moc"
