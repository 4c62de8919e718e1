// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <optional>
#include <span>

namespace interlock {

/// One slot of an event as one kind of event uses it. The run file, the event table and the data exports follow from this.
struct EventField
{
    enum class Slot : quint8 {
        At, Until, Sent, Answered, Number, Lane, Node, Key, Text, Detail, What, Connection,
        Accepted, Touched, Inferred, Conditional, Shortened,
    };
    enum class Type : quint8 {
        Time, ///< ns since the run began; `never` is no value
        Duration, ///< ns
        Integer,
        Figure, ///< a whole number; `never` is no value
        Text, ///< a name in the run's table; the empty one is no value
        Word, ///< one of an enumeration, see whatWord()
        Flag,
    };

    Slot slot = Slot::At;
    Type type = Type::Integer;
    const char *name = ""; ///< of the member in JSON: "resumed"
    /// False: this kind of event gives the slot no meaning; name and type are the slot's own. If it holds something
    /// nevertheless, files keep it, so that nothing is lost.
    bool isUsed = true;

    bool operator==(const EventField &) const = default;
};

constexpr int eventKinds = 11;
constexpr int eventSlots = 17;

/// Every slot for events of this kind and `what`, those in use first, in the order of the file.
std::span<const EventField> eventFields(Event::Kind kind, quint8 what);

/// "command", "belief", …
const char *kindWord(Event::Kind kind);
std::optional<Event::Kind> kindFromWord(QByteArrayView word);
/// "granted", "renewal-failed", …; null if the kind has no words or @p what is beyond them.
const char *whatWord(Event::Kind kind, quint8 what);
std::optional<quint8> whatFromWord(Event::Kind kind, QByteArrayView word);

/// The value of a slot: a time, a number, a name's number, 0 or 1 of a flag.
qint64 valueOf(const Event &event, EventField::Slot slot);
/// Precondition: it fits the slot's type.
void setValue(Event &event, EventField::Slot slot, qint64 value);
/// False for `never`, 0, the empty name, a flag that is not set. A word always says something.
bool hasValue(const Event &event, const EventField &field);

}
