// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/verdict.h"
#include "widgets/theme.h"

#include <QSizeF>
#include <QString>
#include <QStringList>

#include <optional>

namespace interlock {

/// How an exported picture is made.
struct ExportOptions
{
    QSizeF millimetres {160, 90}; ///< sets the layout; 20 to 2000 each
    int dpi = 300; ///< of a PNG: pixels only, never the layout; 30 to 1200
    QString theme = QStringLiteral("print"); ///< light, dark, print
    std::optional<qint64> at = {}; ///< ns: the moment that a topology shows; none: the most telling one
};

/// Reads "160x90mm". Invalid with a sentence.
Result<QSizeF> parseSize(const QString &text);

/// The views that this run's experiment offers: "timeline", "table", "waits"…
QStringList viewsOf(const Run &run);
/// What a person calls a view: "Timeline". An unknown one has its id.
QString titleOfView(const QString &view);
/// The formats that a view can be written in: svg, pdf, png for pictures; csv, json for data.
QStringList formatsOf(const QString &view);

/// Draws one view of a run into a file, by its extension. The same scene as in the window; same run, same bytes for SVG, PNG, CSV and JSON.
/// Fails with Invalid (unknown view or format) or Failed (cannot be written), and leaves no half-written file.
Result<void> exportView(const Run &run, const Verdict &verdict, const QString &view, const QString &path, const ExportOptions &options);

}
