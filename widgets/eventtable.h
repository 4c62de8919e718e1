// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QTableView>

#include <vector>

class QAction;

namespace interlock {

class EventTableModel;
class RunModel;

/// The table under the picture. Its current row is the run's selected event, both ways; Ctrl+C copies the selected rows,
/// another action copies them as redis-cli lines.
class EventTable : public QTableView
{
    Q_OBJECT

public:
    explicit EventTable(RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    EventTableModel &rows() const { return *m_rows; }

    /// Copy, copy as redis-cli lines, copy all of the actor's commands.
    QList<QAction *> copyActions() const { return m_copyActions; }
    /// The selected rows with tabs between the cells, for a spreadsheet.
    QString selectedText() const;
    /// The selected rows' commands for a shell.
    QString selectedCommands() const;
    /// All commands of the actor in the current row; empty if it is none.
    QString actorCommands() const;

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void addCopyActions();
    void showSelected();
    void fitColumns();
    void followEnd();
    void labelActions();
    std::vector<size_t> selectedEvents() const;

    RunModel &m_run;
    EventTableModel *m_rows;
    QList<QAction *> m_copyActions;
    bool m_isSyncing = false;
    bool m_wasAtEnd = true;
    bool m_isFitting = false;
    bool m_isFitByHand = false; ///< someone moved a column's edge
};

}
