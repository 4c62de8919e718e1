// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/target.h"

namespace interlock {

Result<Target> targetFrom(const QString &text)
{
    // Not a conditional expression: its two sides are of different types.
    if (SentinelEndpoint::isMeant(text)) {
        const Result<SentinelEndpoint> sentinels = SentinelEndpoint::parse(text);
        return sentinels ? Result<Target>(*sentinels) : sentinels.error();
    }
    const Result<Endpoint> endpoint = Endpoint::parse(text);
    return endpoint ? Result<Target>(*endpoint) : endpoint.error();
}

QString shown(const Target &target)
{
    return std::visit([](const auto &one) { return one.shown(); }, target);
}

}
