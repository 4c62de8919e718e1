// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/redis/endpoint.h"
#include "engine/schedule/clock.h"

#include <vector>

namespace interlock {

/// Makes one cluster of running servers that were started for it (PrivateServer::Options::isClusterMember) and know nothing yet.
/// They share the slots evenly in their order, see slotShare(). Done when each says that the cluster is whole, knows every
/// member and every slot, and serves its own; a server that starts in a cluster waits for 2 s before it serves, so that takes a
/// little longer.
///
/// Failed: a server refused. TimedOut, Closed: one did not answer, or they did not agree within @p limit; the sentence says what
/// was still missing.
/// @param clock of the thread; must outlive the task.
Task<Result<void>> formCluster(std::vector<Endpoint> members, Clock &clock, Nanoseconds limit = 10s);

}
