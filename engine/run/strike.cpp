// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/strike.h"

#include <array>

namespace interlock {

const char *strikeWord(Strike::Kind kind)
{
    static constexpr std::array<const char *, strikeKinds> words {"kill", "restart", "pause", "resume", "cut-replication", "lag-replication",
        "hold-replication", "cut-clients", "delay-clients", "isolate", "heal"};
    return words[static_cast<size_t>(kind)];
}

}
