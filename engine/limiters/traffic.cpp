// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/traffic.h"

#include "engine/base/random.h"
#include "engine/base/words.h"
#include "engine/limiters/decision.h"
#include "engine/limiters/input.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

__extension__ typedef __int128 Wide;

constexpr qint64 longest = 30 * 86'400 * qint64(1'000'000); // µs
constexpr qint64 mostCallers = 10'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("Traffic", text);
}

/// When requests come: collects times until one is past the end, or there are too many.
class Times
{
public:
    explicit Times(qint64 duration)
        : m_duration(duration)
    {
    }

    /// False: no more are wanted.
    bool add(Wide at)
    {
        if (at >= m_duration)
            return false;
        if (static_cast<qint64>(m_times.size()) == mostRequests) {
            m_isOverfull = true;
            return false;
        }
        m_times.push_back(static_cast<qint64>(at));
        return true;
    }
    bool isOverfull() const { return m_isOverfull; }
    const std::vector<qint64> &times() const { return m_times; }

private:
    qint64 m_duration;
    bool m_isOverfull = false;
    std::vector<qint64> m_times;
};

/// When so many requests have come at this rate: µs, rounded down.
Wide timeOf(Wide requests, Rate rate)
{
    return requests * rate.period / rate.amount;
}

/// Exponentially distributed with mean 1, in parts of 2^-32, by comparisons of whole numbers alone: von Neumann, "Various
/// techniques used in connection with random digits", 1951. A logarithm could differ in its last digit between systems.
///
/// A number x in [0, 1) begins a row of numbers that falls for n steps. That n is odd has the probability e^-x, so x is then
/// the part behind the point; each even row, of probability 1/e, adds 1 before it.
Wide exponential(Random &random)
{
    for (Wide whole = 0;; ++whole) {
        const quint64 first = random.next();
        quint64 last = first;
        int length = 1;
        for (quint64 next = random.next(); next < last; next = random.next()) {
            last = next;
            ++length;
        }
        if (length % 2 == 1)
            return (whole << 32) + (first >> 32);
    }
}

void steady(const TrafficPlan &traffic, Random &, Times &times)
{
    for (qint64 i = 0; times.add(timeOf(i, traffic.rate));)
        ++i;
}

void burst(const TrafficPlan &traffic, Random &, Times &times)
{
    for (qint64 i = 0; times.add(Wide(i / traffic.burst) * traffic.window);)
        ++i;
}

/// With 100 at once, 10 a second and a window of 60 s: 100 at 59.9 s, then one each 0.1 s from 60 s on.
void boundaryBurst(const TrafficPlan &traffic, Random &, Times &times)
{
    const qint64 step = (traffic.rate.period + traffic.rate.amount - 1) / traffic.rate.amount;
    for (qint64 i = 0; i < traffic.burst; ++i) {
        if (!times.add(std::max<qint64>(0, traffic.window - step)))
            return;
    }
    for (qint64 i = 0; times.add(traffic.window + timeOf(i, traffic.rate));)
        ++i;
}

void poisson(const TrafficPlan &traffic, Random &random, Times &times)
{
    Wide gaps = 0;
    do
        gaps += exponential(random);
    while (times.add(timeOf(gaps, traffic.rate) >> 32));
}

/// The rate at t is rate × t ÷ duration, so k requests have come when rate × t² = 2 × k × duration.
void ramp(const TrafficPlan &traffic, Random &, Times &times)
{
    Wide at = 0;
    for (qint64 k = 1;; ++k) {
        const Wide square = (2 * Wide(k) * traffic.duration * traffic.rate.period + traffic.rate.amount - 1) / traffic.rate.amount;
        Wide high = traffic.duration;
        while (at < high) { // the first time that is late enough
            const Wide middle = at + (high - at) / 2;
            if (middle * middle >= square)
                high = middle;
            else
                at = middle + 1;
        }
        if (!times.add(at))
            return;
    }
}

void onOff(const TrafficPlan &traffic, Random &random, Times &times)
{
    const auto phase = [&] { return (exponential(random) * traffic.window >> 32) + 1; };
    for (Wide begin = 0; begin < traffic.duration;) {
        const Wide end = begin + phase();
        for (qint64 i = 0; begin + timeOf(i, traffic.rate) < end; ++i) {
            if (!times.add(begin + timeOf(i, traffic.rate)))
                return;
        }
        begin = end + phase();
    }
}

