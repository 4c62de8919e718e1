// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

namespace interlock::samples {

// Records of a group, N1 with the replicas N2 and N3, and the sentinels S1 to S3, as a run would leave them. The lock is "lock".

/// Replication is cut at 0.38, A is granted the lock at 0.41, N1 is killed at 0.53. S2 leads; N3 is promoted at 2.193 without the key; B is granted the
/// lock at 2.204. A works until 3.412. N2 follows N3 at 2.75; S2 switches at 3.271, the others at 2.278.
Run lockLoss();
/// The same up to some time, as a live run.
Run lockLossUntil(double seconds);
/// No replica may be promoted: the failover is aborted, and tried again.
Run abortedFailover();
/// N1 sleeps from 0.5 to 3.2; N2 is promoted at 2.1, and N1 becomes its replica at 3.4.
Run sleepingPrimary();
/// N1 is killed, N3 takes over, then N3 is killed and N2 takes over.
Run twoFailovers();
/// N2's link is cut at 0.5 and comes back at 1.5: a copy of everything, in steps; cut again at 3.0, when the increment is enough.
Run resync();

}
