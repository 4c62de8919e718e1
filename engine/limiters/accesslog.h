// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/trace.h"

namespace interlock {

/// The requests that a web server wrote down.
struct AccessLog
{
    /// Each request costs 1, its key is the address that it came from, its time in µs since 1970. In order of time.
    Trace trace;
    qint64 skipped = 0; ///< lines that cannot be read
    qint64 firstSkipped = 0; ///< the number of the first of them, from 1
    QString why; ///< what is wrong with that line, as half a sentence
    qint64 outOfOrder = 0; ///< lines with an earlier second than the line before

    /// What a person should know of it, in sentences; empty: every line was read, and all were in order.
    QString remarks() const;
};

/// Reads an access log in common or combined format, as Apache and nginx write them:
///
///     203.0.113.7 - alice [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326 "http://referrer/" "a browser"
///
/// Times are whole seconds there, so the requests of one second are spread evenly over it: four come at .0, .25, .5 and .75. A
/// line is written when its request is over, so seconds may go back; requests are then put in order. Empty lines do not count,
/// ends of lines may be those of Windows, a BOM may stand at the beginning. A line of another form is skipped and counted.
/// Invalid: not one line can be read; the sentence says what is wrong with the first.
/// @param name of the file, for sentences.
Result<AccessLog> parseAccessLog(QByteArrayView text, const QString &name);
/// The same from a file. Missing: it cannot be read.
Result<AccessLog> readAccessLog(const QString &path);

}
