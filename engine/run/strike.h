// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <QString>

namespace interlock {

/// What a person, or a play, does to a node of a group or to its links. Each is recorded as a fault of the same name (see strikeWord()).
struct Strike
{
    enum class Kind {
        Kill, ///< SIGKILL, and what is under way on its links is lost with it
        Restart, ///< started again where it was, with nothing in memory
        Pause, ///< SIGSTOP
        Resume, ///< SIGCONT
        CutReplication, ///< its replicas are cut off, until Heal
        LagReplication, ///< what it sends to its replicas arrives `amount` later, until Heal
        HoldReplication, ///< what it sends to its replicas stays under way, until Heal
        CutClients, ///< clients are cut off from it, until Heal
        DelayClients, ///< what clients send to it arrives `amount` later, and so do its answers, until Heal
        Isolate, ///< nobody reaches it and it reaches nobody, until Heal
        Heal, ///< all its links are whole again
    };

    QString node;
    Kind kind = Kind::Kill;
    Nanoseconds amount {0}; ///< of a lag or a delay

    bool operator==(const Strike &) const = default;
};

constexpr int strikeKinds = 11;

/// "kill", "restart", "pause", "resume", "cut-replication", "lag-replication", "hold-replication", "cut-clients", "delay-clients",
/// "isolate", "heal": a fault's name in the record.
const char *strikeWord(Strike::Kind kind);

}
