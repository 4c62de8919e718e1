// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/setrunner.h"

#include "engine/checks/checks.h"
#include "engine/experiments/measuring.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

/// A run that loses a primary takes about 3.6 s: 0.3 until its group is ready, 1.1 from the kill to the promotion, 2 until the clients and all
/// replicas have followed. Nearly all of that is waiting, but one that must wait for a processor is another run: what is counted is a race.
constexpr size_t atOnce = 2;

QString tr(const char *text)
{
    return QCoreApplication::translate("run", text);
}

}

SetRunner::SetRunner(RunPlan plan, std::vector<SetChild> children, Calls calls)
    : m_plan(std::move(plan))
    , m_children(std::move(children))
    , m_calls(std::move(calls))
    , m_recorder([this] { return m_clock.now(); })
    , m_batches(m_plan.number, m_recorder, m_calls.batchReady)
{
}

SetRunner::~SetRunner() = default;

void SetRunner::start()
{
    m_recorder.begin();
    describe(m_plan, m_recorder.header());
    if (m_plan.target)
        m_recorder.header().target = shown(*m_plan.target);
    m_clock.after(0ns, [this] {
        m_calls.progressed({});
        m_calls.began(m_recorder.header());
        m_batches.start();
        m_calls.setProgressed(0, static_cast<int>(m_children.size()), never);
        goOn();
    });
}

void SetRunner::stop()
{
    if (std::exchange(m_isStopped, true))
        return;
    for (const auto &child : m_running) {
        if (child->job && !child->isOver)
            child->job->stop();
    }
    m_clock.after(0ns, [this] { goOn(); });
}

/// From the event loop, never from inside a job's call.
void SetRunner::goOn()
{
    std::erase_if(m_running, [](const auto &child) { return child->isOver; });
    while (!m_isStopped && m_running.size() < atOnce && m_started < m_children.size())
        startNext();
    if (m_running.empty())
        conclude();
}

void SetRunner::startNext()
{
    m_running.push_back(std::make_unique<Child>());
    Child &child = *m_running.back();
    child.index = m_started++;
    child.began = m_recorder.now();
    const Result<RunPlan> plan = childPlan(m_plan, m_children[child.index], child.index);
    if (!plan)
        return failed(child, plan.error());
    Calls calls;
    calls.progressed = [](const QString &) {};
    calls.began = [](const Header &) {};
    calls.batchReady = [](const Batch &) {};
    calls.finished = [this, &child](const std::shared_ptr<const Run> &run, const Verdict &verdict) { finished(child, run, verdict); };
    calls.failed = [this, &child](const Error &error) { failed(child, error); };
    child.job = makeJob(*plan, std::move(calls));
    child.job->start();
}

/// What was stopped half-way is nobody's result.
void SetRunner::finished(Child &child, const std::shared_ptr<const Run> &run, const Verdict &verdict)
{
    const SetChild &declared = m_children[child.index];
    if (!m_isStopped || run->isComplete) {
        if (run->isComplete)
            take(child.index, *run);
        else
            note(declared, run->incompleteBecause);
        m_calls.childFinished(declared, run, verdict);
    }
    over(child);
}

void SetRunner::failed(Child &child, const Error &error)
{
    if (!m_isStopped)
        note(m_children[child.index], error.text);
    over(child);
}

void SetRunner::over(Child &child)
{
    child.isOver = true;
    ++m_ended;
    tell();
    m_spent += m_recorder.now() - child.began;
    if (!m_isStopped)
        m_calls.setProgressed(m_ended, static_cast<int>(m_children.size()), left());
    m_clock.after(0ns, [this] { goOn(); });
}

void SetRunner::take(size_t index, const Run &run)
{
    ++m_told;
    m_recorder.header().relay |= run.header.relay;
    m_recorder.header().clockShim |= run.header.clockShim;
    m_untold[index] = m_plan.experiment->measure(m_children[index], run);
}

/// What no earlier child that still runs has to go before.
void SetRunner::tell()
{
    while (!m_untold.empty()) {
        const auto &[index, measures] = *m_untold.begin();
        const bool isEarlierRunning
            = std::any_of(m_running.begin(), m_running.end(), [index = index](const auto &child) { return !child->isOver && child->index < index; });
        if (isEarlierRunning)
            return;
        for (const Measure &measure : measures)
            recordMeasure(m_recorder, measure, m_children[index].name);
        m_untold.erase(m_untold.begin());
    }
}

void SetRunner::note(const SetChild &child, const QString &why)
{
    if (m_firstReason.isEmpty())
        m_firstReason = why;
    Event note;
    note.at = m_recorder.now();
    note.lane = m_recorder.intern(child.name);
    note.text = m_recorder.intern(tr("%1 tells nothing: %2").arg(child.title, why));
    m_recorder.record(note);
}

/// If those to come take as long as those that have ended did.
qint64 SetRunner::left() const
{
    const qint64 each = m_spent / m_ended;
    qint64 work = each * static_cast<qint64>(m_children.size() - m_started);
    qint64 longest = 0;
    for (const auto &child : m_running) {
        if (child->isOver)
            continue;
        const qint64 rest = std::max<qint64>(0, each - (m_recorder.now() - child->began));
        work += rest;
        longest = std::max(longest, rest);
    }
    return std::max(longest, work / static_cast<qint64>(atOnce));
}

void SetRunner::conclude()
{
    if (std::exchange(m_isOver, true))
        return;
    std::optional<QString> because;
    if (m_isStopped)
        because = tr("The set was stopped after %1 of %2 runs.").arg(m_told).arg(m_children.size());
    else if (m_told == 0)
        because = tr("None of its runs told anything. The first: %1").arg(m_firstReason);
    m_batches.stop();
    const auto run = std::make_shared<const Run>(m_recorder.finish(because));
    m_calls.finished(run, judge(*run));
}

}
