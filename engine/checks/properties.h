// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

namespace interlock {
class History;
}

/// The properties, each defined at the head of its own file.
namespace interlock::checks {

CheckResult mutualExclusion(const History &history, const CheckUse &use);
CheckResult watchedExclusion(const History &history, const CheckUse &use);
CheckResult releaseByOwner(const History &history, const CheckUse &use);
CheckResult stuckLock(const History &history, const CheckUse &use);
CheckResult renewal(const History &history, const CheckUse &use);
CheckResult lateWrite(const History &history, const CheckUse &use);
CheckResult lostAcknowledgedWrite(const History &history, const CheckUse &use);
CheckResult newPrimary(const History &history, const CheckUse &use);
CheckResult promotionRule(const History &history, const CheckUse &use);
CheckResult increment(const History &history, const CheckUse &use);
CheckResult limiterBound(const History &history, const CheckUse &use);
CheckResult exactlyTheLimit(const History &history, const CheckUse &use);
CheckResult twinEquality(const History &history, const CheckUse &use);
CheckResult keyWithoutTtl(const History &history, const CheckUse &use);
CheckResult retryHonesty(const History &history, const CheckUse &use);

}
