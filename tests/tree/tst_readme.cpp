// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

// README's table of commands and the program's own --help name the same commands and the same options.
namespace {

using Options = QSet<QString>;

Options optionsIn(const QString &text)
{
    static const QRegularExpression option("(?<![\\w-])--([a-z][a-z-]*)");
    Options found;
    for (auto it = option.globalMatch(text); it.hasNext();)
        found.insert(it.next().captured(1));
    return found;
}

/// Rows of the table: | `run ID` | `--preset NAME`, … |
QMap<QString, Options> commandsOfReadme(const QString &text)
{
    static const QRegularExpression row("^\\| `(\\w+)[^`]*` \\| ([^|]*) \\|$", QRegularExpression::MultilineOption);
    QMap<QString, Options> commands;
    for (auto it = row.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        if (!optionsIn(match.captured(2)).isEmpty())
            commands.insert(match.captured(1), optionsIn(match.captured(2)));
    }
    return commands;
}

QString help(const QStringList &command)
{
    QProcess process;
    process.start(INTERLOCK_PROGRAM, command + QStringList {"--help"});
    return process.waitForFinished() && process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

/// The indented words under "Subcommands:".
QStringList commandsOfHelp(const QString &text)
{
    static const QRegularExpression line("^ {1,4}(\\w+)(\\s|$)", QRegularExpression::MultilineOption);
    QStringList commands;
    for (auto it = line.globalMatch(text.section("Subcommands:", 1)); it.hasNext();)
        commands.append(it.next().captured(1));
    return commands;
}

}

class TestReadme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheCommandsOfTheProgram();
    void namesTheOptionsOfEachCommand();
    void aTableIsRead();
};

void TestReadme::namesTheCommandsOfTheProgram()
{
    QFile file(QString(INTERLOCK_SOURCE_DIR) + "/README.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList inHelp = commandsOfHelp(help({}));
    inHelp.sort();
    QVERIFY(inHelp.contains("run"));
    QCOMPARE(QStringList(commandsOfReadme(QString::fromUtf8(file.readAll())).keys()), inHelp);
}

void TestReadme::namesTheOptionsOfEachCommand()
{
    QFile file(QString(INTERLOCK_SOURCE_DIR) + "/README.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto commands = commandsOfReadme(QString::fromUtf8(file.readAll()));
    for (auto it = commands.begin(); it != commands.end(); ++it) {
        Options inHelp = optionsIn(help({it.key()}));
        QVERIFY2(inHelp.remove("help"), qPrintable(it.key() + " has no --help"));
        const auto words = [](const Options &options) { return QStringList(options.values()).join(' '); };
        QVERIFY2(inHelp == it.value(),
            qPrintable(QString("%1: README has %2, --help has %3").arg(it.key(), words(it.value()), words(inHelp))));
    }
}

void TestReadme::aTableIsRead()
{
    const auto commands = commandsOfReadme("| command | options |\n|---|---|\n| `run ID` | `--preset NAME`, `--set X=Y` |\n"
                                           "| `list` | `--json` |\n| `lock-crash` | a row of another table |\n");
    QCOMPARE(commands, (QMap<QString, Options> {{"run", {"preset", "set"}}, {"list", {"json"}}}));
    QCOMPARE(commandsOfHelp("Options:\n  -h,--help  Print\n\nSubcommands:\n  list   What there is\n  run    Run\n"),
        QStringList({"list", "run"}));
}

QTEST_GUILESS_MAIN(TestReadme)
#include "tst_readme.moc"
