// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/experiment.h"

#include <vector>

namespace interlock::experiments {

/// Every experiment in the tree; generated.
std::vector<Experiment> describeAll();

/// The catalogue, made once, families together in the order of the window.
const std::vector<Experiment> &all();

/// Whether the play of a run with this header waits for the person: see Experiment::asksPerson.
bool asksPerson(const Header &header);

/// None of its presets expects a verdict: its promise says what it measures instead.
bool onlyMeasures(const Experiment &experiment);

/// Null if there is none of that id.
const Experiment *find(const QString &id);

}
