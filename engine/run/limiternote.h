// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <array>
#include <optional>

namespace interlock {

/// What an experiment measured of a limiter that stands in no single decision. It is recorded as a note whose `text` is the
/// word of the measure, whose `key` is the limiter's name in the run and whose `number` is the figure; `detail` may say under
/// which circumstances ("at 128 entries"). Of several notes of one measure and limiter the last counts.
enum class LimiterMeasure : quint8 {
    KeyBytes, ///< "memory": MEMORY USAGE of all keys that one limited thing has, in bytes, at its largest
    Commands, ///< "commands": commands sent for all of the limiter's decisions, retries after NOSCRIPT included
    Bytes, ///< "bytes": bytes sent and received for all of its decisions
};

inline constexpr std::array<const char *, 3> limiterMeasureWords {"memory", "commands", "bytes"};

/// The note, ready to be recorded. @param names is the recorder's or the run's table. @param at ns, as Recorder::now() gives it.
inline Event limiterNote(Names &names, LimiterMeasure measure, const QString &limiter, qint64 number, qint64 at)
{
    Event note {.at = at, .number = number};
    note.kind = Event::Kind::Note;
    note.text = names.intern(limiterMeasureWords[static_cast<size_t>(measure)]);
    note.key = names.intern(limiter);
    return note;
}

/// Nothing if the event is no such note.
inline std::optional<LimiterMeasure> limiterMeasure(const Run &run, const Event &event)
{
    if (event.kind != Event::Kind::Note || event.key == 0)
        return {};
    for (size_t i = 0; i < limiterMeasureWords.size(); ++i) {
        if (run.names.bytes(event.text) == limiterMeasureWords[i])
            return static_cast<LimiterMeasure>(i);
    }
    return {};
}

}
