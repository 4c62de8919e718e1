// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/proportion.h"

#include <algorithm>
#include <cmath>

namespace interlock {

ShareBounds wilsonBounds(qint64 count, qint64 trials)
{
    constexpr double z = 1.959963984540054; // the 97.5 % point of the normal distribution
    if (trials <= 0)
        return {};
    count = std::clamp<qint64>(count, 0, trials);
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(count) / n;
    const double middle = share + z * z / (2 * n);
    const double half = z * std::sqrt((share * (1 - share) + z * z / (4 * n)) / n);
    const double scale = 1 + z * z / n;
    // At the ends the formula gives 0 and 1 exactly, rounding does not.
    return {count == 0 ? 0 : (middle - half) / scale, count == trials ? 1 : (middle + half) / scale};
}

}
