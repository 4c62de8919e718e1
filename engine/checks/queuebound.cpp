// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A leaky bucket as a queue keeps two promises. A request that is admitted leaves after its delay, and the next one not before the
// bucket has drained by the cost of the one before. Delays are rounded up to whole microseconds, which is allowed for:
//
//     rate 2 a second; departures at 0, 0.5 s, 1 s                 held
//     departures at 0, 0.499999 s                                  held: the first may have left at −0.9 µs, told as 0
//     departures at 0, 0.499998 s                                  broken
//     capacity 3; at 0 four requests are admitted                  broken: four wait, the one that leaves at once among them
#include "engine/checks/bound.h"
#include "engine/checks/sentences.h"
#include "engine/limiters/limiter.h"

#include <algorithm>
#include <queue>

namespace interlock {

namespace {

struct Departure
{
    Wide at = 0; ///< µs, on the clock of the traffic
    size_t request = 0;
    bool operator>(const Departure &other) const { return at > other.at; }
};

class QueueSearch
{
public:
    QueueSearch(const Run &run, const Traffic &traffic, qint64 capacity, Rate rate)
        : m_run(run)
        , m_traffic(traffic)
        , m_capacity(capacity)
        , m_rate(rate)
    {
    }

    BoundOutcome outcome()
    {
        if (std::optional<BoundOutcome> early = tooEarly())
            return *early;
        return waiting();
    }

private:
    const Request &request(size_t index) const { return m_traffic.requests[index]; }
    Departure departureOf(size_t index) const { return {Wide(request(index).time) + request(index).figures->delay, index}; }
    bool counts(size_t index) const { return request(index).isAdmitted() && request(index).cost() > 0; }

    /// Departures in their order. What should still be draining when the next one leaves is the excess; it is counted from the
    /// departure at which the bucket was last empty.
    std::optional<BoundOutcome> tooEarly() const
    {
        std::vector<Departure> departures;
        for (size_t i = 0; i < m_traffic.requests.size(); ++i) {
            if (counts(i))
                departures.push_back(departureOf(i));
        }
        std::stable_sort(departures.begin(), departures.end(), [](const Departure &left, const Departure &right) { return right > left; });
        Wide draining = 0;
        Wide cost = 0;
        Wide worst = m_rate.amount - 1; // of rounding
        size_t first = 0;
        std::optional<BoundOutcome> broken;
        for (size_t i = 1; i < departures.size(); ++i) {
            cost += request(departures[i - 1].request).cost();
            draining += Wide(request(departures[i - 1].request).cost()) * m_rate.period - (departures[i].at - departures[i - 1].at) * m_rate.amount;
            if (draining > worst) {
                worst = draining;
                broken = tellEarly(departures, first, i, cost);
            }
            if (draining <= 0) {
                draining = 0;
                cost = 0;
                first = i;
            }
        }
        return broken;
    }

    BoundOutcome tellEarly(const std::vector<Departure> &departures, size_t first, size_t last, Wide cost) const
    {
        const Request &late = request(departures[last].request);
        const Wide needed = -floored(-cost * m_rate.period, m_rate.amount);
        const Wide took = departures[last].at - departures[first].at;
        const At left {narrowed(Wide(shownTime(m_run, late.event).ns) + Wide(late.figures->delay) * 1'000)};
        BoundOutcome broken;
        broken.judgement = Judgement::Broken;
        broken.sentence = say("bound.queue.early", m_traffic.title(m_run), left, For {narrowed(took * 1'000)}, narrowed(cost),
            For {narrowed(needed * 1'000)});
        broken.events = {late.event, request(departures[first].request).event};
        broken.share = took > 0 ? double(needed) / double(took) : double(needed);
        return broken;
    }

    BoundOutcome waiting() const
    {
        std::priority_queue<Departure, std::vector<Departure>, std::greater<>> queue;
        Wide cost = 0;
        Wide most = 0;
        size_t fullest = 0;
        Wide unanswered = 0;
        std::vector<size_t> open;
        bool isOpen = false;
        for (size_t i = 0; i < m_traffic.requests.size(); ++i) {
            for (; !queue.empty() && queue.top().at < request(i).time; queue.pop())
                cost -= request(queue.top().request).cost();
            if (counts(i)) {
                queue.push(departureOf(i));
                cost += request(i).cost();
            }
            if (request(i).isMissing()) {
                unanswered += request(i).cost();
                open.push_back(request(i).event);
            }
            if (cost > most) {
                most = cost;
                fullest = i;
            }
            isOpen |= unanswered > 0 && isTooMuch(cost + unanswered);
        }
        BoundOutcome result;
        result.share = double(most) / double(m_capacity);
        result.facts = {{QStringLiteral("mostWaiting"), narrowed(most)}, {QStringLiteral("limit"), m_capacity}};
        const QString who = m_traffic.title(m_run);
        if (isTooMuch(most)) {
            result.judgement = Judgement::Broken;
            result.sentence = say("bound.queue.full", who, narrowed(most), shownTime(m_run, request(fullest).event), m_capacity);
            result.events = {request(fullest).event};
        } else if (isOpen) {
            result.judgement = Judgement::Unknown;
            result.events = open;
            result.sentence = say("bound.open", who, qint64(open.size()), narrowed(most), m_capacity);
        } else {
            result.sentence = say("bound.queue.held", who, narrowed(most), m_capacity);
        }
        return result;
    }

    /// A departure that is told a microsecond late leaves room for what drains in one.
    bool isTooMuch(Wide cost) const { return cost > m_capacity && (cost - m_capacity) * m_rate.period >= m_rate.amount; }

    const Run &m_run;
    const Traffic &m_traffic;
    qint64 m_capacity;
    Rate m_rate;
};

}

Result<BoundOutcome> queueBound(const Run &run, const Traffic &traffic)
{
    Q_ASSERT(traffic.info);
    const Result<Limiter> limiter = Limiter::make(traffic.info->algorithm, traffic.info->values);
    if (!limiter)
        return limiter.error();
    return QueueSearch(run, traffic, limiter->limit(), limiter->settings().rate(QStringLiteral("rate"))).outcome();
}

}
