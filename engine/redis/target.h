// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/sentinelendpoint.h"

#include <variant>

namespace interlock {

/// A Redis of the user's own: a server, or the primary that sentinels name.
using Target = std::variant<Endpoint, SentinelEndpoint>;

/// Reads an address of either kind. Fails with Invalid and a sentence.
Result<Target> targetFrom(const QString &text);
/// Without users and passwords.
QString shown(const Target &target);

}
