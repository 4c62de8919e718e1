// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limitertablemodel.h"

#include <algorithm>

namespace interlock {

LimiterTableModel::LimiterTableModel(QList<LimiterColumn> columns, QObject *parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
    , m_theme(Theme::light())
{
}

void LimiterTableModel::setTheme(const Theme &theme)
{
    m_theme = theme;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void LimiterTableModel::setRows(QList<Row> rows)
{
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    setTheme(m_theme); // the selection stays
}

QString LimiterTableModel::text(QModelIndexList indexes) const
{
    std::sort(indexes.begin(), indexes.end());
    QString titles, copied;
    for (qsizetype i = 0; i < indexes.size(); ++i) {
        const bool isFirstRow = indexes[i].row() == indexes.first().row();
        const bool endsRow = i + 1 == indexes.size() || indexes[i + 1].row() != indexes[i].row();
        const QChar separator = endsRow ? QLatin1Char('\n') : QLatin1Char('\t');
        if (isFirstRow)
            titles += m_columns.at(indexes[i].column()).title + separator;
        copied += data(indexes[i]).toString() + separator;
    }
    QString both = titles + copied;
    return both.replace(QChar::Nbsp, QLatin1Char(' '));
}

int LimiterTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LimiterTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant LimiterTableModel::data(const QModelIndex &index, int role) const
{
    const Row &row = m_rows.at(index.row());
    const QString cell = row.cells.value(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return cell;
    case Qt::ToolTipRole:
        return m_columns.at(index.column()).explanation;
    case Qt::AccessibleTextRole:
        return tr("%1, %2: %3").arg(row.cells.value(0), m_columns.at(index.column()).title, cell);
    case Qt::FontRole:
        return m_theme.sized(0.95, index.column() == 0);
    case Qt::ForegroundRole:
        return row.isOver && cell.contains(QChar(0x00f7)) ? QVariant(m_theme.broken) : QVariant(); // the cell with the ÷
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant LimiterTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return m_columns.at(section).title;
    if (role == Qt::ToolTipRole)
        return m_columns.at(section).explanation;
    return {};
}

}
