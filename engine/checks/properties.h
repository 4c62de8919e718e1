// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

/// The properties, each defined at the head of its own file.
namespace interlock::checks {

CheckResult mutualExclusion(const Run &run, const CheckUse &use);
CheckResult watchedExclusion(const Run &run, const CheckUse &use);
CheckResult releaseByOwner(const Run &run, const CheckUse &use);
CheckResult stuckLock(const Run &run, const CheckUse &use);
CheckResult renewal(const Run &run, const CheckUse &use);
CheckResult lateWrite(const Run &run, const CheckUse &use);

}
