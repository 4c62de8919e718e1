// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/meters.h"
#include "engine/checks/sentences.h"
#include "engine/limiters/limiter.h"
#include "engine/run/admissions.h"

#include <algorithm>

namespace interlock {

namespace {

For microseconds(qint64 time)
{
    return {narrowed(Wide(time) * 1'000)};
}

/// A window's count begins anew with the next window: on the clock, or with the first admission after the last one's end.
class WindowMeter : public Meter
{
public:
    WindowMeter(qint64 limit, qint64 window, bool isAligned)
        : Meter(limit, 1)
        , m_window(window)
        , m_isAligned(isAligned)
    {
    }

    void admit(qint64 time, qint64 cost) override
    {
        if (time >= m_end) {
            m_used = 0;
            m_first = m_calls;
            if (cost > 0)
                m_end = m_isAligned ? (floored(time, m_window) + 1) * m_window : Wide(time) + m_window;
        }
        m_used += cost;
        ++m_calls;
    }
    Wide used() const override { return m_used; }
    size_t first() const override { return m_first; }
    Sentence tellExcess(const Reading &reading) const override
    {
        return say("bound.window", reading.who, units(m_used), reading.from, reading.to, limit());
    }
    Sentence tellMost(const QString &who, qint64 most) const override { return say("bound.window.held", who, most, limit()); }

private:
    qint64 m_window;
    bool m_isAligned;
    Wide m_end = std::numeric_limits<qint64>::min();
    Wide m_used = 0;
    size_t m_first = 0;
    size_t m_calls = 0;
};

class TrailingMeter : public Meter
{
public:
    TrailingMeter(qint64 limit, qint64 window)
        : Meter(limit, 1)
        , m_window(window)
        , m_sum(window)
    {
    }

    void admit(qint64 time, qint64 cost) override { m_sum.add(time, cost); }
    Wide used() const override { return m_sum.sum(); }
    size_t first() const override { return m_sum.first(); }
    Sentence tellExcess(const Reading &reading) const override
    {
        const bool isTwice = used() == 2 * allowed();
        return say(isTwice ? "bound.trailing.twice" : "bound.trailing", reading.who, units(used()), microseconds(m_window), reading.to, limit());
    }
    Sentence tellMost(const QString &who, qint64 most) const override
    {
        return say("bound.trailing.held", who, most, microseconds(m_window), limit());
    }

private:
    qint64 m_window;
    TrailingSum m_sum;
};

/// The last window's count, weighted by the share of it that a window ending now still covers, and this window's.
class CounterMeter : public Meter
{
public:
    CounterMeter(qint64 limit, qint64 window)
        : Meter(Wide(limit) * window, window)
        , m_window(window)
    {
    }

    void admit(qint64 time, qint64 cost) override
    {
        const Wide index = floored(time, m_window);
        if (index != m_index || m_calls == 0) {
            const bool isNext = m_calls > 0 && index == m_index + 1;
            m_before = isNext ? m_now : 0;
            m_firstBefore = isNext ? m_firstNow : m_calls;
            m_now = 0;
            m_firstNow = m_calls;
            m_index = index;
        }
        m_left = (index + 1) * m_window - time;
        m_now += cost;
        ++m_calls;
    }
    Wide used() const override { return m_before * m_left + m_now * m_window; }
    size_t first() const override { return m_firstBefore; }
    Sentence tellExcess(const Reading &reading) const override
    {
        return say("bound.counter", reading.who, reading.to, narrowed(m_before), narrowed(m_now), units(used()), limit());
    }
    Sentence tellMost(const QString &who, qint64 most) const override { return say("bound.counter.held", who, most, limit()); }

private:
    qint64 m_window;
    Wide m_index = 0;
    Wide m_before = 0;
    Wide m_now = 0;
    Wide m_left = 0;
    size_t m_firstBefore = 0;
    size_t m_firstNow = 0;
    size_t m_calls = 0;
};

/// A bucket that fills with every admission and drains at the rate: it is above its capacity exactly if some interval that ends
/// now admitted more than capacity + rate × T, and the worst such interval began when the bucket was last empty.
class BucketMeter : public Meter
{
public:
    BucketMeter(qint64 capacity, Rate rate)
        : Meter(Wide(capacity) * rate.period, rate.period)
        , m_rate(rate)
    {
    }

    void admit(qint64 time, qint64 cost) override
    {
        m_level -= (Wide(time) - m_last) * m_rate.amount;
        if (m_level <= 0 || m_calls == 0) {
            m_level = 0;
            m_sum = 0;
            m_first = m_calls;
        }
        m_last = time;
        m_level += Wide(cost) * m_rate.period;
        m_sum += cost;
        ++m_calls;
    }
    Wide used() const override { return m_level; }
    size_t first() const override { return m_first; }
    Sentence tellExcess(const Reading &reading) const override
    {
        if (reading.length.ns == 0)
            return say("bound.bucket.burst", reading.who, narrowed(m_sum), reading.to, limit());
        const Wide length = reading.length.ns / 1'000;
        const Wide allows = (allowed() + length * m_rate.amount) / parts();
        return say("bound.bucket", reading.who, narrowed(m_sum), reading.length, reading.to, narrowed(allows));
    }
    Sentence tellMost(const QString &who, qint64 most) const override { return say("bound.bucket.held", who, most, limit()); }

private:
    Rate m_rate;
    Wide m_level = 0;
    Wide m_last = 0;
    Wide m_sum = 0;
    size_t m_first = 0;
    size_t m_calls = 0;
};

/// The bucket of now and those before it that make a window together. As a trailing window over the buckets' numbers.
class SlicedMeter : public Meter
{
public:
    SlicedMeter(qint64 limit, qint64 width, qint64 buckets)
        : Meter(limit, 1)
        , m_width(width)
        , m_buckets(buckets)
        , m_sum(buckets)
    {
    }

    void admit(qint64 time, qint64 cost) override { m_sum.add(narrowed(floored(time, m_width)), cost); }
    Wide used() const override { return m_sum.sum(); }
    size_t first() const override { return m_sum.first(); }
    Sentence tellExcess(const Reading &reading) const override
    {
        return say("bound.sliced", reading.who, units(used()), m_buckets, reading.to, limit());
    }
    Sentence tellMost(const QString &who, qint64 most) const override { return say("bound.sliced.held", who, most, m_buckets, limit()); }

private:
    qint64 m_width;
    qint64 m_buckets;
    TrailingSum m_sum;
};

/// How fast a bucket regains room; nothing for a window.
std::optional<Rate> rateOf(const Limiter &limiter)
{
    if (limiter.id() == QLatin1String("gcra"))
        return Rate {1, limiter.settings().number(QStringLiteral("interval"))};
    if (limiter.id() == QLatin1String("token-bucket") || limiter.id() == QLatin1String("leaky-bucket"))
        return limiter.settings().rate(QStringLiteral("rate"));
    return {};
}

/// Do its windows begin at multiples of their length?
bool isOnClock(const Limiter &limiter)
{
    return limiter.id() == QLatin1String("sliding-counter")
        || (limiter.id() == QLatin1String("fixed-window") && limiter.settings().word(QStringLiteral("start")) == QLatin1String("aligned"));
}

std::unique_ptr<Meter> meterOf(const Limiter &limiter)
{
    const Settings &settings = limiter.settings();
    const QString id = limiter.id();
    const qint64 limit = limiter.limit();
    if (id == QLatin1String("leaky-bucket") && settings.word(QStringLiteral("mode")) == QLatin1String("queue"))
        return nullptr;
    if (const std::optional<Rate> rate = rateOf(limiter))
        return std::make_unique<BucketMeter>(limit, *rate);
    const qint64 window = settings.number(QStringLiteral("window"));
    if (id == QLatin1String("fixed-window"))
        return std::make_unique<WindowMeter>(limit, window, isOnClock(limiter));
    if (id == QLatin1String("sliding-counter"))
        return std::make_unique<CounterMeter>(limit, window);
    if (id == QLatin1String("sliding-window")) {
        const qint64 buckets = settings.number(QStringLiteral("buckets"));
        return std::make_unique<SlicedMeter>(limit, window / buckets, buckets);
    }
    Q_ASSERT(id == QLatin1String("sliding-log"));
    return trailingMeter(limit, window);
}

}

std::unique_ptr<Meter> trailingMeter(qint64 limit, qint64 window)
{
    return std::make_unique<TrailingMeter>(limit, window);
}

Result<std::unique_ptr<Meter>> ownMeter(const LimiterInfo &info)
{
    const Result<Limiter> limiter = Limiter::make(info.algorithm, info.values);
    if (!limiter)
        return limiter.error();
    return meterOf(*limiter);
}

std::optional<Wide> roomWithin(const LimiterInfo &info, qint64 limit, qint64 first, qint64 last)
{
    const Result<Limiter> limiter = Limiter::make(info.algorithm, info.values);
    const Wide length = Wide(last) - first;
    if (!limiter || length == 0)
        return limit;
    if (const std::optional<Rate> rate = rateOf(*limiter))
        return limit + length * rate->amount / rate->period;
    const Settings &settings = limiter->settings();
    const qint64 window = settings.number(QStringLiteral("window"));
    bool isWithin = length < window;
    if (isOnClock(*limiter)) {
        isWithin = floored(first, window) == floored(last, window);
    } else if (limiter->id() == QLatin1String("sliding-window")) {
        const qint64 buckets = settings.number(QStringLiteral("buckets"));
        isWithin = floored(last, window / buckets) - floored(first, window / buckets) < buckets;
    }
    return isWithin ? std::optional<Wide>(limit) : std::nullopt;
}

}
