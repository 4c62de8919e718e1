// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/ownerlane.h"
#include "engine/redis/connection.h"
#include "engine/run/recorder.h"
#include "engine/schedule/clock.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>

namespace interlock {

/// Reads lock keys of one node, value and TTL together. What a connection that broke still owed is asked for once more, over another.
class KeyReader
{
public:
    /// @param change as it was given to read(). @param reading nothing: it could not be had.
    using Told = std::function<void(Name key, quint64 change, std::optional<OwnerLane::Reading> reading)>;

    /// Connects when it is first needed. @param recorder, clock must outlive it. @param told must not destroy it.
    KeyReader(Endpoint endpoint, Recorder &recorder, Clock &clock, Told told);
    ~KeyReader();
    KeyReader(const KeyReader &) = delete;
    KeyReader &operator=(const KeyReader &) = delete;

    /// Told once: within 2 s, twice that if it has to ask again.
    void read(Name key, quint64 change);
    /// The connection is of no use any more, or soon will be.
    void reconnect();
    /// While a node is dead nobody is asked once more.
    void setNodeDead(bool isDead) { m_isNodeDead = isDead; }
    /// Over which it reads; one that works, as far as is known.
    Connection &connection();

private:
    class Question;

    void ask(Name key, quint64 change, bool isSecond);
    void conclude(const Question &question, std::optional<OwnerLane::Reading> reading);

    Endpoint m_endpoint;
    Recorder &m_recorder;
    Clock &m_clock;
    Told m_told;
    bool m_isNodeDead = false;
    std::list<Question> m_questions;
    std::unique_ptr<Connection> m_connection;
};

}
