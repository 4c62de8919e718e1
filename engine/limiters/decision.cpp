// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/decision.h"

#include "engine/redis/reply.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

Result<Decision> decisionFrom(const Reply &reply)
{
    if (reply.isError())
        return Error {Error::Kind::Failed, QString::fromUtf8(reply.text)};
    const std::vector<Reply> &numbers = reply.elements;
    const auto isNumber = [](const Reply &element) { return element.type == ReplyType::Integer; };
    if (reply.type != ReplyType::Array || numbers.size() != 9 || !std::all_of(numbers.begin(), numbers.end(), isNumber))
        return Error {Error::Kind::Failed,
            QCoreApplication::translate("Limiter", "A limiter's script answered no decision: %1").arg(QString::fromUtf8(reply.shown()))};
    Decision decision;
    decision.admitted = numbers[0].integer == 1;
    decision.limit = numbers[1].integer;
    decision.remaining = numbers[2].integer;
    decision.retryAfter = numbers[3].integer < 0 ? std::nullopt : std::optional(numbers[3].integer);
    decision.resetAfter = numbers[4].integer;
    decision.delay = numbers[5].integer;
    decision.level = numbers[6].integer;
    decision.now = numbers[7].integer;
    decision.serverTime = numbers[8].integer;
    return decision;
}

}
