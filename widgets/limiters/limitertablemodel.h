// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limitertexts.h"
#include "widgets/theme.h"

#include <QAbstractTableModel>

namespace interlock {

/// Limiters as rows of a table, in words.
class LimiterTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    LimiterTableModel(QList<LimiterColumn> columns, QObject *parent);

    void setTheme(const Theme &theme);
    struct Row
    {
        QStringList cells;
        bool isOver = false; ///< it exceeded its limit: said in vermilion and in words
    };
    void setRows(QList<Row> rows);
    /// Cells of these indexes with tabs between them, under the columns' titles; for a spreadsheet.
    QString text(QModelIndexList indexes) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QList<LimiterColumn> m_columns;
    QList<Row> m_rows;
    Theme m_theme;
};

}
