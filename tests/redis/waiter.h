// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/connection.h"

#include <QTest>

#include <functional>
#include <optional>

namespace interlock {

/// A receiver that keeps what it was told.
class Waiter : public ReplyReceiver
{
public:
    explicit Waiter(std::function<void()> told = {})
        : m_told(std::move(told))
    {
    }

    void replied(Reply reply, Nanoseconds at) override
    {
        answered = at;
        keep(std::move(reply));
    }
    void failed(Error error) override { keep(std::move(error)); }

    bool isTold() const { return m_result.has_value(); }
    bool wait(int milliseconds = 5000) const
    {
        return QTest::qWaitFor([this] { return isTold(); }, milliseconds);
    }
    bool hasReply() const { return m_result && m_result->ok(); }
    bool hasError(Error::Kind kind) const { return m_result && !m_result->ok() && m_result->error().kind == kind; }
    Reply reply() const { return hasReply() ? m_result->value() : Reply(); }
    Error error() const { return m_result && !m_result->ok() ? m_result->error() : Error(); }

    Nanoseconds answered {0};
    int calls = 0;

private:
    void keep(Result<Reply> result)
    {
        ++calls;
        m_result = std::move(result);
        if (const auto told = m_told) // a copy: it may destroy this
            told();
    }

    std::function<void()> m_told;
    std::optional<Result<Reply>> m_result;
};

/// Sends and waits.
template<typename... Arguments>
Reply ask(Connection &connection, const Arguments &...arguments)
{
    Waiter waiter;
    connection.send(Command(arguments...), 5s, &waiter);
    if (!waiter.wait() || !waiter.hasReply()) {
        connection.forget(&waiter);
        return {ReplyType::None, 0, "no reply: " + waiter.error().text.toUtf8(), {}};
    }
    return waiter.reply();
}

}
