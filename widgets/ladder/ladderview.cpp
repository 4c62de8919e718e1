// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ladder/ladderview.h"

#include "engine/run/verdict.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/strokes.h"
#include "widgets/topology/groupmodel.h"

#include <QAction>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace interlock {

LadderView::LadderView(GroupModel &group, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_group(group)
{
    setAccessibleName(tr("Failover, step by step"));
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setAccessibleName(tr("Steps"));
    setMinimumSize(170, 100);
    addAction("previousStep", tr("Previous Step"), {Qt::Key_Up, Qt::Key_Comma}, &LadderView::previousStep);
    addAction("nextStep", tr("Next Step"), {Qt::Key_Down, Qt::Key_Period}, &LadderView::nextStep);
    addAction("firstStep", tr("First Step"), {Qt::Key_Home}, &LadderView::firstStep);
    addAction("lastStep", tr("Last Step"), {Qt::Key_End}, &LadderView::lastStep);
    addAction("clear", tr("Leave the Step"), {Qt::Key_Escape}, &LadderView::clear);
    connect(&group, &GroupModel::laddersChanged, this, &LadderView::takeLadders);
    connect(&group, &GroupModel::moved, this, &LadderView::showMoment);
    connect(&group.runModel(), &RunModel::selectionChanged, this, &LadderView::takeLadders);
    takeLadders();
}

QAction *LadderView::addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (LadderView::*what)())
{
    auto *action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, what);
    QWidget::addAction(action);
    return action;
}

void LadderView::setTheme(const Theme &theme)
{
    m_picture.setTheme(theme);
    QPalette own = theme.palette();
    own.setColor(QPalette::Base, theme.background);
    setPalette(own);
    layOut();
}

void LadderView::takeLadders()
{
    m_picture.setLadders(&m_group.run(), &m_group.ladders());
    m_picture.setSelected(m_group.runModel().selected());
    m_pointed = -1;
    m_shown = -1;
    layOut();
    showMoment();
}

void LadderView::layOut()
{
    m_picture.layOut(viewport()->width());
    const int page = viewport()->height();
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(static_cast<int>(lineHeight(m_picture.theme().font)));
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_picture.height())) + 4 - page));
    if (m_shown >= 0 && m_pointed < 0)
        reveal(m_shown); // it stays in view in another size
    viewport()->update();
}

void LadderView::showMoment()
{
    if (!isVisible())
        return; // it is done when it is shown
    m_picture.setMoment(m_group.time());
    const int row = m_picture.momentRow();
    if (row != m_shown && m_pointed < 0) // what is under the pointer must not move away from it
        reveal(row);
    const int described = m_group.runModel().selected() ? m_picture.rowOf(*m_group.runModel().selected()) : row;
    setAccessibleDescription(describe(described < 0 ? row : described));
    viewport()->update();
}

void LadderView::reveal(int row)
{
    m_shown = row;
    if (row < 0)
        return verticalScrollBar()->setValue(0);
    const QRectF place = m_picture.rows()[size_t(row)].place;
    const double page = viewport()->height();
    const int top = verticalScrollBar()->value();
    // With a step before and after it, as far as there is room.
    const double air = std::min(place.height(), std::max(0.0, (page - place.height()) / 2));
    if (place.top() - air < top)
        verticalScrollBar()->setValue(static_cast<int>(place.top() - air));
    else if (place.bottom() + air > top + page)
        verticalScrollBar()->setValue(static_cast<int>(std::ceil(place.bottom() + air - page)));
}

QString LadderView::describe(int row) const
{
    const Rung *rung = m_picture.rung(row);
    if (!rung)
        return m_group.ladders().empty() ? tr("No failover yet.") : QString();
    const Ladder &ladder = m_group.ladders()[m_picture.rows()[size_t(row)].ladder];
    return tr("%1: %2, %3 after the loss. %4. %5")
        .arg(ladderTitle(m_group.run(), ladder), rungLabel(m_group.run(), *rung), sinceText(rung->at() - ladder.begin()), rungTimes(m_group.run(), *rung), rungMeaning(*rung));
}

void LadderView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Theme &theme = m_picture.theme();
    painter.fillRect(viewport()->rect(), theme.background);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_group.ladders().empty()) {
        const QString none = m_group.hasGroup() ? tr("Nothing has failed over yet.") : tr("A failover is told here, step by step.");
        drawLabel(painter, theme.font, 10 * theme.scale, 4 * theme.scale + lineHeight(theme.font) / 2, elided(theme.font, none, viewport()->width() - 14 * theme.scale), theme.quiet);
        return;
    }
    const double top = verticalScrollBar()->value();
    m_picture.draw(painter, QPointF(0, -top), QRectF(0, top, viewport()->width(), viewport()->height()));
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(mixed(theme.accent, theme.background, 0.6), theme.scale, Qt::SolidLine));
        painter.drawRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void LadderView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void LadderView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    layOut();
    showMoment();
}

QSize LadderView::viewportSizeHint() const
{
    return QSize(static_cast<int>(280 * m_picture.theme().scale), static_cast<int>(m_picture.height()));
}

void LadderView::mousePressEvent(QMouseEvent *event)
{
    setFocus(Qt::MouseFocusReason);
    const int row = m_picture.rowAt(event->position() + QPointF(0, verticalScrollBar()->value()));
    const Rung *rung = m_picture.rung(row);
    if (!rung)
        return m_group.runModel().select({});
    select(row);
}

void LadderView::mouseMoveEvent(QMouseEvent *event)
{
    point(m_picture.rowAt(event->position() + QPointF(0, verticalScrollBar()->value())));
}

void LadderView::point(int row)
{
    const Rung *rung = m_picture.rung(row);
    m_pointed = rung ? row : -1;
    m_picture.setPointed(m_pointed);
    m_group.point(rung ? std::optional(rung->at()) : std::nullopt);
    viewport()->update();
}

bool LadderView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        point(-1);
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const Rung *rung = m_picture.rung(m_picture.rowAt(help->pos() + QPoint(0, verticalScrollBar()->value())));
        if (rung)
            QToolTip::showText(help->globalPos(), QStringLiteral("<p>%1</p><p>%2</p>").arg(rungTimes(m_group.run(), *rung).toHtmlEscaped(), rungMeaning(*rung).toHtmlEscaped()), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LadderView::select(int row)
{
    if (const Rung *rung = m_picture.rung(row))
        m_group.runModel().select(rung->told.front().event);
}

void LadderView::step(int direction)
{
    const std::optional<size_t> selected = m_group.runModel().selected();
    int row = selected ? m_picture.rowOf(*selected) : -1;
    if (row < 0)
        row = direction > 0 && !m_group.isAtEnd() ? m_picture.momentRow() : direction > 0 ? -1 : static_cast<int>(m_picture.rows().size());
    do {
        row += direction;
    } while (row >= 0 && row < static_cast<int>(m_picture.rows().size()) && !m_picture.rung(row));
    select(row);
}

void LadderView::firstStep()
{
    m_group.runModel().select({});
    m_group.choose(0);
    step(1);
}

void LadderView::lastStep()
{
    m_group.runModel().select({});
    step(-1);
}

void LadderView::clear()
{
    m_group.choose({});
    m_group.runModel().select({});
}

}
