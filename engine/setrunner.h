// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/batchsender.h"
#include "engine/runner.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace interlock {

/// The runs of a set, each on servers of its own, two beside each other, in the order of their declaration. What each tells is recorded
/// as measures when it ends and all before it have, so that tables have one order; one that could not be started or is incomplete tells
/// nothing, and a note says why.
class SetRunner : public Job
{
public:
    /// @param children of the plan: childrenOf().
    SetRunner(RunPlan plan, std::vector<SetChild> children, Calls calls);
    ~SetRunner() override;

    void start() override;
    void stop() override;

private:
    struct Child
    {
        size_t index = 0;
        qint64 began = 0;
        bool isOver = false;
        std::unique_ptr<Job> job;
    };

    void startNext();
    void finished(Child &child, const std::shared_ptr<const Run> &run, const Verdict &verdict);
    void failed(Child &child, const Error &error);
    void over(Child &child);
    void goOn();
    void take(size_t index, const Run &run);
    void tell();
    void note(const SetChild &child, const QString &why);
    qint64 left() const;
    void conclude();

    RunPlan m_plan;
    std::vector<SetChild> m_children;
    Calls m_calls;
    RealClock m_clock;
    Recorder m_recorder;
    BatchSender m_batches;
    std::vector<std::unique_ptr<Child>> m_running;
    std::map<size_t, QList<Measure>> m_untold; ///< by the child's index
    size_t m_started = 0;
    int m_ended = 0;
    int m_told = 0; ///< how many ended completely
    qint64 m_spent = 0; ///< ns by those that ended, together
    QString m_firstReason; ///< why one told nothing
    bool m_isStopped = false;
    bool m_isOver = false;
};

}
