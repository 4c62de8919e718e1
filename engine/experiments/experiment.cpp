// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"

#include <algorithm>

namespace interlock {

const Preset *Experiment::preset(const QString &name) const
{
    const auto found = std::find_if(presets.begin(), presets.end(), [&](const Preset &one) { return one.name == name; });
    return found == presets.end() ? nullptr : &*found;
}

}
