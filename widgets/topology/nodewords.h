// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/grouphistory.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

namespace interlock {

/// A moment of a run's group, for those who put it into words or draw it.
struct GroupMoment
{
    const Run *run = nullptr;
    const GroupHistory *history = nullptr;
    GroupState group;

    static GroupMoment of(const Run &run, const GroupHistory &history, qint64 time) { return {&run, &history, history.at(run, time)}; }
};

/// "6401", as the node's address says; empty if it is not told, or if all have the same.
QString portOf(const Run &run, int node);
/// "primary", "replica of N1", "primary, killed", "still primary": the latter if another has become it since.
QString roleText(const GroupMoment &moment, const ServerState &server);
/// "cut · 130 B behind", the longest first; empty texts where there is nothing to say.
QStringList linkTexts(const ReplicationLink &link);
/// "7f3a (A)": a token as far as people need it, and whose it is.
QString tokenText(const GroupMoment &moment, Name token);
/// "promoted", "replica now", "killed", …: what became of a node within the last so many ns; empty: nothing.
QString newsText(const GroupMoment &moment, const NodeState &node, qint64 within);
/// "says N1 is down", "leads", "votes for S2": what a sentinel is about, the most important first; empty: nothing.
QString sentinelText(const Run &run, const SentinelState &sentinel);

/// All that is known of a node, as a name and a value each.
QList<std::pair<QString, QString>> nodeFacts(const GroupMoment &moment, int node);
/// The whole moment in sentences, for those who do not see it.
QString groupSummary(const GroupMoment &moment);

}
