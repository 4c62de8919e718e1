// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <optional>

namespace interlock {

/// Does the record show the whole run, to its end?
bool isWhole(const Run &run);

/// The result of a check that has no objection so far.
CheckResult resultOf(const CheckUse &use, Judgement judgement = Judgement::Held);

/// The last word of every check: a record that is not whole can be broken, never held.
CheckResult concluded(const Run &run, CheckResult result);

/// The argument's text; empty: not given.
QString argument(const CheckUse &use, const QString &name);
/// A whole number of 1 or more; if the argument is not given, @p otherwise. Nothing if that is none either.
std::optional<qint64> countArgument(const CheckUse &use, const QString &name, qint64 otherwise);

}
