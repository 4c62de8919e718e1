// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/accesslog.h"

#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

namespace {

constexpr qint64 aSecond = 1'000'000;
const QByteArray when = "[10/Oct/2000:13:55:36 -0700]";
constexpr qint64 then = 971'211'336; // what GNU date says of it

QByteArray line(const QByteArray &address, const QByteArray &time = when)
{
    return address + " - - " + time + " \"GET / HTTP/1.1\" 200 2326\n";
}

AccessLog readable(const QByteArray &text)
{
    const Result<AccessLog> log = parseAccessLog(text, "access.log");
    if (!log)
        qFatal("%s", qPrintable(log.error().text));
    return *log;
}

}

class TestAccessLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryForm_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("address");
        const auto row = [](const char *name, const QByteArray &text, const QByteArray &address = "203.0.113.7") { QTest::newRow(name) << text << address; };
        const QByteArray head = "203.0.113.7 - - " + when;
        row("common", head + " \"GET /a.gif HTTP/1.0\" 200 2326\n");
        row("combined", head + " \"GET /a.gif HTTP/1.0\" 200 2326 \"http://www.example.com/start.html\" \"Mozilla/4.08 [en] (Win98; I ;Nav)\"\n");
        row("with more behind it", head + " \"GET / HTTP/1.0\" 200 2326 \"-\" \"-\" 0.003 \"-\"\n");
        row("without an end of line", head + " \"GET / HTTP/1.0\" 200 2326");
        row("Windows", head + " \"GET / HTTP/1.0\" 200 2326\r\n");
        row("BOM", "\xEF\xBB\xBF" + head + " \"GET / HTTP/1.0\" 200 2326\n");
        row("empty lines", "\n  \n\r\n" + head + " \"GET / HTTP/1.0\" 200 2326\n\n");
        row("no bytes", head + " \"GET / HTTP/1.0\" 304 -\n");
        row("no request", head + " \"-\" 408 0\n");
        row("an empty request", head + " \"\" 400 0\n");
        row("quotes escaped", head + " \"GET /?q=\\\"a\\\" HTTP/1.0\" 200 5\n");
        row("a backslash escaped", head + " \"GET /\\\\\" 200 5\n");
        row("quotes in hexadecimal", head + " \"GET /?q=\\x22a\\x22 HTTP/1.0\" 200 5\n");
        row("no text at all", head + " \"\\x16\\x03\\x01\\x00\" 400 157\n");
        row("a quoted time in the request", head + " \"GET /" + when + "/ HTTP/1.0\" 200 5\n");
        row("a user", "203.0.113.7 - alice " + when + " \"GET / HTTP/1.0\" 200 5\n");
        row("a user with spaces and brackets", "203.0.113.7 - alice [the first] [x " + when + " \"GET / HTTP/1.0\" 200 5\n");
        row("IPv6", "2001:db8::1 - - " + when + " \"GET / HTTP/1.0\" 200 5\n", "2001:db8::1");
        row("IPv6 in brackets", "[2001:db8::1] - - " + when + " \"GET / HTTP/1.0\" 200 5\n", "[2001:db8::1]");
        row("a name", "host.example.com - - " + when + " \"GET / HTTP/1.0\" 200 5\n", "host.example.com");
    }
    void readsEveryForm()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, address);
        const AccessLog log = readable(text);
        QCOMPARE(log.trace.rows.size(), size_t(1));
        QCOMPARE(log.trace.rows[0].at, then * aSecond);
        QCOMPARE(log.trace.rows[0].cost, qint64(1));
        QCOMPARE(log.trace.keys, QList<QByteArray> {address});
        QCOMPARE(log.remarks(), QString());
    }

    void knowsTimesAndZones_data()
    {
        QTest::addColumn<QByteArray>("time");
        QTest::addColumn<qint64>("expected"); // as GNU date says
        QTest::newRow("the beginning") << QByteArray("[01/Jan/1970:00:00:00 +0000]") << qint64(0);
        QTest::newRow("the beginning, elsewhere") << QByteArray("[01/Jan/1970:05:30:00 +0530]") << qint64(0);
        QTest::newRow("west") << QByteArray("[31/Dec/1999:20:00:00 -0400]") << qint64(946'684'800);
        QTest::newRow("east, the day before") << QByteArray("[01/Jan/2000:14:00:00 +1400]") << qint64(946'684'800);
        QTest::newRow("29 February") << QByteArray("[29/Feb/2024:12:00:00 +0000]") << qint64(1'709'208'000);
        QTest::newRow("a leap second") << QByteArray("[31/Dec/2016:23:59:60 +0000]") << qint64(1'483'228'800);
        QTest::newRow("September") << QByteArray("[09/Sep/2001:01:46:40 +0000]") << qint64(1'000'000'000);
    }
    void knowsTimesAndZones()
    {
        QFETCH(QByteArray, time);
        QFETCH(qint64, expected);
        QCOMPARE(readable(line("a", time)).trace.rows.at(0).at, expected * aSecond);
    }

    void spreadsTheRequestsOfASecond()
    {
        const QByteArray next = "[10/Oct/2000:13:55:37 -0700]";
        const AccessLog log = readable(line("a") + line("b") + line("a") + line("c") + line("c", next) + line("a", next) + line("a", next));
        std::vector<qint64> times;
        QByteArray addresses;
        for (const Trace::Row &row : log.trace.rows) {
            times.push_back(row.at - then * aSecond);
            addresses += log.trace.keys[row.key];
        }
        QCOMPARE(times, (std::vector<qint64> {0, 250'000, 500'000, 750'000, 1'000'000, 1'333'333, 1'666'666}));
        QCOMPARE(addresses, QByteArray("abaccaa"));
    }

    void putsSecondsInOrder()
    {
        const auto at = [](int second) { return "[10/Oct/2000:13:55:" + QByteArray::number(second) + " -0700]"; };
        const AccessLog log = readable(line("a", at(36)) + line("b", at(38)) + line("c", at(36)) + line("d", at(37)) + line("e", at(38)));
        QByteArray addresses;
        std::vector<qint64> times;
        for (const Trace::Row &row : log.trace.rows) {
            addresses += log.trace.keys[row.key];
            times.push_back(row.at - then * aSecond);
        }
        QCOMPARE(addresses, QByteArray("acdbe"));
        QCOMPARE(times, (std::vector<qint64> {0, 500'000, 1'000'000, 2'000'000, 2'500'000}));
        QCOMPARE(log.outOfOrder, qint64(1)); // d is earlier than the last, but not than the line before
        QCOMPARE(log.trace.stepsBack, qint64(0));
        QCOMPARE(log.remarks(), QString("One line is earlier than the line before; the requests were put in order."));
    }

    void skipsAndCountsBrokenLines_data()
    {
        QTest::addColumn<QByteArray>("broken");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, const QByteArray &broken, const char *why) { QTest::newRow(name) << broken << why; };
        const QByteArray head = "203.0.113.7 - - ";
        row("one word", "hello", "it does not begin with an address");
        row("a space before it", ' ' + head + when + " \"GET / HTTP/1.0\" 200 5", "it does not begin with an address");
        row("no time", head + "\"GET / HTTP/1.0\" 200 5", "it has no time in brackets");
        row("two words", "hello world", "it has no time in brackets");
        row("cut short in the time", head + "[10/Oct/2000:13:5", "it has no time in brackets");
        row("cut short behind the time", head + when, "it has no request in quotation marks");
        row("no user", "203.0.113.7 " + when + " \"GET / HTTP/1.0\" 200 5", "it has no time in brackets");
        row("31 February", head + "[31/Feb/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("no month", head + "[10/ebM/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("hour 24", head + "[10/Oct/2000:24:00:00 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("minute 60", head + "[10/Oct/2000:13:60:00 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("no zone", head + "[10/Oct/2000:13:55:36 local] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("zone of 15 hours", head + "[10/Oct/2000:13:55:36 +1500] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("a negative day", head + "[-1/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("before 1970", head + "[31/Dec/1969:23:59:59 +0000] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("after 2112", head + "[10/Oct/2200:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("ISO time", head + "[2000-10-10T13:55:36-07:00 ] \"GET / HTTP/1.0\" 200 5", "its time cannot be read");
        row("no quotes", head + when + " GET / HTTP/1.0 200 5", "it has no request in quotation marks");
        row("quotes not closed", head + when + " \"GET / HTTP/1.0 200 5", "the quotation marks around its request are not closed");
        row("quotes escaped only", head + when + " \"GET / HTTP/1.0\\\" 200 5", "the quotation marks around its request are not closed");
        row("a backslash at the end", head + when + " \"GET \\", "the quotation marks around its request are not closed");
        row("no status", head + when + " \"GET / HTTP/1.0\"", "it has no status behind its request");
        row("status of four digits", head + when + " \"GET / HTTP/1.0\" 2000 5", "it has no status behind its request");
        row("status in words", head + when + " \"GET / HTTP/1.0\" yes 5", "it has no status behind its request");
        row("quotes not escaped", head + when + " \"GET /\"a\" HTTP/1.0\" 200 5", "it has no status behind its request");
        row("no bytes", head + when + " \"GET / HTTP/1.0\" 200", "it has no status behind its request");
        row("bytes in words", head + when + " \"GET / HTTP/1.0\" 200 many", "it has no number of bytes behind its status");
        row("zero bytes", QByteArray("\0\0\0", 3), "it does not begin with an address");
    }
    void skipsAndCountsBrokenLines()
    {
        QFETCH(QByteArray, broken);
        QFETCH(QString, why);
        const AccessLog log = readable(line("a") + broken + '\n' + line("b"));
        QCOMPARE(log.trace.rows.size(), size_t(2));
        QCOMPARE(log.skipped, qint64(1));
        QCOMPARE(log.remarks(), "Line 2 cannot be read and was skipped: " + why + '.');
        const AccessLog two = readable(broken + "\r\n" + line("a") + broken);
        QCOMPARE(two.remarks(), "2 lines cannot be read and were skipped, the first of them line 1: " + why + '.');
        const Result<AccessLog> nothing = parseAccessLog(broken, "access.log");
        QVERIFY(!nothing.ok() && nothing.error().kind == Error::Kind::Invalid);
        QVERIFY2(nothing.error().text.startsWith("No line of access.log can be read. Line 1: " + why + ". A line"), qPrintable(nothing.error().text));
    }

    void saysWhyThereIsNothing()
    {
        for (const QByteArray &text : {QByteArray(), QByteArray("\n\r\n"), QByteArray("\xEF\xBB\xBF")}) {
            const Result<AccessLog> log = parseAccessLog(text, "access.log");
            QVERIFY(!log.ok() && log.error().kind == Error::Kind::Invalid);
            QVERIFY(log.error().text.startsWith("There are no requests in access.log. A line"));
        }
        const QTemporaryDir directory;
        for (const QString &path : {directory.path(), directory.filePath("nothing.log")}) {
            const Result<AccessLog> log = readAccessLog(path);
            QVERIFY(!log.ok() && log.error().kind == Error::Kind::Missing);
            QVERIFY2(log.error().text.contains(path), qPrintable(log.error().text));
        }
    }

    /// 1,000,000 lines from 1,000 addresses, 10 a second from the 10th of October 2000 on, and each hundredth broken besides.
    void readsAMillionLines()
    {
        const QTemporaryDir directory;
        QFile file(directory.filePath("access.log"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray text;
        for (int i = 0; i < 1'000'000; ++i) {
            const int second = i / 10;
            const QByteArray time = QDateTime::fromSecsSinceEpoch(then + second, Qt::UTC).toString("[dd/MMM/yyyy:HH:mm:ss +0000]").toLatin1();
            text += "10.0.0." + QByteArray::number(i % 1'000) + " - - " + time + " \"GET /page/" + QByteArray::number(i) + " HTTP/1.1\" 200 2326 \"-\" \"curl\"\n";
            if (i % 100 == 99)
                text += "# rotated\n";
        }
        file.write(text);
        file.close();
        const Result<AccessLog> log = readAccessLog(file.fileName());
        QVERIFY(log.ok());
        QCOMPARE(log->trace.rows.size(), size_t(1'000'000));
        QCOMPARE(log->trace.keys.size(), qsizetype(1'000));
        QCOMPARE(log->skipped, qint64(10'000));
        QCOMPARE(log->firstSkipped, qint64(101));
        QCOMPARE(log->outOfOrder, qint64(0));
        for (size_t i = 0; i < log->trace.rows.size(); ++i) {
            const Trace::Row &row = log->trace.rows[i];
            if (row.at != then * aSecond + static_cast<qint64>(i) * 100'000 || row.key != i % 1'000)
                QFAIL(qPrintable(QString("line %1 at %2").arg(i).arg(row.at)));
        }
    }
};

QTEST_GUILESS_MAIN(TestAccessLog)
#include "tst_accesslog.moc"
