// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QList>

#include <vector>

namespace interlock {

/// Requests with their times, as a file gives them.
struct Trace
{
    struct Row
    {
        qint64 at; ///< µs
        qint64 cost;
        quint32 key; ///< index into keys
    };

    std::vector<Row> rows; ///< in the order of the file
    QList<QByteArray> keys; ///< without repetition; a row without a key has the empty one
    qint64 stepsBack = 0; ///< rows with an earlier time than the row before
};

/// Reads lines of "at_us,cost" or "at_us,cost,key": whole numbers from 0 to mostNumber, and any bytes for a key.
///
/// A first line of words names the columns, in any order; others than those three are skipped. Empty lines and such that begin
/// with # do not count. Ends of lines may be those of Windows, a BOM may stand at the beginning. A field may be quoted ("…", with
/// "" for a quotation mark), and a quoted one may hold commas and ends of lines. Times may go back.
/// Invalid: nothing in it, or a line that cannot be used; the sentence says which line and why.
/// @param name of the file, for sentences.
Result<Trace> parseTrace(QByteArrayView text, const QString &name);
/// The same from a file. Missing: it cannot be read.
Result<Trace> readTrace(const QString &path);

}
