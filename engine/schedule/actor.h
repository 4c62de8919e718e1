// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/names.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/task.h"
#include "engine/run/recorder.h"
#include "engine/schedule/clock.h"
#include "engine/schedule/step.h"

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

namespace interlock {

/// What actors need from the world around them.
struct World
{
    Clock &clock;
    Scheduler &scheduler;
    Recorder *recorder = nullptr; ///< null: nothing is recorded (a lock used outside the lab)
};

class SleepStep : public Step
{
public:
    SleepStep(Actor &actor, Nanoseconds duration);
    ~SleepStep() override;
    void begin() override;
    QString describe() const override;
    void await_resume() const noexcept { }

private:
    Nanoseconds m_duration;
    Clock::TimerId m_timer = 0;
};

/// A named place in a program where a fault can be staged; costs nothing when none is.
class PointStep : public Step
{
public:
    PointStep(Actor &actor, QString name);
    ~PointStep() override;
    bool await_ready() const noexcept;
    void begin() override;
    QString describe() const override;
    void await_resume() const noexcept { }
    void release();

private:
    QString m_name;
    Clock::TimerId m_timer = 0;
    bool m_isReleased = false;
};

/// Waits until an event that fits has been recorded; events from before count as well.
class SeenStep : public Step
{
public:
    using Fits = std::function<bool(const Event &, const Names &)>;

    SeenStep(Actor &actor, Fits fits, int count, Nanoseconds limit);
    ~SeenStep() override;
    void begin() override;
    QString describe() const override;
    /// The event, or TimedOut after the limit.
    Result<Event> await_resume();

private:
    void look(const Event &event);
    void settle();

    Fits m_fits;
    int m_missing;
    Nanoseconds m_limit;
    Result<Event> m_result;
    bool m_isSettled = false;
    Recorder::ListenerId m_listener = 0;
    Clock::TimerId m_timer = 0;
};

/// Waits until another actor's program has ended (or died).
class EndedStep : public Step
{
public:
    EndedStep(Actor &actor, Actor &other);
    ~EndedStep() override;
    void begin() override;
    QString describe() const override;
    void await_resume() const noexcept { }

private:
    friend class Actor;
    void otherEnded();
    Actor *m_other;
    Clock::TimerId m_timer = 0;
};

/// One client: a name, its programs (coroutines) and what they believe. All of it can be paused together, as a process
/// is by SIGSTOP, and killed together: its frames are destroyed where they stand, and with them its connections.
class Actor
{
public:
    enum class State { Idle, Running, Ended, Died };

    /// @param hasLane false for the director, who is no client.
    Actor(QString name, World world, quint64 seed, bool hasLane = true);
    ~Actor();
    Actor(const Actor &) = delete;
    Actor &operator=(const Actor &) = delete;

    const QString &name() const { return m_name; }
    Name lane() const { return m_lane; }
    World &world() { return m_world; }
    Random &random() { return m_random; }
    State state() const { return m_state; }
    bool isAlive() const { return m_state == State::Idle || m_state == State::Running; }
    bool isPaused() const { return m_isPaused; }
    Nanoseconds now() const { return m_world.clock.now(); }
    quint8 takeConnectionNumber() { return m_connections++; }

    /// Starts the program. When it returns, everything it spawned ends with it.
    void run(Task<> program);
    /// Starts a second coroutine of this client, a watchdog for instance. It ends with the program, or when the returned number is given to stop().
    quint64 spawn(Task<> companion);
    /// Destroys a companion where it stands. Not from inside it (it returns instead). Does nothing if it has ended.
    void stop(quint64 companion);

    SleepStep sleep(Nanoseconds duration) { return SleepStep(*this, duration); }
    PointStep reach(const char *point) { return PointStep(*this, QString::fromLatin1(point)); }
    SeenStep seen(SeenStep::Fits fits, Nanoseconds limit, int count = 1) { return SeenStep(*this, std::move(fits), count, limit); }
    EndedStep ended(Actor &other) { return EndedStep(*this, other); }

    /// While paused nothing of it is resumed, though answers arrive and timers run out.
    void pause();
    /// Goes on with everything that became ready meanwhile. @return how many steps had been waiting.
    int resume();
    /// Ends it where it stands. Not from inside one of its own steps: schedule it on the clock.
    void kill();
    /// Destroys its programs without recording that it died: the run was stopped.
    void abandon();

    /// The program stops when it comes to this point, and @p arrived is called from the event loop. It stays there until proceed() or kill().
    void holdAt(const QString &point, std::function<void()> arrived = {});
    void proceed();
    bool isHeldAt(const QString &point) const { return m_held && m_heldAt == point; }

    /// Why beliefs and sections that are destroyed now end: "died" after kill(), "program ended" after its end; null: do not record.
    const char *whyEnding() const { return m_whyEnding; }
    /// Records with this actor's lane, if there is a recorder and the run is not being abandoned.
    void record(Event event);
    void recordDecision(Event event, const DecisionFigures &figures);

private:
    friend class RealTimeScheduler;
    friend class PointStep;
    friend class EndedStep;

    Task<> supervise(Task<> program);
    void end(State state);
    void destroyPrograms();

    QString m_name;
    World m_world;
    Random m_random;
    Name m_lane = 0;
    State m_state = State::Idle;
    bool m_isPaused = false;
    quint8 m_connections = 0;
    const char *m_whyEnding = "program ended";
    Task<> m_program;
    std::map<quint64, Task<>> m_companions;
    quint64 m_lastCompanion = 0;
    std::deque<Step *> m_ready; // finished while paused
    std::map<QString, std::function<void()>> m_holds;
    PointStep *m_held = nullptr;
    QString m_heldAt;
    std::list<EndedStep *> m_waiters;
    Clock::TimerId m_start = 0;
};

}
