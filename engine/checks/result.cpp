// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

namespace interlock {

bool isWhole(const Run &run)
{
    return run.isComplete && run.dropped == 0;
}

CheckResult resultOf(const CheckUse &use, Judgement judgement)
{
    CheckResult result;
    result.check = use.check;
    result.judges = use.judges;
    result.judgement = judgement;
    return result;
}

CheckResult concluded(const Run &run, CheckResult result)
{
    if (isWhole(run) || result.judgement != Judgement::Held)
        return result;
    result.judgement = Judgement::Unknown;
    Sentence why = say("incomplete");
    if (run.isComplete)
        why = say("incomplete.dropped", qint64(qMin<quint64>(run.dropped, quint64(never))));
    else if (!run.incompleteBecause.isEmpty())
        why = say("incomplete.because", run.incompleteBecause);
    result.sentences.insert(result.sentences.begin(), why);
    return result;
}

std::optional<qint64> countArgument(const CheckUse &use, const QString &name, qint64 otherwise)
{
    const QString given = argument(use, name);
    bool isNumber = true;
    const qint64 number = given.isEmpty() ? otherwise : given.toLongLong(&isNumber);
    return isNumber && number > 0 ? std::optional(number) : std::nullopt;
}

QString argument(const CheckUse &use, const QString &name)
{
    for (const auto &[key, value] : use.arguments) {
        if (key == name)
            return value;
    }
    return {};
}

}