struct Maker
{
    TrafficShape shape;
    void (*make)(const TrafficPlan &traffic, Random &random, Times &times);
};

const QList<Maker> &makers()
{
    static const QList<Maker> all {
        {{QStringLiteral("steady"), tr("Steady"), tr("One request after another at the rate.")}, steady},
        {{QStringLiteral("burst"), tr("Burst"), tr("Many at once at the beginning of each window."), true, true}, burst},
        {{QStringLiteral("boundary-burst"), tr("Boundary burst"),
             tr("Many at once just before the first window ends, then one after another at the rate."), true, true},
            boundaryBurst},
        {{QStringLiteral("poisson"), tr("Poisson"), tr("At random, independent of each other, at the rate on average."), false, false, true}, poisson},
        {{QStringLiteral("ramp"), tr("Ramp"), tr("More and more often, from nothing to the rate.")}, ramp},
        {{QStringLiteral("on-off"), tr("On and off"),
             tr("At the rate and not at all by turns, each for a random time that is a window on average."), false, true, true},
            onOff},
    };
    return all;
}

Result<void> checkNumbers(const TrafficPlan &traffic)
{
    const auto isIn = [](qint64 number, qint64 least, qint64 most) { return number >= least && number <= most; };
    const auto refused = [](const QString &sentence) { return Error {Error::Kind::Invalid, sentence}; };
    if (!isIn(traffic.duration, 1, longest) || !isIn(traffic.window, 1, longest))
        return refused(tr("Traffic and its windows last from 1 µs to 30 days."));
    if (!isIn(traffic.rate.amount, 1, mostNumber) || traffic.rate.period < 1)
        return refused(tr("The rate of traffic is above 0."));
    if (!isIn(traffic.burst, 1, mostRequests))
        return refused(tr("From 1 to %1 requests can come at once, not %2.").arg(mostRequests).arg(traffic.burst));
    if (!isIn(traffic.callers, 1, mostCallers))
        return refused(tr("Traffic comes from 1 to %1 callers, not from %2.").arg(mostCallers).arg(traffic.callers));
    if (!isIn(traffic.cost, 0, mostNumber))
        return refused(tr("A request costs from 0 to %1, not %2.").arg(mostNumber).arg(traffic.cost));
    return {};
}

Trace traceOf(const std::vector<qint64> &times, const TrafficPlan &traffic, Random &random)
{
    Trace trace;
    KeyTable keys;
    for (const qint64 at : times) {
        const quint64 caller = traffic.callers > 1 ? random.below(static_cast<quint64>(traffic.callers)) : 0;
        trace.rows.push_back({at, traffic.cost, keys.indexOf("caller-" + QByteArray::number(caller + 1))});
    }
    trace.keys = keys.take();
    return trace;
}

}

const QList<TrafficShape> &trafficShapes()
{
    static const QList<TrafficShape> all = [] {
        QList<TrafficShape> shapes;
        for (const Maker &maker : makers())
            shapes.append(maker.shape);
        return shapes;
    }();
    return all;
}

Result<Trace> makeTraffic(const TrafficPlan &traffic)
{
    QStringList known;
    void (*make)(const TrafficPlan &, Random &, Times &) = nullptr;
    for (const Maker &maker : makers()) {
        known.append(maker.shape.id);
        if (maker.shape.id == traffic.shape)
            make = maker.make;
    }
    if (!make)
        return Error {Error::Kind::Invalid,
            tr("There is no traffic named “%1”.%2 There are %3.").arg(traffic.shape, didYouMean(traffic.shape, known), listedAnd(known))};
    if (const Result<void> fits = checkNumbers(traffic); !fits)
        return fits.error();
    Random random(traffic.seed);
    Times times(traffic.duration);
    make(traffic, random, times);
    if (times.isOverfull())
        return Error {Error::Kind::Invalid,
            tr("These are more than %1 requests. Choose a lower rate, smaller bursts or a shorter time.").arg(mostRequests)};
    return traceOf(times.times(), traffic, random);
}

}
