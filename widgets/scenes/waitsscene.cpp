// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/waitsscene.h"

#include "engine/run/verdict.h"
#include "engine/run/waits.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/timeline/strokes.h"

#include <qcustomplot.h>

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

double perAcquisition(const LaneWaits &lane)
{
    return lane.waits.empty() ? 0 : static_cast<double>(lane.commands) / static_cast<double>(lane.acquisitions());
}

/// Clients one under the other, time to the right.
class WaitsPlot : public QCustomPlot
{
public:
    explicit WaitsPlot(QWidget *parent = nullptr);
    void setTheme(const Theme &theme);
    void setRun(const Run &run);

private:
    class Boxes;
    friend class Boxes;
    Theme m_theme = Theme::light();
    std::vector<LaneWaits> m_lanes;
    QStringList m_names;
    std::vector<int> m_owners;
    Boxes *m_boxes; // owned by the plot
};

class WaitsPlot::Boxes : public QCPAbstractPlottable
{
public:
    explicit Boxes(WaitsPlot &plot)
        : QCPAbstractPlottable(plot.xAxis, plot.yAxis)
        , m_plot(plot)
    {
    }
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override { found = false; return {}; }
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override { found = false; return {}; }

protected:
    void drawLegendIcon(QCPPainter *, const QRectF &) const override { }
    QRect clipRect() const override { return m_plot.viewport(); }
    void draw(QCPPainter *painter) override;

private:
    void drawLane(QPainter &painter, size_t index, const QRectF &row) const;
    const WaitsPlot &m_plot;
};

void WaitsPlot::Boxes::draw(QCPPainter *painter)
{
    painter->setAntialiasing(false);
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF area = m_plot.axisRect()->rect();
    const Theme &theme = m_plot.m_theme;
    if (m_plot.m_lanes.empty()) {
        drawLabel(*painter, theme.font, area.left(), area.center().y(), WaitsPlot::tr("Nobody has waited for a lock yet."), theme.quiet);
        return;
    }
    const double height = std::min(46 * theme.scale, area.height() / static_cast<double>(m_plot.m_lanes.size()));
    for (size_t i = 0; i < m_plot.m_lanes.size(); ++i)
        drawLane(*painter, i, QRectF(area.left(), area.top() + static_cast<double>(i) * height, area.width(), height));
}

