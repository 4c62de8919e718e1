// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner.h"

#include "engine/base/awaited.h"
#include "engine/checks/checks.h"
#include "engine/schedule/targetclient.h"

#include <QCoreApplication>

#include <utility>

namespace interlock {

namespace {

constexpr Milliseconds cleanUpLimit = 800ms; // stop() promises a second for everything

QString tr(const char *text)
{
    return QCoreApplication::translate("run", text);
}

}

Runner::Runner(RunPlan plan, Calls calls)
    : m_plan(std::move(plan))
    , m_calls(std::move(calls))
    , m_recorder([this] { return m_clock.now(); })
    , m_self(QStringLiteral("interlock"), World {m_clock, m_scheduler}, m_plan.seed, false)
    , m_batches(m_plan.number, m_recorder, m_calls.batchReady)
{
}

Runner::~Runner()
{
    close();
}

std::function<void(std::function<void()>)> Runner::post()
{
    return [this](std::function<void()> call) { m_clock.after(0ns, std::move(call)); };
}

void Runner::start()
{
    m_task = perform();
    m_task.start();
}

void Runner::stop()
{
    conclude(tr("The run was stopped."));
}

void Runner::press()
{
    if (m_stage && !m_isConcluding)
        m_stage->presses().raise();
}

void Runner::strike(const Strike &strike)
{
    if (m_stage && !m_isConcluding && m_plan.experiment->allowsStrikes)
        m_stage->strikeByHand(strike);
}

Task<> Runner::perform()
{
    // Not a conditional expression: GCC 12 destroys the awaited temporaries of both of its branches.
    Result<void> ready;
    if (m_plan.target)
        ready = co_await openTarget();
    else
        ready = co_await startServers();
    if (ready && m_plan.experiment->watchesOwners)
        ready = co_await startWatches();
    if (!ready) {
        fail(ready.error());
        co_return;
    }
    begin();
    Awaited<Result<void>> played(post());
    m_played = played.callback();
    m_stage->director().run(direct());
    const Result<void> result = co_await played;
    co_await settleWatches();
    conclude(result ? std::optional<QString>() : result.error().text);
}

void Runner::begin()
{
    const Experiment &experiment = *m_plan.experiment;
    m_recorder.begin();
    Header &header = m_recorder.header();
    describe(m_plan, header);
    Stage::Setting setting;
    setting.values = m_plan.values;
    setting.nodes = m_nodes;
    setting.sentinels = m_sentinels;
    setting.primaryName = QLatin1String(NodeGroup::masterName);
    setting.seed = m_plan.seed;
    setting.pace = m_plan.pace;
    setting.keyPrefix = m_keyPrefix;
    setting.watch = [this](const QByteArray &key) {
        for (const auto &watch : m_watches)
            watch->watch(key);
    };
    setting.controls = controls();
    m_stage = std::make_unique<Stage>(World {m_clock, m_scheduler, &m_recorder}, std::move(setting));
    for (const NodeInfo &node : header.nodes) {
        Event event;
        event.kind = Event::Kind::Node;
        event.what = static_cast<quint8>(NodeChange::Ready);
        event.lane = m_recorder.intern(node.name);
        m_recorder.record(event);
    }
    if (m_groupWatch)
        m_groupWatch->begin();
    m_calls.progressed({});
    m_calls.began(header);
    m_batches.start();
    m_clock.after(experiment.limit, [this] { conclude(tr("The run did not come to an end in time.")); });
}

Task<> Runner::direct()
{
    Result<void> result = co_await m_plan.experiment->play(*m_stage);
    m_played(std::move(result));
}

Task<> Runner::settleWatches()
{
    for (const auto &watch : m_watches) {
        Awaited<bool> settling(post());
        watch->settle([done = settling.callback()] { done(true); });
        co_await settling;
    }
}

void Runner::serverEnded(const QString &node, const QString &how)
{
    const bool isSentinel = std::any_of(m_sentinels.begin(), m_sentinels.end(), [&](const NodeRef &sentinel) { return sentinel.name == node; });
    Event event;
    event.kind = Event::Kind::Node;
    event.what = static_cast<quint8>(isSentinel ? NodeChange::Ended : NodeChange::Killed);
    event.at = m_recorder.now();
    event.lane = m_recorder.intern(node);
    event.detail = m_recorder.intern(how);
    m_recorder.record(event);
    if (isSentinel) // a play can tell it to crash, and the others go on without it
        return;
    conclude(tr("The server %1 ended during the run: %2").arg(node, how));
}

void Runner::fail(const Error &error)
{
    if (std::exchange(m_isConcluding, true))
        return;
    m_clock.after(0ns, [this, error] {
        close();
        m_calls.failed(error);
    });
}

void Runner::conclude(std::optional<QString> because)
{
    if (std::exchange(m_isConcluding, true))
        return;
    m_clock.after(0ns, [this, because = std::move(because)] {
        m_task = {};
        if (m_stage) {
            m_stage->endStrikes();
            m_stage->abandon();
        }
        if (m_groupWatch)
            m_groupWatch->end();
        m_watches.clear();
        m_batches.stop();
        m_run = std::make_shared<const Run>(m_recorder.finish(because));
        m_clock.after(cleanUpLimit, [this] { finish(); });
        m_task = cleanTarget();
        m_task.start();
    });
}

void Runner::finish()
{
    if (std::exchange(m_isFinished, true))
        return;
    close();
    m_calls.finished(m_run, judge(*m_run));
}

/// Nothing of ours stays on somebody's server. Only keys that the play asked for: a SCAN would walk all of the owner's.
Task<> Runner::cleanTarget()
{
    if (m_plan.target && m_stage && !m_stage->keys().isEmpty()) {
        Command remove("DEL");
        for (const QByteArray &key : m_stage->keys())
            remove.add(key);
        // Sentinels are asked again: the primary may be another one by now.
        const Result<std::unique_ptr<Client>> client = co_await clientOf(m_self, *m_plan.target, cleanUpLimit, cleanUpLimit);
        if (client)
            (void)co_await CommandStep(**client, remove);
    }
    m_clock.after(0ns, [this] { finish(); });
}

void Runner::close()
{
    m_task = {};
    m_watches.clear();
    m_groupWatch.reset();
    m_stage.reset();
    m_group.reset();
    m_servers.clear();
    m_keeper.reset();
}

}
