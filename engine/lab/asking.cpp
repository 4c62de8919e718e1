// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/asking.h"

#include "engine/base/awaited.h"
#include "engine/redis/connection.h"

#include <QCoreApplication>

namespace interlock {

namespace {

/// Tells a coroutine of one answer, and is forgotten with it.
class Asked final : public ReplyReceiver
{
public:
    Asked(Connection &connection, std::function<void(Result<Reply>)> done)
        : m_connection(connection)
        , m_done(std::move(done))
    {
    }
    ~Asked() { m_connection.forget(this); }
    Asked(const Asked &) = delete;
    Asked &operator=(const Asked &) = delete;

private:
    void replied(Reply reply, Nanoseconds) override { m_done(std::move(reply)); }
    void failed(Error error) override { m_done(std::move(error)); }

    Connection &m_connection;
    std::function<void(Result<Reply>)> m_done;
};

}

std::function<void(std::function<void()>)> post(Clock &clock)
{
    return [&clock](std::function<void()> call) { clock.after(0ns, std::move(call)); };
}

Task<> rest(Clock &clock, Nanoseconds duration)
{
    struct Timer
    {
        Clock &clock;
        Clock::TimerId id = 0;
        ~Timer() { clock.cancel(id); }
    };
    Awaited<bool> passed(post(clock));
    Timer timer {clock};
    timer.id = clock.after(duration, [done = passed.callback()] { done(true); });
    co_await passed;
}

Task<Result<Reply>> ask(Connection &connection, Command command, Clock &clock, Nanoseconds deadline)
{
    Awaited<Result<Reply>> answered(post(clock));
    Asked asked(connection, answered.callback());
    connection.send(command, deadline, &asked);
    Result<Reply> reply = co_await answered;
    if (reply && reply->isError()) {
        co_return Error {Error::Kind::Failed,
            QCoreApplication::translate("Asking", "%1 refused “%2”: %3")
                .arg(connection.endpoint().shown(), QString::fromUtf8(command.shown()), QString::fromUtf8(reply->text))};
    }
    co_return reply;
}

}
