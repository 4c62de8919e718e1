// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Twin equality: a limiter's decisions are those of its reference model, fed with the recorded `now` and cost. Every figure has to be
// the same. A defect is compared with the model of its correct twin, and only in what it admits: its inner level may mean another
// thing. Argument `limiter`: only this one. Each key has a model of its own.
//
//     the script and its model admit and refuse the same, with the same remaining, retry after…      held
//     one of the figures is another                                                                  broken
//     a request was not answered: what comes after it may have met another state                     unknown, unless broken before,
//                                                                   or a later answer is wrong whatever became of that request
//     a request got an error                                                                         held: it changed nothing
//     a defect answered an error to a request that its correct twin beside it admitted               broken
//
// The order in which the limiter decided is that of its times. Among equal ones nothing drains in between, so what remains falls from
// decision to decision; a refusal comes after the admission that left what it tells as remaining. Requests that never overlap are taken as
// they were sent. Two limiters of a run got the same request if it has the same key and was due at the same time.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/traffic.h"
#include "engine/limiters/limiter.h"
#include "engine/limiters/reference.h"

#include <algorithm>
#include <array>
#include <set>

namespace interlock::checks {

namespace {

struct Difference
{
    size_t event = 0;
    Sentence sentence;
};

struct Comparison
{
    qint64 decisions = 0; ///< that were compared
    qint64 different = 0;
    std::optional<Difference> first;
    bool isCut = false; ///< behind a request without an answer only what is wrong for certain counts
    Sentence unusable; ///< why nothing could be compared; without an id: it could
};

/// The requests in the order in which the limiter decided them.
std::vector<Request> inOrder(const Traffic &traffic)
{
    std::vector<Request> requests = traffic.requests;
    std::erase_if(requests, [](const Request &each) { return each.answer == LimiterAnswer::Failed; });
    std::stable_sort(requests.begin(), requests.end(), [](const Request &left, const Request &right) { return left.at < right.at; });
    const auto overlap = [](const Request &left, const Request &right) { return left.answered > right.at; };
    if (std::adjacent_find(requests.begin(), requests.end(), overlap) == requests.end())
        return requests;
    std::stable_sort(requests.begin(), requests.end(), [](const Request &left, const Request &right) {
        if (left.figures->now != right.figures->now)
            return left.figures->now < right.figures->now;
        if (left.figures->remaining != right.figures->remaining)
            return left.figures->remaining > right.figures->remaining;
        return left.isAdmitted() && !right.isAdmitted();
    });
    return requests;
}

/// The requests without an answer, by the time that they can have reached the limiter.
std::vector<Request> missingOf(const Traffic &traffic)
{
    std::vector<Request> missing = traffic.requests;
    std::erase_if(missing, [](const Request &each) { return !each.isMissing(); });
    return missing;
}

/// What may have become of the requests without an answer, if they were not lost.
enum class Fate {
    AtOnce, ///< decided as soon as they can have been
    Late, ///< decided just before the answer in question
};

class Twin
{
public:
    Twin(const Run &run, const Traffic &traffic, const Limiter &limiter)
        : m_run(run)
        , m_traffic(traffic)
        , m_limiter(limiter)
        , m_isDefect(traffic.info && !traffic.info->defect.isEmpty())
        , m_requests(inOrder(traffic))
        , m_missing(missingOf(traffic))
    {
    }

    Comparison compare()
    {
        const auto isUnusable = [](const Request &each) { return !isUsable(each); };
        const auto unusable = std::find_if(m_requests.begin(), m_requests.end(), isUnusable);
        if (unusable != m_requests.end())
            m_comparison.unusable = say("twin.unusable", m_traffic.title(m_run), shownTime(m_run, unusable->event));
        m_requests.erase(unusable, m_requests.end());
        m_comparison.isCut = !m_missing.empty();

        const std::unique_ptr<ReferenceModel> model = m_limiter.reference();
        const size_t certain = countCertain();
        std::vector<size_t> doubtful;
        for (size_t i = 0; i < m_requests.size(); ++i) {
            const Decision expected = model->decide(m_requests[i].figures->now, m_requests[i].figures->cost);
            if (i < certain)
                take(m_requests[i], expected);
            else if (expected.admitted != m_requests[i].isAdmitted())
                doubtful.push_back(i);
        }
        takeDoubtful(doubtful);
        return std::move(m_comparison);
    }

