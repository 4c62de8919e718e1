// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

namespace interlock {

/// The place of an actor among all actors, which gives it its colour (Theme::owner()); -1: there is no such actor.
inline int actorIndex(const Header &header, const QString &name)
{
    int actors = 0;
    for (const Lane &lane : header.lanes) {
        if (lane.type != Lane::Type::Actor)
            continue;
        if (lane.name == name)
            return actors;
        ++actors;
    }
    return -1;
}

}
