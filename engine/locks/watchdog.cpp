// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/locks/watchdog.h"

#include "engine/schedule/client.h"

#include <algorithm>
#include <optional>

namespace interlock {

Watchdog::Watchdog(Lock &lock, WatchdogOptions options)
    : m_lock(&lock)
    , m_options(options)
{
    if (m_options.every <= 0ns)
        m_options.every = lock.options().ttl / 3;
    lock.m_watchdog = this;
    m_companion = lock.actor().spawn(watch());
}

Watchdog::~Watchdog()
{
    stop();
    if (m_lock)
        m_lock->m_watchdog = nullptr;
}

void Watchdog::stop()
{
    if (!std::exchange(m_isRunning, false) || !m_lock || m_companion == 0)
        return;
    m_lock->actor().stop(std::exchange(m_companion, 0));
}

/// The lock is being destroyed first.
void Watchdog::detach()
{
    stop();
    m_lock = nullptr;
}

/// When the lock has to run out at the latest; ns on the run's clock.
qint64 Watchdog::end() const
{
    if (m_options.lifetime > Nanoseconds(never - m_lock->acquireSent()))
        return never;
    return m_lock->acquireSent() + m_options.lifetime.count();
}

Task<> Watchdog::watch()
{
    Lock &lock = *m_lock;
    // A connection of its own: a renewal that gets no answer must not cost the program its connection.
    std::optional<Client> client;
    const Nanoseconds deadline = std::max<Nanoseconds>(m_options.every, 10ms);
    Nanoseconds wait = m_options.every;
    while (m_isRunning) {
        co_await lock.actor().sleep(wait);
        if (!m_isRunning)
            co_return;
        const Nanoseconds left(lock.until() - lock.now());
        if (m_options.checksOwner && left <= 0ns) {
            const bool isAsPlanned = lock.until() >= end();
            lose("expired", isAsPlanned ? QStringLiteral("maximum lifetime") : QStringLiteral("expired"));
            co_return;
        }
        if (m_options.checksOwner && lock.until() >= end()) {
            wait = left; // it has all the time that it may have; see it out
            continue;
        }
        // The lock's own may have moved to another node.
        if (!client || !client->isUsable() || client->node().endpoint != lock.client().node().endpoint)
            client.emplace(lock.actor(), lock.client().node(), deadline);
        const Result<Ownership> renewed = co_await renewOnce(*client);
        if (!m_isRunning)
            co_return;
        if (renewed && *renewed != Ownership::Own) {
            lose("lost", *renewed == Ownership::Expired ? QStringLiteral("expired") : QStringLiteral("not the owner"));
            co_return;
        }
        // After a failure the next try comes sooner, and the last look not after the validity's end.
        wait = renewed ? m_options.every : m_options.every / 3;
        if (m_options.checksOwner)
            wait = std::clamp(Nanoseconds(lock.until() - lock.now()), 0ns, wait);
    }
}

Task<Result<Ownership>> Watchdog::renewOnce(Client &through)
{
    const Nanoseconds ttl = m_lock->options().ttl;
    if (!m_options.checksOwner)
        return m_lock->renewUnchecked(through, ttl);
    // At least 1 ms: the end of the lifetime is not reached yet, or there would be no renewal.
    const Nanoseconds most = std::max<Nanoseconds>(Nanoseconds(end() - m_lock->now()), 1ms);
    return m_lock->renew(through, std::min(ttl, most));
}

void Watchdog::lose(const char *belief, const QString &why)
{
    m_isRunning = false; // so that the end of the belief does not stop the companion from within itself
    m_companion = 0;
    m_lock->endBelief(belief);
    if (onLost)
        onLost(why);
}

}
