// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"
#include "widgets/theme.h"

#include <QRectF>

class QPainter;

namespace interlock {

/// What every exported picture says around its view: above it the title, the promise and the verdict with its sentence;
/// below it where the picture comes from.
/// @param mostNotes lines for causes and notes, where there is room for them.
/// @return the place that is left for the view.
QRectF drawFrame(QPainter &painter, const QSizeF &size, const Run &run, const Verdict &verdict, const Theme &theme, int mostNotes = 4);

/// "Release · break"
QString titleOf(const Run &run);
/// "Redis 7.0.15 · own server · real time, pace 1 · seed 7 · interlock 0.1.0"
QString sourceLine(const Run &run);

}
