// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/locks/lock.h"

namespace interlock {

/// How work under a lock came out, if nothing failed.
enum class Scoped {
    Refused, ///< the lock was not granted, and the work was not begun
    Done, ///< done, and the lock was this client's all the time
    Overrun, ///< done, but the lock had run out or was another's when it was to be released
};

/// Does work under a lock: acquires it, awaits body() → Task<Result<void>>, and releases it, whether the work succeeded or not.
/// Fails with the error of the acquisition, else of the work, else of the release.
template<typename Body>
Task<Result<Scoped>> withLock(Lock &lock, Waiting waiting, Body body)
{
    const Result<bool> acquired = co_await lock.acquire(waiting);
    if (!acquired)
        co_return acquired.error();
    if (!*acquired)
        co_return Scoped::Refused;
    const Result<void> done = co_await body();
    const bool isBelieved = lock.isHeld();
    const Result<Ownership> released = co_await lock.release();
    if (!done)
        co_return done.error();
    if (!released)
        co_return released.error();
    co_return isBelieved && *released == Ownership::Own ? Scoped::Done : Scoped::Overrun;
}

}
