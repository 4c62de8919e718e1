// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>

class QPainter;

namespace interlock {

/// The steps of all failovers and copies, drawn by what draws them in the window, with the one at that moment (ns) marked.
void drawLadderScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme, qint64 at);

/// A line for each telling of each step: whose failover, which step, who told of it, and when: in s of the run, since the loss and since the
/// step before.
QByteArray ladderCsv(const Run &run);
/// An array of ladders, each with its steps and who told of them.
QByteArray ladderJson(const Run &run);

}
