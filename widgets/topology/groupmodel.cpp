// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/groupmodel.h"

#include "widgets/runmodel.h"

#include <algorithm>

namespace interlock {

GroupModel::GroupModel(RunModel &run, QObject *parent)
    : QObject(parent)
    , m_model(run)
{
    connect(&run, &RunModel::reset, this, &GroupModel::takeRun);
    connect(&run, &RunModel::grown, this, &GroupModel::grow);
    connect(&run, &RunModel::selectionChanged, this, &GroupModel::takeSelection);
    takeRun();
}

void GroupModel::takeRun()
{
    m_shown = m_model.sharedRun();
    m_history.clear();
    m_ladders.clear();
    m_history.extend(*m_shown);
    m_ladders.extend(*m_shown);
    m_pointed.reset();
    if (!m_model.isContinued()) // otherwise the person stays at the moment
        m_chosen.reset();
    Q_EMIT reset();
    Q_EMIT laddersChanged();
    Q_EMIT moved();
}

void GroupModel::grow()
{
    m_history.extend(*m_shown);
    if (m_ladders.extend(*m_shown))
        Q_EMIT laddersChanged();
    if (hasGroup())
        Q_EMIT moved();
}

void GroupModel::takeSelection()
{
    const std::optional<size_t> event = m_model.selected();
    choose(event ? std::optional(m_shown->events[*event].at) : std::nullopt);
}

qint64 GroupModel::end() const
{
    const std::vector<size_t> &events = m_history.events();
    const qint64 last = events.empty() ? 0 : m_shown->events[events.back()].at;
    return std::max(m_model.now(), last);
}

qint64 GroupModel::time() const
{
    return m_pointed.value_or(m_chosen.value_or(end()));
}

void GroupModel::point(std::optional<qint64> time)
{
    if (time == m_pointed)
        return;
    m_pointed = time;
    Q_EMIT moved();
}

void GroupModel::choose(std::optional<qint64> time)
{
    if (time == m_chosen)
        return;
    m_chosen = time;
    Q_EMIT moved();
}

void GroupModel::step(int direction)
{
    const auto isOffset = [this](size_t index) {
        const Event &event = m_shown->events[index];
        return event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == NodeChange::Offset;
    };
    const qint64 now = m_chosen.value_or(end());
    std::optional<qint64> found;
    const std::vector<size_t> &events = m_history.events();
    if (direction > 0) {
        for (auto each = events.begin(); each != events.end() && !found; ++each) {
            if (m_shown->events[*each].at > now && !isOffset(*each))
                found = m_shown->events[*each].at;
        }
    } else {
        for (auto each = events.rbegin(); each != events.rend() && !found; ++each) {
            if (m_shown->events[*each].at < now && !isOffset(*each))
                found = m_shown->events[*each].at;
        }
    }
    if (found)
        choose(found);
}

}
