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

/// Writes the set's runs into the folder beside it, then the set, each whole or not at all; runs that are in files only are copied. Stops
/// at the first that fails. Precondition: their names are those of files.
Result<void> writeSetFiles(const QString &path, const Run &set, const Verdict &verdict, const std::vector<ChildRun> &children);

}
