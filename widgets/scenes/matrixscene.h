// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QJsonArray>
#include <QRectF>

class QPainter;

namespace interlock {

/// A run's table of outcomes, its cells drawn by what draws them in the window.
void drawMatrixScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme);

/// A line for each outcome of each place: how many cells say so, and what was counted.
QByteArray matrixCsv(const Run &run);
/// The same: the places, each with its outcomes.
QJsonArray matrixArray(const Run &run);
QByteArray matrixJson(const Run &run);

}
