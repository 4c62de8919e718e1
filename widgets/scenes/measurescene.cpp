// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/measurescene.h"

#include "widgets/measures/measureplot.h"
#include "widgets/scenes/tablescene.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace interlock {

namespace {

QString text(std::optional<qint64> value)
{
    return value ? QString::number(*value) : QString();
}

QString text(double share)
{
    return QString::number(share, 'f', 6);
}

QStringList namesOf(const Run &run, const std::vector<Name> &names)
{
    QStringList texts;
    for (const Name name : names)
        texts.append(run.text(name));
    return texts;
}

double shareOf(const MeasuredPoint &point)
{
    return static_cast<double>(point.y) / static_cast<double>(point.trials);
}

QJsonObject pointObject(const Run &run, const MeasuredCurve &curve, const MeasuredPoint &point)
{
    QJsonObject object;
    if (point.x)
        object.insert(QStringLiteral("x"), *point.x);
    object.insert(QStringLiteral("y"), point.y);
    if (curve.isShare) {
        const ShareBounds bounds = wilsonBounds(point.y, point.trials);
        object.insert(QStringLiteral("of"), point.trials);
        object.insert(QStringLiteral("share"), shareOf(point));
        object.insert(QStringLiteral("low"), bounds.low);
        object.insert(QStringLiteral("high"), bounds.high);
    } else {
        if (point.low)
            object.insert(QStringLiteral("low"), *point.low);
        if (point.high)
            object.insert(QStringLiteral("high"), *point.high);
    }
    if (!point.runs.empty())
        object.insert(QStringLiteral("runs"), QJsonArray::fromStringList(namesOf(run, point.runs)));
    return object;
}

}

void drawMeasureScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    const QSize size(static_cast<int>(place.width()), static_cast<int>(place.height()));
    if (size.width() < 1 || size.height() < 1)
        return;
    MeasurePlot plot;
    plot.setTheme(theme);
    plot.setRun(run);
    plot.layOut(size);
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, size.width(), size.height());
    painter.restore();
}

QByteArray measuresCsv(const Run &run)
{
    QByteArray csv = csvLine({QStringLiteral("series"), QStringLiteral("x title"), QStringLiteral("x"), QStringLiteral("x unit"), QStringLiteral("y title"), QStringLiteral("y"),
        QStringLiteral("y unit"), QStringLiteral("of"), QStringLiteral("share"), QStringLiteral("low"), QStringLiteral("high"), QStringLiteral("runs")});
    for (const MeasuredCurve &curve : curvesOf(run)) {
        const SeriesInfo &info = curve.info;
        for (const MeasuredPoint &point : curve.points) {
            QStringList values {info.title, info.xTitle, text(point.x), info.xUnit, info.yTitle, QString::number(point.y), info.yUnit};
            if (curve.isShare) {
                const ShareBounds bounds = wilsonBounds(point.y, point.trials);
                values << QString::number(point.trials) << text(shareOf(point)) << text(bounds.low) << text(bounds.high);
            } else {
                values << QString() << QString() << text(point.low) << text(point.high);
            }
            values << namesOf(run, point.runs).join(QLatin1Char(' '));
            csv += csvLine(values);
        }
    }
    return csv;
}

QJsonArray measuresArray(const Run &run)
{
    QJsonArray series;
    for (const MeasuredCurve &curve : curvesOf(run)) {
        const SeriesInfo &info = curve.info;
        QJsonArray points;
        for (const MeasuredPoint &point : curve.points)
            points.append(pointObject(run, curve, point));
        series.append(QJsonObject {{QStringLiteral("series"), info.name}, {QStringLiteral("title"), info.title}, {QStringLiteral("xTitle"), info.xTitle},
            {QStringLiteral("xUnit"), info.xUnit}, {QStringLiteral("yTitle"), info.yTitle}, {QStringLiteral("yUnit"), info.yUnit}, {QStringLiteral("points"), points}});
    }
    return series;
}

QByteArray measuresJson(const Run &run)
{
    return QJsonDocument(measuresArray(run)).toJson(QJsonDocument::Indented);
}

}
