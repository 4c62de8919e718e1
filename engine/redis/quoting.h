// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace interlock {

/// In double quotes, with the escapes that redis-cli reads and writes. At most about @p limit bytes of output are made,
/// so that a long value is not escaped as a whole only to be cut; the result is then longer than @p limit.
QByteArray quoted(QByteArrayView bytes, qsizetype limit);

/// Cuts @p text after @p limit bytes and marks that with "…".
QByteArray shortened(QByteArray text, qsizetype limit);

}
