// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every row of every file in tests/oracles/limiters, through the scripts on a real server and through the reference models.
#include "tests/limiters/limitertrials.h"
#include "tests/support/servertest.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace interlock;

namespace {

const QString folder = QStringLiteral(INTERLOCK_SOURCE_DIR "/tests/oracles/limiters");

/// A file, taken apart. Fields of a row by the names in the header line.
struct Oracle
{
    QString algorithm;
    QList<std::pair<QString, QString>> values;
    QList<QMap<QString, QString>> rows;
};

Oracle readOracle(const QString &name)
{
    Oracle oracle;
    QFile file(folder + '/' + name);
    if (!file.open(QIODevice::ReadOnly))
        return oracle;
    QStringList names;
    for (const QString &line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith("# algorithm:")) {
            oracle.algorithm = line.section(':', 1).trimmed();
        } else if (line.startsWith("# set:")) {
            for (const QString &pair : line.section(':', 1).split(' ', Qt::SkipEmptyParts))
                oracle.values.append({pair.section('=', 0, 0), pair.section('=', 1)});
        } else if (!line.startsWith('#') && names.isEmpty()) {
            names = line.split(',');
        } else if (!line.startsWith('#')) {
            QMap<QString, QString> row;
            const QStringList fields = line.split(',');
            for (qsizetype i = 0; i < fields.size(); ++i)
                row[names.value(i)] = fields[i];
            oracle.rows.append(row);
        }
    }
    return oracle;
}

LimiterRequests requestsOf(const Oracle &oracle, const QByteArray &key)
{
    LimiterRequests requests;
    for (const auto &row : oracle.rows)
        requests.push_back({key, row["cost"].toLongLong(), row["at_us"].toLongLong()});
    return requests;
}

/// What an answer says in the column, as the file would write it.
QString said(const Decision &decision, const QString &column)
{
    if (column == "admitted")
        return decision.admitted ? "1" : "0";
    if (column == "remaining")
        return QString::number(decision.remaining);
    if (column == "retry_after_us")
        return decision.retryAfter ? QString::number(*decision.retryAfter) : "-";
    if (column == "reset_after_us")
        return QString::number(decision.resetAfter);
    return "no such column";
}

/// What in the file is not as it was answered; empty: nothing.
QString contradiction(const Oracle &oracle, const std::vector<Decision> &decisions)
{
    if (decisions.size() != static_cast<size_t>(oracle.rows.size()))
        return QString("%1 rows, %2 decisions").arg(oracle.rows.size()).arg(decisions.size());
    for (size_t i = 0; i < decisions.size(); ++i) {
        const auto &row = oracle.rows[static_cast<qsizetype>(i)];
        for (auto it = row.begin(); it != row.end(); ++it) {
            if (it.key() == "at_us" || it.key() == "cost" || it.value().isEmpty())
                continue;
            if (said(decisions[i], it.key()) != it.value())
                return QString("row %1, %2: %3 instead of %4").arg(i + 1).arg(it.key(), said(decisions[i], it.key()), it.value());
        }
        if (decisions[i].admitted && decisions[i].retryAfter != 0)
            return QString("row %1 is admitted with a retry-after").arg(i + 1);
    }
    return {};
}

}

class TestLimiterOracles : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyRowHolds_data()
    {
        QTest::addColumn<QString>("file");
        const QStringList files = QDir(folder).entryList({"*.csv"});
        QVERIFY(files.size() >= 16);
        for (const QString &file : files)
            QTest::newRow(qPrintable(file.chopped(4))) << file;
    }
    void everyRowHolds()
    {
        QFETCH(QString, file);
        const Oracle oracle = readOracle(file);
        QVERIFY(!oracle.rows.isEmpty());
        const Result<Limiter> limiter = Limiter::make(oracle.algorithm, oracle.values);
        QVERIFY2(limiter.ok(), limiter ? "" : qPrintable(limiter.error().text));
        const LimiterRequests requests = requestsOf(oracle, file.toUtf8());
        const auto reference = byReference(*limiter, requests);
        const QString inReference = contradiction(oracle, reference);
        QVERIFY2(inReference.isEmpty(), qPrintable("reference: " + inReference));
        const auto script = byScript(*m_connection, *limiter, requests);
        const QString inScript = contradiction(oracle, script);
        QVERIFY2(inScript.isEmpty(), qPrintable("script: " + inScript));
        const QString differs = difference(requests, script, reference);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    /// The comparison sees what is wrong: each column of a file, changed in one place.
    void aWrongFieldIsSeen()
    {
        const Oracle oracle = readOracle("gcra-burst-five.csv");
        const Result<Limiter> limiter = Limiter::make(oracle.algorithm, oracle.values);
        const auto decisions = byReference(*limiter, requestsOf(oracle, "twin"));
        QCOMPARE(contradiction(oracle, decisions), QString());
        for (const char *column : {"admitted", "remaining", "retry_after_us", "reset_after_us"}) {
            Oracle wrong = oracle;
            wrong.rows[6][column] = "7";
            QVERIFY2(contradiction(wrong, decisions).startsWith("row 7"), column);
        }
    }
};

QTEST_GUILESS_MAIN(TestLimiterOracles)
#include "tst_limiteroracles.moc"
