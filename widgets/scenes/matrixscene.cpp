// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/matrixscene.h"

#include "engine/run/measures.h"
#include "widgets/measures/matrixpicture.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/timeline/wrapping.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>

#include <algorithm>

namespace interlock {

namespace {

constexpr double margin = 14;

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

QStringList namesOf(const Run &run, const std::vector<Name> &names)
{
    QStringList texts;
    for (const Name name : names)
        texts.append(run.text(name));
    return texts;
}

/// Lines from @p top on, the words of a title.
void drawTitle(QPainter &painter, const QFont &font, double left, double top, double width, const QStringList &lines, const QColor &color)
{
    for (qsizetype i = 0; i < lines.size(); ++i)
        drawLabel(painter, font, left, top + (static_cast<double>(i) + 0.5) * lineHeight(font), elided(font, lines[i], width), color);
}

}

void drawMatrixScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    const MeasuredTable table = tableOf(run);
    const QRectF inner = place.adjusted(margin, 2, -margin, -2);
    const QFont font = theme.sized(0.85, true);
    const auto columns = static_cast<double>(table.columns.size()), rows = static_cast<double>(table.rows.size());
    if (table.cells.empty()) {
        drawLabel(painter, theme.font, inner.left(), inner.top() + lineHeight(theme.font), tr("Nothing has been measured."), theme.quiet);
        return;
    }
    double names = 0;
    for (const SeriesInfo &row : table.rows)
        names = std::max(names, textWidth(font, row.title));
    names = std::min(names + 8, inner.width() / 4);
    const double width = (inner.width() - names) / columns;
    qsizetype lines = 1;
    for (const QString &column : table.columns)
        lines = std::max(lines, inLines(font, column, width - 8).size());
    const double head = static_cast<double>(lines) * lineHeight(font) + 4;
    constexpr double roomy = 64;
    const double height = std::min(roomy, (inner.height() - head) / rows);
    for (qsizetype i = 0; i < table.columns.size(); ++i)
        drawTitle(painter, font, inner.left() + names + static_cast<double>(i) * width + 4, inner.top(), width - 8, inLines(font, table.columns[i], width - 8), theme.quiet);
    for (size_t row = 0; row < table.rows.size(); ++row) {
        const double top = inner.top() + head + static_cast<double>(row) * height;
        const QStringList title = inLines(font, table.rows[row].title, names - 8);
        const double middle = top + height / 2 - static_cast<double>(title.size()) * lineHeight(font) / 2;
        drawTitle(painter, font, inner.left(), middle, names - 8, title, theme.text);
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            const QRectF cell(inner.left() + names + static_cast<double>(i) * width, top, width, height);
            drawMatrixCell(painter, cell, table.cell(row, static_cast<size_t>(i)), table.rows[row].yUnit, theme);
        }
    }
}

QByteArray matrixCsv(const Run &run)
{
    const MeasuredTable table = tableOf(run);
    QByteArray csv = csvLine({QStringLiteral("row"), QStringLiteral("column"), QStringLiteral("outcome"), QStringLiteral("times"), QStringLiteral("of"), QStringLiteral("count"),
        QStringLiteral("unit"), QStringLiteral("runs")});
    for (size_t row = 0; row < table.rows.size(); ++row) {
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            const MeasuredCell &cell = table.cell(row, static_cast<size_t>(i));
            for (const MeasuredOutcome &outcome : cell.outcomes) {
                csv += csvLine({table.rows[row].title, table.columns[i], outcome.word, QString::number(outcome.times), QString::number(cell.times()),
                    QString::number(outcome.count), table.rows[row].yUnit, namesOf(run, cell.runs).join(QLatin1Char(' '))});
            }
        }
    }
    return csv;
}

QJsonArray matrixArray(const Run &run)
{
    const MeasuredTable table = tableOf(run);
    QJsonArray places;
    for (size_t row = 0; row < table.rows.size(); ++row) {
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            const MeasuredCell &cell = table.cell(row, static_cast<size_t>(i));
            if (cell.outcomes.empty())
                continue;
            QJsonArray outcomes;
            for (const MeasuredOutcome &outcome : cell.outcomes) {
                outcomes.append(
                    QJsonObject {{QStringLiteral("outcome"), outcome.word}, {QStringLiteral("times"), outcome.times}, {QStringLiteral("count"), outcome.count}});
            }
            places.append(QJsonObject {{QStringLiteral("row"), table.rows[row].title}, {QStringLiteral("column"), table.columns[i]},
                {QStringLiteral("unit"), table.rows[row].yUnit}, {QStringLiteral("outcomes"), outcomes}, {QStringLiteral("runs"), QJsonArray::fromStringList(namesOf(run, cell.runs))}});
        }
    }
    return places;
}

QByteArray matrixJson(const Run &run)
{
    return QJsonDocument(matrixArray(run)).toJson(QJsonDocument::Indented);
}

}
