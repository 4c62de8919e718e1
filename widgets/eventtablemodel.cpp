// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/eventtablemodel.h"

#include "widgets/eventrows.h"
#include "widgets/runmodel.h"

#include <algorithm>
#include <limits>

namespace interlock {

EventTableModel::EventTableModel(RunModel &run, QObject *parent)
    : QAbstractTableModel(parent)
    , m_run(run)
    , m_theme(Theme::light())
{
    // The header looks at all its rows whenever some are added, so ten additions a second are kinder than thirty. They come
    // in the middle between two batches, thirty of which come in a second: each batch draws the picture, and the two are not one wait.
    m_soon.setSingleShot(true);
    m_soon.setTimerType(Qt::PreciseTimer);
    m_soon.setInterval(83);
    connect(&m_soon, &QTimer::timeout, this, &EventTableModel::catchUp);
    connect(&run, &RunModel::reset, this, &EventTableModel::startAgain);
    connect(&run, &RunModel::grown, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
    startAgain();
}

void EventTableModel::setTheme(const Theme &theme)
{
    m_theme = theme;
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

void EventTableModel::startAgain()
{
    beginResetModel();
    m_soon.stop();
    m_actors.clear();
    m_breach.clear();
    m_decisive.reset();
    for (const CheckResult &check : m_run.verdict().checks) {
        if (!check.judges || check.judgement != Judgement::Broken || check.events.empty())
            continue;
        if (!m_decisive)
            m_decisive = check.events.front();
        m_breach.insert(m_breach.end(), check.events.begin(), check.events.end());
    }
    std::sort(m_breach.begin(), m_breach.end());
    m_rows = 0;
    m_rows = static_cast<int>(std::min<size_t>(m_run.run().events.size(), std::numeric_limits<int>::max()));
    endResetModel();
}

void EventTableModel::catchUp()
{
    m_soon.stop();
    const int rows = static_cast<int>(std::min<size_t>(m_run.run().events.size(), std::numeric_limits<int>::max()));
    if (rows <= m_rows)
        return;
    m_actors.clear(); // lanes may have been added
    beginInsertRows({}, m_rows, rows - 1);
    m_rows = rows;
    endInsertRows();
}

int EventTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int EventTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(eventColumns().size());
}

bool EventTableModel::provesBreach(size_t event) const
{
    return std::binary_search(m_breach.begin(), m_breach.end(), event);
}

/// The colour of the actor in whose lane the event is.
QVariant EventTableModel::owner(size_t event) const
{
    const Run &run = m_run.run();
    const Name lane = run.events[event].lane;
    auto known = m_actors.find(lane);
    if (known == m_actors.end()) {
        int actor = -1;
        int actors = 0;
        const QString name = run.text(lane);
        for (const Lane &candidate : run.header.lanes) {
            if (candidate.type != Lane::Type::Actor)
                continue;
            if (candidate.name == name)
                actor = actors;
            ++actors;
        }
        known = m_actors.emplace(lane, actor).first;
    }
    return known->second < 0 ? QVariant(QColor(Qt::transparent)) : QVariant(m_theme.owner(known->second));
}

QVariant EventTableModel::data(const QModelIndex &index, int role) const
{
    const auto event = static_cast<size_t>(index.row());
    if (!index.isValid() || event >= m_run.run().events.size())
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return eventCell(eventRow(m_run.run(), event), index.column());
    case Qt::AccessibleTextRole: {
        const QString cell = eventCell(eventRow(m_run.run(), event), index.column());
        return provesBreach(event) && index.column() == 0 ? tr("%1, proves the breach").arg(cell) : cell;
    }
    case Qt::FontRole:
        return index.column() == 1 ? QVariant(m_theme.sized(1, true)) : QVariant();
    case Qt::DecorationRole:
        return index.column() == 1 ? owner(event) : QVariant();
    case Qt::BackgroundRole: {
        if (!provesBreach(event))
            return {};
        QColor tint = m_theme.broken;
        tint.setAlpha(32);
        return tint;
    }
    case Qt::ForegroundRole:
        return provesBreach(event) && index.column() >= 3 ? QVariant(m_theme.broken) : QVariant();
    default:
        return {};
    }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return eventColumns().value(section);
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}
