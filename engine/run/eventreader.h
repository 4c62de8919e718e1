// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/eventfields.h"
#include "engine/run/jsonobject.h"

namespace interlock {

/// Times and durations beyond this (126 years, in ns) are refused, so that nobody's differences of times overflow.
constexpr qint64 latestTime = 4'000'000'000'000'000'000;

/// Reads the events of a run's file, one a line.
class EventReader
{
public:
    /// @param names take in what events name; must outlive this.
    explicit EventReader(Names &names)
        : m_names(names)
    {
    }

    enum class Outcome {
        Read, ///< event(), and of a decision figures()
        Unknown, ///< of a kind that this program does not know: what()
        Wrong, ///< what() says why
    };
    /// Precondition: the line has a member "event".
    Outcome read(const JsonObject &line);

    const Event &event() const { return m_event; }
    const DecisionFigures &figures() const { return m_figures; }
    /// Of an unknown event: "kind" or "kind what", as the line says. Of a wrong one: a sentence without its full stop.
    const QString &what() const { return m_what; }

private:
    Outcome readWhat(const JsonObject &line);
    Outcome readFields(const JsonObject &line);
    Outcome readField(const EventField &field, const JsonObject::Member &member);
    Outcome readFigures(const JsonObject &line);
    Outcome unknown(const QByteArray &kind);
    Outcome wrong(const QString &why);

    Names &m_names;
    Event m_event;
    DecisionFigures m_figures;
    QString m_what;
};

}
