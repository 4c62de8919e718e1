// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runmodel.h"

#include "engine/run/recorder.h"

#include <algorithm>

namespace interlock {

RunModel::RunModel(QObject *parent)
    : QObject(parent)
    , m_shown(std::make_shared<Run>())
{
}

void RunModel::begin(const Header &header)
{
    m_live = std::make_shared<Run>();
    m_live->header = header;
    // Growing would now and then copy all events while the window waits. What is only reserved is no memory yet.
    m_live->events.reserve(Recorder::defaultCap);
    m_live->decisions.reserve(Recorder::defaultCap);
    m_shown = m_live;
    m_verdict = {};
    m_isLive = true;
    m_now = 0;
    m_selected.reset();
    Q_EMIT reset();
}

void RunModel::append(const Batch &batch)
{
    if (!m_isLive)
        return;
    for (const QByteArray &name : batch.names)
        m_live->names.intern(name);
    m_live->header.lanes = batch.lanes;
    m_live->header.limiters = batch.limiters;
    const size_t first = m_live->events.size();
    m_live->events.insert(m_live->events.end(), batch.events.begin(), batch.events.end());
    m_live->decisions.insert(m_live->decisions.end(), batch.decisions.begin(), batch.decisions.end());
    m_now = std::max(m_now, batch.now);
    m_live->duration = m_now;
    Q_EMIT grown(first);
}

void RunModel::show(std::shared_ptr<const Run> run, const Verdict &verdict)
{
    m_shown = std::move(run);
    m_live.reset();
    m_verdict = verdict;
    m_isLive = false;
    m_now = m_shown->duration;
    m_selected.reset();
    Q_EMIT reset();
}

void RunModel::clear()
{
    show(std::make_shared<Run>(), {});
}

void RunModel::select(std::optional<size_t> event)
{
    if (event && *event >= m_shown->events.size())
        event.reset();
    if (event == m_selected)
        return;
    m_selected = event;
    Q_EMIT selectionChanged();
}

}
