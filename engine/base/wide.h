// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <limits>

namespace interlock {

/// For sums and products of numbers of 64 bits that have to be exact. Every compiler that builds this has it.
__extension__ typedef __int128 Wide;

/// The nearest number of 64 bits.
constexpr qint64 narrowed(Wide number)
{
    constexpr Wide least = std::numeric_limits<qint64>::min();
    constexpr Wide most = std::numeric_limits<qint64>::max();
    return qint64(number < least ? least : number > most ? most : number);
}

/// The quotient rounded towards minus infinity. @p divisor above 0.
constexpr Wide floored(Wide number, Wide divisor)
{
    return number / divisor - (number % divisor < 0 ? 1 : 0);
}

}
