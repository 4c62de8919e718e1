// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/run.h"

#include <QStringList>

namespace interlock {

/// The word in the first line of every run file.
inline constexpr auto runFormatWord = "interlock run";

/// Reads the first line of a run file. Fails with Invalid and the end of a sentence ("line 1 is not JSON") if this is not a
/// run or one of a later format. What is missing or of the wrong type in it keeps its default and is told in @p problems.
Result<Header> readHeader(const QByteArray &line, QStringList &problems);

/// "actor", "node", "resource".
const char *word(Lane::Type type);

}
