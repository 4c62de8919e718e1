// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakeclock.h"

#include "engine/schedule/client.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace interlock {

Clock::TimerId FakeClock::after(Nanoseconds delay, std::function<void()> call)
{
    m_timers.emplace(m_now + std::max(delay, Nanoseconds(0)), Timer {++m_last, std::move(call)});
    return m_last;
}

void FakeClock::cancel(TimerId id)
{
    const auto found
        = std::find_if(m_timers.begin(), m_timers.end(), [&](const auto &entry) { return entry.second.id == id; });
    if (found != m_timers.end())
        m_timers.erase(found);
}

bool FakeClock::advance()
{
    if (m_timers.empty())
        return false;
    auto timer = m_timers.extract(m_timers.begin());
    m_now = std::max(m_now, timer.key());
    timer.mapped().call();
    return true;
}

void FakeClock::advanceBy(Nanoseconds duration)
{
    const Nanoseconds end = m_now + duration;
    while (!m_timers.empty() && m_timers.begin()->first <= end)
        advance();
    m_now = end;
}

void WatchingScheduler::reached(Step &step)
{
    if (dynamic_cast<CommandStep *>(&step))
        m_commands.insert(&step);
    if (dynamic_cast<SleepStep *>(&step))
        ++m_sleeps;
    RealTimeScheduler::reached(step);
}

void WatchingScheduler::finished(Step &step)
{
    m_commands.erase(&step);
    RealTimeScheduler::finished(step);
}

void WatchingScheduler::forget(Step &step)
{
    m_commands.erase(&step);
    RealTimeScheduler::forget(step);
}

bool FakeTime::pass(const std::function<bool()> &reached, Milliseconds limit)
{
    QElapsedTimer real;
    real.start();
    QTimer awake; // so that waiting for events has an end
    awake.start(10);
    while (!reached()) {
        if (real.hasExpired(limit.count()))
            return false;
        QCoreApplication::processEvents();
        if (reached())
            return true;
        if (!scheduler.isIdle() || !clock.advance())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

std::vector<Event> FakeTime::beliefs(Belief what) const
{
    std::vector<Event> found;
    for (const Event &event : recorder.events()) {
        if (event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(what))
            found.push_back(event);
    }
    return found;
}

}
