// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "engine/checks/checks.h"
#include "engine/run/setfiles.h"
#include "widgets/measures/measuretexts.h"
#include "widgets/scenes/matrixscene.h"
#include "widgets/scenes/measurescene.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

bool printFailed = false;

void write(std::FILE *file, QByteArrayView text)
{
    if (std::fwrite(text.data(), 1, static_cast<size_t>(text.size()), file) != static_cast<size_t>(text.size()))
        printFailed |= file == stdout;
}

}

void print(QByteArrayView line)
{
    write(stdout, line);
    write(stdout, "\n");
}

void say(const QString &text)
{
    showProgress({});
    write(stderr, QByteArray(text.toUtf8() + '\n'));
}

int refuse(const Error &error)
{
    say(error.text);
    return error.kind == Error::Kind::Invalid ? status::usage : status::unknown;
}

void showProgress(const QString &text)
{
    static const bool isTerminal = isatty(STDERR_FILENO);
    static bool isShown = false;
    if (!isTerminal || (text.isEmpty() && !isShown))
        return;
    write(stderr, QByteArray("\r\x1b[K" + text.toUtf8()));
    std::fflush(stderr);
    isShown = !text.isEmpty();
}

int flushed(int otherwise)
{
    errno = 0;
    if (std::fflush(stdout) == 0 && !printFailed)
        return otherwise;
    say(tr("Standard output could not be written: %1.").arg(QString::fromLocal8Bit(std::strerror(errno))));
    return status::unknown;
}

int statusOf(const Run &run, const Verdict &verdict)
{
    switch (verdict.judgement) {
    case Judgement::Broken:
        return status::broken;
    case Judgement::Unknown:
        return status::unknown;
    case Judgement::None:
        return run.isComplete ? status::done : status::unknown; // what it draws is not all there
    case Judgement::Held:
        break;
    }
    return status::done;
}

QString verdictSentence(const Run &run, const Verdict &verdict)
{
    QString sentences = verdict.checks.empty() ? QString() : text(verdict.checks.front().sentences);
    if (verdict.judgement == Judgement::None)
        sentences = QStringList {measuresSummary(run), silentSummary(run), sentences}.join(QLatin1Char(' ')).simplified();
    return sentences.isEmpty() ? word(verdict.judgement) : word(verdict.judgement) + QStringLiteral(": ") + sentences;
}

void sayIncomplete(const Run &run)
{
    say(tr("The record is incomplete: %1").arg(run.incompleteBecause));
}

QByteArray resultLine(const Run &run, const Verdict &verdict, const QString &file)
{
    QJsonObject more;
    if (const QJsonArray measures = measuresArray(run); !measures.isEmpty())
        more.insert(QStringLiteral("measures"), measures);
    if (const QJsonArray table = matrixArray(run); !table.isEmpty())
        more.insert(QStringLiteral("table"), table);
    QJsonArray runs;
    const auto add = [&](const QString &name, const QString &nothing) {
        QJsonObject one {{QStringLiteral("run"), name}};
        if (!nothing.isEmpty())
            one.insert(QStringLiteral("nothing"), nothing);
        if (const QString record = childFile(file, name); !file.isEmpty() && QFileInfo::exists(record))
            one.insert(QStringLiteral("file"), record);
        runs.append(one);
    };
    for (const QString &name : childrenNamedIn(run))
        add(name, {});
    for (const SilentRun &silent : silentRunsIn(run))
        add(silent.name, silent.sentence);
    if (!runs.isEmpty())
        more.insert(QStringLiteral("runs"), runs);
    QByteArray line = verdictLine(run, verdict);
    if (!more.isEmpty())
        line = line.chopped(1) + ',' + QJsonDocument(more).toJson(QJsonDocument::Compact).mid(1);
    return line;
}

void printResult(const Run &run, const Verdict &verdict, const QString &file, bool isJson)
{
    if (isJson)
        return print(resultLine(run, verdict, file));
    print(verdictSentence(run, verdict).toUtf8());
    for (const QString &line : measureLines(run))
        print(QByteArray("  " + line.toUtf8()));
}

void sayNotes(const Verdict &verdict)
{
    for (size_t i = 1; i < verdict.checks.size(); ++i) {
        const CheckResult &check = verdict.checks[i];
        if (const QString sentences = text(check.sentences); !sentences.isEmpty())
            say(QStringLiteral("  %1 (%2): %3").arg(check.check, word(check.judgement), sentences));
    }
}

Result<void> checkWritable(const QString &path)
{
    const auto refused = [&](const QString &why) {
        return Error {Error::Kind::Failed, tr("%1 cannot be written: %2.").arg(path, why)};
    };
    if (path.isEmpty())
        return Error {Error::Kind::Invalid, tr("The name of the file to write is empty.")};
    if (!QFileInfo(QFileInfo(path).absolutePath()).isDir())
        return refused(tr("%1 is no directory").arg(QFileInfo(path).absolutePath()));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return refused(file.errorString());
    file.cancelWriting();
    return {};
}

bool hasDisplay()
{
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

void dropRuntimeDirectoryWarning()
{
    static QtMessageHandler said = nullptr;
    said = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &context, const QString &text) {
        if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")))
            said(type, context, text);
    });
}

void drawWithoutDisplay()
{
    if (!hasDisplay())
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

}
