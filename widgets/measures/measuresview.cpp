// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/measuresview.h"

#include "widgets/measures/childmenu.h"
#include "widgets/measures/measuretexts.h"
#include "widgets/runmodel.h"

#include <QKeyEvent>

#include <algorithm>

namespace interlock {

MeasuresView::MeasuresView(const RunModel &run, QWidget *parent)
    : QScrollArea(parent)
    , m_run(run)
    , m_plot(new MeasurePlot)
{
    setAccessibleName(tr("Measures"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &MeasuresView::countAgain);
    connect(&run, &RunModel::reset, this, [this] {
        mark({});
        countAgain();
    });
    connect(&run, &RunModel::grown, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
}

void MeasuresView::setTheme(const Theme &theme)
{
    m_plot->setTheme(theme);
    redraw();
}

void MeasuresView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    countAgain();
}

void MeasuresView::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    m_plot->setMinimumHeight(m_plot->readableHeight(viewport()->width()));
}

void MeasuresView::countAgain()
{
    if (!isVisible())
        return;
    m_plot->setRun(m_run.run());
    if (!m_plot->marked())
        setAccessibleDescription(measuresSummary(m_run.run()));
    redraw();
}

void MeasuresView::redraw()
{
    m_plot->setMinimumHeight(m_plot->readableHeight(viewport()->width()));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MeasuresView::mark(std::optional<PointPlace> place)
{
    m_plot->mark(place);
    const QString what = place ? pointSentence(m_plot->curve(*place), m_plot->point(*place)) : QString();
    if (isVisible())
        setAccessibleDescription(place ? what : measuresSummary(m_run.run()));
    m_plot->setCursor(place && !m_plot->point(*place).runs.empty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT pointed(what);
}

bool MeasuresView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_plot && event->type() == QEvent::MouseMove) {
        const auto *move = static_cast<QMouseEvent *>(event);
        if (const std::optional<PointPlace> place = m_plot->placeAt(move->position()); place != m_plot->marked())
            mark(place);
    } else if (watched == m_plot && event->type() == QEvent::Leave) {
        mark({});
    } else if (watched == m_plot && event->type() == QEvent::MouseButtonRelease) {
        const auto *click = static_cast<QMouseEvent *>(event);
        if (const std::optional<PointPlace> place = m_plot->placeAt(click->position()); place && click->button() == Qt::LeftButton)
            ask(*place);
    }
    return QScrollArea::eventFilter(watched, event);
}

/// To a neighbouring point of the curve, or of another curve to the one that is nearest in x.
void MeasuresView::step(int along, int across)
{
    std::vector<PointPlace> curves;
    for (size_t i = 0; i < m_plot->charts().size(); ++i) {
        for (size_t j = 0; j < m_plot->charts()[i].curves.size(); ++j)
            curves.push_back({i, j, 0});
    }
    if (curves.empty())
        return;
    if (!m_plot->marked())
        return mark(curves.front());
    PointPlace place = *m_plot->marked();
    if (along != 0) {
        const auto last = static_cast<int>(m_plot->curve(place).points.size()) - 1;
        place.point = static_cast<size_t>(std::clamp(static_cast<int>(place.point) + along, 0, last));
    } else {
        const auto now = std::find_if(curves.begin(), curves.end(), [&](const PointPlace &each) { return each.chart == place.chart && each.curve == place.curve; });
        const auto next = std::clamp<std::ptrdiff_t>(now - curves.begin() + across, 0, static_cast<std::ptrdiff_t>(curves.size()) - 1);
        const double x = m_plot->positionOf(place).x();
        const PointPlace target = curves[static_cast<size_t>(next)];
        PointPlace nearest = target;
        for (size_t i = 0; i < m_plot->curve(target).points.size(); ++i) {
            const PointPlace each {target.chart, target.curve, i};
            if (std::abs(m_plot->positionOf(each).x() - x) < std::abs(m_plot->positionOf(nearest).x() - x))
                nearest = each;
        }
        place = nearest;
    }
    mark(place);
    const QPointF at = m_plot->positionOf(place);
    ensureVisible(static_cast<int>(at.x()), static_cast<int>(at.y()));
}

void MeasuresView::keyPressEvent(QKeyEvent *event)
{
    constexpr int all = 1'000'000;
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Home:
        return step(-all, 0);
    case Qt::Key_End:
        return step(all, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_Escape:
        return mark({});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_plot->marked())
            ask(*m_plot->marked());
        return;
    default:
        QScrollArea::keyPressEvent(event);
    }
}

void MeasuresView::ask(const PointPlace &place)
{
    askForChild(this, m_plot->runsOf(place), m_plot->mapToGlobal(m_plot->positionOf(place).toPoint()), [this](const QString &name) { Q_EMIT childAsked(name); });
}

}
