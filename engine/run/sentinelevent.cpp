// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/sentinelevent.h"

#include <array>

namespace interlock {

namespace {

struct Known
{
    const char *name;
    SentinelWord word;
};

constexpr std::array known {
    Known {"+sdown", SentinelWord::CallsDown},
    Known {"-sdown", SentinelWord::CallsUp},
    Known {"+odown", SentinelWord::AgreedDown},
    Known {"-odown", SentinelWord::AgreedUp},
    Known {"+new-epoch", SentinelWord::NewEpoch},
    Known {"+try-failover", SentinelWord::Tries},
    Known {"+vote-for-leader", SentinelWord::Votes},
    Known {"+elected-leader", SentinelWord::Elected},
    Known {"+selected-slave", SentinelWord::Selected},
    Known {"+failover-state-send-slaveof-noone", SentinelWord::PromotionSent},
    Known {"+promoted-slave", SentinelWord::PromotionSeen},
    Known {"+slave-reconf-sent", SentinelWord::OrdersSent},
    Known {"+slave-reconf-done", SentinelWord::OrdersFollowed},
    Known {"+switch-master", SentinelWord::Switched},
    Known {"+convert-to-slave", SentinelWord::Converted},
    Known {"+failover-end", SentinelWord::Ended},
    Known {"+failover-end-for-timeout", SentinelWord::Ended},
    Known {"+tilt", SentinelWord::Tilted},
    Known {"-tilt", SentinelWord::TiltEnded},
};

/// The last address in the message: of "lab 127.0.0.1 6401 127.0.0.1 6403" the new primary's.
int lastAddress(const GroupNodes &nodes, const QList<QByteArray> &words)
{
    for (qsizetype i = words.size() - 2; i >= 0; --i) {
        if (const int node = nodes.at(words[i], words[i + 1]); node >= 0)
            return node;
    }
    return -1;
}

/// "7f3a… 4": for whom, and in which epoch.
void readVote(const GroupNodes &nodes, const QList<QByteArray> &words, SentinelEvent &read)
{
    if (words.isEmpty())
        return;
    if (read.about < 0)
        read.about = nodes.find(words.first());
    if (read.about < 0)
        read.candidate = words.first();
    if (read.epoch == 0)
        read.epoch = words.last().toLongLong();
}

}

SentinelWord sentinelWord(const QByteArray &name)
{
    for (const Known &each : known) {
        if (name == each.name)
            return each.word;
    }
    return name.startsWith("-failover-abort") ? SentinelWord::Aborted : SentinelWord::Other;
}

SentinelEvent sentinelEvent(const Run &run, const GroupNodes &nodes, const Event &event)
{
    SentinelEvent read;
    read.word = sentinelWord(run.names.bytes(event.text));
    read.sentinel = nodes.find(run, event.lane);
    read.about = nodes.find(run, event.node);
    read.epoch = event.number;
    const QList<QByteArray> words = run.names.bytes(event.detail).simplified().split(' ');
    switch (read.word) {
    case SentinelWord::AgreedDown:
        if (const qsizetype quorum = words.indexOf("#quorum"); quorum >= 0 && quorum + 1 < words.size())
            read.quorum = words[quorum + 1];
        break;
    case SentinelWord::NewEpoch:
        if (read.epoch == 0)
            read.epoch = words.last().toLongLong();
        break;
    case SentinelWord::Votes:
        readVote(nodes, words, read);
        break;
    case SentinelWord::Switched:
        if (const int last = lastAddress(nodes, words); last >= 0)
            read.about = last;
        break;
    default:
        break;
    }
    return read;
}

}
