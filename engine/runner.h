// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/lab/groupwatch.h"
#include "engine/lab/nodegroup.h"
#include "engine/lab/ownerwatch.h"
#include "engine/lab/server.h"
#include "engine/session.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace interlock {

/// A request that was checked: everything that one run needs to know.
struct RunPlan
{
    quint64 number = 0;
    const Experiment *experiment = nullptr;
    QString preset;
    Values values;
    quint64 seed = 0;
    double pace = 1;
    std::optional<Target> target;
};

/// Fails with Invalid (unknown experiment, preset or value; not possible on a target) and a sentence.
Result<RunPlan> makePlan(const RunRequest &request);

/// One run from its servers' start to their end, on the thread that made it. Exactly one of finished and failed is called, from
/// the event loop; destroy the runner after it, not in it.
class Runner
{
public:
    struct Calls
    {
        std::function<void(const QString &what)> progressed;
        std::function<void(const Header &header)> began;
        std::function<void(const Batch &batch)> batchReady;
        std::function<void(std::shared_ptr<const Run> run, const Verdict &verdict)> finished;
        std::function<void(const Error &error)> failed;
    };

    Runner(RunPlan plan, Calls calls);
    ~Runner();

    void start();
    /// Ends it wherever it stands; finished() follows within 1 s.
    void stop();
    /// The person asked for something; does nothing unless the play is on.
    void press();
    /// The person strikes a node; does nothing unless the play is on and allows it.
    void strike(const Strike &strike);

private:
    Task<> perform();
    Task<Result<void>> startServers();
    Task<Result<void>> startGroup(GroupPlan plan);
    Task<Result<void>> openTarget();
    PrivateServer &server(const QString &name);
    ServerControls controls();
    Task<Result<void>> startWatches();
    Task<> direct();
    Task<> settleWatches();
    Task<> cleanTarget();
    void begin();
    void sendBatch();
    void serverEnded(const QString &node, const QString &how);
    void fail(const Error &error);
    /// Ends the run from the event loop. @param because empty: the play came to its end.
    void conclude(std::optional<QString> because);
    void finish();
    void close();
    std::function<void(std::function<void()>)> post();

    RunPlan m_plan;
    Calls m_calls;
    RealClock m_clock;
    RealTimeScheduler m_scheduler;
    Recorder m_recorder;
    std::unique_ptr<Keeper> m_keeper;
    std::vector<std::unique_ptr<PrivateServer>> m_servers;
    std::unique_ptr<NodeGroup> m_group; ///< in the place of the servers
    std::unique_ptr<GroupWatch> m_groupWatch;
    std::vector<NodeRef> m_nodes;
    std::vector<NodeRef> m_sentinels;
    QByteArray m_keyPrefix;
    bool m_hasNotifications = true;
    std::vector<std::unique_ptr<OwnerWatch>> m_watches;
    Actor m_self; ///< speaks to a target before and after the play; not recorded
    std::unique_ptr<Stage> m_stage;
    std::function<void(Result<void>)> m_played;
    std::shared_ptr<const Run> m_run;
    bool m_hasBegun = false;
    bool m_isConcluding = false;
    bool m_isFinished = false;
    size_t m_sentEvents = 0;
    size_t m_sentDecisions = 0;
    size_t m_sentNames = 1; // 0, the empty text, is known to everyone
    QTimer m_batchTimer;
    Task<> m_task;
};

}
