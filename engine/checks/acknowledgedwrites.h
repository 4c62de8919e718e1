// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <limits>
#include <optional>
#include <vector>

namespace interlock {

class History;

/// A write that a client was told of as done, and what became of it.
struct AcknowledgedWrite
{
    enum class Fate {
        Kept, ///< it is on the settled primary
        Lost, ///< it is not, though nothing took it away
        Over, ///< it was deleted, released, overwritten or had expired
        NotRead, ///< the record does not say what the settled primary has
    };

    size_t event = 0; ///< a Resource Wrote that was accepted, or a Belief Granted
    Fate fate = Fate::NotRead;
    std::optional<size_t> reading; ///< the Owner event that shows it, or its absence
};

/// All of them, by the time of the answer.
struct AcknowledgedWrites
{
    std::optional<Sentence> unsettled; ///< why nothing can be said; all fates are NotRead then
    Name primary = 0; ///< the settled one
    static constexpr qint64 always = std::numeric_limits<qint64>::min();
    qint64 since = always; ///< when it took that role, ns
    std::vector<AcknowledgedWrite> writes;

    qint64 count(AcknowledgedWrite::Fate fate) const;
};

/// What a check says at its head of them, see lostacknowledgedwrite.cpp.
/// @param key only writes to this resource, and grants of this lock; 0: all.
AcknowledgedWrites acknowledgedWrites(const History &history, Name key = 0);

}
