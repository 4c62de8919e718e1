// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace interlock {

/// The decisive event of each judging check that was broken: drawn in vermilion.
inline std::set<size_t> guiltyEvents(const Verdict &verdict)
{
    std::set<size_t> events;
    for (const CheckResult &check : verdict.checks) {
        if (check.judgement == Judgement::Broken && check.judges && !check.events.empty())
            events.insert(check.events.front());
    }
    return events;
}

/// Whether two at work at once are drawn as a breach of the promise. Afterwards the verdict says so: where it is not broken,
/// an overlap is a fact to be told, nothing more. Before there is a verdict, it is a breach if the promise is about overlaps
/// or the preset is meant to break it.
inline bool overlapsBreakThePromise(const Header &header, const Verdict &verdict, bool isLive)
{
    if (!isLive)
        return verdict.judgement == Judgement::Broken;
    return header.expected == Judgement::Broken
        || std::any_of(header.checks.begin(), header.checks.end(),
            [](const CheckUse &use) { return use.judges && use.check.startsWith(QLatin1String("mutual-exclusion")); });
}

/// All events that prove the first violation, the decisive one first; of a check that does not judge if no other was broken.
inline std::vector<size_t> firstViolation(const Verdict &verdict)
{
    for (const bool judges : {true, false}) {
        for (const CheckResult &check : verdict.checks) {
            if (check.judgement == Judgement::Broken && check.judges == judges && !check.events.empty())
                return check.events;
        }
    }
    return {};
}

}
