// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/failoverladder.h"
#include "engine/run/run.h"

#include <QString>

namespace interlock {

/// The names of nodes as the header has them; empty for none.
QString nodeName(const Run &run, int node);

/// "Failover of N1", "Copy to N2".
QString ladderTitle(const Run &run, const Ladder &ladder);
/// What it is that happened, without who told of it: "killed", "+odown 2/2", "+vote ×3 → S2", "promoted".
QString rungLabel(const Run &run, const Rung &rung);
/// Who told of it, in order: "S2 S1"; empty where the label says it.
QString rungTellers(const Run &run, const Rung &rung);
/// Whether a person would look for this step first: what was lost, who was promoted, a failure.
bool isLandmark(const Rung &rung);
/// Two sentences: what the step means, and which setting governs it.
QString rungMeaning(const Rung &rung);
/// "S2 at 1.242 s, S1 at 1.301 s": each who told of it.
QString rungTimes(const Run &run, const Rung &rung);

/// What was done on purpose, by its word in the record: "replication cut", "replication 200 ms late".
QString faultText(const QByteArray &word, qint64 amount);

/// "1.2 MB", "410 B": for people, in powers of ten.
QString bytesText(qint64 bytes);
/// A length of time from the loss, with its sign and milliseconds: "0.712 s", "−0.150 s".
QString sinceText(qint64 ns);

}
