// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/groupnodes.h"

namespace interlock {

/// What sentinels publish, as far as it is part of a failover.
enum class SentinelWord : quint8 {
    Other,
    CallsDown, ///< +sdown: this one has had no answer for too long
    CallsUp, ///< -sdown
    AgreedDown, ///< +odown: so many as the quorum wants say so
    AgreedUp, ///< -odown
    NewEpoch, ///< +new-epoch: a round of votes
    Tries, ///< +try-failover: stands for election
    Votes, ///< +vote-for-leader
    Elected, ///< +elected-leader
    Selected, ///< +selected-slave: the replica that will be promoted
    PromotionSent, ///< +failover-state-send-slaveof-noone
    PromotionSeen, ///< +promoted-slave
    OrdersSent, ///< +slave-reconf-sent: another replica was told to follow the new primary
    OrdersFollowed, ///< +slave-reconf-done
    Switched, ///< +switch-master: takes another server for the primary
    Converted, ///< +convert-to-slave: an old primary that came back was told to be a replica
    Ended, ///< +failover-end and +failover-end-for-timeout
    Aborted, ///< -failover-abort-…
    Tilted, ///< +tilt: its own clock jumped, so it only watches
    TiltEnded, ///< -tilt
};

SentinelWord sentinelWord(const QByteArray &name);

/// A Sentinel event, understood. Redis's page "High availability with Redis Sentinel" lists the events and what follows their names.
struct SentinelEvent
{
    SentinelWord word = SentinelWord::Other;
    int sentinel = -1; ///< who published it, as GroupNodes counts
    int about = -1; ///< the server, of a vote the sentinel that gets it, of a switch the new primary; -1: not known
    QByteArray quorum; ///< of AgreedDown: "2/2"
    qint64 epoch = 0; ///< of NewEpoch and Votes, if it was told
    QByteArray candidate; ///< of a vote: the run id, as long as nobody knows whose it is
};

SentinelEvent sentinelEvent(const Run &run, const GroupNodes &nodes, const Event &event);

}