void WaitsPlot::Boxes::drawLane(QPainter &painter, size_t index, const QRectF &row) const
{
    const Theme &theme = m_plot.m_theme;
    const double s = theme.scale;
    const LaneWaits &lane = m_plot.m_lanes[index];
    const QColor color = theme.owner(m_plot.m_owners[index]);
    const QFont name = theme.sized(0.95, true);
    const QFont small = theme.sized(0.85);
    const double middle = row.center().y();
    // Where lanes are lower than a line, only as many are named as there is room for.
    const auto every = static_cast<size_t>(std::max(1.0, std::ceil(lineHeight(small) / row.height())));
    if (index % every == 0) {
        drawLabel(painter, row.height() < lineHeight(name) ? theme.sized(0.85, true) : name, 14 * s, middle,
            elided(name, m_plot.m_names[qsizetype(index)], row.left() - 20 * s), theme.text);
        const QString figures = WaitsPlot::tr("%1 × · %2 commands each").arg(lane.acquisitions()).arg(perAcquisition(lane), 0, 'f', 1);
        drawLabel(painter, small, row.right() + 10 * s, middle, figures, theme.quiet);
    }
    if (lane.waits.empty())
        return;
    const auto x = [&](double ms) { return mKeyAxis->coordToPixel(ms); };
    const double height = std::min(18 * s, row.height() * 0.7);
    const double from = x(milliseconds(lane.waits.front())), to = x(milliseconds(lane.waits.back()));
    const double low = x(percentileOf(lane, 25)), high = x(percentileOf(lane, 75)), median = x(percentileOf(lane, 50));
    painter.setPen(QPen(color, 1.4 * s, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(from, middle), QPointF(to, middle));
    for (const double end : {from, to})
        painter.drawLine(QPointF(end, middle - height / 4), QPointF(end, middle + height / 4));
    drawBox(painter, QRectF(low, middle - height / 2, std::max(1.0, high - low), height), mixed(color, theme.background, 0.45), color, 1.2 * s);
    painter.fillRect(QRectF(median - s, middle - height / 2, 2 * s, height), theme.text);
}

WaitsPlot::WaitsPlot(QWidget *parent)
    : QCustomPlot(parent)
    , m_boxes(new Boxes(*this))
{
    axisRect()->setAutoMargins(QCP::msNone);
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins({});
    yAxis->setVisible(false);
    xAxis->setLabel(tr("waited for the lock, ms: all waits, the middle half, the median"));
    xAxis->setBasePen(Qt::NoPen);
    xAxis->setTickPen(Qt::NoPen);
    xAxis->setSubTicks(false);
    setTheme(m_theme);
}

void WaitsPlot::setTheme(const Theme &theme)
{
    m_theme = theme;
    setBackground(QBrush(theme.background));
    xAxis->grid()->setPen(QPen(theme.grid, 1));
    xAxis->grid()->setZeroLinePen(QPen(theme.line, 1));
    xAxis->setTickLabelFont(theme.sized(0.85));
    xAxis->setTickLabelColor(theme.quiet);
    xAxis->setLabelFont(theme.sized(0.85));
    xAxis->setLabelColor(theme.quiet);
    double names = textWidth(theme.sized(0.95, true), QStringLiteral("client"));
    for (const QString &name : m_names)
        names = std::max(names, textWidth(theme.sized(0.95, true), name));
    const double figures = textWidth(theme.sized(0.85), tr("%1 × · %2 commands each").arg(9999).arg(99.9, 0, 'f', 1));
    axisRect()->setMargins(QMargins(static_cast<int>(std::min(names, 160 * theme.scale) + 28 * theme.scale), static_cast<int>(8 * theme.scale),
        static_cast<int>(figures + 20 * theme.scale), static_cast<int>(2.2 * lineHeight(theme.sized(0.85)) + 18 * theme.scale)));
}

void WaitsPlot::setRun(const Run &run)
{
    m_lanes = waitsOf(run);
    m_names.clear();
    m_owners.clear();
    double longest = 1;
    for (const LaneWaits &lane : m_lanes) {
        const QString name = run.text(lane.lane);
        m_names.append(name);
        int owner = -1, actors = 0;
        for (const Lane &each : run.header.lanes) {
            if (each.type != Lane::Type::Actor)
                continue;
            if (each.name == name)
                owner = actors;
            ++actors;
        }
        m_owners.push_back(owner);
        if (!lane.waits.empty())
            longest = std::max(longest, milliseconds(lane.waits.back()));
    }
    xAxis->setRange(0, longest * 1.05);
    setTheme(m_theme);
}

}

void drawWaitsScene(QCPPainter &painter, const QRectF &place, const Run &run, const Theme &theme)
{
    WaitsPlot plot;
    plot.setTheme(theme);
    plot.setRun(run);
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, static_cast<int>(place.width()), static_cast<int>(place.height()));
    painter.restore();
}

QByteArray waitsCsv(const Run &run)
{
    QByteArray csv = csvLine({QStringLiteral("client"), QStringLiteral("lock"), QStringLiteral("acquisitions"), QStringLiteral("gave up"),
        QStringLiteral("attempts"), QStringLiteral("commands"), QStringLiteral("least ms"), QStringLiteral("median ms"), QStringLiteral("p95 ms"), QStringLiteral("most ms")});
    for (const LaneWaits &lane : waitsOf(run)) {
        QStringList values {run.text(lane.lane), run.text(lane.key)};
        for (const qint64 number : {lane.acquisitions(), lane.gaveUp, lane.attempts, lane.commands})
            values.append(QString::number(number));
        const QList<double> lengths {lane.waits.empty() ? 0 : milliseconds(lane.waits.front()), percentileOf(lane, 50), percentileOf(lane, 95),
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
