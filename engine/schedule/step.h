// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <QString>

#ifndef Q_MOC_RUN // moc cannot read it
#include <coroutine>
#endif

namespace interlock {

class Actor;

/// One thing that an actor's program waits for: a command, a sleep, a condition. It is what schedulers see: they say when
/// it begins and when the actor goes on with its result. Lives in the coroutine's frame and leaves nothing behind when
/// that is destroyed.
class Step
{
public:
    explicit Step(Actor &actor)
        : m_actor(&actor)
    {
    }
    virtual ~Step();
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;

    Actor &actor() const { return *m_actor; }

    /// For the scheduler: do it now. Calls finish(), now or later.
    virtual void begin() = 0;
    /// For the scheduler: let the coroutine go on. May destroy this step.
    void resume();
    /// In words: "SET lock a1 NX PX 1000", "sleep 50 ms".
    virtual QString describe() const = 0;

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> program);

protected:
    /// The result is there: the scheduler may resume the coroutine, at once or later. Touch nothing afterwards.
    void finish();

private:
    Actor *m_actor;
    std::coroutine_handle<> m_program;
    bool m_isSuspending = false;
    bool m_isResumed = false;
};

/// Decides when steps begin and when actors go on.
class Scheduler
{
public:
    virtual ~Scheduler() = default;

    /// The actor came to @p step.
    virtual void reached(Step &step) = 0;
    /// The result of @p step is there.
    virtual void finished(Step &step) = 0;
    /// @p step is being destroyed, whatever its state.
    virtual void forget(Step &step) = 0;
};

/// Everything at once, as in life: steps begin when they are reached, and actors go on when the result is there, unless
/// they are paused.
class RealTimeScheduler : public Scheduler
{
public:
    void reached(Step &step) override;
    void finished(Step &step) override;
    void forget(Step &step) override;
};

}
