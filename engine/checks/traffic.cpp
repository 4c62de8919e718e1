// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/traffic.h"
#include "engine/base/wide.h"
#include "engine/checks/history.h"
#include "engine/checks/result.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>
#include <map>

namespace interlock {

namespace {

constexpr qint64 microsecond = 1'000; // ns

/// The clock of an answered request, µs. A limiter that tells no server's time (a defect may not ask for it) is judged on its `now`.
qint64 judgedTime(const DecisionFigures &figures, JudgedClock clock)
{
    const bool isServer = clock == JudgedClock::Server || figures.asked == never;
    return isServer && figures.serverTime != 0 ? figures.serverTime : figures.now;
}

/// How far the server's clock is ahead of ours at the least, µs: it was read before the answer came. Nothing without any
/// answer, or if somebody moved that clock.
std::optional<Wide> leastLead(const Run &run, const std::vector<Request> &requests)
{
    const auto isMove = [](const Event &event) {
        return event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == NodeChange::ClockMoved;
    };
    if (std::any_of(run.events.begin(), run.events.end(), isMove))
        return {};
    std::optional<Wide> lead;
    for (const Request &each : requests) {
        if (each.answer != LimiterAnswer::Failed && each.answered != never) {
            const Wide least = floored(Wide(each.time) * microsecond - each.answered, microsecond);
            lead = std::max(lead.value_or(least), least);
        }
    }
    return lead;
}

/// Unanswered requests reached the limiter no earlier than they were sent, if at all.
void placeMissing(const Run &run, std::vector<Request> &requests, JudgedClock clock)
{
    const auto isMissing = [](const Request &each) { return each.isMissing(); };
    if (std::none_of(requests.begin(), requests.end(), isMissing))
        return;
    const std::optional<Wide> lead = leastLead(run, requests);
    for (Request &each : requests) {
        if (!each.isMissing())
            continue;
        if (clock == JudgedClock::Recorded && each.figures->asked != never)
            each.time = each.figures->asked;
        else
            each.time = lead ? narrowed(*lead + floored(each.at, microsecond)) : std::numeric_limits<qint64>::min();
    }
}

Request requestOf(const Run &run, size_t index, JudgedClock clock)
{
    const Event &event = run.events[index];
    static constexpr DecisionFigures none;
    Request request {index, event.at, event.answered, 0, static_cast<LimiterAnswer>(event.what), &none};
    const DecisionFigures *figures = run.figures(event);
    if (figures)
        request.figures = figures;
    // A damaged record: nothing is known of it.
    if (!figures || event.what > quint8(LimiterAnswer::Failed)) {
        request.answer = LimiterAnswer::Failed;
        request.answered = never;
    }
    request.time = judgedTime(*request.figures, clock);
    return request;
}

}

QString Traffic::title(const Run &run) const
{
    const QString limiterTitle = info && !info->title.isEmpty() ? info->title : run.text(limiter);
    return hasSeveralKeys ? QCoreApplication::translate("checks", "%1 of %2", "a limiter and what it limits").arg(limiterTitle, run.text(key))
                          : limiterTitle;
}

std::vector<Traffic> trafficOf(const History &history, JudgedClock clock, const QString &limiter)
{
    const Run &run = history.run();
    std::vector<Traffic> all;
    std::map<std::pair<Name, Name>, size_t> places;
    std::map<Name, int> keys;
    for (const size_t index : history.order()) {
        const Event &event = history.event(index);
        if (event.kind != Event::Kind::Decision || event.has(Event::Touched))
            continue;
        const auto [place, isNew] = places.try_emplace({event.text, event.key}, all.size());
        if (isNew) {
            all.push_back({event.text, event.key, run.limiter(run.text(event.text)), {}, false});
            ++keys[event.text];
        }
        all[place->second].requests.push_back(requestOf(run, index, clock));
    }
    std::erase_if(all, [&](const Traffic &each) { return !limiter.isEmpty() && run.text(each.limiter) != limiter; });
    for (Traffic &each : all) {
        each.hasSeveralKeys = keys[each.limiter] > 1;
        placeMissing(run, each.requests, clock);
        std::stable_sort(each.requests.begin(), each.requests.end(),
            [](const Request &left, const Request &right) { return left.time < right.time; });
    }
    const auto rank = [&](const Traffic &each) {
        return each.info ? each.info - run.header.limiters.constData() : run.header.limiters.size();
    };
    std::stable_sort(all.begin(), all.end(), [&](const Traffic &left, const Traffic &right) { return rank(left) < rank(right); });
    return all;
}

std::vector<Traffic> trafficOf(const History &history, const CheckUse &use)
{
    const bool isServer = argument(use, QStringLiteral("clock")) == QLatin1String("server");
    return trafficOf(history, isServer ? JudgedClock::Server : JudgedClock::Recorded, argument(use, QStringLiteral("limiter")));
}

At shownTime(const Run &run, size_t event)
{
    const DecisionFigures *figures = run.figures(run.events[event]);
    return {figures ? decisionTime(run.events[event], *figures) : run.events[event].at};
}

}