    /// An error has no time by which the model could decide, but the twin that got the same request has decided it.
    /// @param admitted when requests were due that the twin admitted.
    void compareErrors(const std::set<qint64> &admitted, Comparison &comparison) const
    {
        for (const Request &request : m_traffic.requests) {
            const qint64 due = m_run.events[request.event].sent;
            if (request.answer != LimiterAnswer::Failed || request.isMissing() || due == never || !admitted.contains(due))
                continue;
            ++comparison.decisions;
            ++comparison.different;
            if (!comparison.first)
                comparison.first = Difference {request.event, say("twin.defect.failed", m_traffic.title(m_run), shownTime(m_run, request.event))};
        }
    }

private:
    static bool isUsable(const Request &request)
    {
        const DecisionFigures &figures = *request.figures;
        return figures.now >= 0 && figures.now <= mostNumber && figures.cost >= 0 && figures.cost <= mostNumber;
    }

    /// How many of the first requests were answered before the first one was sent that got no answer.
    size_t countCertain() const
    {
        qint64 sent = never;
        for (const Request &each : m_missing)
            sent = std::min(sent, each.at);
        const auto first = std::find_if(m_requests.begin(), m_requests.end(), [&](const Request &each) { return each.answered > sent; });
        return size_t(first - m_requests.begin());
    }

    void take(const Request &request, const Decision &expected)
    {
        ++m_comparison.decisions;
        std::optional<Sentence> difference = differenceOf(request, expected);
        if (!difference)
            return;
        ++m_comparison.different;
        if (!m_comparison.first)
            m_comparison.first = Difference {request.event, std::move(*difference)};
    }

    /// Answers that are wrong if all unanswered requests were lost. Some of them, from the first to the last, are looked at again: each takes as
    /// long as the whole comparison.
    void takeDoubtful(const std::vector<size_t> &doubtful)
    {
        constexpr size_t most = 8;
        for (size_t i = 0; i < std::min(doubtful.size(), most); ++i) {
            const size_t index = doubtful[doubtful.size() <= most ? i : (doubtful.size() - 1) * i / (most - 1)];
            const bool isAdmitted = m_requests[index].isAdmitted();
            if (decisionOf(index, Fate::AtOnce).admitted == isAdmitted)
                continue;
            const Decision expected = decisionOf(index, Fate::Late);
            if (expected.admitted != isAdmitted)
                take(m_requests[index], expected);
        }
    }

    Decision decisionOf(size_t index, Fate fate) const
    {
        const std::unique_ptr<ReferenceModel> model = m_limiter.reference();
        const auto send = [&](const Request &missing, qint64 time) {
            if (missing.at < m_requests[index].answered)
                model->decide(std::clamp<qint64>(time, 0, mostNumber), std::min(missing.cost(), mostNumber));
        };
        size_t next = 0;
        for (size_t i = 0; i < index; ++i) {
            for (; fate == Fate::AtOnce && next < m_missing.size() && m_missing[next].time <= m_requests[i].figures->now; ++next)
                send(m_missing[next], m_missing[next].time);
            model->decide(m_requests[i].figures->now, m_requests[i].figures->cost);
        }
        const qint64 now = m_requests[index].figures->now;
        for (; next < m_missing.size() && m_missing[next].time <= now; ++next)
            send(m_missing[next], fate == Fate::Late ? now : m_missing[next].time);
        return model->decide(now, m_requests[index].figures->cost);
    }

