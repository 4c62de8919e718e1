// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/rungkinds.h"

#include <algorithm>

namespace interlock {

using Kind = Rung::Kind;

Rung::Kind rungKind(SentinelWord word)
{
    switch (word) {
    case SentinelWord::CallsDown:
        return Kind::CallsDown;
    case SentinelWord::CallsUp:
        return Kind::CallsUp;
    case SentinelWord::AgreedDown:
        return Kind::AgreedDown;
    case SentinelWord::AgreedUp:
        return Kind::AgreedUp;
    case SentinelWord::NewEpoch:
        return Kind::NewEpoch;
    case SentinelWord::Tries:
        return Kind::Tries;
    case SentinelWord::Votes:
        return Kind::Votes;
    case SentinelWord::Elected:
        return Kind::Elected;
    case SentinelWord::Selected:
        return Kind::Selected;
    case SentinelWord::PromotionSent:
        return Kind::PromotionSent;
    case SentinelWord::PromotionSeen:
        return Kind::PromotionSeen;
    case SentinelWord::OrdersSent:
        return Kind::OrdersSent;
    case SentinelWord::OrdersFollowed:
        return Kind::OrdersFollowed;
    case SentinelWord::Switched:
        return Kind::Switched;
    case SentinelWord::Converted:
        return Kind::Converted;
    case SentinelWord::Ended:
        return Kind::FailoverEnded;
    case SentinelWord::Aborted:
        return Kind::Aborted;
    case SentinelWord::Tilted:
        return Kind::Tilted;
    case SentinelWord::TiltEnded:
    case SentinelWord::Other:
        break;
    }
    return Kind::TiltEnded;
}

Rung::Kind rungKind(NodeChange change)
{
    switch (change) {
    case NodeChange::Started:
        return Kind::Started;
    case NodeChange::Ready:
        return Kind::Ready;
    case NodeChange::Paused:
        return Kind::Paused;
    case NodeChange::Resumed:
        return Kind::Resumed;
    case NodeChange::Killed:
        return Kind::Killed;
    default:
        return Kind::Ended;
    }
}

bool isFaultOfProcess(const QByteArray &fault)
{
    return fault == "kill" || fault == "restart" || fault == "pause" || fault == "resume";
}

bool isLife(NodeChange change)
{
    return change == NodeChange::Started || change == NodeChange::Ready || change == NodeChange::Paused || change == NodeChange::Resumed
        || change == NodeChange::Killed || change == NodeChange::Ended;
}

bool isCopyStep(const QByteArray &note)
{
    return std::any_of(copyStepWords.begin(), copyStepWords.end(), [&](const char *word) { return note == word; });
}

bool isElection(SentinelWord word)
{
    return word == SentinelWord::NewEpoch || word == SentinelWord::Tries || word == SentinelWord::Votes || word == SentinelWord::Elected
        || word == SentinelWord::Selected || word == SentinelWord::Switched;
}

}
