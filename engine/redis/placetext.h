// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <QString>

namespace interlock {

struct Endpoint;

/// "2 s", "250 ms": for sentences about deadlines.
QString deadlineText(Nanoseconds deadline);
/// "127.0.0.1:6390", "/run/redis.sock": for sentences; never with a password.
QString placeText(const Endpoint &endpoint);

}
