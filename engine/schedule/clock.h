// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <functional>
#include <memory>

namespace interlock {

/// Time for actors: real, or moved by a test. Belongs to one thread.
class Clock
{
public:
    using TimerId = quint64;

    virtual ~Clock() = default;

    virtual Nanoseconds now() const = 0;
    /// What this clock showed when the monotonic clock showed @p monotonic, a moment ago.
    virtual Nanoseconds at(Nanoseconds monotonic) const = 0;
    /// Calls @p call once from the event loop, not before @p delay has passed (a delay of 0 or below: the next turn of the loop).
    virtual TimerId after(Nanoseconds delay, std::function<void()> call) = 0;
    /// Does nothing if the timer has fired.
    virtual void cancel(TimerId id) = 0;
};

/// The monotonic clock, on the event loop of the thread that made it.
class RealClock : public Clock
{
public:
    RealClock();
    ~RealClock() override;

    Nanoseconds now() const override { return monotonicNow(); }
    Nanoseconds at(Nanoseconds monotonic) const override { return monotonic; }
    TimerId after(Nanoseconds delay, std::function<void()> call) override;
    void cancel(TimerId id) override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
