// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace interlock {

/// As many of the first rows of the event table as there is room for, and how many more there are.
void drawTableScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme);

/// All rows, with a line of titles; a run of limiters has the figures of its decisions in further columns. Quoted as RFC 4180 says, lines end with CR LF.
QByteArray tableCsv(const Run &run);
/// An array of objects, one a line: {"time":1.604,"who":…,"command":…,"answer":…,"note":…}; of a decision its figures follow.
QByteArray tableJson(const Run &run);

/// One line of CSV.
QByteArray csvLine(const QStringList &values);

}
