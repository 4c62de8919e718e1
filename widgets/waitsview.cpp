// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waitsview.h"

#include "engine/run/verdict.h"
#include "widgets/runmodel.h"

#include <QPainter>

#include <algorithm>

namespace interlock {

namespace {

struct Row
{
    QString name;
    int actor = 0; ///< its index among the actors' lanes: its colour
    LaneWaits waits;
};

std::vector<Row> rowsOf(const Run &run)
{
    std::vector<Row> rows;
    for (const LaneWaits &waits : waitsOf(run)) {
        Row row {run.text(waits.lane), -1, waits};
        int actor = 0;
        for (const Lane &lane : run.header.lanes) {
            if (lane.type == Lane::Type::Actor && lane.name == row.name)
                row.actor = actor;
            actor += lane.type == Lane::Type::Actor;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}

QString waitsSummary(const std::vector<LaneWaits> &lanes)
{
    const std::vector<qint64> waits = allWaits(lanes);
    if (waits.empty())
        return WaitsView::tr("No client has been granted a lock yet.");
    qint64 commands = 0;
    for (const LaneWaits &lane : lanes)
        commands += lane.commands;
    QString summary = WaitsView::tr("Median wait %1, 95 % within %2. %3 commands for each acquisition.")
                          .arg(text(For {percentile(waits, 50).value_or(0)}), text(For {percentile(waits, 95).value_or(0)}))
                          .arg(static_cast<double>(commands) / static_cast<double>(waits.size()), 0, 'f', 1);
    if (const std::optional<double> fair = fairnessOfAcquisitions(lanes))
        summary += QLatin1Char(' ') + WaitsView::tr("Fairness of acquisitions %1 (1 is even).").arg(*fair, 0, 'f', 2);
    return summary;
}

class WaitsView::Chart : public QWidget
{
public:
    using QWidget::QWidget;

    Theme theme = Theme::light();
    std::vector<Row> rows;
    QString summary;

    int lineHeight() const { return QFontMetrics(theme.font).height(); }
    /// Of the words beside a row.
    double saidWidth() const { return QFontMetricsF(theme.sized(0.9)).horizontalAdvance(tr("%1 × · median %2 · longest %2").arg(100).arg("00.000 s")); }
    QSize minimumSizeHint() const override { return {lineHeight() * 24, lineHeight() * (5 + 2 * static_cast<int>(rows.size()))}; }
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent *) override;

private:
    void paintAxis(QPainter &painter, const QRectF &plot, qint64 longest) const;
    void paintRow(QPainter &painter, const QRectF &place, const Row &row, qint64 longest) const;
};

void WaitsView::Chart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.background);
    const double line = lineHeight();
    qint64 longest = 0;
    for (const Row &row : rows) {
        if (!row.waits.waits.empty())
            longest = std::max(longest, row.waits.waits.back());
    }
    painter.setFont(theme.font);
    painter.setPen(theme.quiet);
    QRectF above(4, line * 0.3, width() - 8, line * 4);
    painter.drawText(above, Qt::TextWordWrap, summary, &above);
    if (longest == 0)
        return;
    const QRectF plot(line * 4, above.bottom() + line * 0.2, width() - line * 6 - saidWidth(), line * 2 * static_cast<double>(rows.size()));
    paintAxis(painter, plot, longest);
    for (size_t i = 0; i < rows.size(); ++i)
        paintRow(painter, QRectF(plot.left(), plot.top() + line * 2 * static_cast<double>(i), plot.width(), line * 2), rows[i], longest);
}

void WaitsView::Chart::paintAxis(QPainter &painter, const QRectF &plot, qint64 longest) const
{
    constexpr int steps = 4;
    painter.setFont(theme.sized(0.9));
    for (int step = 0; step <= steps; ++step) {
        const double x = plot.left() + plot.width() * step / steps;
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(theme.quiet);
        const QRectF label(x - 80 * theme.scale, plot.bottom(), 160 * theme.scale, lineHeight() * 1.6);
        painter.drawText(label, Qt::AlignHCenter | Qt::AlignVCenter, step == 0 ? QStringLiteral("0") : text(For {longest / steps * step}));
    }
}

void WaitsView::Chart::paintRow(QPainter &painter, const QRectF &place, const Row &row, qint64 longest) const
{
    const double line = lineHeight();
    const double middle = place.center().y();
    const auto x = [&](qint64 wait) { return place.left() + place.width() * static_cast<double>(wait) / static_cast<double>(longest); };
    painter.setPen(theme.line);
    painter.drawLine(QPointF(place.left(), middle), QPointF(place.right(), middle));
    painter.setPen(theme.text);
    painter.setFont(theme.sized(1, true));
    painter.drawText(QRectF(4, place.top(), place.left() - 12, place.height()), Qt::AlignVCenter | Qt::AlignLeft, row.name);

    const QColor colour = theme.owner(row.actor);
    QColor fill = colour;
    fill.setAlpha(150);
    painter.setBrush(fill);
    painter.setPen(QPen(colour.darker(130), 1));
    for (const qint64 wait : row.waits.waits)
        painter.drawEllipse(QPointF(x(wait), middle), line * 0.24, line * 0.24);
    QString said = tr("never granted");
    if (const std::optional<qint64> median = percentile(row.waits.waits, 50)) {
        painter.fillRect(QRectF(x(*median) - 1.5, place.top() + line * 0.4, 3, place.height() - line * 0.8), theme.text);
        said = tr("%1 × · median %2 · longest %3").arg(row.waits.acquisitions()).arg(text(For {*median}), text(For {row.waits.waits.back()}));
    }
    painter.setPen(theme.quiet);
    painter.setFont(theme.sized(0.9));
    painter.drawText(QRectF(place.right() + line, place.top(), saidWidth(), place.height()), Qt::AlignVCenter | Qt::AlignLeft, said);
}

WaitsView::WaitsView(const RunModel &run, QWidget *parent)
    : QScrollArea(parent)
    , m_run(run)
    , m_chart(new Chart)
{
    setAccessibleName(tr("Waits"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setWidget(m_chart);
    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &WaitsView::countAgain);
    connect(&run, &RunModel::reset, this, &WaitsView::countAgain);
    connect(&run, &RunModel::grown, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
}

void WaitsView::setTheme(const Theme &theme)
{
    m_chart->theme = theme;
    m_chart->updateGeometry();
    m_chart->update();
}

void WaitsView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    countAgain();
}

void WaitsView::countAgain()
{
    if (!isVisible())
        return;
    m_chart->rows = rowsOf(m_run.run());
    std::vector<LaneWaits> lanes;
    for (const Row &row : m_chart->rows)
        lanes.push_back(row.waits);
    m_chart->summary = waitsSummary(lanes);
    setAccessibleDescription(m_chart->summary);
    m_chart->updateGeometry();
    m_chart->update();
}

}
