// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/topologyview.h"

#include "engine/run/verdict.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/strokes.h"
#include "widgets/topology/groupmodel.h"
#include "widgets/topology/nodepanel.h"
#include "widgets/topology/topologypainter.h"

#include <QAction>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSlider>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

constexpr int notches = 10'000; ///< of the slider, over the whole run

}

TopologyView::TopologyView(GroupModel &group, QWidget *parent)
    : QWidget(parent)
    , m_group(group)
    , m_title(new QLabel(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_panel(new NodePanel(this))
{
    setAccessibleName(tr("Topology"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_title->setAccessibleName(tr("Shown moment"));
    m_slider->setRange(0, notches);
    m_slider->setValue(notches);
    m_slider->setPageStep(notches / 20);
    m_slider->setSingleStep(notches / 200);
    m_slider->setAccessibleName(tr("Moment of the run"));
    m_slider->setToolTip(tr("Shows the group at another moment of the run."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addStretch(1);
    layout->addWidget(m_slider);
    addActions();
    connect(m_slider, &QSlider::valueChanged, this, &TopologyView::slide);
    connect(m_panel, &NodePanel::strikeAsked, this, &TopologyView::strikeAsked);
    connect(m_panel, &NodePanel::closed, this, &TopologyView::closePanel);
    connect(&group, &GroupModel::reset, this, &TopologyView::takeRun);
    connect(&group, &GroupModel::moved, this, &TopologyView::showMoment);
    takeRun();
}

QAction *TopologyView::addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (TopologyView::*what)())
{
    auto *action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut); // the slider and the panel have these keys for themselves
    connect(action, &QAction::triggered, this, what);
    QWidget::addAction(action);
    return action;
}

void TopologyView::addActions()
{
    addAction("previousMoment", tr("Previous Moment"), {Qt::Key_Comma}, &TopologyView::previousMoment);
    addAction("nextMoment", tr("Next Moment"), {Qt::Key_Period}, &TopologyView::nextMoment);
    addAction("start", tr("Start of the Run"), {Qt::Key_Home}, &TopologyView::goToStart);
    addAction("end", tr("End of the Run, or Now"), {Qt::Key_End}, &TopologyView::goToEnd);
    addAction("previousNode", tr("Previous Node"), {Qt::Key_Left, Qt::Key_Up}, &TopologyView::previousNode);
    addAction("nextNode", tr("Next Node"), {Qt::Key_Right, Qt::Key_Down}, &TopologyView::nextNode);
    addAction("openNode", tr("Facts of the Node"), {Qt::Key_Return, Qt::Key_Enter}, &TopologyView::openNode);
    addAction("clear", tr("Leave Node and Moment"), {Qt::Key_Escape}, &TopologyView::clear);
}

void TopologyView::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_title->setFont(theme.sized(0.9, true));
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.quiet);
    m_title->setPalette(quiet);
    m_panel->setTheme(theme);
    updateGeometry();
    layOut();
    placePanel();
    update();
}

void TopologyView::takeRun()
{
    closePanel();
    m_chosen = -1;
    layOut();
    updateGeometry();
    showMoment();
}

/// Everything that depends on the moment.
void TopologyView::showMoment()
{
    if (!isVisible())
        return; // it is done when it is shown
    const qint64 time = m_group.time();
    const QSignalBlocker quietly(m_slider);
    const qint64 end = std::max<qint64>(1, m_group.end());
    m_slider->setValue(m_group.isAtEnd() ? notches : static_cast<int>(std::lround(static_cast<double>(std::clamp<qint64>(time, 0, end)) / static_cast<double>(end) * notches)));
    m_slider->setEnabled(m_group.hasGroup());
    if (!m_group.hasGroup()) {
        m_title->setText(tr("Topology"));
        setAccessibleDescription(tr("The run has no group of servers."));
    } else {
        const bool isNow = m_group.isAtEnd() && m_group.runModel().isLive();
        m_title->setText(isNow ? tr("Topology now, at %1").arg(text(At {time})) : tr("Topology at %1").arg(text(At {time})));
        const GroupMoment moment = m_group.moment();
        setAccessibleDescription(groupSummary(moment));
        if (m_panel->node() >= 0 && !m_panel->isHidden())
            m_panel->showNode(moment, m_panel->node(), m_canStrike);
    }
    update();
}

void TopologyView::setStriking(bool isAllowed)
{
    m_canStrike = isAllowed;
    showMoment();
}

void TopologyView::slide(int value)
{
    if (value == notches)
        m_group.choose({});
    else
        m_group.choose(std::llround(static_cast<double>(value) / notches * static_cast<double>(m_group.end())));
}

QRect TopologyView::pictureArea() const
{
    const int margin = static_cast<int>(8 * m_theme.scale);
    const int top = m_title->sizeHint().height() + margin;
    const int bottom = m_slider->sizeHint().height() + margin / 2;
    return QRect(margin, top, std::max(1, width() - 2 * margin), std::max(1, height() - top - bottom));
}

void TopologyView::layOut()
{
    const QRectF area = pictureArea();
    m_drawn = TopologyLayout::fittingTheme(area.size(), m_group.run().header, m_theme);
    m_layout = TopologyLayout::make(area, m_group.run().header, m_drawn);
    m_laidOut = m_group.run().header.lanes.size();
}

QSize TopologyView::minimumSizeHint() const
{
    constexpr double smaller = 0.75; // type that a projector still shows well
    const double s = m_theme.scale;
    const Theme least = Theme::named(m_theme.name, std::max(1.0, s * smaller));
    const int aside = m_title->sizeHint().height() + m_slider->sizeHint().height() + static_cast<int>(12 * s);
    const double usual = 460 * least.scale;
    const double readable = TopologyLayout::readableHeight(m_group.run().header, least, m_layout.area.width() > 1 ? std::min(usual, m_layout.area.width()) : usual);
    return QSize(static_cast<int>(220 * s), aside + std::max(static_cast<int>(100 * s), static_cast<int>(std::ceil(readable))));
}

void TopologyView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
    if (event->size().width() != event->oldSize().width())
        updateGeometry(); // in a narrow one servers stand in more rows
    placePanel();
}

void TopologyView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    layOut();
    showMoment();
}

