// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/target.h"
#include "engine/schedule/client.h"

#include <memory>

namespace interlock {

/// A connection to a server of the user's: the one that the target is, or the primary that its sentinels name now. A server is not waited
/// for: whether it answers tells the first command. Failed: the sentinels led to no primary within @p limit, see PrimarySearch::find().
/// @param limit for that search; leaves time to say within 2 s what is wrong. @param deadline for each command.
Task<Result<std::unique_ptr<Client>>> clientOf(Actor &actor, Target target, Milliseconds limit = 1800ms, Nanoseconds deadline = 2s);

}
