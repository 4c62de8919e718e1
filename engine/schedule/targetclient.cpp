// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/targetclient.h"

#include "engine/schedule/primarysearch.h"

namespace interlock {

Task<Result<std::unique_ptr<Client>>> clientOf(Actor &actor, Target target, Milliseconds limit, Nanoseconds deadline)
{
    if (const auto *server = std::get_if<Endpoint>(&target))
        co_return std::make_unique<Client>(actor, NodeRef {server->shown(), *server}, deadline);
    SearchOptions options;
    options.patience.limit = limit;
    options.deadline = deadline;
    PrimarySearch search(actor, std::get<SentinelEndpoint>(target), std::move(options));
    co_return co_await search.find();
}

}
