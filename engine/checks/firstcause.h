// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <optional>
#include <vector>

namespace interlock {

class History;

/// Why the record says so: sentences, and the events behind them.
struct Cause
{
    std::vector<Sentence> sentences;
    std::vector<size_t> events;
};

/// Why the lock could be granted a second time while the first holder still counted on it.
/// @param first, second numbers of History::holds().
Cause whyGranted(const History &history, size_t first, size_t second);

}
