// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/time.h"

#include <random>

namespace interlock {

/// Random numbers that a seed repeats on every system: the standard's engine, but not its distributions, whose
/// results the standard leaves open.
class Random
{
public:
    explicit Random(quint64 seed)
        : m_engine(seed)
    {
    }

    quint64 next() { return m_engine(); }

    /// A whole number in [0, bound), evenly. Precondition: bound > 0.
    quint64 below(quint64 bound)
    {
        // Numbers of the last, incomplete block are drawn again, or low results would come slightly more often.
        const quint64 excess = (std::numeric_limits<quint64>::max() % bound + 1) % bound;
        quint64 number = next();
        while (number > std::numeric_limits<quint64>::max() - excess)
            number = next();
        return number % bound;
    }

    /// A duration in [low, high], evenly. Precondition: low <= high.
    Nanoseconds between(Nanoseconds low, Nanoseconds high)
    {
        return low + Nanoseconds(static_cast<qint64>(below(static_cast<quint64>((high - low).count()) + 1)));
    }

private:
    std::mt19937_64 m_engine;
};

}
