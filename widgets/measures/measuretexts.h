// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/measures.h"

#include <QString>
#include <QStringList>

namespace interlock {

/// A figure of a series as people write it: "50 ms", "14.2 kB", "9 requests", "6.9". @param unit as SeriesInfo has it.
QString figureText(double value, const QString &unit);
/// The same beside an axis, which says by itself what is counted: "50 ms", "10 kB", "9". Exact for round numbers.
QString tickText(double value, const QString &unit);
/// "30 %", "0.4 %"
QString percentText(double share);
/// "9 of 30, 30 % (17 % to 48 %)": with the interval in which the true share lies.
QString shareText(const MeasuredPoint &point);
/// What a point says of y: a share as above, a value with the ends of its interval.
QString pointText(const MeasuredCurve &curve, const MeasuredPoint &point);
/// "Sliding log · Requests: 129 · Memory: 14.2 kB"
QString pointSentence(const MeasuredCurve &curve, const MeasuredPoint &point);

/// "kept", "lost", "refused" in the language of the application; another word as it is.
QString outcomeText(const QString &word);
/// "lost, 1869 writes", of several runs "lost 2 of 3, kept 1 of 3". @param unit of the row. Empty: nothing was measured there.
QString cellText(const MeasuredCell &cell, const QString &unit);

/// What all measures of the run say in one or two sentences; empty: there are none. "Lost: 9 of 30, 30 % (17 % to 48 %)."
QString measuresSummary(const Run &run);
/// How many runs of a set told nothing, and why the first did not; empty: each told something, or it is no set.
QString silentSummary(const Run &run);
/// What a summary leaves out: a line for each share at an x, with its interval, and for each cell of a table. Values, which may be many, have none.
QStringList measureLines(const Run &run);

}
