// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/measures.h"

#include <QAbstractTableModel>
#include <QHash>

namespace interlock {

/// A run's table of outcomes for a table view: each cell in words.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit MatrixModel(QObject *parent = nullptr);

    /// Adds up anew; the run need not outlive the call. The selection stays if the table keeps its size.
    void setRun(const Run &run);
    const MeasuredTable &table() const { return m_table; }
    const MeasuredCell &cell(const QModelIndex &index) const;
    const QString &unit(const QModelIndex &index) const;
    QStringList runsOf(const QModelIndex &index) const; ///< by their names in the set

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    MeasuredTable m_table;
    QHash<Name, QString> m_runs;
};

}
