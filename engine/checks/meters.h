// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/wide.h"
#include "engine/run/run.h"
#include "engine/run/verdict.h"

#include <memory>
#include <optional>

namespace interlock {

/// What a limiter's promise counts: after every admission used() must be at most allowed(). Counts in parts, so that nothing is
/// rounded; times in µs.
class Meter
{
public:
    /// Of which admissions, by their order, a meter speaks, and the numbers that go into a sentence.
    struct Reading
    {
        QString who;
        At from; ///< the first admission that counts
        At to; ///< the last one
        For length; ///< between them
    };

    Meter(Wide allowed, Wide parts)
        : m_allowed(allowed)
        , m_parts(parts)
    {
    }
    virtual ~Meter() = default;
    Meter(const Meter &) = delete;
    Meter &operator=(const Meter &) = delete;

    /// An admission. @p time not before the last one; @p cost at least 0, and 0 only moves the time on.
    virtual void admit(qint64 time, qint64 cost) = 0;
    virtual Wide used() const = 0;
    /// Index of the first call of admit() that counts; of the next one if none does.
    virtual size_t first() const = 0;
    /// "Sliding log admitted 101 in the 60 s up to 61.2 s; the limit is 100."
    virtual Sentence tellExcess(const Reading &reading) const = 0;
    /// "Sliding log admitted at most 100 in any 60 s; the limit is 100."
    virtual Sentence tellMost(const QString &who, qint64 most) const = 0;

    Wide allowed() const { return m_allowed; }
    Wide parts() const { return m_parts; } ///< of one unit of cost
    qint64 limit() const { return narrowed(m_allowed / m_parts); }
    /// So many parts in whole units, rounded up.
    qint64 units(Wide used) const { return narrowed(-floored(-used, m_parts)); }

private:
    Wide m_allowed;
    Wide m_parts;
};

/// At most @p limit in any (t − window, t].
std::unique_ptr<Meter> trailingMeter(qint64 limit, qint64 window);

/// The promise of the limiter's algorithm with its values; a defect is measured by that of its correct twin. Invalid with a
/// sentence if there is no such algorithm or its values cannot be used. Null: it queues, and has other promises.
Result<std::unique_ptr<Meter>> ownMeter(const LimiterInfo &info);

/// How much a limiter of this @p limit may admit to requests from @p first to @p last (µs), if nothing was used before. Nothing if they do not
/// lie within one of its windows.
std::optional<Wide> roomWithin(const LimiterInfo &info, qint64 limit, qint64 first, qint64 last);

}
