// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/matrixmodel.h"

#include "widgets/measures/measuretexts.h"

namespace interlock {

MatrixModel::MatrixModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void MatrixModel::setRun(const Run &run)
{
    MeasuredTable table = tableOf(run);
    const bool isSameSize = table.rows.size() == m_table.rows.size() && table.columns.size() == m_table.columns.size();
    if (!isSameSize)
        beginResetModel();
    m_table = std::move(table);
    m_runs.clear();
    for (const MeasuredCell &cell : m_table.cells) {
        for (const Name name : cell.runs)
            m_runs.insert(name, run.text(name));
    }
    if (!isSameSize) {
        endResetModel();
    } else if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
}

const MeasuredCell &MatrixModel::cell(const QModelIndex &index) const
{
    return m_table.cell(static_cast<size_t>(index.row()), static_cast<size_t>(index.column()));
}

const QString &MatrixModel::unit(const QModelIndex &index) const
{
    return m_table.rows[static_cast<size_t>(index.row())].yUnit;
}

QStringList MatrixModel::runsOf(const QModelIndex &index) const
{
    QStringList names;
    for (const Name name : cell(index).runs)
        names.append(m_runs.value(name));
    return names;
}

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const QString words = cellText(cell(index), unit(index));
    if (role == Qt::DisplayRole)
        return words;
    if (role == Qt::AccessibleTextRole) {
        return tr("%1, %2: %3").arg(m_table.rows[static_cast<size_t>(index.row())].title, m_table.columns.at(index.column()),
            words.isEmpty() ? tr("not measured") : words);
    }
    if (role == Qt::ToolTipRole && !cell(index).runs.empty())
        return tr("%1\nA click opens the run.").arg(words);
    return {};
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0)
        return {};
    if (orientation == Qt::Horizontal)
        return m_table.columns.value(section);
    return section < rowCount() ? m_table.rows[static_cast<size_t>(section)].title : QVariant();
}

}
