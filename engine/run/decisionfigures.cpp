// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/decisionfigures.h"

#include <array>

namespace interlock {

std::span<const FigureField> figureFields()
{
    constexpr DecisionFigures none;
    static constexpr std::array fields {
        FigureField {"cost", &DecisionFigures::cost, none.cost},
        FigureField {"limit", &DecisionFigures::limit, none.limit},
        FigureField {"remaining", &DecisionFigures::remaining, none.remaining},
        FigureField {"retryAfter", &DecisionFigures::retryAfter, none.retryAfter},
        FigureField {"resetAfter", &DecisionFigures::resetAfter, none.resetAfter},
        FigureField {"delay", &DecisionFigures::delay, none.delay},
        FigureField {"level", &DecisionFigures::level, none.level},
        FigureField {"now", &DecisionFigures::now, none.now},
        FigureField {"serverTime", &DecisionFigures::serverTime, none.serverTime},
        FigureField {"asked", &DecisionFigures::asked, none.asked},
    };
    return fields;
}

}
