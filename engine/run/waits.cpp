// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/waits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace interlock {

namespace {

/// Reads the events in order of time and keeps what each waiting client has done so far.
class Reader
{
public:
    explicit Reader(const Run &run)
    {
        std::vector<size_t> order(run.events.size());
        std::iota(order.begin(), order.end(), size_t(0));
        const auto isEarlier = [&](size_t left, size_t right) { return run.events[left].at < run.events[right].at; };
        if (!std::is_sorted(order.begin(), order.end(), isEarlier))
            std::stable_sort(order.begin(), order.end(), isEarlier);
        for (const size_t index : order) {
            const Event &event = run.events[index];
            if (event.kind == Event::Kind::Command)
                ++m_commands[event.lane];
            else if (event.kind == Event::Kind::Belief)
                readBelief(event);
        }
    }

    std::vector<LaneWaits> take()
    {
        for (LaneWaits &lane : m_lanes)
            std::sort(lane.waits.begin(), lane.waits.end());
        std::stable_sort(m_lanes.begin(), m_lanes.end(), [](const LaneWaits &left, const LaneWaits &right) { return left.key < right.key; });
        return std::move(m_lanes);
    }

private:
    struct Waiting
    {
        size_t place = 0; ///< in m_lanes
        bool isWaiting = false;
        qint64 since = 0;
        qint64 attempts = 0;
        qint64 commandsBefore = 0;
    };

    void readBelief(const Event &event)
    {
        const auto what = static_cast<Belief>(event.what);
        const auto [found, isNew] = m_waiting.try_emplace({event.key, event.lane});
        Waiting &waiting = found->second;
        if (isNew && what != Belief::Wants) {
            m_waiting.erase(found);
            return;
        }
        switch (what) {
        case Belief::Wants:
            if (isNew) {
                waiting.place = m_lanes.size();
                m_lanes.emplace_back();
                m_lanes.back().lane = event.lane;
                m_lanes.back().key = event.key;
            }
            waiting.isWaiting = true;
            waiting.since = event.at;
            waiting.attempts = 0;
            waiting.commandsBefore = m_commands[event.lane];
            break;
        case Belief::Refused:
            ++waiting.attempts;
            break;
        case Belief::Granted:
            if (waiting.isWaiting)
                granted(event, waiting);
            break;
        case Belief::GaveUp:
            m_lanes[waiting.place].gaveUp += waiting.isWaiting;
            waiting.isWaiting = false;
            break;
        default:
            break;
        }
    }

    void granted(const Event &event, Waiting &waiting)
    {
        LaneWaits &lane = m_lanes[waiting.place];
        qint64 wait = 0;
        if (__builtin_sub_overflow(event.at, waiting.since, &wait)) // only in a file that somebody edited
            wait = never;
        lane.waits.push_back(wait);
        lane.attempts += waiting.attempts + 1;
        lane.commands += m_commands[event.lane] - waiting.commandsBefore;
        waiting.isWaiting = false;
    }

    std::vector<LaneWaits> m_lanes;
    std::map<std::pair<Name, Name>, Waiting> m_waiting; // by key and lane
    std::unordered_map<Name, qint64> m_commands; // by lane, so far
};

}

qint64 LaneWaits::total() const
{
    qint64 sum = 0;
    for (const qint64 wait : waits) {
        if (__builtin_add_overflow(sum, wait, &sum))
            return never;
    }
    return sum;
}

std::vector<LaneWaits> waitsOf(const Run &run)
{
    return Reader(run).take();
}

std::vector<qint64> allWaits(const std::vector<LaneWaits> &lanes)
{
    std::vector<qint64> all;
    for (const LaneWaits &lane : lanes)
        all.insert(all.end(), lane.waits.begin(), lane.waits.end());
    std::sort(all.begin(), all.end());
    return all;
}

std::optional<qint64> percentile(const std::vector<qint64> &sorted, int percent)
{
    if (sorted.empty())
        return {};
    const size_t rank = (sorted.size() * size_t(std::clamp(percent, 1, 100)) + 99) / 100;
    return sorted[rank - 1];
}

std::optional<double> fairness(const std::vector<double> &values)
{
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    if (squares == 0)
        return {};
    return sum * sum / (double(values.size()) * squares);
}

std::optional<double> fairnessOfAcquisitions(const std::vector<LaneWaits> &lanes)
{
    std::vector<double> values;
    for (const LaneWaits &lane : lanes)
        values.push_back(double(lane.acquisitions()));
    return fairness(values);
}

std::optional<double> fairnessOfWaits(const std::vector<LaneWaits> &lanes)
{
    std::vector<double> values;
    for (const LaneWaits &lane : lanes) {
        if (lane.acquisitions())
            values.push_back(double(lane.total()) / double(lane.acquisitions()));
    }
    return fairness(values);
}

}
