// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run.h"

namespace interlock {

const DecisionFigures *Run::figures(const Event &event) const
{
    const bool isThere = event.kind == Event::Kind::Decision && event.number >= 0 && quint64(event.number) < decisions.size();
    return isThere ? &decisions[size_t(event.number)] : nullptr;
}

const LimiterInfo *Run::limiter(const QString &name) const
{
    for (const LimiterInfo &limiter : header.limiters) {
        if (limiter.name == name)
            return &limiter;
    }
    return nullptr;
}

QString word(Judgement judgement)
{
    switch (judgement) {
    case Judgement::Held:
        return QStringLiteral("held");
    case Judgement::Broken:
        return QStringLiteral("broken");
    case Judgement::Unknown:
        return QStringLiteral("unknown");
    case Judgement::None:
        break;
    }
    return QStringLiteral("none");
}

}
