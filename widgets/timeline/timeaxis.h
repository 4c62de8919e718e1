// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

class QCustomPlot;

namespace interlock {

struct Theme;

/// What plots over a run's time have in common: an axis of time below, and no margins but their own.
/// @param theme and @param now, how far the picture reaches (ns), must outlive the plot's axis.
void setUpTimeAxis(QCustomPlot &plot, const Theme &theme, const qint64 &now);
/// Colours and letters, for the axis and the background of what is exported.
void styleTimeAxis(QCustomPlot &plot, const Theme &theme);

}
