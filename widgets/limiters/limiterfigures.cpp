// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterfigures.h"

#include "engine/run/waits.h"

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

std::optional<double> unevennessOf(const std::vector<DecisionPoint> &points)
{
    double sum = 0, squares = 0;
    qint64 gaps = 0;
    std::optional<qint64> before;
    for (const DecisionPoint &point : points) {
        if (point.answer != LimiterAnswer::Admitted)
            continue;
        if (before) {
            const auto gap = static_cast<double>(point.time - *before);
            sum += gap;
            squares += gap * gap;
            ++gaps;
        }
        before = point.time;
    }
    if (gaps < 2 || sum <= 0)
        return {};
    const double mean = sum / static_cast<double>(gaps);
    return std::sqrt(std::max(0.0, squares / static_cast<double>(gaps) - mean * mean)) / mean;
}

/// The most that lies within any stretch of this length, half-open as windows are; µs.
qint64 mostWithin(const AdmissionTrail &trail, qint64 length)
{
    const std::vector<AdmissionTrail::Entry> &entries = trail.entries();
    qint64 most = 0;
    size_t first = 0;
    for (const AdmissionTrail::Entry &entry : entries) {
        while (entries[first].judged <= entry.judged - length)
            ++first;
        most = std::max(most, entry.total - (first == 0 ? 0 : entries[first - 1].total));
    }
    return most;
}

std::optional<double> forEach(std::optional<qint64> sum, size_t decisions)
{
    if (!sum || decisions == 0)
        return {};
    return static_cast<double>(*sum) / static_cast<double>(decisions);
}

/// By the order of requests: twins are asked the same ones.
std::optional<qint64> firstDifference(const DecisionSeries &one, const DecisionSeries &other)
{
    const size_t count = std::min(one.points().size(), other.points().size());
    for (size_t i = 0; i < count; ++i) {
        if (one.points()[i].answer != other.points()[i].answer)
            return one.points()[i].time;
    }
    return {};
}

}

LimiterFigures measure(const Run &run, const LimiterRecord &record, size_t number)
{
    const DecisionSeries &series = record.series()[number];
    LimiterFigures figures;
    figures.admitted = series.requests(LimiterAnswer::Admitted);
    figures.rejected = series.requests(LimiterAnswer::Rejected);
    figures.failed = series.requests(LimiterAnswer::Failed);
    figures.basis = series.basis();
    figures.unevenness = unevennessOf(series.points());
    if (const AdmissionTrail *busiest = series.busiest(); busiest && figures.basis.window > 0) {
        figures.mostInWindow = busiest->most();
        figures.mostAtOnce = mostWithin(*busiest, std::max<qint64>(1, figures.basis.window / 10));
    }
    std::vector<qint64> latencies;
    latencies.reserve(series.points().size());
    for (const DecisionPoint &point : series.points()) {
        const Event &event = run.events[point.event];
        if (event.answered != never)
            latencies.push_back(event.answered - event.at);
        if (point.answer != LimiterAnswer::Rejected)
            continue;
        const qint64 retry = run.figures(event)->retryAfter;
        if (retry == never)
            ++figures.withoutRetry;
        else
            figures.longestRetry = std::max(figures.longestRetry.value_or(0), retry);
    }
    std::sort(latencies.begin(), latencies.end());
    figures.latency50 = percentile(latencies, 50);
    figures.latency99 = percentile(latencies, 99);
    figures.commands = forEach(record.noted(number, LimiterMeasure::Commands), series.points().size());
    figures.bytes = forEach(record.noted(number, LimiterMeasure::Bytes), series.points().size());
    figures.keyBytes = record.noted(number, LimiterMeasure::KeyBytes);
    for (const LimiterRow &row : record.rows({})) {
        if (row.series == number && row.twin)
            figures.differsAt = firstDifference(series, record.series()[*row.twin]);
    }
    return figures;
}

}
