// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"
#include "widgets/theme.h"

#include <QRectF>

class QCPPainter;

namespace interlock {

/// The whole run's timeline, drawn by what draws it in the window, over a legend of the marks that occur in it.
void drawTimelineScene(QCPPainter &painter, const QRectF &place, const Run &run, const Verdict &verdict, const Theme &theme);

}
