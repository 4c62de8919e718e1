// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/stage.h"
#include "engine/limiters/player.h"
#include "engine/limiters/trace.h"

namespace interlock {

struct Experiment;

/// With what all experiments on limiters have in common: the family, the views, and that nobody owns their keys.
Experiment limiterExperiment(const QString &id, int place);

/// The limiters of one run and the requests that all of them get. Shared by the play and its callers.
using PlayedLimiters = std::shared_ptr<const std::vector<PlayedLimiter>>;
using PlayedRequests = std::shared_ptr<const std::vector<LimiterRequest>>;

/// The correct limiters that experiments offer, by word and title, each with the same limit for the same window: "fixed-window",
/// "fixed-window-first-hit", …, "token-bucket-one" (a bucket that holds one).
QList<Option> limiterOptions();
/// Invalid, with a sentence: the limiter cannot have these values. Its name in the run is the word.
Result<PlayedLimiter> limiterOf(const QString &word, qint64 limit, Nanoseconds window);
/// The algorithm's values for a limit in a window: a bucket holds the limit and is filled in a window.
QList<std::pair<QString, QString>> limiterValues(const QString &algorithm, qint64 limit, Nanoseconds window);

/// Puts the limiters into the record, and their keys for these requests on the list of those that are cleaned up.
void announce(Stage &stage, const PlayedLimiters &limiters, const PlayedRequests &requests);

/// The requests of a trace, at most @p most of them. @param first the time that is their 0, in µs.
std::vector<LimiterRequest> requestsOf(const Trace &trace, size_t most, qint64 first = 0);

/// "traffic": how requests come. @param own the experiment's own traffic, which is the default, beside "a" and "b".
Parameter trafficParameter(const Option &own);
/// Traffic "a": with 100 per 60 s, 100 requests at 59.9 s and then one each 0.1 s to 119.9 s. Traffic "b": 4 a second for 600 s.
/// Likewise with other limits and windows. Nothing: the experiment's own was chosen. @param window in µs.
std::optional<std::vector<LimiterRequest>> trafficOf(const Values &values, qint64 limit, qint64 window);

/// A remark for the reader, in the record.
void note(Stage &stage, const QString &text);

/// What one caller does.
struct Playing
{
    PlayedLimiters limiters;
    PlayedRequests requests;
    Player::Options options;
    /// µs; not 0: the requests' time 0 is when the server's clock began such a window, the last one if no request is past by then.
    qint64 alignedTo = 0;
    /// µs of the requests' time; until then a few others go before them, so that something moves while the edge is waited for.
    qint64 trickleUntil = 0;
    bool looksAfterwards = true; ///< whether it tests promises and looks at the keys at the end
};

/// Tests promises, looks at the keys, and notes what each limiter has cost. Precondition: everything is answered.
Task<> lookAfterwards(Actor &actor, Player &player);

/// The caller's program: sends all requests, and waits for the answers.
Task<> playRequests(Actor &actor, std::vector<NodeRef> nodes, Playing playing);

/// When the server's clock last began a window, ns of the run (may be before its beginning). @param window in µs.
Task<Result<qint64>> lastEdge(Client &client, qint64 window);

/// "clock": whether limiters go by the server's clock or by the caller's.
Parameter clockParameter();
bool isOnCallersClock(const Values &values);

}
