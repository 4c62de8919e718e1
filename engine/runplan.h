// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/experiment.h"
#include "engine/session.h"

#include <optional>
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

/// The runs that it is made of, in order; empty: it is one run.
std::vector<SetChild> childrenOf(const RunPlan &plan);
/// Number @p index of them, from 0, with a seed that follows from the set's and its number. It has no preset, and so no expectation.
/// Fails with Invalid and a sentence as makePlan() does; or it would be a set itself.
Result<RunPlan> childPlan(const RunPlan &set, const SetChild &child, size_t index);

/// What a header tells of the plan, the time included: it begins now. A set has no checks and no expectation.
void describe(const RunPlan &plan, Header &header);

}
