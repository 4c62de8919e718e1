// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/trace.h"

#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

class TestTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryForm_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *name, const QByteArray &text) { QTest::newRow(name) << text; };
        row("plain", "10,1\n20,2,a\n15,0,b\n");
        row("without an end of line", "10,1\n20,2,a\n15,0,b");
        row("Windows", "10,1\r\n20,2,a\r\n15,0,b\r\n");
        row("BOM", "\xEF\xBB\xBF" "10,1\n20,2,a\n15,0,b\n");
        row("BOM, Windows and header", "\xEF\xBB\xBF" "at_us,cost,key\r\n10,1\r\n20,2,a\r\n15,0,b\r\n");
        row("header", "at_us,cost,key\n10,1,\n20,2,a\n15,0,b\n");
        row("columns in another order, and others", "cost,x,key,at_us\n1,9,,10\n2,9,a,20\n0,,b,15\n");
        row("comments and empty lines", "# cost is in tokens\n\n10,1\n  \n20,2,a\n#15,7\n15,0,b\n\n");
        row("spaces and quotes", " 10 , 1\n\"20\",2,\"a\"\n15,0,b\n");
    }
    void readsEveryForm()
    {
        QFETCH(QByteArray, text);
        const Result<Trace> trace = parseTrace(text, "t.csv");
        QVERIFY2(trace.ok(), trace ? "" : qPrintable(trace.error().text));
        QCOMPARE(trace->rows.size(), size_t(3));
        const auto is = [&](size_t i, qint64 at, qint64 cost, const QByteArray &key) {
            const Trace::Row &row = trace->rows[i];
            return row.at == at && row.cost == cost && trace->keys[row.key] == key;
        };
        QVERIFY(is(0, 10, 1, "") && is(1, 20, 2, "a") && is(2, 15, 0, "b"));
        QCOMPARE(trace->stepsBack, qint64(1));
    }

    void aFieldOfNoColumnIsSkipped()
    {
        const Result<Trace> trace = parseTrace("at_us,cost,admitted\n5,1,7\n", "t.csv");
        QVERIFY(trace.ok());
        QCOMPARE(trace->keys, QList<QByteArray> {""});
    }

    void keysHoldAnyBytes()
    {
        const QByteArray longKey(10'240, 'k');
        const Result<Trace> trace = parseTrace("1,1,a b\n1,1,{x}y\n1,1,\"two\nlines\"\n1,1,\"a,\"\"b\"\"\"\n1,1," + longKey + "\n2,1,a b\n", "t.csv");
        QVERIFY(trace.ok());
        QCOMPARE(trace->keys, (QList<QByteArray> {"a b", "{x}y", "two\nlines", "a,\"b\"", longKey}));
        QCOMPARE(trace->rows.size(), size_t(6));
        QCOMPARE(trace->rows[5].key, quint32(0));
    }

    void refusesInASentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        const auto row = [](const char *name, const QByteArray &text, const char *said) { QTest::newRow(name) << text << QString(said); };
        row("empty", "", "no requests in t.csv");
        row("only a header", "at_us,cost\n", "no requests");
        row("only comments", "# nothing\n\n", "no requests");
        row("negative cost", "10,1\n20,-3\n", "t.csv, line 2: cost is -3: it may be from 0 to 4503599627370496.");
        row("huge cost", "10,99999999999999999999\n", "line 1: cost is 99999999999999999999: it may be from 0");
        row("a cost just too large", "10,4503599627370497\n", "line 1: cost is 4503599627370497");
        row("negative time", "-1,1\n", "line 1: at_us is -1");
        row("text", "10,1\nhello,world\n", "line 2: at_us is “hello”, which is no whole number.");
        row("prose", "Dear Sir or Madam\n", "line 1: “Dear Sir or Madam” has no cost");
        row("decimals", "1.5,1\n", "line 1: at_us is “1.5”");
        row("behind comments", "# a\n\n\"1\",1,\"two\nlines\"\n2,x\n", "line 5: cost is “x”");
        row("no cost", "10\n", "line 1: “10” has no cost");
        row("empty cost", "10,\n", "line 1: cost is missing");
        row("header without cost", "at_us,key\n1,2\n", "line 1: the names of the columns lack cost");
        row("several", "1,a\n2,b\n3,c\n", "line 1: cost is “a”, which is no whole number. 2 more lines cannot be used.");
        row("open quotation mark", "1,1,\"a\n2,1\n", "a quotation mark is never closed");
        row("no text at all", QByteArray("\0\1\2\3", 4), "line 1: “????” has no cost");
    }
    void refusesInASentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        const Result<Trace> trace = parseTrace(text, "t.csv");
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().kind, Error::Kind::Invalid);
        QVERIFY2(trace.error().text.contains(said), qPrintable(trace.error().text));
    }

    void theLargestNumbersAreTaken()
    {
        const Result<Trace> trace = parseTrace("4503599627370496,4503599627370496\n", "t.csv");
        QVERIFY(trace.ok());
        QCOMPARE(trace->rows[0].at, qint64(1) << 52);
    }

    void aMillionLinesAreRead()
    {
        QByteArray text;
        for (int i = 0; i < 1'000'000; ++i)
            text += QByteArray::number(i) + ",1,k" + QByteArray::number(i % 3) + '\n';
        QTemporaryDir directory;
        QFile file(directory.filePath("long.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const Result<Trace> trace = readTrace(file.fileName());
        QVERIFY(trace.ok());
        QCOMPARE(trace->rows.size(), size_t(1'000'000));
        QCOMPARE(trace->keys.size(), 3);
        QCOMPARE(trace->rows.back().at, qint64(999'999));
    }

    void whatCannotBeReadIsSaid()
    {
        QTemporaryDir directory;
        const Result<Trace> missing = readTrace(directory.filePath("none.csv"));
        QVERIFY(!missing.ok() && missing.error().kind == Error::Kind::Missing);
        QVERIFY(missing.error().text.contains("none.csv cannot be read"));
        const Result<Trace> folder = readTrace(directory.path());
        QVERIFY(!folder.ok() && folder.error().text.contains("directory"));
        QFile file(directory.filePath("empty.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const Result<Trace> empty = readTrace(file.fileName());
        QVERIFY(!empty.ok() && empty.error().text.contains("no requests"));
    }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
