// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>

#include <optional>

class QCPPainter;
class QPainter;

namespace interlock {

/// The moment of a run that is worth a picture: where the promise was broken, else where a replica was promoted last, else the end. ns
qint64 tellingMoment(const Run &run, const Verdict &verdict);

/// The group at that moment (ns), drawn by what draws it in the window.
void drawTopologyScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme, qint64 at);
/// The same beside the ladder, and above the timeline if there is room for that.
void drawFailoverScene(QCPPainter &painter, const QRectF &place, const Run &run, const Verdict &verdict, const Theme &theme, qint64 at);

/// A line for each node as it was then: its role, whom it follows, offsets in bytes, times in seconds, and the locks that it knows.
QByteArray nodesCsv(const Run &run, qint64 at);
/// The same as an object, with the time and an array of nodes.
QByteArray nodesJson(const Run &run, qint64 at);

}
