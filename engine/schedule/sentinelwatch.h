// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/connection.h"
#include "engine/redis/sentinel.h"
#include "engine/schedule/client.h"

#include <functional>
#include <memory>
#include <vector>

namespace interlock {

/// Hears from each of several sentinels when another server has become the primary: they learn of it, and publish it, one after the other.
/// A sentinel whose connection ends is called again after a pause, as long as this lives.
class SentinelWatch
{
public:
    struct Calls
    {
        /// A sentinel said so, about the primary of that name. From the event loop; must not destroy the watch, nor must the other.
        std::function<void(const NodeRef &sentinel, const PrimarySwitch &)> switched;
        /// At least one is heard, after none was: what they said meanwhile is lost.
        std::function<void()> listening;
    };

    /// @param patience its pauses; tries have no end here. @param clock must outlive the watch.
    SentinelWatch(const std::vector<NodeRef> &sentinels, QString primaryName, Patience patience, quint64 seed, Clock &clock, Calls calls);
    ~SentinelWatch();
    SentinelWatch(const SentinelWatch &) = delete;
    SentinelWatch &operator=(const SentinelWatch &) = delete;

    /// How many are heard.
    int listening() const { return m_listening; }

private:
    struct Line
    {
        NodeRef sentinel;
        std::unique_ptr<Subscription> subscription;
        bool isHeard = false;
        int failed = 0; ///< times in a row
        Clock::TimerId timer = 0;
    };

    void call(Line &line);
    void answered(Line &line, const Result<void> &ready);
    void ended(Line &line);
    void received(const Line &line, const Subscription::Message &message);

    QString m_primaryName;
    Patience m_patience;
    Random m_random;
    Clock &m_clock;
    Calls m_calls;
    int m_listening = 0;
    std::vector<Line> m_lines; ///< never grows once they are called
};

}
