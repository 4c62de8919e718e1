// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>

class QCPPainter;

namespace interlock {

/// What waiting for a lock cost each client, drawn by what draws it in the window.
void drawWaitsScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme);

/// A line for each client and lock: waits in ms, attempts and commands.
QByteArray waitsCsv(const Run &run);
/// The same as an array of objects, with every single wait.
QByteArray waitsJson(const Run &run);

}
