// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/frame.h"

#include "engine/experiments/catalogue.h"
#include "widgets/timeline/strokes.h"
#include "widgets/verdictbar.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTextLayout>

namespace interlock {

namespace {

constexpr double margin = 14;

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

/// Writes words line by line, the first line from @p indent on; what does not fit into @p most lines is elided.
/// @return the top of the next line.
double drawWords(QPainter &painter, const QFont &font, QPointF topLeft, double indent, double width, int most, const QString &text, const QColor &color)
{
    const double height = lineHeight(font);
    double y = topLeft.y();
    double left = indent;
    QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int line = 0; line < most && !words.isEmpty(); ++line) {
        QString shown;
        while (!words.isEmpty()) {
            const QString longer = shown.isEmpty() ? words.first() : shown + QLatin1Char(' ') + words.first();
            if (!shown.isEmpty() && textWidth(font, longer) > width - left)
                break;
            shown = longer;
            words.removeFirst();
        }
        const bool isLast = line == most - 1;
        if (isLast && !words.isEmpty())
            shown += QLatin1Char(' ') + words.join(QLatin1Char(' '));
        drawLabel(painter, font, topLeft.x() + left, y + height / 2, elided(font, shown, width - left), color);
        y += height;
        left = 0;
    }
    return y;
}

}

QString titleOf(const Run &run)
{
    const Experiment *experiment = experiments::find(run.header.experiment);
    const QString title = experiment ? experiment->title : run.header.experiment;
    return run.header.preset.isEmpty() ? title : tr("%1 · %2").arg(title, run.header.preset);
}

QString sourceLine(const Run &run)
{
    const Header &header = run.header;
    QStringList parts;
    QStringList versions;
    for (const NodeInfo &node : header.nodes) {
        if (!node.version.isEmpty() && !versions.contains(node.version))
            versions.append(node.version);
    }
    if (!versions.isEmpty())
        parts.append(tr("Redis %1").arg(versions.join(QStringLiteral(", "))));
    parts.append(header.target.isEmpty() ? (header.nodes.size() > 1 ? tr("own servers") : tr("own server")) : tr("server %1").arg(header.target));
    parts.append(tr("%1, pace %2").arg(header.schedule).arg(header.pace));
    if (header.relay)
        parts.append(tr("through a relay"));
    if (header.clockShim)
        parts.append(tr("clock shim"));
    parts.append(tr("seed %1").arg(header.seed));
    if (!run.isComplete)
        parts.append(tr("incomplete"));
    if (!header.program.isEmpty())
        parts.append(header.program);
    return parts.join(QStringLiteral(" · "));
}

QRectF drawFrame(QPainter &painter, const QSizeF &size, const Run &run, const Verdict &verdict, const Theme &theme, int mostNotes)
{
    painter.setFont(theme.font); // even what has no words names a font in SVG
    painter.fillRect(QRectF(QPointF(), size), theme.background);
    const double width = size.width() - 2 * margin;
    double y = 8;

    const QFont title = theme.sized(1.3, true);
    const QString titleText = elided(title, titleOf(run), width);
    const double titleMiddle = y + lineHeight(title) / 2;
    drawLabel(painter, title, margin, titleMiddle, titleText, theme.text);
    const QFont small = theme.sized(0.85);
    const double beside = textWidth(title, titleText) + 10;
    if (textWidth(small, run.header.promise) <= width - beside) {
        drawLabel(painter, small, margin + beside, titleMiddle + 2, run.header.promise, theme.quiet);
        y += lineHeight(title) + 2;
    } else {
        y += lineHeight(title);
        y = drawWords(painter, small, {margin, y}, 0, width, 2, run.header.promise, theme.quiet) + 2;
    }

    const QFont word = theme.sized(1, true);
    const VerdictTexts said = verdictTexts(run, verdict);
    drawLabel(painter, word, margin, y + lineHeight(word) / 2, said.word, judgementColor(verdict.judgement, theme));
    const double indent = textWidth(word, said.word) + 10;
    const int most = size.height() < 260 ? 1 : 2;
    y = std::max(y + lineHeight(word), drawWords(painter, word, {margin, y}, indent, width, most, said.sentence, theme.text));
    y = drawWords(painter, small, {margin, y + 1}, 0, width, std::min(mostNotes, size.height() < 320 ? most : 4), said.cause, theme.quiet) + 5;

    const double bottom = size.height() - lineHeight(small) - 6;
    painter.fillRect(QRectF(margin, y, width, 1), theme.line);
    drawLabel(painter, small, margin, bottom + lineHeight(small) / 2, elided(small, sourceLine(run), width), theme.quiet);
    return QRectF(0, y + 2, size.width(), bottom - y - 4);
}

}
