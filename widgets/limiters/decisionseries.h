// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/limiters/admissiontrail.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace interlock {

/// One decision of a limiter, with the sums of all up to it.
struct DecisionPoint
{
    qint64 time = 0; ///< ns on the axis of the charts
    qint64 cost = 0;
    qint64 admitted = 0; ///< cost of all up to this one, this one too
    qint64 rejected = 0;
    qint64 failed = 0;
    quint32 event = 0; ///< index into Run::events
    LimiterAnswer answer = LimiterAnswer::Failed;
    qint64 level = 0; ///< as recorded, in parts
};

/// Sums of the decisions in one interval.
struct DecisionBin
{
    qint64 admitted = 0;
    qint64 rejected = 0;
    qint64 failed = 0;

    bool operator==(const DecisionBin &) const = default;
};

/// What a line does within one column of pixels.
struct LineColumn
{
    bool isEmpty = true; ///< nothing is known yet
    qint64 least = 0;
    qint64 most = 0;
    qint64 last = 0; ///< at the column's end
};

/// The decisions of one limiter in order of time, and what charts ask of them at any zoom. Grows with a live run.
class DecisionSeries
{
public:
    explicit DecisionSeries(LimiterInfo info)
        : m_info(std::move(info))
    {
    }

    const LimiterInfo &info() const { return m_info; }
    const LimiterBasis &basis() const { return m_basis; }
    void setBasis(const LimiterBasis &basis);

    /// @param time ns on the axis. @param judged µs on the clock on which windows are measured.
    void add(const Event &event, const DecisionFigures &figures, quint32 index, qint64 time, qint64 judged);
    /// To be called when some have been added, before anything is asked.
    void settle();

    const std::vector<DecisionPoint> &points() const { return m_points; }
    qint64 requests(LimiterAnswer answer) const { return m_requests[static_cast<size_t>(answer)]; }
    qint64 last() const { return m_points.empty() ? 0 : m_points.back().time; } ///< ns

    /// The sums of [from + i × step, from + (i + 1) × step), ns. Takes time in proportion to @p count, not to the decisions.
    std::vector<DecisionBin> bins(qint64 from, qint64 step, size_t count) const;
    /// The inner level, in the limiter's parts, for columns of that many ns each.
    std::vector<LineColumn> levels(double from, double perColumn, size_t count) const;
    /// The cost admitted in the window that ends at each time, of the limited thing that had most of it.
    std::vector<LineColumn> trailing(double from, double perColumn, size_t count) const;
    /// The limited thing that had most in a window; null if nothing was admitted.
    const AdmissionTrail *busiest() const { return m_busiest; }
    size_t things() const { return m_trails.size(); } ///< limited things of which something was admitted

    /// The index of the point nearest to a time that is at most @p tolerance ns away; @p answer: only those.
    std::optional<size_t> nearest(qint64 time, qint64 tolerance, std::optional<LimiterAnswer> answer = {}) const;
    /// The index of an event's point.
    std::optional<size_t> pointOf(quint32 event, qint64 time) const;
    bool hasWindowEdges() const;
    /// Whether its inner level says something beyond what the windows say: that of a bucket does.
    bool hasLevel() const;
    /// Where its windows begin, ns on the axis, within [from, to]; empty if it has none, or if they are more than @p most.
    std::vector<qint64> windowEdges(double from, double to, size_t most) const;

private:
    void countFrom(size_t index);

    LimiterInfo m_info;
    LimiterBasis m_basis;
    std::vector<DecisionPoint> m_points; // in order of time up to m_settled
    size_t m_settled = 0;
    std::array<qint64, 3> m_requests {};
    Peaks m_levels;
    Peaks m_lows; // the levels below zero: their largest is the least level
    std::unordered_map<Name, AdmissionTrail> m_trails; // by limited thing
    AdmissionTrail *m_busiest = nullptr;
    std::vector<qint64> m_hits; // ns: admissions that began a window
    std::optional<qint64> m_offset; // ns: axis = limiter's clock × 1000 + offset; none before its first answer
};

}
