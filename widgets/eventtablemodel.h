// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <optional>
#include <unordered_map>
#include <vector>

namespace interlock {

class RunModel;

/// The run's events as rows of a table: row i is event i. No row exists anywhere; each is made when it is painted, so millions cost nothing.
class EventTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit EventTableModel(RunModel &run, QObject *parent = nullptr);

    void setTheme(const Theme &theme);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Whether this event proves that the promise was broken.
    bool provesBreach(size_t event) const;
    /// The event that decided that it was broken; nothing if it was not.
    std::optional<size_t> firstOfBreach() const { return m_decisive; }
    /// Takes in at once what has arrived; otherwise a live run's rows are added a few times a second.
    void catchUp();

private:
    void startAgain();
    QVariant owner(size_t event) const;

    RunModel &m_run;
    Theme m_theme;
    int m_rows = 0;
    std::vector<size_t> m_breach; // sorted
    std::optional<size_t> m_decisive;
    mutable std::unordered_map<quint32, int> m_actors; // name of a lane → its index among the actors, -1 for others
    QTimer m_soon;
};

}
