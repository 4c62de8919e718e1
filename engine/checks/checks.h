// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

namespace interlock {

/// A check is a pure function of a run and its arguments. It looks at events only, never at stored verdicts.
/// See the files beside this one; each says exactly when it is broken, unknown and held.
using CheckFunction = CheckResult (*)(const Run &run, const CheckUse &use);

/// Null if there is no such check. Names: mutual-exclusion (of work; also mutual-exclusion-work), mutual-exclusion-watched,
/// release-by-owner, stuck-lock, renewal (argument maximum-lifetime, ns), late-write, key-without-ttl (key);
/// of groups: lost-acknowledged-write (key: only that one), new-primary (bound, ns), promotion-rule, increment;
/// of limiters, each with the optional argument `limiter`: limiter-bound (bound = own or trailing, limit, window in µs, clock = server),
/// exactly-the-limit (limit, clock), twin-equality, retry-honesty.
CheckFunction findCheck(const QString &name);

/// Runs the checks and witnesses that the header names. A witness that is missing counts as a check that says unknown; an
/// incomplete run's checks say broken or unknown; a check that does not exist says unknown. A preset without expectation and
/// without judging checks gives None.
Verdict judge(const Run &run);

/// {"experiment":…,"preset":…,"verdict":…,"checks":[…]} as the command line prints it; a check's facts follow its sentence.
QByteArray verdictLine(const Run &run, const Verdict &verdict);

}