    std::optional<Sentence> differenceOf(const Request &request, const Decision &expected) const
    {
        const QString who = m_traffic.title(m_run);
        const At at = shownTime(m_run, request.event);
        if (request.isAdmitted() != expected.admitted) {
            if (m_isDefect)
                return say(expected.admitted ? "twin.defect.rejected" : "twin.defect.admitted", who, request.cost(), at);
            return say(expected.admitted ? "twin.rejected" : "twin.admitted", who, request.cost(), at);
        }
        if (m_isDefect)
            return {};
        const DecisionFigures &figures = *request.figures;
        const std::array<std::tuple<const char *, qint64, qint64>, 7> pairs {{{"limit", figures.limit, expected.limit},
            {"remaining", figures.remaining, expected.remaining},
            {"retryAfter", figures.retryAfter, expected.retryAfter.value_or(never)}, {"resetAfter", figures.resetAfter, expected.resetAfter},
            {"delay", figures.delay, expected.delay}, {"level", figures.level, expected.level}, {"now", figures.now, expected.now}}};
        for (const auto &[name, recorded, due] : pairs) {
            if (recorded != due)
                return say("twin.figure", who, at, QString::fromLatin1(name), shown(recorded), shown(due));
        }
        return {};
    }

    static QString shown(qint64 figure) { return figure == never ? text(At {never}) : QString::number(figure); }

    const Run &m_run;
    const Traffic &m_traffic;
    const Limiter &m_limiter;
    bool m_isDefect;
    std::vector<Request> m_requests; ///< that were answered
    std::vector<Request> m_missing;
    Comparison m_comparison;
};

/// When the requests were due that the correct twin of this traffic's limiter admitted; empty: it is none, or its twin is not here.
std::set<qint64> admittedByTwin(const Run &run, const Traffic &traffic)
{
    std::set<qint64> dues;
    if (!traffic.info || traffic.info->defect.isEmpty() || traffic.info->twin.isEmpty())
        return dues;
    const Name twin = run.names.find(traffic.info->twin.toUtf8());
    for (const Event &event : run.events) {
        const bool isAdmitted = event.kind == Event::Kind::Decision && static_cast<LimiterAnswer>(event.what) == LimiterAnswer::Admitted;
        if (isAdmitted && !event.has(Event::Touched) && event.text == twin && event.key == traffic.key && event.sent != never)
            dues.insert(event.sent);
    }
    return dues;
}

Comparison compare(const Run &run, const Traffic &traffic)
{
    Comparison comparison;
    if (!traffic.info) {
        comparison.unusable = say("limiter.undescribed", traffic.title(run));
        return comparison;
    }
    const Result<Limiter> limiter = Limiter::make(traffic.info->algorithm, traffic.info->values);
    if (!limiter) {
        comparison.unusable = say("limiter.unusable", traffic.title(run), limiter.error().text);
        return comparison;
    }
    Twin twin(run, traffic, *limiter);
    comparison = twin.compare();
    twin.compareErrors(admittedByTwin(run, traffic), comparison);
    return comparison;
}

}

CheckResult twinEquality(const History &history, const CheckUse &use)
{
    const Run &run = history.run();
    CheckResult result = resultOf(use);
    Comparison all;
    std::vector<Sentence> doubts;
    for (const Traffic &traffic : trafficOf(history, use)) {
        const Comparison each = compare(run, traffic);
        all.decisions += each.decisions;
        all.different += each.different;
        if (each.first && !all.first)
            all.first = each.first;
        if (!each.unusable.id.isEmpty())
            doubts.push_back(each.unusable);
        else if (each.isCut)
            doubts.push_back(say("twin.unanswered", traffic.title(run)));
    }
    result.facts = {{QStringLiteral("decisions"), all.decisions}, {QStringLiteral("different"), all.different}};
    if (all.first) {
        result.judgement = Judgement::Broken;
        result.sentences = {all.first->sentence, say("twin.count", all.different, all.decisions)};
        result.events = {all.first->event};
        return result;
    }
    if (!doubts.empty() || all.decisions == 0)
        result.judgement = Judgement::Unknown;
    if (!doubts.empty())
        result.sentences.push_back(doubts.front());
    result.sentences.push_back(all.decisions > 0 ? say("twin.held", all.decisions) : say("limiter.none"));
    return concluded(run, std::move(result));
}

}
