// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QModelIndex;
class QTableView;

namespace interlock {

class MatrixModel;
class RunModel;

/// The shown run's outcomes as a table: remedies × faults. It fills while the run is live; a click or Enter opens the run of the set
/// that a cell was taken from. Ctrl+C copies.
class MatrixView : public QWidget
{
    Q_OBJECT

public:
    explicit MatrixView(const RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    QTableView &table() const { return *m_table; }

Q_SIGNALS:
    /// A person wants to see this run of the set.
    void childAsked(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Delegate;

    void countAgain();
    void fit();
    void ask(const QModelIndex &index);
    void copy();

    const RunModel &m_run;
    Theme m_theme = Theme::light();
    MatrixModel *m_model;
    QTableView *m_table;
    QLabel *m_nothing;
    QTimer m_soon; ///< a live run is counted a few times a second, and only while it is looked at
};

}
