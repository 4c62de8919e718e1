// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <optional>

namespace interlock {

class History;

/// Looks for what a preset must have shown. Nothing if it is there; otherwise a result that says unknown and what was missing.
/// In each, Witness::atLeast says how often:
///
///     fault      a fault of the name `whom` (empty: any) touched something
///     asked      the lane `whom` tried to take a lock and was answered; empty: so many different lanes did
///     granted    the lane `whom` (empty: anybody) was granted a lock
///     refused    the lane `whom` (empty: anybody) was refused
///     released   a release of the lane `whom` (empty: anybody) was answered
///     renewed    a renewal of the lane `whom` (empty: anybody) was accepted
///     expired    a lock of the lane `whom` (empty: anybody) expired, as the node says, or its lease ran out before its release
///     overrun    the lane `whom` (empty: anybody) worked in a section beyond its lease
///     wrote      the lane `whom` (empty: anybody) wrote to a resource, accepted or refused
///     acknowledged  a write of the lane `whom` (empty: anybody) to a resource was accepted
///     lost       one of its acknowledged writes, or grants of a lock, was lost: see lostacknowledgedwrite.cpp
///     promoted   the server `whom` took the primary's role; empty: so many different servers did
///     as-ruled   the server `whom` (empty: any) was promoted as Sentinel's rules say: see promotionrule.cpp
///     switched   the sentinel `whom` took a new primary for its own; empty: so many different sentinels did
///     synced     the replica `whom` (empty: any) was brought up to its primary
///     decided    the limiter `whom` (empty: any) admitted or refused a request; neither probes nor errors count
///     admitted   it admitted one
///     rejected   it refused one
std::optional<CheckResult> missing(const History &history, const Witness &witness);

}
