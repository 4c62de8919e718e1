// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/task.h"
#include "engine/redis/command.h"
#include "engine/redis/reply.h"
#include "engine/schedule/clock.h"

#include <functional>

namespace interlock {

class Connection;

// What coroutines need that set up servers: turns of the clock's event loop, pauses between two looks, and answers.

/// For an Awaited.
std::function<void(std::function<void()>)> post(Clock &clock);

Task<> rest(Clock &clock, Nanoseconds duration);

/// Sends the command and waits for its answer. An error reply is a failure here, and the sentence names server and command.
/// @param connection must outlive the task.
Task<Result<Reply>> ask(Connection &connection, Command command, Clock &clock, Nanoseconds deadline = 5s);

}
