// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/overlaps.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace interlock {

namespace {

/// One line sweeps over the beginnings and ends of one key's intervals after the other. Ends come before beginnings of the
/// same time, since intervals are half-open, and beginnings without an end last, since they find what began with them.
struct Point
{
    enum Type { End, Beginning, EndlessBeginning };

    Name key = 0;
    qint64 at = 0;
    Type type = End;
    size_t interval = 0;

    bool operator<(const Point &other) const
    {
        return std::tie(key, at, type, interval) < std::tie(other.key, other.at, other.type, other.interval);
    }
};

std::vector<Point> pointsOf(const std::vector<Interval> &intervals)
{
    std::vector<Point> points;
    points.reserve(intervals.size() * 2);
    for (size_t i = 0; i < intervals.size(); ++i) {
        const Interval &interval = intervals[i];
        if (interval.until == never) {
            points.push_back({interval.key, interval.from, Point::EndlessBeginning, i});
        } else if (interval.from < interval.until) {
            points.push_back({interval.key, interval.from, Point::Beginning, i});
            points.push_back({interval.key, interval.until, Point::End, i});
        }
    }
    std::sort(points.begin(), points.end());
    return points;
}

/// What is going on at the line, in one key.
class Line
{
public:
    /// Those of other owners.
    qint64 others(Name owner) const
    {
        const auto own = m_byOwner.find(owner);
        return m_all - (own == m_byOwner.end() ? 0 : own->second);
    }
    void begin(size_t interval, Name owner)
    {
        ++m_all;
        ++m_byOwner[owner];
        if (!m_isOverlapped)
            m_going.push_back(interval);
    }
    void end(size_t interval, Name owner)
    {
        --m_all;
        --m_byOwner[owner];
        if (!m_isOverlapped)
            std::erase(m_going, interval);
    }
    /// Until the first overlap all that is going on is one owner's, so this is short.
    const std::vector<size_t> &goingOn() const { return m_going; }
    bool isOverlapped() const { return m_isOverlapped; }
    void setOverlapped() { m_isOverlapped = true; }

private:
    qint64 m_all = 0;
    std::unordered_map<Name, qint64> m_byOwner;
    std::vector<size_t> m_going;
    bool m_isOverlapped = false;
};

}

Overlaps findOverlaps(const std::vector<Interval> &intervals)
{
    Overlaps found;
    Line line;
    std::optional<Name> key;
    for (const Point &point : pointsOf(intervals)) {
        if (key != point.key) {
            line = Line();
            key = point.key;
        }
        const Interval &interval = intervals[point.interval];
        if (point.type == Point::End) {
            line.end(point.interval, interval.owner);
            continue;
        }
        const qint64 others = line.others(interval.owner);
        found.count += others;
        if (others && !line.isOverlapped()) {
            const Interval &first = intervals[line.goingOn().front()];
            const qint64 until = interval.until == never ? never : std::min(first.until, interval.until);
            if (!found.first || point.at < found.first->from)
                found.first = OverlappingPair {first.item, interval.item, point.at, until};
            line.setOverlapped();
        }
        if (point.type == Point::Beginning)
            line.begin(point.interval, interval.owner);
    }
    return found;
}

}
