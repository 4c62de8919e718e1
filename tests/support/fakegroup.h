// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/sentinelclient.h"
#include "tests/redis/fakeredis.h"
#include "tests/support/fakeclock.h"

namespace interlock {

inline QString shown(const Result<Reply> &reply)
{
    return reply ? QString::fromUtf8(reply->shown()) : reply.error().text;
}

inline QByteArray refuseWrites(const QByteArrayList &)
{
    return resp::error("READONLY You can't write against a read only replica.");
}

/// Two servers, the first of which is the primary, and two sentinels that say so. The client of the test has them for its world.
struct FakeGroup
{
    FakeNode a;
    FakeNode b {"slave"};
    FakeSentinel first {a.endpoint()};
    FakeSentinel second {a.endpoint()};
    FakeTime time;
    Signal goOn; ///< ends the idling of startIdling()
    const SentinelClient *seen = nullptr; ///< its client, when it idles
    QStringList said; ///< what was answered to it, then how often it moved
    std::unique_ptr<Actor> actor; // after what it uses
    Nanoseconds deadline = 300ms;

    SentinelEndpoint endpoint() const
    {
        SentinelEndpoint endpoint;
        endpoint.sentinels = {first.endpoint(), second.endpoint()};
        endpoint.primaryName = "mymaster";
        return endpoint;
    }
    SearchOptions options() const
    {
        SearchOptions options;
        options.patience.tries = 5;
        options.patience.answer = 200ms;
        options.deadline = deadline;
        options.known = {{"N1", a.endpoint()}, {"N2", b.endpoint()}, {"S1", first.endpoint()}, {"S2", second.endpoint()}};
        return options;
    }
    /// The second takes over, and the sentinels know it.
    void failOver(const QByteArray &roleOfTheOld = "slave")
    {
        a.role = roleOfTheOld;
        b.role = "master";
        first.names = b.endpoint();
        second.names = b.endpoint();
    }
    void publishSwitch(FakeSentinel &sentinel) { sentinel.publishSwitch(a.endpoint(), b.endpoint()); }

    /// Starts program(actor, client).
    template<typename Program>
    void start(const Program &program)
    {
        actor = std::make_unique<Actor>(QStringLiteral("A"), time.world, 1);
        actor->run(with(*this, *actor, program));
    }
    /// Idles between two writes.
    void startIdling()
    {
        start([this](Actor &self, SentinelClient &client) -> Task<> {
            said.append(shown(co_await client.command("SET", "a", 1)));
            seen = &client;
            co_await goOn.raised(self, Nanoseconds::max());
            said.append(shown(co_await client.command("SET", "a", 2)));
            said.append(QString::number(client.moves()));
        });
    }
    /// The client of startIdling() hears both sentinels.
    bool isIdling() { return awaitListening(seen); }
    bool awaitEnd()
    {
        return time.pass([this] { return !actor->isAlive(); });
    }
    /// Both sentinels are heard.
    bool awaitListening(const SentinelClient *const &client)
    {
        return time.pass([&] { return client && client->node() && client->listening() == 2; });
    }
    /// "N1: SET", for each command that the record holds, without questions about the primary.
    QStringList sent()
    {
        QStringList all;
        for (const Event &event : time.recorder.events()) {
            const QString command = time.recorder.names().text(event.text).section(' ', 0, 0);
            if (event.kind == Event::Kind::Command && command != "SENTINEL" && command != "ROLE")
                all.append(time.recorder.names().text(event.node) + ": " + command);
        }
        return all;
    }
    QStringList notes()
    {
        QStringList all;
        for (const Event &event : time.recorder.events()) {
            if (event.kind == Event::Kind::Note)
                all.append(time.recorder.names().text(event.text) + ' ' + time.recorder.names().text(event.detail));
        }
        return all;
    }

private:
    template<typename Program>
    static Task<> with(FakeGroup &group, Actor &self, Program program)
    {
        SentinelClient client(self, group.endpoint(), group.options());
        co_await program(self, client);
    }
};

}
