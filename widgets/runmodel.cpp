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
    put(m_live, {});
}

void RunModel::put(std::shared_ptr<const Run> run, const Verdict &verdict, bool isContinued)
{
    m_isContinued = isContinued;
    m_shown = std::move(run);
    m_verdict = verdict;
    m_selected.reset();
    Q_EMIT reset();
}

void RunModel::append(const Batch &batch)
{
    if (!m_live)
        return;
    for (const QByteArray &name : batch.names)
        m_live->names.intern(name);
    m_live->header.lanes = batch.lanes;
    m_live->header.limiters = batch.limiters;
    const size_t first = m_live->events.size();
    m_live->events.insert(m_live->events.end(), batch.events.begin(), batch.events.end());
    m_live->decisions.insert(m_live->decisions.end(), batch.decisions.begin(), batch.decisions.end());
    m_live->duration = std::max(m_live->duration, batch.now);
    if (isLive())
        Q_EMIT grown(first);
}

void RunModel::show(std::shared_ptr<const Run> run, const Verdict &verdict)
{
    const bool isContinued
        = isLive() && !run->header.started.isEmpty() && run->header.started == m_live->header.started && run->header.seed == m_live->header.seed;
    m_live.reset();
    put(std::move(run), verdict, isContinued);
}

void RunModel::lookAt(std::shared_ptr<const Run> run, const Verdict &verdict)
{
    Q_ASSERT(m_live && run != m_live);
    put(std::move(run), verdict);
}

void RunModel::lookBack()
{
    Q_ASSERT(isAside());
    put(m_live, {});
}

void RunModel::endAside()
{
    if (isAside())
        m_live.reset();
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
