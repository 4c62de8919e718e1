// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <optional>
#include <vector>

namespace interlock {

/// A replica, with what Sentinel goes by when it chooses the one to promote.
struct Candidate
{
    QString name;
    qint64 priority = 100; ///< its setting replica-priority; 0: never to be promoted
    qint64 offset = 0; ///< bytes of the replication stream that it has applied
    QByteArray runId; ///< 40 hexadecimal digits

    bool operator==(const Candidate &) const = default;
};

/// Why a replica comes before all others.
enum class Precedence {
    Alone, ///< there is no other that may be promoted
    Priority, ///< its number is lower
    Offset, ///< priorities are equal, and it has more of the stream
    RunId, ///< these are equal too, and its run id comes first in the alphabet
};

struct Choice
{
    size_t candidate = 0;
    Precedence why = Precedence::Alone;

    bool operator==(const Choice &) const = default;
};

/// Which of these Sentinel promotes, all of them being linked and fresh; nothing: each has priority 0. After compareSlavesForPromotion() in
/// Redis's sentinel.c, and "Replica selection and priority" on redis.io/docs/management/sentinel.
std::optional<Choice> choosePromotion(const std::vector<Candidate> &candidates);

// Texts of the notes that tell of candidates. In each: lane = the replica.
constexpr const char *notedPriority = "replica-priority"; ///< number
constexpr const char *notedOffset = "replication-offset"; ///< number
constexpr const char *notedRunId = "run-id"; ///< detail

/// What the record says of candidates, as it was last told before @p before (ns); only those of which all three are told, by name.
std::vector<Candidate> candidatesOf(const Run &run, qint64 before);

}
