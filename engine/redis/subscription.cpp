// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/connection.h"
#include "engine/redis/fifo.h"
#include "engine/redis/placetext.h"
#include "engine/redis/wire.h"

#include <QBasicTimer>
#include <QCoreApplication>
#include <QPointer>

#include <optional>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Subscription)
};

Command listed(const char *name, const QList<QByteArray> &arguments)
{
    Command command(name);
    for (const QByteArray &argument : arguments)
        command.add(argument);
    return command;
}

const Nanoseconds deadline = Connection::Options().connectDeadline;

}

class Subscription::Impl : public QObject, private Wire::Listener
{
public:
    Impl(Endpoint endpoint, QList<QByteArray> channels, QList<QByteArray> patterns)
        : m_channels(std::move(channels))
        , m_patterns(std::move(patterns))
        , m_unconfirmed(m_channels.size() + m_patterns.size())
        , m_wire(std::move(endpoint), QByteArray(), deadline, Wire::Mode::Messages, *this)
    {
    }

    std::function<void(Message)> onMessage;
    std::function<void(Result<void>)> onReady;
    std::function<void(const Error &)> onClosed;

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    enum class State { Opening, Subscribing, Ready, Ended };

    void opened() override { m_isOpen = true; }
    void received(Reply reply, Nanoseconds at) override;
    void ended(Error error) override;
    void settled() override;

    void subscribe();
    bool becomeReady(Result<void> result);

    QList<QByteArray> m_channels;
    QList<QByteArray> m_patterns;
    qsizetype m_unconfirmed;
    State m_state = State::Opening;
    bool m_isOpen = false;
    Fifo<Message> m_messages; // still to be told
    std::optional<Error> m_end;
    QBasicTimer m_timer; // for the confirmations
    Wire m_wire; // last: it calls the rest
};

void Subscription::Impl::received(Reply reply, Nanoseconds at)
{
    if (reply.isError()) {
        if (!m_end)
            m_end = Error {Error::Kind::Failed,
                Text::tr("Redis at %1 refused the subscription: %2")
                    .arg(placeText(m_wire.endpoint()), QString::fromUtf8(reply.text))};
        return;
    }
    std::vector<Reply> &parts = reply.elements;
    if (parts.size() == 3 && parts[0].text == "message")
        m_messages.push({QByteArray(), std::move(parts[1].text), std::move(parts[2].text), at});
    else if (parts.size() == 4 && parts[0].text == "pmessage")
        m_messages.push({std::move(parts[1].text), std::move(parts[2].text), std::move(parts[3].text), at});
    else if (parts.size() == 3 && parts[0].text.endsWith("subscribe"))
        --m_unconfirmed;
}

void Subscription::Impl::ended(Error error)
{
    if (!m_end)
        m_end = std::move(error);
}

/// Tells what has happened. Anybody who is told may destroy this object.
void Subscription::Impl::settled()
{
    const QPointer<Impl> alive(this);
    if (m_state == State::Opening && m_isOpen && !m_end)
        subscribe();
    if (m_state == State::Subscribing && !m_end && m_unconfirmed <= 0 && !becomeReady({}))
        return;
    while (m_state == State::Ready && !m_messages.isEmpty()) {
        const auto call = onMessage;
        call(m_messages.take());
        if (!alive)
            return;
    }
    if (!m_end || m_state == State::Ended)
        return;
    if (m_state != State::Ready) {
        becomeReady(*m_end);
        return;
    }
    m_state = State::Ended;
    if (const auto call = onClosed)
        call(Error(*m_end));
}

void Subscription::Impl::subscribe()
{
    m_state = State::Subscribing;
    m_timer.start(static_cast<int>(std::chrono::ceil<Milliseconds>(deadline).count()), Qt::PreciseTimer, this);
    if (!m_channels.isEmpty())
        m_wire.write(listed("SUBSCRIBE", m_channels), true);
    if (!m_patterns.isEmpty() && !m_end)
        m_wire.write(listed("PSUBSCRIBE", m_patterns), true);
}

/// False if the receiver has destroyed this object.
bool Subscription::Impl::becomeReady(Result<void> result)
{
    const QPointer<Impl> alive(this);
    m_timer.stop();
    m_state = result ? State::Ready : State::Ended;
    if (const auto call = std::exchange(onReady, nullptr))
        call(std::move(result));
    return alive;
}

void Subscription::Impl::timerEvent(QTimerEvent *)
{
    m_timer.stop();
    if (!m_end)
        m_end = Error {Error::Kind::TimedOut,
            Text::tr("Redis at %1 did not confirm the subscription within %2.")
                .arg(placeText(m_wire.endpoint()), deadlineText(deadline))};
    settled();
}

Subscription::Subscription(Endpoint endpoint, QList<QByteArray> channels, QList<QByteArray> patterns,
    std::function<void(Message)> onMessage, std::function<void(Result<void>)> onReady,
    std::function<void(const Error &)> onClosed)
    : m_impl(std::make_unique<Impl>(std::move(endpoint), std::move(channels), std::move(patterns)))
{
    m_impl->onMessage = std::move(onMessage);
    m_impl->onReady = std::move(onReady);
    m_impl->onClosed = std::move(onClosed);
}

Subscription::~Subscription() = default;

}
