// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterrecord.h"

#include "engine/limiters/limiter.h"

#include <algorithm>
#include <map>
#include <set>

namespace interlock {

namespace {

__extension__ typedef __int128 Wide;

/// What the run's check of trailing windows holds this limiter to, if it says so itself.
std::optional<LimiterBasis> promisedBasis(const QString &limiter, const Header &header)
{
    for (const CheckUse &use : header.checks) {
        std::map<QString, QString> values;
        for (const auto &[name, value] : use.arguments)
            values[name] = value;
        const QString whose = values[QStringLiteral("limiter")];
        if (use.check != QLatin1String("limiter-bound") || values[QStringLiteral("bound")] != QLatin1String("trailing") || !(whose.isEmpty() || whose == limiter))
            continue;
        const LimiterBasis basis {values[QStringLiteral("window")].toLongLong(), values[QStringLiteral("limit")].toLongLong()};
        if (basis.window > 0 && basis.quota > 0)
            return basis;
    }
    return {};
}

/// The window that most of the limiters have; µs, 0 if none has one.
qint64 commonWindow(const Header &header)
{
    std::map<qint64, int> votes;
    qint64 common = 0;
    for (const LimiterInfo &info : header.limiters) {
        if (info.window > 0 && ++votes[info.window] > (common == 0 ? 0 : votes[common]))
            common = info.window;
    }
    return common;
}

/// How fast a bucket refills.
std::optional<Rate> rateOf(const LimiterInfo &info)
{
    const Result<Limiter> limiter = Limiter::make(info.algorithm, info.values);
    if (!limiter)
        return {};
    for (const Setting &setting : limiter->settings().declared()) {
        if (setting.type == Setting::Type::Rate)
            return limiter->settings().rate(setting.name);
        if (setting.name == QLatin1String("interval"))
            return Rate {1, limiter->settings().number(setting.name)};
    }
    return {};
}

}

bool isOnTraceClock(const DecisionFigures &figures)
{
    constexpr qint64 hour = 3'600'000'000; // µs: callers' clocks are not wrong by more
    return figures.asked != never && std::abs(figures.asked - figures.serverTime) > hour;
}

LimiterBasis basisOf(const LimiterInfo &info, const Header &header)
{
    if (const std::optional<LimiterBasis> promised = promisedBasis(info.name, header))
        return *promised;
    if (info.window > 0)
        return {info.window, info.limit};
    const std::optional<Rate> rate = rateOf(info);
    if (!rate)
        return {0, info.limit};
    if (const qint64 window = commonWindow(header))
        return {window, static_cast<qint64>(Wide(window) * rate->amount / rate->period)};
    return {static_cast<qint64>((Wide(info.limit) * rate->period + rate->amount - 1) / rate->amount), info.limit};
}

bool LimiterRecord::extend(const Run &run, size_t most)
{
    takeLimiters(run);
    const size_t end = m_taken + std::min(most, run.events.size() - m_taken);
    for (; m_taken < end; ++m_taken)
        take(run, m_taken);
    for (DecisionSeries &series : m_series)
        series.settle();
    return m_taken < run.events.size();
}

void LimiterRecord::takeLimiters(const Run &run)
{
    const auto known = m_series.size();
    for (const LimiterInfo &info : run.header.limiters) {
        if (!seriesNamed(info.name))
            m_series.emplace_back(info);
    }
    m_noted.resize(m_series.size());
    if (m_series.size() == known)
        return;
    for (DecisionSeries &series : m_series)
        series.setBasis(basisOf(series.info(), run.header)); // a new one can change the common window
}

std::optional<size_t> LimiterRecord::seriesNamed(const QString &name) const
{
    const auto at = std::find_if(m_series.begin(), m_series.end(), [&](const DecisionSeries &series) { return series.info().name == name; });
    return at == m_series.end() ? std::nullopt : std::optional(static_cast<size_t>(at - m_series.begin()));
}

size_t LimiterRecord::seriesOf(const Run &run, Name limiter)
{
    if (const auto known = m_numbers.find(limiter); known != m_numbers.end())
        return known->second;
    const QString name = run.text(limiter);
    const size_t number = seriesNamed(name).value_or(m_series.size());
    if (number == m_series.size()) { // of a record that does not say which limiters it has
        LimiterInfo info;
        info.name = name;
        info.title = name;
        m_series.emplace_back(info);
        m_noted.resize(m_series.size());
    }
    m_numbers[limiter] = number;
    return number;
}

void LimiterRecord::take(const Run &run, size_t index)
{
    const Event &event = run.events[index];
    if (const std::optional<LimiterMeasure> measure = limiterMeasure(run, event)) {
        m_noted[seriesOf(run, event.key)][static_cast<size_t>(*measure)] = event.number;
        return;
    }
    const DecisionFigures *figures = run.figures(event);
    if (!figures || event.has(Event::Touched)) // probes are no part of the traffic
        return;
    const bool isTrace = isOnTraceClock(*figures);
    if (isTrace && !m_hasOrigin) {
        constexpr qint64 month = 31LL * 24 * 3600 * 1'000'000'000; // ns: a clock that began with the trace has not come so far
        const qint64 first = decisionTime(event, *figures);
        m_origin = first > month ? first : 0;
        m_hasOrigin = true;
    }
    const qint64 judged = !isTrace && figures->serverTime > 0 ? figures->serverTime : figures->now;
    m_series[seriesOf(run, event.text)].add(event, *figures, static_cast<quint32>(index), timeOf(event, *figures), judged);
}

qint64 LimiterRecord::timeOf(const Event &event, const DecisionFigures &figures) const
{
    return isOnTraceClock(figures) ? decisionTime(event, figures) - m_origin : event.at;
}

qint64 LimiterRecord::last() const
{
    qint64 last = 0;
    for (const DecisionSeries &series : m_series)
        last = std::max(last, series.last());
    return last;
}

std::vector<LimiterRow> LimiterRecord::rows(const QStringList &hidden) const
{
    const auto isShown = [&](size_t i) { return !hidden.contains(m_series[i].info().name); };
    const auto twinOf = [&](size_t i) {
        std::optional<size_t> twin = seriesNamed(m_series[i].info().twin);
        if (twin && (*twin == i || !isShown(*twin)))
            twin.reset();
        return twin;
    };
    std::vector<LimiterRow> rows;
    std::set<size_t> beneath;
    for (size_t i = 0; i < m_series.size(); ++i) {
        if (!isShown(i) || beneath.contains(i))
            continue;
        const std::optional<size_t> twin = twinOf(i);
        if (twin)
            beneath.insert(*twin);
        rows.push_back({i, twin});
    }
    std::erase_if(rows, [&](const LimiterRow &row) { return beneath.contains(row.series); });
    return rows;
}

std::optional<LimiterRecord::Place> LimiterRecord::find(const Run &run, size_t event) const
{
    if (event >= run.events.size())
        return {};
    const DecisionFigures *figures = run.figures(run.events[event]);
    const auto series = m_numbers.find(run.events[event].text);
    if (!figures || series == m_numbers.end())
        return {};
    const std::optional<size_t> point = m_series[series->second].pointOf(static_cast<quint32>(event), timeOf(run.events[event], *figures));
    return point ? std::optional(Place {series->second, *point}) : std::nullopt;
}

std::optional<LimiterRecord::Place> LimiterRecord::sameRequest(const Run &run, Place place, size_t series) const
{
    const DecisionPoint &known = m_series[place.series].points()[place.point];
    const Event &event = run.events[known.event];
    const DecisionFigures *figures = run.figures(event);
    const std::vector<DecisionPoint> &points = m_series[series].points();
    const auto isSame = [&](const DecisionPoint &point) {
        const Event &other = run.events[point.event];
        const DecisionFigures *theirs = run.figures(other);
        if (!figures || !theirs || other.key != event.key || theirs->cost != figures->cost)
            return false;
        return figures->asked != never ? theirs->asked == figures->asked : event.sent != never && other.sent == event.sent;
    };
    // Requests of one moment come in one order: look at the same place first, then beside it.
    constexpr size_t reach = 200;
    for (size_t distance = 0; distance < reach; ++distance) {
        if (place.point + distance < points.size() && isSame(points[place.point + distance]))
            return Place {series, place.point + distance};
        if (distance <= place.point && place.point - distance < points.size() && isSame(points[place.point - distance]))
            return Place {series, place.point - distance};
    }
    return {};
}

std::optional<qint64> LimiterRecord::noted(size_t series, LimiterMeasure measure) const
{
    return m_noted[series][static_cast<size_t>(measure)];
}

}
