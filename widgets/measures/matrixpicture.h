// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/measures.h"
#include "widgets/theme.h"

#include <QRectF>

class QPainter;

namespace interlock {

/// How an outcome looks: each kind has a colour, a hatch and a sign of its own.
enum class OutcomeKind : quint8 {
    Bad, ///< lost, broken: vermilion, hatched, a cross
    Unknown, ///< nobody can say: a question mark
    Refused, ///< nothing was acknowledged that could be lost: a bar
    Good, ///< kept, held: a tick
    Other, ///< a word of the experiment's own: a dot
};

OutcomeKind outcomeKind(const QString &word);
/// Of several outcomes the worst.
OutcomeKind outcomeKind(const MeasuredCell &cell);

/// A cell in its place: beside the words a band whose colours show the share of each outcome. Nothing if nothing was measured there.
void drawMatrixCell(QPainter &painter, const QRectF &place, const MeasuredCell &cell, const QString &unit, const Theme &theme);
/// What a cell needs to be read, pixels.
QSizeF matrixCellSize(const MeasuredCell &cell, const QString &unit, const Theme &theme);

}
