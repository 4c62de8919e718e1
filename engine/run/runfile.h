// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/verdict.h"

#include <QByteArray>
#include <QString>

class QIODevice;

namespace interlock {

/// Reading and writing runs as JSON Lines; the format is described in resources/run-format.md.

inline constexpr auto runFileExtension = "interlock.jsonl";

/// One event as one line of JSON, without the line's end; the names of the fields depend on the kind.
QByteArray eventLine(const Run &run, const Event &event);
QByteArray headerLine(const Run &run);

/// Writes header, events, verdicts and count. Whole or not at all: an existing file is replaced only when everything was written.
Result<void> writeRunFile(const QString &path, const Run &run, const Verdict &verdict);

/// What could be read, and what was wrong with the rest.
struct ReadRun
{
    Run run; ///< incomplete if anything was wrong
    QStringList problems; ///< sentences that say which line and why
};

/// Fails with Missing (no such file, not readable) or Invalid (not a run at all, a later version: says which line and why).
/// A file that is cut short or has broken lines is read as far as possible and marked incomplete.
Result<ReadRun> readRunFile(const QString &path);
Result<ReadRun> readRun(QIODevice &device, const QString &name);

}
