// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/batchsender.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/job.h"
#include "engine/lab/groupwatch.h"
#include "engine/lab/nodegroup.h"
#include "engine/lab/ownerwatch.h"
#include "engine/lab/server.h"
#include "engine/runplan.h"

#include <functional>
#include <memory>
#include <vector>

namespace interlock {

/// One run, from its servers' start to their end.
class Runner : public Job
{
public:
    Runner(RunPlan plan, Calls calls);
    ~Runner() override;

    void start() override;
    void stop() override;
    void press() override;
    void strike(const Strike &strike) override;

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
    bool m_isConcluding = false;
    bool m_isFinished = false;
    BatchSender m_batches;
    Task<> m_task;
};

}