void TopologyView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    if (!m_group.hasGroup()) {
        const QFont font = m_theme.font;
        const QString none = tr("A run with a primary and replicas is drawn here.");
        drawLabel(painter, font, (width() - textWidth(font, none)) / 2, height() / 2., elided(font, none, width()), m_theme.quiet);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_laidOut != m_group.run().header.lanes.size())
        layOut(); // clients and locks appear while a run goes on
    const GroupMoment moment = m_group.moment();
    TopologyPainter(painter, moment, m_layout, m_drawn).draw(m_chosen);
}

void TopologyView::mousePressEvent(QMouseEvent *event)
{
    setFocus(Qt::MouseFocusReason);
    const int node = m_layout.nodeAt(event->position());
    const bool isOpen = node >= 0 && node == m_panel->node() && !m_panel->isHidden();
    closePanel();
    m_chosen = isOpen ? -1 : node;
    if (m_chosen >= 0)
        openPanel(m_chosen);
    update();
}

void TopologyView::mouseMoveEvent(QMouseEvent *event)
{
    const int node = m_layout.nodeAt(event->position());
    if (node == m_hovered)
        return;
    m_hovered = node;
    setCursor(node >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TopologyView::leaveEvent(QEvent *event)
{
    m_hovered = -1;
    QWidget::leaveEvent(event);
}

bool TopologyView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_group.hasGroup()) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int node = m_layout.nodeAt(help->pos());
        QStringList lines;
        for (const auto &[name, value] : nodeFacts(m_group.moment(), node))
            lines.append(QStringLiteral("%1: %2").arg(name, value));
        if (node >= 0 && m_panel->isHidden())
            QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this, m_layout.boxOf(node).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TopologyView::previousMoment()
{
    m_group.step(-1);
}

void TopologyView::nextMoment()
{
    m_group.step(1);
}

void TopologyView::goToStart()
{
    m_group.choose(0);
}

void TopologyView::goToEnd()
{
    m_group.choose({});
}

void TopologyView::stepNode(int direction)
{
    std::vector<int> nodes;
    for (const std::vector<TopologyLayout::Place> *places : {&m_layout.servers, &m_layout.sentinels}) {
        for (const TopologyLayout::Place &place : *places)
            nodes.push_back(place.node);
    }
    if (nodes.empty())
        return;
    const auto chosen = std::find(nodes.begin(), nodes.end(), m_chosen);
    const auto count = static_cast<qint64>(nodes.size());
    const qint64 at = chosen == nodes.end() ? (direction > 0 ? 0 : count - 1) : (chosen - nodes.begin() + direction + count) % count;
    m_chosen = nodes[size_t(at)];
    if (!m_panel->isHidden())
        openPanel(m_chosen);
    update();
}

void TopologyView::openNode()
{
    if (m_chosen < 0)
        stepNode(1);
    if (m_chosen >= 0)
        openPanel(m_chosen);
}

void TopologyView::clear()
{
    closePanel();
    m_chosen = -1;
    m_group.choose({});
    m_group.runModel().select({});
    update();
}

void TopologyView::openPanel(int node)
{
    m_panel->showNode(m_group.moment(), node, m_canStrike);
    m_panel->show();
    m_panel->raise();
    placePanel();
}

void TopologyView::closePanel()
{
    if (m_panel->isHidden())
        return;
    const bool hadFocus = m_panel->isAncestorOf(QWidget::focusWidget()) || m_panel->hasFocus();
    m_panel->hide();
    if (hadFocus)
        setFocus();
}

/// Beside the node where there is room, always inside.
void TopologyView::placePanel()
{
    if (m_panel->isHidden())
        return;
    m_panel->adjustSize();
    const QRectF box = m_layout.boxOf(m_panel->node());
    const int air = static_cast<int>(8 * m_theme.scale);
    const QSize size = m_panel->size();
    int x = static_cast<int>(box.right()) + air;
    if (x + size.width() > width())
        x = static_cast<int>(box.left()) - air - size.width();
    const int y = static_cast<int>(box.top());
    m_panel->move(std::clamp(x, 0, std::max(0, width() - size.width())), std::clamp(y, 0, std::max(0, height() - size.height())));
}

}
