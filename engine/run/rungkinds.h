// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/failoverladder.h"
#include "engine/run/sentinelevent.h"

#include <array>

namespace interlock {

/// What a sentinel says, as a step. Precondition: not SentinelWord::Other.
Rung::Kind rungKind(SentinelWord word);
/// What becomes of a process, as a step. Precondition: isLife(change).
Rung::Kind rungKind(NodeChange change);

/// Whether a Node event tells what became of the process itself.
bool isLife(NodeChange change);
/// Of the faults of this name Node events tell, too, and when they have happened.
bool isFaultOfProcess(const QByteArray &fault);
/// Whether these words of a sentinel belong to a failover whoever they are about.
bool isElection(SentinelWord word);

/// The texts of notes on the parts of a full copy, in their order, and on a partial one.
inline constexpr std::array copyStepWords {"snapshot", "buffer", "transfer", "load", "catch-up", "increment"};
bool isCopyStep(const QByteArray &note);

}
