// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>

class QCPPainter;
class QPainter;

namespace interlock {

/// Whether a picture of this size (pixels) has so little room for each limiter that words around the rows should make way.
bool areLimitersCrowded(const Run &run, const QSizeF &size);
/// All limiters of a run over its whole time, drawn by what draws them in the window.
void drawLimiterScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme);
/// What was measured of each, and the classic comparison below it.
void drawLimiterTableScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme);

/// A line for each decision, by limiter and then in order of time. Times in µs unless the column says otherwise.
QByteArray decisionsCsv(const Run &run);
/// An array of limiters, each with its values and its decisions.
QByteArray decisionsJson(const Run &run);

/// A line, or an object, for each limiter: the figures as numbers, what was not measured empty or null.
QByteArray limiterFiguresCsv(const Run &run);
QByteArray limiterFiguresJson(const Run &run);

}
