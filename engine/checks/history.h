// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace interlock {

/// Sums and differences of times from a record, which may be a file that somebody edited: at the ends of the range they
/// stay there instead of overflowing, and "never" stays never.
qint64 later(qint64 time, qint64 by);
qint64 between(qint64 from, qint64 to);

/// A grant of a lock and what became of it.
struct Hold
{
    Name lane = 0;
    Name key = 0;
    Name token = 0;
    size_t granted = 0; ///< the event
    qint64 from = 0; ///< the actor resumed with the grant
    qint64 sent = 0;
    qint64 answered = 0;
    bool isConditional = false; ///< granted only because nobody held the lock
    std::vector<size_t> renewals; ///< accepted ones, in order
    std::optional<size_t> ended; ///< the belief's end
    std::optional<size_t> released; ///< the last release that was recorded
    std::optional<size_t> next; ///< the same lane's next hold of the same key
    qint64 releaseSent = never; ///< never: it sent none
    qint64 releaseAnswered = never;
};

/// A stay in a protected section.
struct Stay
{
    Name lane = 0;
    Name key = 0;
    size_t entered = 0; ///< the event
    std::optional<size_t> left; ///< the event that ended it: Left, or the client's death
    qint64 from = 0;
    qint64 until = never; ///< never: its end is missing from the record
    std::optional<size_t> hold; ///< the lock under which it worked
    bool endedByDeath = false;
};

/// A release with its answer, or without one.
struct Release
{
    Name lane = 0;
    Name key = 0;
    size_t event = 0;
    qint64 sent = 0;
    qint64 answered = never; ///< never: no answer came
    qint64 deleted = 0;
    std::optional<size_t> hold; ///< what its sender had been granted
};

/// A client's death.
struct Death
{
    qint64 at = 0;
    size_t event = 0;
};

/// The events of a run put together into what the checks speak of. Built in one pass; events that fit to nothing are
/// counted, never guessed at. Indices are those of Run::events.
class History
{
public:
    explicit History(const Run &run);

    const Run &run() const { return m_run; }
    const Event &event(size_t index) const { return m_run.events[index]; }
    QString name(Name name) const { return m_run.text(name); }
    /// All events by time.
    const std::vector<size_t> &order() const { return m_order; }

    const std::vector<Hold> &holds() const { return m_holds; } ///< by the time of the grant
    const std::vector<Stay> &sections() const { return m_sections; } ///< by the time of entering
    const std::vector<Release> &releases() const { return m_releases; } ///< by the time of recording
    size_t leftWithoutEntering() const { return m_leftWithoutEntering; }
    size_t endedWithoutGrant() const { return m_endedWithoutGrant; }

    /// Owner events of a lock's key, by time.
    const std::vector<size_t> &ownerEvents(Name key) const;
    /// The first death of the lane at @p time or later.
    std::optional<Death> death(Name lane, qint64 time) const;

    /// Until when the holder may count on the lock, by renewals that were answered at @p time at the latest: from the send, plus
    /// the TTL. never: the key has no TTL.
    qint64 lease(const Hold &hold, qint64 time = never) const;
    /// The same counted from the answer: by then the key is gone from the server for certain.
    qint64 latestExpiry(const Hold &hold) const;
    /// By how much the section outlasted its lock's lease; 0: not at all, or not known.
    qint64 overrun(const Stay &section) const;
    /// The hold to which a belief event belongs, by lane, key and token.
    std::optional<size_t> holdOf(const Event &event) const;
    /// The latest hold of the key with this token, whoever's it is.
    std::optional<size_t> holdByToken(Name key, Name token) const;

private:
    struct Place
    {
        Name lane = 0;
        Name key = 0;
        Name token = 0;
        bool operator==(const Place &) const = default;
    };
    struct PlaceHash
    {
        size_t operator()(const Place &place) const;
    };
    template<typename Value>
    using ByPlace = std::unordered_map<Place, Value, PlaceHash>;

    void readBelief(size_t index);
    void readResource(size_t index);
    void addHold(size_t index);
    void rememberToken(size_t number);
    void shareToken(const Hold &hold, size_t number);
    bool isShared(Name token) const;
    std::optional<size_t> holdWith(Name lane, Name key, Name token) const;
    void endSectionsOfTheDead();

    const Run &m_run;
    Name m_released, m_died, m_crash;
    std::vector<size_t> m_order;
    std::vector<Hold> m_holds;
    std::vector<Stay> m_sections;
    std::vector<Release> m_releases;
    size_t m_leftWithoutEntering = 0;
    size_t m_endedWithoutGrant = 0;
    ByPlace<size_t> m_lastHold; // lane, key, 0; and lane, 0, 0
    std::vector<std::optional<size_t>> m_holdByToken; // by token: its last hold
    ByPlace<size_t> m_sharedTokens; // of tokens that several lanes or keys have used, each by itself or for any (0)
    ByPlace<std::vector<size_t>> m_openSections; // lane, key, 0
    std::unordered_map<Name, std::vector<size_t>> m_owners; // by key
    std::unordered_map<Name, std::vector<Death>> m_deaths; // by lane
};

}
