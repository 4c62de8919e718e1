// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eventfields.h"

#include <algorithm>
#include <array>

namespace interlock {

namespace {

using Kind = Event::Kind;
using Slot = EventField::Slot;
using Type = EventField::Type;

/// Which kinds of event, and of those which `what`s, give a slot a meaning.
struct Use
{
    Kind kind;
    quint32 whats; ///< bit n: `what` is n
    EventField field;
};

constexpr quint32 always = ~0U;

template<typename... Enumerators>
constexpr quint32 only(Enumerators... enumerators)
{
    return ((1U << static_cast<quint8>(enumerators)) | ...);
}

/// The one table. In each kind, rows stand in the order in which files and tables show them; `at` comes first everywhere.
constexpr std::array uses {
    Use {Kind::Command, always, {Slot::At, Type::Time, "at"}}, // when it was sent
    Use {Kind::Command, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Command, always, {Slot::Node, Type::Text, "node"}},
    Use {Kind::Command, always, {Slot::Connection, Type::Integer, "connection"}},
    Use {Kind::Command, always, {Slot::Text, Type::Text, "command"}},
    Use {Kind::Command, always, {Slot::What, Type::Word, "type"}}, // of the reply
    Use {Kind::Command, always, {Slot::Detail, Type::Text, "reply"}},
    Use {Kind::Command, only(ReplyType::Integer), {Slot::Number, Type::Integer, "value"}},
    Use {Kind::Command, always, {Slot::Answered, Type::Time, "answered"}},
    Use {Kind::Command, always, {Slot::Until, Type::Time, "resumed"}},
    Use {Kind::Command, always, {Slot::Accepted, Type::Flag, "accepted"}},
    Use {Kind::Command, always, {Slot::Shortened, Type::Flag, "shortened"}},

    Use {Kind::Belief, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Belief, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Belief, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Belief, always, {Slot::Key, Type::Text, "key"}},
    Use {Kind::Belief, always, {Slot::Text, Type::Text, "token"}},
    Use {Kind::Belief, always, {Slot::Sent, Type::Time, "sent"}},
    Use {Kind::Belief, always, {Slot::Answered, Type::Time, "answered"}},
    Use {Kind::Belief, only(Belief::Granted, Belief::Renewed), {Slot::Until, Type::Time, "expires"}},
    Use {Kind::Belief, only(Belief::Granted), {Slot::Number, Type::Integer, "fencing"}},
    Use {Kind::Belief, only(Belief::Wants, Belief::Refused), {Slot::Number, Type::Duration, "asked"}}, // the TTL asked for
    Use {Kind::Belief, only(Belief::Released), {Slot::Number, Type::Integer, "deleted"}},
    Use {Kind::Belief, only(Belief::Granted), {Slot::Conditional, Type::Flag, "conditional"}},
    Use {Kind::Belief, always, {Slot::Detail, Type::Text, "why"}},

    Use {Kind::Owner, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Owner, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Owner, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Owner, always, {Slot::Key, Type::Text, "key"}},
    Use {Kind::Owner, always, {Slot::Text, Type::Text, "token"}},
    Use {Kind::Owner, always, {Slot::Until, Type::Time, "expires"}},
    Use {Kind::Owner, always, {Slot::Detail, Type::Text, "why"}},
    Use {Kind::Owner, always, {Slot::Inferred, Type::Flag, "inferred"}},

    Use {Kind::Resource, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Resource, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Resource, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Resource, always, {Slot::Key, Type::Text, "key"}},
    Use {Kind::Resource, only(Resource::Entered, Resource::Left), {Slot::Text, Type::Text, "token"}},
    Use {Kind::Resource, only(Resource::Wrote), {Slot::Text, Type::Text, "written"}},
    Use {Kind::Resource, only(Resource::Wrote), {Slot::Number, Type::Integer, "fencing"}},
    Use {Kind::Resource, only(Resource::Wrote), {Slot::Accepted, Type::Flag, "accepted"}},
    Use {Kind::Resource, always, {Slot::Detail, Type::Text, "why"}},

    Use {Kind::Node, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Node, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Node, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Node, only(NodeChange::ClockMoved), {Slot::Number, Type::Duration, "moved"}},
    Use {Kind::Node, only(NodeChange::Offset), {Slot::Number, Type::Integer, "offset"}},
    Use {Kind::Node, only(NodeChange::Synced), {Slot::Number, Type::Integer, "bytes"}},
    Use {Kind::Node, only(NodeChange::RoleChanged, NodeChange::Linked, NodeChange::Synced), {Slot::Node, Type::Text, "primary"}},
    Use {Kind::Node, always, {Slot::Text, Type::Text, "text"}},
    Use {Kind::Node, always, {Slot::Detail, Type::Text, "why"}},

    Use {Kind::Fault, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Fault, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Fault, always, {Slot::Text, Type::Text, "fault"}},
    Use {Kind::Fault, always, {Slot::Until, Type::Time, "until"}},
    Use {Kind::Fault, always, {Slot::Node, Type::Text, "from"}}, // on a link: the other end, if it struck that one alone
    Use {Kind::Fault, always, {Slot::Number, Type::Duration, "by"}}, // of a delay
    Use {Kind::Fault, always, {Slot::Touched, Type::Flag, "touched"}},
    Use {Kind::Fault, always, {Slot::Conditional, Type::Flag, "begins"}},
    Use {Kind::Fault, always, {Slot::Detail, Type::Text, "why"}},

    Use {Kind::Phase, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Phase, always, {Slot::Text, Type::Text, "text"}},

    Use {Kind::Note, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Note, always, {Slot::Until, Type::Time, "until"}}, // of what lasted from `at` on
    Use {Kind::Note, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Note, always, {Slot::Text, Type::Text, "text"}},
    Use {Kind::Note, always, {Slot::Key, Type::Text, "about"}},
    Use {Kind::Note, always, {Slot::Number, Type::Integer, "value"}},
    Use {Kind::Note, always, {Slot::Detail, Type::Text, "why"}},

    // The figures of a decision follow, see figureFields().
    Use {Kind::Decision, always, {Slot::At, Type::Time, "at"}}, // when it was sent
    Use {Kind::Decision, always, {Slot::Number, Type::Integer, "number"}},
    Use {Kind::Decision, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Decision, always, {Slot::Node, Type::Text, "node"}},
    Use {Kind::Decision, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Decision, always, {Slot::Text, Type::Text, "limiter"}},
    Use {Kind::Decision, always, {Slot::Key, Type::Text, "key"}},
    Use {Kind::Decision, always, {Slot::Sent, Type::Time, "due"}},
    Use {Kind::Decision, always, {Slot::Answered, Type::Time, "answered"}},
    Use {Kind::Decision, always, {Slot::Until, Type::Time, "resumed"}},
    Use {Kind::Decision, always, {Slot::Accepted, Type::Flag, "accepted"}},
    Use {Kind::Decision, always, {Slot::Touched, Type::Flag, "probe"}},
    Use {Kind::Decision, always, {Slot::Detail, Type::Text, "why"}},

    Use {Kind::Sentinel, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Sentinel, always, {Slot::Lane, Type::Text, "lane"}},
    Use {Kind::Sentinel, always, {Slot::Text, Type::Text, "name"}},
    Use {Kind::Sentinel, always, {Slot::Node, Type::Text, "about"}},
    Use {Kind::Sentinel, always, {Slot::Number, Type::Integer, "epoch"}},
    Use {Kind::Sentinel, always, {Slot::Detail, Type::Text, "rest"}},

    Use {Kind::Measure, always, {Slot::At, Type::Time, "at"}},
    Use {Kind::Measure, always, {Slot::What, Type::Word, "what"}},
    Use {Kind::Measure, always, {Slot::Text, Type::Text, "series"}},
    Use {Kind::Measure, only(MeasureKind::Value, MeasureKind::Share), {Slot::Sent, Type::Figure, "x"}},
    Use {Kind::Measure, only(MeasureKind::Value, MeasureKind::Share), {Slot::Number, Type::Integer, "y"}},
    Use {Kind::Measure, only(MeasureKind::Value), {Slot::Until, Type::Figure, "low"}},
    Use {Kind::Measure, only(MeasureKind::Value), {Slot::Answered, Type::Figure, "high"}},
    Use {Kind::Measure, only(MeasureKind::Share), {Slot::Until, Type::Figure, "of"}},
    Use {Kind::Measure, only(MeasureKind::Cell), {Slot::Key, Type::Text, "column"}},
    Use {Kind::Measure, only(MeasureKind::Cell), {Slot::Number, Type::Integer, "count"}},
    Use {Kind::Measure, only(MeasureKind::Cell), {Slot::Detail, Type::Text, "outcome"}},
    Use {Kind::Measure, always, {Slot::Lane, Type::Text, "run"}},
};

/// What a slot is called where no row gives it a meaning.
constexpr std::array<EventField, eventSlots> plain {{
    {Slot::At, Type::Time, "at", false},
    {Slot::Until, Type::Time, "slotUntil", false},
    {Slot::Sent, Type::Time, "slotSent", false},
    {Slot::Answered, Type::Time, "slotAnswered", false},
    {Slot::Number, Type::Integer, "slotNumber", false},
    {Slot::Lane, Type::Text, "slotLane", false},
    {Slot::Node, Type::Text, "slotNode", false},
    {Slot::Key, Type::Text, "slotKey", false},
    {Slot::Text, Type::Text, "slotText", false},
    {Slot::Detail, Type::Text, "slotDetail", false},
    {Slot::What, Type::Integer, "slotWhat", false},
    {Slot::Connection, Type::Integer, "slotConnection", false},
    {Slot::Accepted, Type::Flag, "slotAccepted", false},
    {Slot::Touched, Type::Flag, "slotTouched", false},
    {Slot::Inferred, Type::Flag, "slotInferred", false},
    {Slot::Conditional, Type::Flag, "slotConditional", false},
    {Slot::Shortened, Type::Flag, "slotShortened", false},
}};

constexpr std::array<const char *, eventKinds> kindWords {
    "command", "belief", "owner", "resource", "node", "fault", "phase", "note", "decision", "sentinel", "measure"};

constexpr std::array replyWords {"none", "nil", "status", "integer", "string", "array", "error"};
constexpr std::array beliefWords {
    "wants", "refused", "granted", "renewed", "renewal-failed", "ended", "released", "gave-up"};
constexpr std::array ownerWords {"set", "renewed", "deleted", "expired", "promoted", "restarted", "read"};
constexpr std::array resourceWords {"entered", "left", "wrote"};
constexpr std::array nodeWords {
    "started", "ready", "role-changed", "paused", "resumed", "killed", "ended", "clock-moved", "offset", "linked",
    "synced"};
constexpr std::array measureWords {"value", "share", "cell"};
constexpr std::array decisionWords {"admitted", "rejected", "failed"};

std::span<const char *const> wordsOf(Kind kind)
{
    switch (kind) {
    case Kind::Command:
        return replyWords;
    case Kind::Belief:
        return beliefWords;
    case Kind::Owner:
        return ownerWords;
    case Kind::Resource:
        return resourceWords;
    case Kind::Node:
        return nodeWords;
    case Kind::Decision:
        return decisionWords;
    case Kind::Measure:
        return measureWords;
    case Kind::Fault:
    case Kind::Phase:
    case Kind::Note:
    case Kind::Sentinel:
        break;
    }
    return {};
}

using Layout = std::array<EventField, eventSlots>;

Layout layoutOf(Kind kind, quint8 what)
{
    Layout layout;
    size_t count = 0;
    quint32 seen = 0;
    for (const Use &use : uses) {
        if (use.kind == kind && what < 32 && (use.whats >> what & 1)) {
            layout[count++] = use.field;
            seen |= only(use.field.slot);
        }
    }
    for (const EventField &field : plain) {
        if (!(seen & only(field.slot)))
            layout[count++] = field;
    }
    Q_ASSERT(count == eventSlots);
    return layout;
}

/// Layouts for every `what` that has a word, and one more for those beyond.
constexpr size_t layoutsPerKind = 12;

Event::Flag flagOf(Slot slot)
{
    switch (slot) {
    case Slot::Touched:
        return Event::Touched;
    case Slot::Inferred:
        return Event::Inferred;
    case Slot::Conditional:
        return Event::Conditional;
    case Slot::Shortened:
        return Event::Shortened;
    default:
        return Event::Accepted;
    }
}

}

std::span<const EventField> eventFields(Event::Kind kind, quint8 what)
{
    static const auto layouts = [] {
        std::array<std::array<Layout, layoutsPerKind>, eventKinds> all;
        for (size_t i = 0; i < eventKinds; ++i) {
            for (size_t j = 0; j < layoutsPerKind; ++j)
                all[i][j] = layoutOf(static_cast<Kind>(i), static_cast<quint8>(j));
        }
        return all;
    }();
    return layouts[static_cast<size_t>(kind) % eventKinds][std::min<size_t>(what, layoutsPerKind - 1)];
}

const char *kindWord(Event::Kind kind)
{
    return kindWords[static_cast<size_t>(kind) % eventKinds];
}

std::optional<Event::Kind> kindFromWord(QByteArrayView word)
{
    for (size_t i = 0; i < kindWords.size(); ++i) {
        if (word == kindWords[i])
            return static_cast<Kind>(i);
    }
    return {};
}

const char *whatWord(Event::Kind kind, quint8 what)
{
    const auto words = wordsOf(kind);
    return what < words.size() ? words[what] : nullptr;
}

std::optional<quint8> whatFromWord(Event::Kind kind, QByteArrayView word)
{
    const auto words = wordsOf(kind);
    for (size_t i = 0; i < words.size(); ++i) {
        if (word == words[i])
            return static_cast<quint8>(i);
    }
    return {};
}

qint64 valueOf(const Event &event, EventField::Slot slot)
{
    switch (slot) {
    case Slot::At:
        return event.at;
    case Slot::Until:
        return event.until;
    case Slot::Sent:
        return event.sent;
    case Slot::Answered:
        return event.answered;
    case Slot::Number:
        return event.number;
    case Slot::Lane:
        return event.lane;
    case Slot::Node:
        return event.node;
    case Slot::Key:
        return event.key;
    case Slot::Text:
        return event.text;
    case Slot::Detail:
        return event.detail;
    case Slot::What:
        return event.what;
    case Slot::Connection:
        return event.connection;
    default:
        return event.has(flagOf(slot)) ? 1 : 0;
    }
}

void setValue(Event &event, EventField::Slot slot, qint64 value)
{
    switch (slot) {
    case Slot::At:
        event.at = value;
        return;
    case Slot::Until:
        event.until = value;
        return;
    case Slot::Sent:
        event.sent = value;
        return;
    case Slot::Answered:
        event.answered = value;
        return;
    case Slot::Number:
        event.number = value;
        return;
    case Slot::Lane:
        event.lane = static_cast<Name>(value);
        return;
    case Slot::Node:
        event.node = static_cast<Name>(value);
        return;
    case Slot::Key:
        event.key = static_cast<Name>(value);
        return;
    case Slot::Text:
        event.text = static_cast<Name>(value);
        return;
    case Slot::Detail:
        event.detail = static_cast<Name>(value);
        return;
    case Slot::What:
        event.what = static_cast<quint8>(value);
        return;
    case Slot::Connection:
        event.connection = static_cast<quint8>(value);
        return;
    default:
        const auto flag = static_cast<quint8>(flagOf(slot));
        event.flags = static_cast<quint8>(value ? event.flags | flag : event.flags & ~flag);
    }
}

bool hasValue(const Event &event, const EventField &field)
{
    if (field.type == Type::Word)
        return true;
    const qint64 value = valueOf(event, field.slot);
    return field.type == Type::Time || field.type == Type::Figure ? value != never : value != 0;
}

}
