// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/decisionseries.h"

#include "widgets/timeline/merge.h"

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

bool isEarlier(const DecisionPoint &left, const DecisionPoint &right)
{
    return left.time < right.time;
}

/// The windows or buckets that begin on the clock: how long each is, µs; 0: none do.
qint64 gridOf(const LimiterInfo &info)
{
    const auto value = [&](const char *name) {
        for (const auto &[setting, text] : info.values) {
            if (setting == QLatin1String(name))
                return text;
        }
        return QString();
    };
    if (info.algorithm == QLatin1String("sliding-window"))
        return info.window / std::max<qint64>(1, value("buckets").toLongLong());
    if (info.algorithm == QLatin1String("sliding-counter"))
        return info.window;
    return info.algorithm == QLatin1String("fixed-window") && value("start") != QLatin1String("first-hit") ? info.window : 0;
}

}

void DecisionSeries::setBasis(const LimiterBasis &basis)
{
    if (basis == m_basis)
        return;
    m_basis = basis;
    m_busiest = nullptr;
    for (auto &[key, trail] : m_trails) {
        trail.setBasis(basis);
        if (!m_busiest || trail.most() > m_busiest->most())
            m_busiest = &trail;
    }
    if (m_busiest)
        m_busiest->keepPeaks();
}

void DecisionSeries::add(const Event &event, const DecisionFigures &figures, quint32 index, qint64 time, qint64 judged)
{
    DecisionPoint point {.time = time, .cost = figures.cost, .event = index, .level = figures.level};
    point.answer = event.what <= static_cast<quint8>(LimiterAnswer::Failed) ? static_cast<LimiterAnswer>(event.what) : LimiterAnswer::Failed;
    ++m_requests[static_cast<size_t>(point.answer)];
    if (point.answer == LimiterAnswer::Failed) {
        point.level = m_points.empty() ? 0 : m_points.back().level; // nothing was said of it
        m_points.push_back(point);
        return;
    }
    m_points.push_back(point);
    const qint64 offset = time - figures.now * 1'000;
    m_offset = std::max(m_offset.value_or(offset), offset); // sent before it was decided: the least late comes nearest
    if (point.answer != LimiterAnswer::Admitted)
        return;
    if (figures.level == figures.cost && figures.resetAfter == m_info.window)
        m_hits.push_back(time);
    const auto [trail, isNew] = m_trails.try_emplace(event.key);
    if (isNew)
        trail->second.setBasis(m_basis);
    trail->second.admit(judged, time, figures.cost, index);
    if (!m_busiest || trail->second.most() > m_busiest->most()) {
        m_busiest = &trail->second;
        m_busiest->keepPeaks();
    }
}

void DecisionSeries::settle()
{
    if (m_settled == m_points.size())
        return;
    const auto added = m_points.begin() + static_cast<std::ptrdiff_t>(m_settled);
    std::stable_sort(added, m_points.end(), isEarlier);
    const auto changed = std::upper_bound(m_points.begin(), added, *added, isEarlier);
    std::inplace_merge(changed, added, m_points.end(), isEarlier);
    countFrom(static_cast<size_t>(changed - m_points.begin()));
    m_settled = m_points.size();
}

void DecisionSeries::countFrom(size_t index)
{
    DecisionPoint before = index == 0 ? DecisionPoint {} : m_points[index - 1];
    m_levels.truncate(std::min(index, m_levels.size()));
    m_lows.truncate(std::min(index, m_lows.size()));
    for (size_t i = index; i < m_points.size(); ++i) {
        DecisionPoint &point = m_points[i];
        point.admitted = before.admitted + (point.answer == LimiterAnswer::Admitted ? point.cost : 0);
        point.rejected = before.rejected + (point.answer == LimiterAnswer::Rejected ? point.cost : 0);
        point.failed = before.failed + (point.answer == LimiterAnswer::Failed ? point.cost : 0);
        m_levels.push(point.level);
        m_lows.push(-point.level);
        before = point;
    }
}

std::vector<DecisionBin> DecisionSeries::bins(qint64 from, qint64 step, size_t count) const
{
    std::vector<DecisionBin> bins(count);
    auto at = std::partition_point(m_points.begin(), m_points.end(), [&](const DecisionPoint &point) { return point.time < from; });
    DecisionPoint before = at == m_points.begin() ? DecisionPoint {} : *std::prev(at);
    for (size_t i = 0; i < count && at != m_points.end(); ++i) {
        const qint64 end = from + static_cast<qint64>(i + 1) * step;
        const auto next = detail::gallop(at, m_points.end(), [&](const DecisionPoint &point) { return point.time < end; });
        if (next == at)
            continue;
        const DecisionPoint &upTo = *std::prev(next);
        bins[i] = {upTo.admitted - before.admitted, upTo.rejected - before.rejected, upTo.failed - before.failed};
        before = upTo;
        at = next;
    }
    return bins;
}

