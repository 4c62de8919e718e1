// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "engine/checks/checks.h"
#include "engine/experiments/parameter.h"
#include "engine/run/runfile.h"
#include "widgets/scenes.h"

#include <QFileInfo>

namespace interlock {

namespace {

/// A time of the run, read as parameters are.
Parameter momentParameter()
{
    return Parameter::duration(QStringLiteral("at"), QString(), QString(), 0ns, 0ns, 24h);
}

}

std::optional<Run> openRun(const QString &path, bool &isDamaged)
{
    Result<ReadRun> read = readRunFile(path);
    if (!read) {
        say(read.error().text);
        return {};
    }
    for (const QString &problem : std::as_const(read->problems))
        say(problem);
    isDamaged = !read->problems.isEmpty() && !read->run.isComplete;
    return std::move(read->run);
}

int checkFile(const QString &path, bool json)
{
    bool isDamaged = false;
    const std::optional<Run> run = openRun(path, isDamaged);
    if (!run)
        return status::unknown;
    const Verdict verdict = judge(*run);
    if (!run->isComplete && verdict.judgement == Judgement::None) // another verdict says it itself
        sayIncomplete(*run);
    printResult(*run, verdict, path, json);
    sayNotes(verdict);
    return flushed(statusOf(*run, verdict));
}

int exportFile(const ExportCommand &command)
{
    ExportOptions options;
    const Result<QSizeF> size = parseSize(command.size);
    if (!size)
        return refuse(size.error());
    options.millimetres = *size;
    options.dpi = command.dpi;
    options.theme = command.theme;
    if (!command.at.isEmpty()) {
        const Result<qint64> at = momentParameter().parse(command.at);
        if (!at)
            return refuse(at.error());
        options.at = *at;
    }
    if (const Result<void> writable = checkWritable(command.out); !writable)
        return refuse(writable.error());

    bool isDamaged = false;
    const std::optional<Run> run = openRun(command.file, isDamaged);
    if (!run)
        return status::unknown;
    if (const Result<void> written = exportView(*run, judge(*run), command.view, command.out, options); !written)
        return refuse(written.error());
    return isDamaged ? status::unknown : status::done;
}

}
