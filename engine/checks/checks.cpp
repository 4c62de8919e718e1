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

constexpr std::pair<const char *, CheckFunction> properties[] = {
    {"mutual-exclusion", checks::mutualExclusion},
    {"mutual-exclusion-work", checks::mutualExclusion},
    {"mutual-exclusion-watched", checks::watchedExclusion},
    {"release-by-owner", checks::releaseByOwner},
    {"stuck-lock", checks::stuckLock},
    {"renewal", checks::renewal},
    {"late-write", checks::lateWrite},
};

CheckResult runCheck(const Run &run, const CheckUse &use)
{
    if (const CheckFunction check = findCheck(use.check))
        return check(run, use);
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
    for (const auto &[known, check] : properties) {
        if (name == QLatin1String(known))
            return check;
    }
    return nullptr;
}

Verdict judge(const Run &run)
{
    Verdict verdict;
    for (const CheckUse &use : run.header.checks)
        verdict.checks.push_back(runCheck(run, use));
    const bool hasJudge = std::any_of(verdict.checks.begin(), verdict.checks.end(), [](const CheckResult &result) { return result.judges; });
    if (!run.header.witnesses.isEmpty()) {
        const History history(run);
        for (const Witness &witness : run.header.witnesses) {
            if (std::optional<CheckResult> absent = missing(history, witness))
                verdict.checks.push_back(std::move(*absent));
        }
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
