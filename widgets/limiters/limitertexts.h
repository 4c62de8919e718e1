// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterfigures.h"

#include <QStringList>

namespace interlock {

/// The figures of limiters as people read them in tables; the first column is the limiter's name.
struct LimiterColumn
{
    QString title;
    QString explanation; ///< how it was measured, or what it says
};

/// What was measured: admitted, rejected, most in a window ÷ limit, …
QList<LimiterColumn> measuredColumns();
QStringList measuredCells(const LimiterInfo &limiter, const LimiterFigures &figures);

/// The classic comparison: burst, complexity, memory, evenness, where to use. What is a measurement comes from the run.
QList<LimiterColumn> comparedColumns();
QStringList comparedCells(const LimiterInfo &limiter, const LimiterFigures &figures);

/// What stands for a figure that was not measured.
QString notMeasured();

}
