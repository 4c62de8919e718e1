// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job.h"

#include "engine/runner.h"
#include "engine/setrunner.h"

namespace interlock {

std::unique_ptr<Job> makeJob(RunPlan plan, Job::Calls calls)
{
    if (std::vector<SetChild> children = childrenOf(plan); !children.empty())
        return std::make_unique<SetRunner>(std::move(plan), std::move(children), std::move(calls));
    return std::make_unique<Runner>(std::move(plan), std::move(calls));
}

}
