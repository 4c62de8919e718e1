// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/tablescene.h"

#include "widgets/eventrows.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPainter>

#include <array>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

QByteArray quotedJson(const QString &text)
{
    // There is no public function for one string: take it out of an array.
    const QByteArray array = QJsonDocument(QJsonArray {text}).toJson(QJsonDocument::Compact);
    return array.mid(1, array.size() - 2);
}

/// The further members of a decision, as run files have them; empty of any other event.
QByteArray decisionJson(const Run &run, size_t index)
{
    const Event &event = run.events[index];
    const DecisionFigures *figures = run.figures(event);
    if (!figures)
        return {};
    QByteArray json = ",\"limiter\":" + quotedJson(run.text(event.text)) + ",\"key\":" + quotedJson(run.text(event.key));
    for (const FigureField &field : figureFields()) {
        const qint64 value = figures->*field.value;
        if (value != never)
            json += QByteArray(",\"") + field.name + "\":" + QByteArray::number(value);
    }
    return json;
}

}

void drawTableScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    const QFont font = theme.sized(0.85);
    const QFont bold = theme.sized(0.85, true);
    const double margin = 14;
    const double gap = 10;
    const double line = lineHeight(font) + 5;
    const double width = place.width() - 2 * margin;
    double who = textWidth(bold, eventColumns().at(1));
    for (const Lane &lane : run.header.lanes)
        who = std::max(who, textWidth(bold, lane.name));
    const double time = textWidth(font, QStringLiteral("000.000"));
    who = std::min(who, width * 0.15);
    const double rest = width - time - who - 4 * gap;
    const std::array<double, 5> widths {time, who, rest * 0.5, rest * 0.2, rest * 0.3};

    double y = place.top() + 2;
    const auto row = [&](const QStringList &cells, const QFont &cellFont, const QColor &color) {
        double x = place.left() + margin;
        for (size_t i = 0; i < widths.size(); ++i) {
            const QFont &used = i == 1 ? bold : cellFont;
            drawLabel(painter, used, x, y + line / 2, elided(used, cells.at(qsizetype(i)), widths[i]), color);
            x += widths[i] + gap;
        }
        y += line;
    };
    row(eventColumns(), bold, theme.quiet);
    for (size_t i = 0; i < run.events.size(); ++i) {
        const bool isLastLine = y + 2 * line > place.bottom();
        if (isLastLine && i + 1 < run.events.size()) {
            const QString more = tr("… and %1 more events").arg(run.events.size() - i);
            drawLabel(painter, font, place.left() + margin, y + line / 2, elided(font, more, width), theme.quiet);
            return;
        }
        painter.fillRect(QRectF(place.left() + margin, y, width, 1), theme.grid);
        const EventRow event = eventRow(run, i);
        row({event.time, event.who, event.command, event.answer, event.note}, font, theme.text);
    }
}

QByteArray csvLine(const QStringList &values)
{
    QByteArray line;
    for (const QString &value : values) {
        if (!line.isEmpty() || &value != &values.first())
            line += ',';
        QByteArray text = value.toUtf8();
        const bool needsQuotes = text.contains(',') || text.contains('"') || text.contains('\n') || text.contains('\r');
        if (needsQuotes)
            text = '"' + text.replace("\"", "\"\"") + '"';
        line += text;
    }
    return line + "\r\n";
}

QByteArray tableCsv(const Run &run)
{
    const bool hasDecisions = !run.decisions.empty();
    QByteArray csv = csvLine(hasDecisions ? eventColumns() + decisionColumns() : eventColumns());
    for (size_t i = 0; i < run.events.size(); ++i) {
        const EventRow row = eventRow(run, i);
        QStringList cells {row.time, row.who, row.command, row.answer, row.note};
        if (hasDecisions)
            cells += decisionCells(run, i);
        csv += csvLine(cells);
    }
    return csv;
}

QByteArray tableJson(const Run &run)
{
    QByteArray json = "[\n";
    for (size_t i = 0; i < run.events.size(); ++i) {
        const EventRow row = eventRow(run, i);
        json += "{\"time\":" + row.time.toUtf8() + ",\"who\":" + quotedJson(row.who) + ",\"command\":" + quotedJson(row.command)
            + ",\"answer\":" + quotedJson(row.answer) + ",\"note\":" + quotedJson(row.note) + decisionJson(run, i)
            + (i + 1 < run.events.size() ? "},\n" : "}\n");
    }
    return json + "]\n";
}

}
