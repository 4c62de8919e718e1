// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/eventtable.h"

#include "widgets/eventrows.h"
#include "widgets/eventtablemodel.h"
#include "widgets/rediscli.h"
#include "widgets/runmodel.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>

namespace interlock {

EventTable::EventTable(RunModel &run, QWidget *parent)
    : QTableView(parent)
    , m_run(run)
    , m_rows(new EventTableModel(run, this))
{
    setAccessibleName(tr("Events"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    setTextElideMode(Qt::ElideRight);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    addCopyActions();
    setModel(m_rows);
    labelActions();

    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        const bool isMouse = QGuiApplication::mouseButtons() != Qt::NoButton;
        m_isFitByHand |= !m_isFitting && isMouse && column < 4;
    });
    connect(&m_run, &RunModel::selectionChanged, this, &EventTable::showSelected);
    connect(m_rows, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        m_wasAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    });
    connect(m_rows, &QAbstractItemModel::rowsInserted, this, &EventTable::followEnd);
    connect(m_rows, &QAbstractItemModel::modelReset, this, [this] {
        m_wasAtEnd = true;
        if (const std::optional<size_t> breach = m_rows->firstOfBreach())
            scrollTo(m_rows->index(static_cast<int>(*breach), 0), PositionAtCenter);
    });
}

void EventTable::setTheme(const Theme &theme)
{
    m_rows->setTheme(theme);
    setFont(theme.font);
    horizontalHeader()->setFont(theme.sized(0.95, true));
    const int line = QFontMetrics(theme.font).height();
    verticalHeader()->setMinimumSectionSize(line);
    verticalHeader()->setDefaultSectionSize(line * 3 / 2);
    setIconSize(QSize(line / 2, line / 2));
    fitColumns();
}

/// Time and name take what they need, the other columns share the rest; measuring a million rows would not pay.
void EventTable::fitColumns()
{
    if (m_isFitByHand)
        return;
    m_isFitting = true;
    const QFontMetrics metrics(font());
    const int time = metrics.horizontalAdvance(QStringLiteral("000.000")) + metrics.height();
    const int who = metrics.horizontalAdvance(QStringLiteral("client 0")) + metrics.height() * 3 / 2;
    const int rest = std::max(viewport()->width() - time - who, metrics.height() * 12);
    const int widths[] = {time, who, rest * 45 / 100, rest * 25 / 100};
    for (int column = 0; column < 4; ++column)
        setColumnWidth(column, widths[column]);
    m_isFitting = false;
}

void EventTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void EventTable::addCopyActions()
{
    const auto add = [this](const QString &title, auto text) {
        auto *action = new QAction(title, this);
        connect(action, &QAction::triggered, this, [this, text] { QGuiApplication::clipboard()->setText((this->*text)()); });
        addAction(action);
        m_copyActions.append(action);
        return action;
    };
    QAction *copy = add(tr("&Copy Rows"), &EventTable::selectedText);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QAction *commands = add(tr("Copy as &redis-cli"), &EventTable::selectedCommands);
    commands->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    commands->setShortcutContext(Qt::WidgetShortcut);
    add(tr("Copy the Client's Commands as redis-cli"), &EventTable::actorCommands);
}

std::vector<size_t> EventTable::selectedEvents() const
{
    std::vector<size_t> events;
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            events.push_back(static_cast<size_t>(row));
    }
    std::sort(events.begin(), events.end());
    return events;
}

QString EventTable::selectedText() const
{
    QString copied;
    for (const size_t event : selectedEvents()) {
        const EventRow row = eventRow(m_run.run(), event);
        QStringList cells;
        for (int column = 0; column < m_rows->columnCount(); ++column)
            cells.append(eventCell(row, column));
        copied += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return copied;
}

QString EventTable::selectedCommands() const
{
    return redisCliLines(m_run.run(), selectedEvents());
}

QString EventTable::actorCommands() const
{
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return {};
    const Run &run = m_run.run();
    return redisCliLinesOf(run, run.text(run.events[static_cast<size_t>(current.row())].lane));
}

/// "Copy A's Commands as redis-cli", off where the row's lane has none.
void EventTable::labelActions()
{
    const QModelIndex current = currentIndex();
    QString who;
    bool isActor = false;
    if (current.isValid()) {
        const Run &run = m_run.run();
        who = run.text(run.events[static_cast<size_t>(current.row())].lane);
        isActor = std::any_of(run.header.lanes.begin(), run.header.lanes.end(),
            [&who](const Lane &lane) { return lane.type == Lane::Type::Actor && lane.name == who; });
    }
    const bool hasRows = selectionModel() && selectionModel()->hasSelection();
    m_copyActions[0]->setEnabled(hasRows);
    m_copyActions[1]->setEnabled(hasRows);
    m_copyActions[2]->setEnabled(isActor);
    m_copyActions[2]->setText(isActor ? tr("Copy All Commands of %1 as redis-cli").arg(who) : tr("Copy the Client's Commands as redis-cli"));
}

void EventTable::contextMenuEvent(QContextMenuEvent *event)
{
    labelActions();
    QMenu menu(this);
    menu.addActions(m_copyActions);
    menu.exec(event->globalPos());
}

void EventTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isSyncing && current.isValid())
        m_run.select(static_cast<size_t>(current.row()));
}

void EventTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    labelActions();
}

void EventTable::showSelected()
{
    const std::optional<size_t> selected = m_run.selected();
    if (!selected) {
        clearSelection();
        return;
    }
    m_rows->catchUp();
    const QModelIndex row = m_rows->index(static_cast<int>(*selected), 0);
    if (row.row() == currentIndex().row() && selectionModel()->isRowSelected(row.row()))
        return;
    m_isSyncing = true;
    setCurrentIndex(row);
    scrollTo(row, PositionAtCenter);
    m_isSyncing = false;
}

/// A live table shows its end, unless the person looks elsewhere or has selected something.
void EventTable::followEnd()
{
    if (m_wasAtEnd && m_run.isLive() && !m_run.selected())
        scrollToBottom();
}

}
