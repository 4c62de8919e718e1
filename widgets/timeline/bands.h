// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/spans.h"

#include <vector>

namespace interlock {

/// Where a lane stands, in pixels below the top of the lanes.
struct Band
{
    int row = 0;
    double top = 0;
    double height = 0;
};

/// Lanes one under the other in their order. They take up to a comfortable height, and share what there is when it is less;
/// under @p least each, the lanes become higher than @p available and the view has to scroll.
/// @param scale the theme's.
std::vector<Band> layOutLanes(const Spans &spans, double available, double least, double scale);

inline double heightOf(const std::vector<Band> &bands)
{
    return bands.empty() ? 0 : bands.back().top + bands.back().height;
}

}
