// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/bands.h"

#include <algorithm>

namespace interlock {

std::vector<Band> layOutLanes(const Spans &spans, double available, double least, double scale)
{
    constexpr double comfortable = 76;
    const auto weight = [&](int row) {
        // A node's lane has a line of causes above its bar.
        return spans.rows()[size_t(row)].lane.type == Lane::Type::Node ? 1.2 : 1.0;
    };
    double weights = 0;
    for (const int row : spans.order())
        weights += weight(row);
    std::vector<Band> bands;
    if (weights <= 0)
        return bands;
    const double unit = std::clamp(available / weights, least, std::max(least, comfortable * scale));
    double top = 0;
    for (const int row : spans.order()) {
        bands.push_back({row, top, unit * weight(row)});
        top += bands.back().height;
    }
    return bands;
}

}
