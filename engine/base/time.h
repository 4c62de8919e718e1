// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <chrono>
#include <limits>

namespace interlock {

using Nanoseconds = std::chrono::nanoseconds;
using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;
using namespace std::chrono_literals;

/// "Has not happened", "has no end": the value of a time in a record that there is none for.
inline constexpr qint64 never = std::numeric_limits<qint64>::max();

/// The monotonic clock's reading, in nanoseconds since an arbitrary origin of this machine.
inline Nanoseconds monotonicNow()
{
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

}
