// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/decision.h"

namespace interlock {

/// A limiter's promise in exact arithmetic, for one key: what its script has to answer. It shares no code with the script and
/// calculates in another way: from the requests that it admitted, in numbers of 128 bits, and by trying out times where the
/// script has a formula.
class ReferenceModel
{
public:
    explicit ReferenceModel(qint64 limit)
        : m_limit(limit)
    {
    }
    virtual ~ReferenceModel() = default;
    ReferenceModel(const ReferenceModel &) = delete;
    ReferenceModel &operator=(const ReferenceModel &) = delete;

    /// Decides a request. @p now in µs, 0 to mostNumber; one that lies before an earlier one counts as that.
    /// @p cost 0 to mostNumber; 0 only looks and leaves no trace.
    Decision decide(qint64 now, qint64 cost);

protected:
    __extension__ typedef __int128 Wide;

    qint64 limit() const { return m_limit; }
    /// The first whole microsecond from @p at on for which @p isSo is true. Precondition: once true, it stays so, and it is by mostNumber × 2.
    template<typename Predicate>
    static qint64 firstTime(qint64 at, Predicate isSo);

private:
    /// A request that is no mere look comes: what is over for good may be dropped.
    virtual void arrive(qint64 at) = 0;
    virtual void take(qint64 at, qint64 cost) = 0;
    virtual bool fits(qint64 at, qint64 cost) const = 0;
    virtual qint64 remaining(qint64 at) const = 0;
    virtual qint64 level(qint64 at) const = 0;
    virtual bool isUnused(qint64 at) const = 0;
    virtual qint64 delay(qint64 at) const;
    /// When @p cost fits, which it does not now; when nothing is used any more. Tried out, unless there is a better way.
    virtual qint64 whenFits(qint64 at, qint64 cost) const;
    virtual qint64 whenUnused(qint64 at) const;

    qint64 m_limit;
    qint64 m_last = 0;
};

template<typename Predicate>
qint64 ReferenceModel::firstTime(qint64 at, Predicate isSo)
{
    qint64 low = at; // every time before it is known to be too early
    qint64 high = at + 1;
    for (qint64 step = 1; !isSo(high); step *= 2) {
        low = high + 1;
        high += step;
    }
    while (low < high) {
        const qint64 middle = low + (high - low) / 2;
        if (isSo(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}
