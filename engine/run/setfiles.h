// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/verdict.h"

#include <memory>
#include <vector>

namespace interlock {

/// One run of a set, as it ended.
struct ChildRun
{
    QString name; ///< in the set's measures
    QString title; ///< for people
    std::shared_ptr<const Run> run; ///< null: it is in the file
    Verdict verdict;
    QString file; ///< where its record lies; empty: nowhere
};

/// The runs that the set's measures were taken from, by name, in order of appearance; empty: it is no set. Names that could not be a
/// file's (a record may say anything) are left out.
QStringList childrenNamedIn(const Run &set);

/// Where the record of a run of the set lies: F.children/NAME.interlock.jsonl beside the set's own file F.
QString childFile(const QString &setFile, const QString &name);

/// A run of a set that told nothing, and why.
struct SilentRun
{
    QString name;
    QString sentence; ///< "Run 3 tells nothing: The server N2 ended during the run."

    bool operator==(const SilentRun &) const = default;
};
/// In order of appearance; empty also where it is no set. Names are treated as above.
std::vector<SilentRun> silentRunsIn(const Run &set);

/// Makes the folder for the set's runs, where there is none yet.
Result<void> makeChildrenFolder(const QString &setFile);
/// Removes it if nothing is in it.
void dropEmptyChildrenFolder(const QString &setFile);

/// Writes a run of the set into the folder beside it, or copies it if it is in another file only; whole or not at all. So a set that goes on
/// need not be kept in memory. Precondition: its name is that of a file.
Result<void> writeChildFile(const QString &setFile, const ChildRun &child);

/// Writes the set's runs as above, then the set. Stops at the first that fails, so that a set that is there has its runs beside it.
Result<void> writeSetFiles(const QString &path, const Run &set, const Verdict &verdict, const std::vector<ChildRun> &children);

}
