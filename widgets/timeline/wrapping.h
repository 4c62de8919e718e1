// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/strokes.h"

namespace interlock {

/// The words of a text in lines that are not wider than @p width, unless a single word is.
inline QStringList inLines(const QFont &font, const QString &text, double width)
{
    QStringList lines;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (lines.isEmpty() || textWidth(font, lines.last() + QLatin1Char(' ') + word) > width)
            lines.append(word);
        else
            lines.last() += QLatin1Char(' ') + word;
    }
    return lines;
}

}
