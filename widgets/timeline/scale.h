// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <vector>

namespace interlock {

/// Which stretch of time is shown on how many pixels. It only maps one to the other, so it is tested without a window.
struct Scale
{
    static constexpr double shortest = 1'000; ///< ns: nothing shorter is ever shown; a microsecond across

    double begin = 0; ///< ns at pixel 0
    double length = 1e9; ///< ns, above 0
    double width = 1; ///< pixels, above 0

    double end() const { return begin + length; }
    double toPixel(double time) const { return (time - begin) / length * width; }
    double toTime(double pixel) const { return begin + pixel / width * length; }
    double perPixel() const { return length / width; } ///< ns

    /// Shows @p factor times less (above 1) or more (below 1); the time at @p pixel stays there.
    Scale zoomed(double pixel, double factor) const
    {
        Scale result = *this;
        result.length = std::max(shortest, length / factor);
        result.begin = toTime(pixel) - pixel / width * result.length;
        return result;
    }

    /// Moves what is shown by so many pixels to the left: later times come in.
    Scale panned(double pixels) const
    {
        Scale result = *this;
        result.begin += pixels * perPixel();
        return result;
    }

    /// Shows exactly this stretch, with a margin of @p share of it on both sides.
    Scale showing(double from, double to, double share = 0) const
    {
        Scale result = *this;
        const double stretch = std::max(shortest, to - from);
        result.length = stretch * (1 + 2 * share);
        result.begin = (from + to) / 2 - result.length / 2;
        return result;
    }

    /// Never longer than the extent [from, to], never outside of it.
    Scale clamped(double from, double to) const
    {
        Scale result = *this;
        result.length = std::clamp(length, shortest, std::max(shortest, to - from));
        result.begin = std::clamp(begin, from, std::max(from, to - result.length));
        return result;
    }

    /// The step of 1, 2 or 5 × 10ⁿ ns that leaves at least @p leastPixels between ticks. At least 1 ns.
    double tickStep(double leastPixels) const
    {
        const double wanted = std::max(1.0, perPixel() * leastPixels);
        double decade = 1;
        while (decade * 10 <= wanted)
            decade *= 10;
        for (const double factor : {1., 2., 5., 10.}) {
            if (decade * factor >= wanted)
                return decade * factor;
        }
        return decade * 10;
    }

    /// Ticks within what is shown, multiples of the step.
    std::vector<double> ticks(double step) const
    {
        std::vector<double> result;
        const double last = std::floor(end() / step);
        for (double i = std::ceil(begin / step); i <= last; ++i)
            result.push_back(i * step);
        return result;
    }

    /// "1.5 s" with as many decimals as the step needs; "0.0 s" at zero.
    static QString tickLabel(double time, double step)
    {
        int decimals = 0;
        for (double unit = 1e9; unit > step * 1.000001 && decimals < 9; unit /= 10)
            ++decimals;
        return QString::number(time / 1e9, 'f', decimals) + QStringLiteral(" s");
    }

    bool operator==(const Scale &) const = default;
};

}
