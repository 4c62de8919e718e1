// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/batchsender.h"

namespace interlock {

namespace {
constexpr Milliseconds interval {33}; // about thirty a second
}

BatchSender::BatchSender(quint64 run, const Recorder &recorder, std::function<void(const Batch &)> send)
    : m_run(run)
    , m_recorder(recorder)
    , m_send(std::move(send))
{
    m_timer.setInterval(interval);
    QObject::connect(&m_timer, &QTimer::timeout, [this] { sendNext(); });
}

void BatchSender::stop()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    sendNext();
}

void BatchSender::sendNext()
{
    const Run &run = m_recorder.run();
    Batch batch;
    batch.run = m_run;
    batch.firstName = m_names;
    for (; m_names < run.names.size(); ++m_names)
        batch.names.push_back(run.names.bytes(static_cast<Name>(m_names)));
    batch.events.assign(run.events.begin() + static_cast<std::ptrdiff_t>(m_events), run.events.end());
    m_events = run.events.size();
    batch.decisions.assign(run.decisions.begin() + static_cast<std::ptrdiff_t>(m_decisions), run.decisions.end());
    m_decisions = run.decisions.size();
    batch.lanes = run.header.lanes;
    batch.limiters = run.header.limiters;
    batch.now = m_recorder.now();
    m_send(batch);
}

}
