// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <functional>
#include <list>
#include <optional>

namespace interlock {

/// Writes a run while it happens. Lives on the worker's thread. Appending is cheap enough for a bench to keep it on.
class Recorder
{
public:
    /// Called after each recorded event, in order of recording.
    using Listener = std::function<void(const Event &)>;
    using ListenerId = quint64;

    static constexpr size_t defaultCap = 4'000'000;

    /// @param now reads the clock that the run is told by.
    /// @param cap how many single events are kept; the rest is counted in Run::dropped.
    explicit Recorder(std::function<Nanoseconds()> now, size_t cap = defaultCap);

    /// Nanoseconds since begin() was called (or since construction).
    qint64 now() const { return (m_now() - m_origin).count(); }
    /// The same scale for a reading of the clock that was taken elsewhere.
    qint64 sinceBeginning(Nanoseconds reading) const { return (reading - m_origin).count(); }
    /// Time zero of the run is now: called when the servers are ready.
    void begin() { m_origin = m_now(); }

    void record(const Event &event);
    /// A decision with its figures, which the cap drops or keeps together. Its number is set here; listeners see it, -1 if dropped.
    void recordDecision(Event event, const DecisionFigures &figures);

    Header &header() { return m_run.header; }
    Names &names() { return m_run.names; }
    Name intern(QByteArrayView text) { return m_run.names.intern(text); }
    Name intern(const QByteArray &text) { return m_run.names.intern(text); }
    Name intern(const QString &text) { return m_run.names.intern(text); }
    Name intern(const char *text) { return m_run.names.intern(text); }
    /// What has been recorded so far, in order of recording.
    const std::vector<Event> &events() const { return m_run.events; }
    const Run &run() const { return m_run; }

    /// Adds the lane at the end unless it is there: lanes keep their place while the run grows.
    void addLane(const Lane &lane);

    /// The same, by its name.
    void addLimiter(const LimiterInfo &limiter);

    ListenerId listen(Listener listener);
    void stopListening(ListenerId id);

    /// Ends the record and hands it over, its events in order of time.
    /// @param because a sentence, if the program did not come to its end.
    Run finish(std::optional<QString> because = {});

private:
    struct Listening
    {
        ListenerId id = 0;
        Listener call;
        bool isRemoved = false;
    };
    void purge();

    std::function<Nanoseconds()> m_now;
    Nanoseconds m_origin {0};
    size_t m_cap;
    Run m_run;
    std::list<Listening> m_listeners; // a list: a listener may add others while it runs
    int m_calling = 0;
    ListenerId m_lastListener = 0;
};

}
