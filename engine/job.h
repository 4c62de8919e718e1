// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/strike.h"
#include "engine/session.h"

#include <functional>
#include <memory>

namespace interlock {

struct RunPlan;
struct SetChild;

/// One run, or a set of runs, from its start to its end, on the thread that made it. Exactly one of finished and failed is called, from the
/// event loop; destroy the job after it, not in it.
class Job
{
public:
    /// As the session's signals of these names, without the number.
    struct Calls
    {
        std::function<void(const QString &what)> progressed;
        std::function<void(const Header &header)> began;
        std::function<void(const Batch &batch)> batchReady;
        std::function<void(std::shared_ptr<const Run> run, const Verdict &verdict)> finished;
        std::function<void(const Error &error)> failed;
        std::function<void(int ended, int total, qint64 left)> setProgressed; ///< of a set only, and so is the next
        std::function<void(const SetChild &child, std::shared_ptr<const Run> run, const Verdict &verdict)> childFinished;
    };

    virtual ~Job() = default;

    virtual void start() = 0;
    /// Ends it wherever it stands; finished() follows within 1 s.
    virtual void stop() = 0;
    /// The person asked for something; does nothing unless a play is on that waits for it.
    virtual void press() { }
    /// The person strikes a node; does nothing unless a play is on that allows it.
    virtual void strike(const Strike &) { }
};

/// A set if the plan's values make it one, otherwise a run.
std::unique_ptr<Job> makeJob(RunPlan plan, Job::Calls calls);

}
