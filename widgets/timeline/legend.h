// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/timeline/spans.h"

#include <QRectF>

class QPainter;

namespace interlock {

/// Explains the bars and marks that occur in a timeline, in as many lines as it takes.
/// @param overlapsBreak see overlapsBreakThePromise().
/// @param marksShown whether lanes are high enough for the marks below actors' bars; those are left out otherwise.
/// @param painter null: only measure.
/// @return the height that it needs at this width.
double drawLegend(QPainter *painter, const QRectF &place, const Spans &spans, bool overlapsBreak, bool marksShown, const Theme &theme);

}