std::vector<LineColumn> DecisionSeries::levels(double from, double perColumn, size_t count) const
{
    std::vector<LineColumn> columns(count);
    const auto begin = m_points.begin();
    auto at = std::partition_point(begin, m_points.end(), [&](const DecisionPoint &point) { return static_cast<double>(point.time) < from; });
    for (size_t i = 0; i < count; ++i) {
        const double end = from + static_cast<double>(i + 1) * perColumn;
        const auto next = detail::gallop(at, m_points.end(), [&](const DecisionPoint &point) { return static_cast<double>(point.time) < end; });
        if (next == begin)
            continue;
        LineColumn &column = columns[i];
        column = {false, std::prev(next)->level, std::prev(next)->level, std::prev(next)->level};
        if (next != at) {
            const auto first = static_cast<size_t>(at - begin), last = static_cast<size_t>(next - begin);
            column.most = m_levels.most(first, last);
            column.least = -m_lows.most(first, last);
        }
        at = next;
    }
    return columns;
}

std::vector<LineColumn> DecisionSeries::trailing(double from, double perColumn, size_t count) const
{
    std::vector<LineColumn> columns(count);
    if (!m_busiest || m_basis.window == 0)
        return columns;
    using Entry = AdmissionTrail::Entry;
    const std::vector<Entry> &entries = m_busiest->entries();
    const Peaks &peaks = *m_busiest->peaks();
    const double window = static_cast<double>(m_basis.window) * 1e3;
    const auto startOf = [&](double time, bool isInclusive) {
        return std::partition_point(entries.begin(), entries.end(), [&](const Entry &entry) {
            const auto at = static_cast<double>(entry.time);
            return isInclusive ? at <= time : at < time;
        });
    };
    auto at = startOf(from, false);
    auto gone = startOf(from - window, true);
    for (size_t i = 0; i < count; ++i) {
        const double end = from + static_cast<double>(i + 1) * perColumn;
        const auto next = detail::gallop(at, entries.end(), [&](const Entry &entry) { return static_cast<double>(entry.time) < end; });
        if (next == entries.begin())
            continue;
        if (gone < next) // else a clock was put back, and times are not quite in order
            gone = detail::gallop(gone, next, [&](const Entry &entry) { return static_cast<double>(entry.time) <= end - window; });
        const Entry &newest = *std::prev(next);
        const qint64 left = newest.total - (gone == entries.begin() ? 0 : std::prev(gone)->total);
        LineColumn &column = columns[i];
        // The axis may be a little beside the limiter's clock: between two admissions the sum only falls.
        column.last = std::clamp<qint64>(left, 0, newest.trailing);
        column = {false, column.last, column.last, column.last};
        if (next != at)
            column.most = std::max(column.most, peaks.most(static_cast<size_t>(at - entries.begin()), static_cast<size_t>(next - entries.begin())));
        at = next;
    }
    return columns;
}

std::optional<size_t> DecisionSeries::nearest(qint64 time, qint64 tolerance, std::optional<LimiterAnswer> answer) const
{
    const auto middle = std::partition_point(m_points.begin(), m_points.end(), [&](const DecisionPoint &point) { return point.time < time; });
    const auto fits = [&](const DecisionPoint &point) { return !answer || point.answer == *answer; };
    std::optional<size_t> best;
    qint64 distance = tolerance;
    for (auto it = middle; it != m_points.end() && it->time - time <= distance; ++it) {
        if (fits(*it)) {
            best = static_cast<size_t>(it - m_points.begin());
            distance = it->time - time;
            break;
        }
    }
    for (auto it = middle; it != m_points.begin() && time - std::prev(it)->time <= distance; --it) {
        if (fits(*std::prev(it)))
            return static_cast<size_t>(it - m_points.begin()) - 1;
    }
    return best;
}

std::optional<size_t> DecisionSeries::pointOf(quint32 event, qint64 time) const
{
    auto it = std::partition_point(m_points.begin(), m_points.end(), [&](const DecisionPoint &point) { return point.time < time; });
    for (; it != m_points.end() && it->time == time; ++it) {
        if (it->event == event)
            return static_cast<size_t>(it - m_points.begin());
    }
    return {};
}

bool DecisionSeries::hasWindowEdges() const
{
    return gridOf(m_info) > 0 ? m_offset.has_value() : m_info.algorithm == QLatin1String("fixed-window") && !m_hits.empty();
}

bool DecisionSeries::hasLevel() const
{
    return m_info.window == 0 && !m_points.empty();
}

std::vector<qint64> DecisionSeries::windowEdges(double from, double to, size_t most) const
{
    std::vector<qint64> edges;
    const qint64 grid = gridOf(m_info) * 1'000;
    if (grid == 0) {
        if (m_info.algorithm == QLatin1String("fixed-window")) {
            for (const qint64 hit : m_hits) {
                if (static_cast<double>(hit) >= from && static_cast<double>(hit) <= to)
                    edges.push_back(hit);
            }
        }
    } else if (m_offset && (to - from) / static_cast<double>(grid) <= static_cast<double>(most)) {
        const qint64 first = (m_info.windowStart * 1'000 + *m_offset) % grid;
        const auto low = static_cast<qint64>(std::ceil((from - static_cast<double>(first)) / static_cast<double>(grid)));
        for (qint64 edge = first + low * grid; static_cast<double>(edge) <= to; edge += grid)
            edges.push_back(edge);
    }
    if (edges.size() > most)
        edges.clear();
    return edges;
}

}
