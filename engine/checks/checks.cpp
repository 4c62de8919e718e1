// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/witnesses.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace interlock {

namespace {

using OnHistory = CheckResult (*)(const History &history, const CheckUse &use);

/// A check by itself: the history is put together for it alone.
template<OnHistory property>
CheckResult onRun(const Run &run, const CheckUse &use)
{
    return property(History(run), use);
}

struct Property
{
    const char *name;
    OnHistory onHistory;
    CheckFunction onRun;
};

template<OnHistory property>
constexpr Property named(const char *name)
{
    return {name, property, onRun<property>};
}

constexpr Property properties[] = {
    named<checks::mutualExclusion>("mutual-exclusion"),
    named<checks::mutualExclusion>("mutual-exclusion-work"),
    named<checks::watchedExclusion>("mutual-exclusion-watched"),
    named<checks::releaseByOwner>("release-by-owner"),
    named<checks::stuckLock>("stuck-lock"),
    named<checks::renewal>("renewal"),
    named<checks::lateWrite>("late-write"),
    named<checks::lostAcknowledgedWrite>("lost-acknowledged-write"),
    named<checks::newPrimary>("new-primary"),
    named<checks::promotionRule>("promotion-rule"),
    named<checks::increment>("increment"),
    named<checks::limiterBound>("limiter-bound"),
    named<checks::exactlyTheLimit>("exactly-the-limit"),
    named<checks::twinEquality>("twin-equality"),
    named<checks::keyWithoutTtl>("key-without-ttl"),
    named<checks::retryHonesty>("retry-honesty"),
};

const Property *findProperty(const QString &name)
{
    const auto found = std::find_if(std::begin(properties), std::end(properties),
        [&](const Property &property) { return name == QLatin1String(property.name); });
    return found == std::end(properties) ? nullptr : found;
}

CheckResult runCheck(const History &history, const CheckUse &use)
{
    if (const Property *property = findProperty(use.check))
        return property->onHistory(history, use);
    CheckResult result = resultOf(use, Judgement::Unknown);
    result.sentences.push_back(say("no-such-check", use.check));
    return result;
}

/// Broken before unknown before held, and what does not judge comes last.
int rank(const CheckResult &result)
{
    switch (result.judgement) {
    case Judgement::Broken:
        return result.judges ? 0 : 4;
    case Judgement::Unknown:
        return result.judges ? 1 : 5;
    case Judgement::Held:
        return result.judges ? 2 : 6;
    case Judgement::None:
        break;
    }
    return result.judges ? 3 : 7;
}

QByteArray quoted(const QString &text)
{
    // As an array of one, since a document is an array or an object; the brackets go.
    const QByteArray array = QJsonDocument(QJsonArray {text}).toJson(QJsonDocument::Compact);
    return array.sliced(1, array.size() - 2);
}

QByteArray checkObject(const CheckResult &result)
{
    QByteArray object = "{\"check\":" + quoted(result.check) + ",\"verdict\":" + quoted(word(result.judgement))
        + ",\"sentence\":" + quoted(text(result.sentences));
    for (const auto &[name, number] : result.facts)
        object += ',' + quoted(name) + ':' + QByteArray::number(number);
    return object + '}';
}

}

CheckFunction findCheck(const QString &name)
{
    const Property *property = findProperty(name);
    return property ? property->onRun : nullptr;
}

Verdict judge(const Run &run)
{
    Verdict verdict;
    const History history(run);
    for (const CheckUse &use : run.header.checks)
        verdict.checks.push_back(runCheck(history, use));
    const bool hasJudge = std::any_of(verdict.checks.begin(), verdict.checks.end(), [](const CheckResult &result) { return result.judges; });
    for (const Witness &witness : run.header.witnesses) {
        if (std::optional<CheckResult> absent = missing(history, witness))
            verdict.checks.push_back(std::move(*absent));
    }
    const bool drawsOnly = !hasJudge && run.header.expected == Judgement::None;
    if (!hasJudge && !drawsOnly) {
        CheckResult nobody = resultOf({}, Judgement::Unknown);
        nobody.sentences.push_back(say("no-judging-check"));
        verdict.checks.push_back(std::move(nobody));
    }
    std::stable_sort(verdict.checks.begin(), verdict.checks.end(),
        [](const CheckResult &left, const CheckResult &right) { return rank(left) < rank(right); });
    verdict.judgement = drawsOnly ? Judgement::None : verdict.checks.front().judgement;
    return verdict;
}

QByteArray verdictLine(const Run &run, const Verdict &verdict)
{
    QByteArrayList checks;
    for (const CheckResult &result : verdict.checks)
        checks.append(checkObject(result));
    return "{\"experiment\":" + quoted(run.header.experiment) + ",\"preset\":" + quoted(run.header.preset) + ",\"verdict\":"
        + quoted(word(verdict.judgement)) + ",\"checks\":[" + checks.join(',') + "]}";
}

}
