// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/actor.h"

#include <QByteArray>

namespace interlock {

/// An actor at work in a protected section, for as long as this object lives; a death ends it too. Recorded as Resource events.
class Section
{
public:
    /// @param token of the lock that it works under.
    Section(Actor &actor, const QByteArray &key, const QByteArray &token);
    ~Section() { leave(); }
    Section(const Section &) = delete;
    Section &operator=(const Section &) = delete;

    void leave();

private:
    Actor &m_actor;
    QByteArray m_key;
    QByteArray m_token;
    bool m_isInside = true;
};

/// Tells of a write to a protected resource, once its answer is known.
/// @param fencingToken what the writer showed; 0: none. @param accepted whether the resource took it.
void recordWrite(Actor &actor, const QByteArray &resource, qint64 fencingToken, const QByteArray &what, bool accepted);

}
