// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/limiternote.h"
#include "widgets/limiters/decisionseries.h"

#include <QStringList>

namespace interlock {

/// One row of the charts: a limiter, or a defect with its correct twin beneath it.
struct LimiterRow
{
    size_t series = 0;
    std::optional<size_t> twin; ///< the correct one that `series` is drawn over

    bool operator==(const LimiterRow &) const = default;
};

/// All decisions of a run by limiter. Only this knows events; no window in sight.
class LimiterRecord
{
public:
    static constexpr size_t all = std::numeric_limits<size_t>::max();

    /// Takes at most so many more of the run's events; whether there are yet more. The run is the same one each time, grown.
    bool extend(const Run &run, size_t most = all);

    const std::vector<DecisionSeries> &series() const { return m_series; }
    qint64 last() const; ///< ns on the axis: the last decision
    /// Rows for the limiters whose names are not in @p hidden, in the order of the header.
    std::vector<LimiterRow> rows(const QStringList &hidden) const;

    struct Place
    {
        size_t series = 0;
        size_t point = 0;

        bool operator==(const Place &) const = default;
    };
    /// Where an event stands; nothing if it is no decision of the traffic.
    std::optional<Place> find(const Run &run, size_t event) const;
    /// The same request's decision by another limiter: it was due at the same time, or decided for the same; nothing if neither is known.
    std::optional<Place> sameRequest(const Run &run, Place place, size_t series) const;
    /// What an experiment noted of a limiter; see limiternote.h.
    std::optional<qint64> noted(size_t series, LimiterMeasure measure) const;

private:
    void takeLimiters(const Run &run);
    void take(const Run &run, size_t index);
    std::optional<size_t> seriesNamed(const QString &name) const;
    size_t seriesOf(const Run &run, Name limiter);
    qint64 timeOf(const Event &event, const DecisionFigures &figures) const;

    std::vector<DecisionSeries> m_series;
    std::vector<std::array<std::optional<qint64>, limiterMeasureWords.size()>> m_noted; // by series
    std::unordered_map<Name, size_t> m_numbers; // series by its name in the run
    size_t m_taken = 0; // events
    qint64 m_origin = 0; // ns: what the axis calls zero on a clock that passes for a real one
    bool m_hasOrigin = false;
};

/// Whether a decision was made on a clock of its own, such as a trace's, and not on the server's or on one that should agree with it.
bool isOnTraceClock(const DecisionFigures &figures);

/// What a limiter is measured against: what the run's check of trailing windows says; else its own window and limit; else, for
/// a bucket, what its rate gives in the window that most of the others have, or in the time that fills it.
LimiterBasis basisOf(const LimiterInfo &info, const Header &header);

}
