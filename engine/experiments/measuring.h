// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/experiment.h"

namespace interlock {

class Recorder;

/// Puts it into the record, at the time that it is now.
/// @param child the run of the set that it was taken from, by its name there; empty: the recorded run itself.
void recordMeasure(Recorder &recorder, const Measure &measure, const QString &child = {});

}
