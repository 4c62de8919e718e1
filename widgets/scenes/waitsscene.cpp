// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/waitsscene.h"

#include "engine/run/waits.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/waitsplot.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace interlock {

namespace {

double milliseconds(qint64 ns)
{
    return static_cast<double>(ns) / 1e6;
}

double percentileOf(const LaneWaits &lane, int percent)
{
    return milliseconds(percentile(lane.waits, percent).value_or(0));
}

}

void drawWaitsScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    const QSize size(static_cast<int>(place.width()), static_cast<int>(place.height()));
    if (size.width() < 1 || size.height() < 1)
        return;
    WaitsPlot plot;
    plot.setTheme(theme);
    plot.setRun(run);
    plot.layOut(size);
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, size.width(), size.height());
    painter.restore();
}

QByteArray waitsCsv(const Run &run)
{
    QByteArray csv = csvLine({QStringLiteral("client"), QStringLiteral("lock"), QStringLiteral("acquisitions"), QStringLiteral("gave up"),
        QStringLiteral("attempts"), QStringLiteral("commands"), QStringLiteral("least ms"), QStringLiteral("median ms"), QStringLiteral("p99 ms"), QStringLiteral("most ms")});
    for (const LaneWaits &lane : waitsOf(run)) {
        QStringList values {run.text(lane.lane), run.text(lane.key)};
        for (const qint64 number : {lane.acquisitions(), lane.gaveUp, lane.attempts, lane.commands})
            values.append(QString::number(number));
        const QList<double> lengths {lane.waits.empty() ? 0 : milliseconds(lane.waits.front()), percentileOf(lane, 50), percentileOf(lane, 99),
            lane.waits.empty() ? 0 : milliseconds(lane.waits.back())};
        for (const double length : lengths)
            values.append(lane.waits.empty() ? QString() : QString::number(length, 'f', 3));
        csv += csvLine(values);
    }
    return csv;
}

QByteArray waitsJson(const Run &run)
{
    QJsonArray clients;
    for (const LaneWaits &lane : waitsOf(run)) {
        QJsonArray waits;
        for (const qint64 wait : lane.waits)
            waits.append(milliseconds(wait));
        clients.append(QJsonObject {{QStringLiteral("client"), run.text(lane.lane)}, {QStringLiteral("lock"), run.text(lane.key)},
            {QStringLiteral("acquisitions"), lane.acquisitions()}, {QStringLiteral("gaveUp"), lane.gaveUp}, {QStringLiteral("attempts"), lane.attempts},
            {QStringLiteral("commands"), lane.commands}, {QStringLiteral("waitsMs"), waits}});
    }
    return QJsonDocument(clients).toJson(QJsonDocument::Indented);
}

}
