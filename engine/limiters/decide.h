// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/base/time.h"
#include "engine/limiters/limiter.h"

namespace interlock {

class Client;

/// A decision and when it was asked for and answered, on the run's clock.
struct TimedDecision
{
    Result<Decision> decision;
    qint64 sent = never; ///< never: nothing was sent
    qint64 answered = never; ///< never: no answer came
};

/// Asks the limiter at the client's server about one request.
/// @param cost 0 only looks. @param now the caller's clock in µs; none: the server's.
/// Invalid, and nothing sent: a negative or too large number. Failed: an error reply. TimedOut, Closed: no answer, so it is
/// unknown whether the request was counted; it is not sent again.
Task<Result<Decision>> decide(Client &client, const Limiter &limiter, QByteArray key, qint64 cost = 1, std::optional<qint64> now = {});
/// The same with its times.
Task<TimedDecision> decideTimed(Client &client, const Limiter &limiter, QByteArray key, qint64 cost = 1, std::optional<qint64> now = {});

}
