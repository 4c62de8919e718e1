// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/actor.h"

#include <functional>
#include <map>
#include <set>

namespace interlock {

/// A clock that stands still until it is moved.
class FakeClock : public Clock
{
public:
    Nanoseconds now() const override { return m_now; }
    Nanoseconds at(Nanoseconds) const override { return m_now; }
    TimerId after(Nanoseconds delay, std::function<void()> call) override;
    void cancel(TimerId id) override;

    /// Moves to the earliest timer and calls it. False: there is none.
    bool advance();
    /// Moves by @p duration and calls all timers on the way, those that are set meanwhile as well.
    void advanceBy(Nanoseconds duration);

private:
    struct Timer
    {
        TimerId id = 0;
        std::function<void()> call;
    };

    Nanoseconds m_now {1s}; // not 0, so that a time that was never set stands out
    TimerId m_last = 0;
    std::multimap<Nanoseconds, Timer> m_timers;
};

/// Real time, except that it knows whether somebody waits for a server, and how often somebody slept.
class WatchingScheduler : public RealTimeScheduler
{
public:
    void reached(Step &step) override;
    void finished(Step &step) override;
    void forget(Step &step) override;

    bool isIdle() const { return m_commands.empty(); }
    int sleeps() const { return m_sleeps; }

private:
    std::set<const Step *> m_commands;
    int m_sleeps = 0;
};

/// A world on a fake clock in which time passes whenever the event loop has nothing to do and nobody waits for a server.
struct FakeTime
{
    FakeClock clock;
    WatchingScheduler scheduler;
    Recorder recorder {[this] { return clock.now(); }};
    World world {clock, scheduler, &recorder};

    /// Lets time pass until @p reached; false if that takes more than @p limit of real time.
    bool pass(const std::function<bool()> &reached, Milliseconds limit = 20s);
    /// Lets a new actor run program(actor) → Task<> to its end.
    template<typename Program>
    bool run(const Program &program)
    {
        Actor actor(QStringLiteral("A"), world, ++m_seed);
        actor.run(program(actor));
        return pass([&] { return !actor.isAlive(); });
    }

    /// The recorded beliefs of one kind, in order.
    std::vector<Event> beliefs(Belief what) const;

private:
    quint64 m_seed = 0;
};

}
