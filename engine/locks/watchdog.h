// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/locks/lock.h"

#include <QString>

#include <functional>

namespace interlock {

struct WatchdogOptions
{
    /// From one renewal to the next; 0: a third of the lock's TTL, so that two renewals may fail before it runs out.
    Nanoseconds every {0};
    /// How long after its acquisition was sent the lock may live at most. Nanoseconds::max(): as long as the program does,
    /// even if that is stuck.
    Nanoseconds lifetime = Nanoseconds::max();
    /// False: renews by SET without a look at the owner or at the validity. Wrong, and in use.
    bool checksOwner = true;
};

/// Keeps a held lock alive while its owner lives: a companion of the owner's program, so it is paused and killed with it.
/// Stops when the lock is released. A renewal without an answer is tried again until the lock's validity has passed; then, or
/// when the server says that the lock is no longer this client's, the belief ends as lost and onLost is called.
class Watchdog
{
public:
    /// Starts at once. Precondition: @p lock is held, has a TTL, and outlives this.
    Watchdog(Lock &lock, WatchdogOptions options);
    ~Watchdog();
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

    /// No renewal is sent from now on.
    void stop();
    bool isRunning() const { return m_isRunning; }

    /// The lock is lost, and why: "expired", "not the owner", "maximum lifetime". Called from the companion: it may not destroy the program.
    std::function<void(const QString &why)> onLost;

private:
    friend class Lock;
    Task<> watch();
    Task<Result<Ownership>> renewOnce(Client &through);
    qint64 end() const;
    void lose(const char *belief, const QString &why);
    void detach();

    Lock *m_lock;
    WatchdogOptions m_options;
    quint64 m_companion = 0;
    bool m_isRunning = true;
};

}
