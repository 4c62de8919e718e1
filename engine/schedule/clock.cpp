// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/clock.h"

#include <QTimer>

#include <map>
#include <unordered_map>

namespace interlock {

/// All timers of a thread behind one QTimer, which is set to the earliest of them.
class RealClock::Impl : public QTimer
{
public:
    Impl()
    {
        setSingleShot(true);
        setTimerType(Qt::PreciseTimer);
        connect(this, &QTimer::timeout, this, &Impl::fire);
    }

    TimerId add(Nanoseconds delay, std::function<void()> call)
    {
        const Due due {monotonicNow() + std::max(delay, Nanoseconds(0)), ++m_last};
        const auto place = m_calls.emplace(due, std::move(call)).first;
        m_dues.emplace(due.id, due);
        if (place == m_calls.begin())
            aim();
        return due.id;
    }

    void remove(TimerId id)
    {
        const auto known = m_dues.find(id);
        if (known == m_dues.end())
            return;
        m_calls.erase(known->second);
        m_dues.erase(known); // the QTimer may fire too early now, which does no harm
    }

private:
    struct Due
    {
        Nanoseconds at;
        TimerId id;
        auto operator<=>(const Due &) const = default;
    };

    void aim()
    {
        if (m_calls.empty())
            return;
        const auto left = std::max(m_calls.begin()->first.at - monotonicNow(), Nanoseconds(0));
        // A QTimer counts to 24 days; a longer wait is aimed at again when this one has passed.
        start(std::min(std::chrono::ceil<Milliseconds>(left), Milliseconds(24h)));
    }

    void fire()
    {
        // Only what is due by now: a call that asks for another turn of the loop gets one.
        const Nanoseconds now = monotonicNow();
        const TimerId newest = m_last;
        while (!m_calls.empty() && m_calls.begin()->first.at <= now && m_calls.begin()->first.id <= newest) {
            auto node = m_calls.extract(m_calls.begin());
            m_dues.erase(node.key().id);
            node.mapped()();
        }
        aim();
    }

    std::map<Due, std::function<void()>> m_calls;
    std::unordered_map<TimerId, Due> m_dues;
    TimerId m_last = 0;
};

RealClock::RealClock()
    : m_impl(std::make_unique<Impl>())
{
}

RealClock::~RealClock() = default;

Clock::TimerId RealClock::after(Nanoseconds delay, std::function<void()> call)
{
    return m_impl->add(delay, std::move(call));
}

void RealClock::cancel(TimerId id)
{
    m_impl->remove(id);
}

}
