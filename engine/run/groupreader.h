// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/groupstate.h"

namespace interlock {

/// Whether the state of a group depends on such events.
bool tellsOfGroup(const Event &event);

/// Takes one event into the state; those before it must have been taken already.
void readGroupEvent(const Run &run, const GroupNodes &nodes, const Event &event, GroupState &group);

}
