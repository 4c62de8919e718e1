// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string>

namespace interlock {

/// Each command and each answer of a run is shown once, so their texts grow in a std::string: appending to a QByteArray takes
/// ten times as long.

/// Appends @p bytes in double quotes, with the escapes that redis-cli reads and writes. At most about @p limit bytes of output are
/// made, so that a long value is not escaped as a whole only to be cut; more than @p limit are then appended.
void appendQuoted(QByteArrayView bytes, qsizetype limit, std::string &text);

/// The text, cut after @p limit bytes and then marked with "…".
QByteArray shortened(const std::string &text, qsizetype limit);

}
