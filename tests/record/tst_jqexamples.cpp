// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

// The examples of the format's description are run as they are written there, on the record of a real run.
namespace {

constexpr int limit = 60'000; // ms; far above what any call needs

/// The indented blocks below the heading, each a text for the shell.
QStringList examples()
{
    QFile file(QString(INTERLOCK_SOURCE_DIR) + "/resources/run-format.md");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString text = QString::fromUtf8(file.readAll()).section("## With jq", 1);
    static const QRegularExpression block("(?:^    .*\n)+", QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = block.globalMatch(text); it.hasNext();)
        found.append(it.next().captured());
    return found;
}

}

class JqExamples : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyExampleRuns_data();
    void everyExampleRuns();
    void commandsAreThoseOfOneClient();
    void waitsAreToldForEachClient();
    void theVerdictIsToldInWords();
    void aCutCopyIsNeverHeld();

private:
    std::optional<QString> shell(const QString &text); ///< standard output; none if it fails or has something to complain of
    QString outputOf(const QString &part); ///< of the example that holds this

    QTemporaryDir m_folder;
};

std::optional<QString> JqExamples::shell(const QString &text)
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start("bash", {"-e", "-o", "pipefail", "-c", text});
    if (!process.waitForFinished(limit) || process.exitCode() != 0)
        qWarning("%s", process.readAllStandardError().constData());
    else if (const QByteArray complaint = process.readAllStandardError(); !complaint.isEmpty())
        qWarning("%s", complaint.constData());
    else
        return QString::fromUtf8(process.readAllStandardOutput());
    return {};
}

QString JqExamples::outputOf(const QString &part)
{
    for (const QString &example : examples()) {
        if (example.contains(part))
            return shell(example).value_or(QString());
    }
    qWarning("No example holds %s.", qPrintable(part));
    return {};
}

void JqExamples::initTestCase()
{
    if (QStandardPaths::findExecutable("jq").isEmpty())
        QSKIP("jq is not installed, so its examples cannot be run.");
    QCOMPARE(QProcess::execute(INTERLOCK_PROGRAM,
                 {"run", "lock-release", "--preset", "break", "--pace", "0.1", "--out", m_folder.filePath("run.interlock.jsonl")}),
        1); // broken
}

void JqExamples::everyExampleRuns_data()
{
    QTest::addColumn<QString>("example");
    const QStringList all = examples();
    for (const QString &example : all)
        QTest::addRow("%s", qPrintable(example.simplified().left(60))) << example;
    QVERIFY(all.size() >= 4);
}

void JqExamples::everyExampleRuns()
{
    QFETCH(QString, example);
    const std::optional<QString> said = shell(example);
    QVERIFY(said);
    QVERIFY2(!said->isEmpty() || example.contains(" > "), "It says nothing.");
}

void JqExamples::commandsAreThoseOfOneClient()
{
    const QStringList lines = outputOf(".event == \"command\"").split('\n', Qt::SkipEmptyParts);
    QVERIFY(!lines.isEmpty());
    static const QRegularExpression form("^-?[0-9.e+-]+ ms  [A-Z]+ .*  -> .+$");
    for (const QString &line : lines)
        QVERIFY2(form.match(line).hasMatch(), qPrintable(line));
    QVERIFY2(lines.first().contains(" PX "), qPrintable(lines.first())); // A acquires first and deletes last
    QVERIFY2(lines.last().contains("DEL "), qPrintable(lines.last()));
}

void JqExamples::waitsAreToldForEachClient()
{
    const QStringList lines = outputOf("$i - 1").split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QStringList clients;
    for (const QString &line : lines) {
        bool isNumber = false;
        const double wait = line.section(' ', 1).toDouble(&isNumber);
        QVERIFY2(isNumber && wait >= 0, qPrintable(line));
        clients.append(line.section(' ', 0, 0));
    }
    QCOMPARE(clients, QStringList({"A", "B", "C"}));
}

void JqExamples::theVerdictIsToldInWords()
{
    const QStringList lines = outputOf(".verdict").split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.contains("broken"));
    QVERIFY2(lines.last().endsWith('.'), qPrintable(lines.last()));
}

void JqExamples::aCutCopyIsNeverHeld()
{
    outputOf("head ");
    QFile cut(m_folder.filePath("cut.interlock.jsonl"));
    QVERIFY(cut.open(QIODevice::ReadOnly));
    QCOMPARE(cut.readAll().count('\n'), 11);
    QVERIFY(QProcess::execute(INTERLOCK_PROGRAM, {"check", cut.fileName()}) != 0);
}

QTEST_GUILESS_MAIN(JqExamples)
#include "tst_jqexamples.moc"
