// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/limiter.h"
#include "engine/redis/connection.h"

#include <deque>
#include <functional>

namespace interlock {

/// One request to a limiter on the caller's clock.
struct LimiterRequest
{
    QByteArray key;
    qint64 cost = 1; ///< 0 to mostNumber; 0 only looks
    qint64 at = 0; ///< µs, 0 to mostNumber
};

/// Decides many requests one after another through one connection, with many of them under way at a time.
class LimiterPipeline : private ReplyReceiver
{
public:
    struct Calls
    {
        std::function<std::optional<LimiterRequest>()> next; ///< nothing: that was the last
        /// @p number counts the requests from 0. In their order, unless another client empties and fills the server's scripts meanwhile.
        std::function<void(qint64 number, const Decision &decision)> decided;
        /// Once, at the end: all are decided, or what went wrong first. May destroy the pipeline.
        std::function<void(Result<void> result)> finished;
    };

    /// @param connection and @param limiter must outlive the pipeline.
    LimiterPipeline(Connection &connection, const Limiter &limiter, Calls calls);
    ~LimiterPipeline();
    LimiterPipeline(const LimiterPipeline &) = delete;
    LimiterPipeline &operator=(const LimiterPipeline &) = delete;

    /// Once.
    void start();

private:
    struct UnderWay
    {
        qint64 number;
        LimiterRequest request;
        bool isSecondTry = false;
    };

    void replied(Reply reply, Nanoseconds answered) override;
    void failed(Error error) override;
    void fill();
    void send(const char *verb, const QByteArray &what, UnderWay request);
    void finish(Result<void> result);

    Connection &m_connection;
    const Limiter &m_limiter;
    Calls m_calls;
    std::deque<UnderWay> m_underWay; ///< in the order of their answers
    qint64 m_asked = 0;
    qint64 m_sentAgain = 0; ///< under way for the second time
    bool m_isLast = false;
    bool m_isLoaded = false;
    bool m_isFinished = false;
};

}
