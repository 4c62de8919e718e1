// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QJsonArray>
#include <QRectF>

class QCPPainter;

namespace interlock {

/// The charts of what a run measured, drawn by what draws them in the window.
void drawMeasureScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme);

/// A line for each point, in the units of its series; of a share the count, the trials, the share and Wilson's interval.
QByteArray measuresCsv(const Run &run);
/// The series, each with its points, which hold the same.
QJsonArray measuresArray(const Run &run);
QByteArray measuresJson(const Run &run);

}
