// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Retry honesty: what a refusal promises is so, to the microsecond. On copies of the key, probes ask for the same cost at explicit times.
//
//     refused at 5 s with retry after 2 s; the probe at 7 s is admitted and that at 6.999999 s is refused      held
//     the probe at 7 s is refused                                                                              broken: told too early
//     the probe at 6.999999 s is admitted                                                                      broken: told too late
//     a probe is missing, was not answered, or asked at another time or for another cost                       unknown
//     nobody was refused, or no promise was tried                                                              unknown
//
// A probe names its refusal by number: "17-at" or "17-before". Promises that nobody tried say nothing. Argument `limiter`: only this one.
#include "engine/base/wide.h"
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/traffic.h"

#include <map>

namespace interlock::checks {

namespace {

/// What the probes of one refusal found out.
struct Trial
{
    std::optional<size_t> at; ///< the event of the probe that was answered as it should be
    std::optional<size_t> before;
    bool isOpen = false; ///< a probe tested nothing
};

class Trials
{
public:
    Trials(const History &history, QString limiter)
        : m_run(history.run())
        , m_limiter(std::move(limiter))
    {
        for (const size_t index : history.order()) {
            const Event &event = m_run.events[index];
            if (event.kind == Event::Kind::Decision && !event.has(Event::Touched) && m_run.figures(event))
                m_decisions.emplace(event.number, index);
        }
        for (const size_t index : history.order())
            take(index);
    }

    std::optional<Sentence> broken; ///< the first breach
    std::vector<size_t> proof;
    qint64 breaches = 0;

    qint64 tried() const { return qint64(m_trials.size()); }
    qint64 open() const
    {
        qint64 count = 0;
        for (const auto &[number, trial] : m_trials)
            count += trial.isOpen || !trial.at || !trial.before;
        return count;
    }

private:
    void take(size_t index)
    {
        const Event &event = m_run.events[index];
        if (event.kind != Event::Kind::Decision || !event.has(Event::Touched))
            return;
        if (!m_limiter.isEmpty() && m_run.text(event.text) != m_limiter)
            return;
        const QByteArray &name = m_run.names.bytes(event.detail);
        const bool isAt = name.endsWith("-at");
        if (!isAt && !name.endsWith("-before"))
            return; // it tests something else
        bool isNumber = false;
        const qint64 number = name.left(name.lastIndexOf('-')).toLongLong(&isNumber);
        const auto refusal = m_decisions.find(isNumber ? number : -1);
        Trial &trial = m_trials[isNumber ? number : -1];
        if (refusal == m_decisions.end() || !tests(event, m_run.events[refusal->second], isAt))
            trial.isOpen = true;
        else
            judge(trial, index, refusal->second, isAt);
    }

    /// Is this probe the question that the refusal's promise answers, and was it answered?
    bool tests(const Event &probe, const Event &refusal, bool isAt) const
    {
        const DecisionFigures *asked = m_run.figures(probe);
        const DecisionFigures *promised = m_run.figures(refusal);
        if (!asked || probe.text != refusal.text || static_cast<LimiterAnswer>(probe.what) > LimiterAnswer::Rejected)
            return false;
        if (static_cast<LimiterAnswer>(refusal.what) != LimiterAnswer::Rejected || promised->retryAfter == never)
            return false;
        return asked->cost == promised->cost && asked->asked != never
            && Wide(asked->asked) == Wide(promised->now) + promised->retryAfter - (isAt ? 0 : 1);
    }

    void judge(Trial &trial, size_t probe, size_t refusal, bool isAt)
    {
        const bool isAdmitted = static_cast<LimiterAnswer>(m_run.events[probe].what) == LimiterAnswer::Admitted;
        (isAt ? trial.at : trial.before) = probe;
        if (isAdmitted == isAt)
            return;
        ++breaches;
        if (broken)
            return;
        const Event &event = m_run.events[refusal];
        const LimiterInfo *info = m_run.limiter(m_run.text(event.text));
        const QString who = info && !info->title.isEmpty() ? info->title : m_run.text(event.text);
        const DecisionFigures &promised = *m_run.figures(event);
        broken = say(isAt ? "retry.early" : "retry.late", who, shownTime(m_run, refusal), promised.cost,
            For {narrowed(Wide(promised.retryAfter) * 1'000)});
        proof = {probe, refusal};
    }

    const Run &m_run;
    QString m_limiter;
    std::map<qint64, size_t> m_decisions; ///< events by number
    std::map<qint64, Trial> m_trials; ///< by the refusal's number
};

}

CheckResult retryHonesty(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const Trials trials(history, argument(use, QStringLiteral("limiter")));
    result.facts = {{QStringLiteral("tried"), trials.tried()}, {QStringLiteral("wrong"), trials.breaches}};
    if (trials.broken) {
        result.judgement = Judgement::Broken;
        result.sentences = {*trials.broken, say("retry.count", trials.breaches, trials.tried())};
        result.events = trials.proof;
        return result;
    }
    if (trials.tried() == 0 || trials.open() > 0)
        result.judgement = Judgement::Unknown;
    if (trials.tried() == 0)
        result.sentences.push_back(say("retry.none"));
    else if (trials.open() > 0)
        result.sentences.push_back(say("retry.open", trials.open(), trials.tried()));
    else
        result.sentences.push_back(say("retry.held", trials.tried()));
    return concluded(history.run(), std::move(result));
}

}
