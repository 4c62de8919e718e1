// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "widgets/measures/measuretexts.h"

#include <QCoreApplication>
#include <QFileInfo>
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

int statusOf(Judgement judgement)
{
    switch (judgement) {
    case Judgement::Broken:
        return status::broken;
    case Judgement::Unknown:
        return status::unknown;
    case Judgement::Held:
    case Judgement::None:
        break;
    }
    return status::done;
}

QString verdictSentence(const Run &run, const Verdict &verdict)
{
    QString sentences = verdict.checks.empty() ? QString() : text(verdict.checks.front().sentences);
    if (verdict.judgement == Judgement::None)
        sentences = (measuresSummary(run) + QLatin1Char(' ') + sentences).trimmed();
    return sentences.isEmpty() ? word(verdict.judgement) : word(verdict.judgement) + QStringLiteral(": ") + sentences;
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
