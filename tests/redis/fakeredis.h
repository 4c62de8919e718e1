// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/redis/fakeserver.h"

#include <QByteArrayList>
#include <QPointer>

#include <algorithm>
#include <map>
#include <optional>

namespace interlock {

/// What a Redis would write.
namespace resp {
inline QByteArray status(const QByteArray &text)
{
    return '+' + text + "\r\n";
}
inline QByteArray error(const QByteArray &text)
{
    return '-' + text + "\r\n";
}
inline QByteArray number(qint64 value)
{
    return ':' + QByteArray::number(value) + "\r\n";
}
inline QByteArray text(const QByteArray &bytes)
{
    return '$' + QByteArray::number(bytes.size()) + "\r\n" + bytes + "\r\n";
}
inline QByteArray list(const QByteArrayList &elements)
{
    return '*' + QByteArray::number(elements.size()) + "\r\n" + elements.join();
}
inline const QByteArray noList = "*-1\r\n";
}

/// A listener on loopback that logs everybody in and answers their commands as a test wants it, one after the other. SUBSCRIBE it confirms
/// by itself.
class FakeRedis
{
public:
    /// What to write; empty: nothing, ever; none: close the connection.
    using Answers = std::function<std::optional<QByteArray>(const QByteArrayList &command)>;

    explicit FakeRedis(Answers answers)
        : m_answers(std::move(answers))
        , m_server({}, [this](QTcpSocket &peer, const QByteArray &received) { read(peer, received); })
    {
    }

    Endpoint endpoint() const { return m_server.endpoint(); }
    /// How often a command of this name came.
    int asked(const QByteArray &name) const
    {
        return static_cast<int>(std::count_if(m_commands.begin(), m_commands.end(), [&](const QByteArrayList &one) { return one.first() == name; }));
    }
    const std::vector<QByteArrayList> &commands() const { return m_commands; }
    int subscribers() const
    {
        return static_cast<int>(std::count_if(m_subscribers.begin(), m_subscribers.end(), [](const auto &peer) { return peer && peer->isOpen(); }));
    }
    void publish(const QByteArray &channel, const QByteArray &payload)
    {
        for (const auto &peer : m_subscribers) {
            if (peer)
                peer->write(resp::list({resp::text("message"), resp::text(channel), resp::text(payload)}));
        }
    }
    /// To whom the last command came from: an answer that it did not give at once.
    void answerLate(const QByteArray &bytes)
    {
        if (m_last)
            m_last->write(bytes);
    }
    /// Ends all connections; new ones are taken.
    void hangUp()
    {
        for (const auto &peer : std::exchange(m_peers, {})) {
            if (peer.second.socket)
                peer.second.socket->close();
        }
    }

private:
    struct Peer
    {
        QPointer<QTcpSocket> socket;
        QByteArray unread;
    };

    void read(QTcpSocket &socket, const QByteArray &received)
    {
        Peer &peer = m_peers[&socket];
        peer.socket = &socket;
        peer.unread += received;
        while (const std::optional<QByteArrayList> command = next(peer.unread)) {
            m_commands.push_back(*command);
            m_last = &socket;
            if (!answer(socket, *command))
                return;
        }
    }

    /// False: the connection was closed.
    bool answer(QTcpSocket &socket, const QByteArrayList &command)
    {
        const QByteArray &name = command.first();
        if (name == "PING" || name == "AUTH" || name == "SELECT" || name == "CLIENT") {
            socket.write(resp::status("OK"));
        } else if (name == "SUBSCRIBE") {
            m_subscribers.push_back(&socket);
            socket.write(resp::list({resp::text("subscribe"), resp::text(command.at(1)), resp::number(1)}));
        } else if (const std::optional<QByteArray> reply = m_answers(command)) {
            socket.write(*reply);
        } else {
            socket.close();
            return false;
        }
        return true;
    }

    /// Takes a whole command off the front: "*2\r\n$3\r\nGET\r\n$1\r\na\r\n".
    static std::optional<QByteArrayList> next(QByteArray &bytes)
    {
        qsizetype at = 0;
        const auto line = [&]() -> std::optional<qsizetype> {
            const qsizetype end = bytes.indexOf("\r\n", at);
            if (end < 0)
                return {};
            const qsizetype value = bytes.mid(at + 1, end - at - 1).toLongLong();
            at = end + 2;
            return value;
        };
        const auto count = line();
        QByteArrayList command;
        for (qsizetype i = 0; count && i < *count; ++i) {
            const auto size = line();
            if (!size || bytes.size() < at + *size + 2)
                return {};
            command.append(bytes.mid(at, *size));
            at += *size + 2;
        }
        if (!count)
            return {};
        bytes.remove(0, at);
        return command;
    }

    Answers m_answers;
    std::map<QTcpSocket *, Peer> m_peers;
    std::vector<QPointer<QTcpSocket>> m_subscribers;
    std::vector<QByteArrayList> m_commands;
    QPointer<QTcpSocket> m_last;
    FakeServer m_server; // last: it calls the rest
};

/// A sentinel that names what a test wants it to.
class FakeSentinel : public FakeRedis
{
public:
    explicit FakeSentinel(std::optional<Endpoint> primary = {})
        : FakeRedis([this](const QByteArrayList &command) { return answer(command); })
        , names(std::move(primary))
    {
    }

    std::optional<Endpoint> names; ///< none: it does not know the primary
    QByteArray error; ///< if not empty, it answers this instead
    /// How often it was asked for the primary.
    int questions() const { return asked("SENTINEL"); }
    void publishSwitch(const Endpoint &from, const Endpoint &to, const QByteArray &name = "mymaster")
    {
        publish("+switch-master", name + ' ' + words(from) + ' ' + words(to));
    }

private:
    static QByteArray words(const Endpoint &endpoint) { return endpoint.host.toUtf8() + ' ' + QByteArray::number(endpoint.port); }
    std::optional<QByteArray> answer(const QByteArrayList &command) const
    {
        if (command != QByteArrayList {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"})
            return resp::error("ERR unexpected " + command.join(' '));
        if (!error.isEmpty())
            return resp::error(error);
        if (!names)
            return resp::noList;
        return resp::list({resp::text(names->host.toUtf8()), resp::text(QByteArray::number(names->port))});
    }
};

/// A server with a role, which keeps nothing: it answers OK to what it takes.
class FakeNode : public FakeRedis
{
public:
    explicit FakeNode(QByteArray startRole = "master")
        : FakeRedis([this](const QByteArrayList &command) { return answer(command); })
        , role(std::move(startRole))
    {
    }

    QByteArray role; ///< "master" or "slave"; empty: ROLE gets no answer
    std::function<std::optional<QByteArray>(const QByteArrayList &command)> onCommand; ///< for all but ROLE; empty: see above

private:
    std::optional<QByteArray> answer(const QByteArrayList &command) const
    {
        if (command.first() == "ROLE")
            return role.isEmpty() ? QByteArray() : resp::list({resp::text(role), resp::number(0)});
        if (onCommand)
            return onCommand(command);
        return role == "slave" ? resp::error("READONLY You can't write against a read only replica.") : resp::status("OK");
    }
};

}
