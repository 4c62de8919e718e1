// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/ownerwatch.h"
#include "tests/redis/waiter.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <memory>
#include <optional>
#include <vector>

using namespace interlock;

/// What is told of a key on a real server, whose clients' beliefs are recorded by hand.
class tst_OwnerWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void tellsOfAGrantARenewalAndARelease();
    void tellsOfAnExpiry();
    void tellsOfATakeover();
    void tellsOfAKeyWithoutTtlThatGetsOne();
    void tellsOfASetThatNobodyBelievesIn();
    void tellsOfManyOwnersInOrder();
    void tellsNothingOfOtherKeys();
    void concludesWithoutNotifications();
    void settlesThoughTheServerIsGone();
    void saysWhyItCannotWatch();

private:
    struct Taken
    {
        qint64 sent = 0;
        qint64 answered = 0;
        Reply reply;
    };

    void watch(bool notifications = true);
    void settle();
    template<typename... Arguments>
    Taken act(const Arguments &...arguments)
    {
        Waiter waiter;
        const qint64 sent = m_recorder->now();
        m_client->send(Command(arguments...), 5s, &waiter);
        if (!waiter.wait())
            m_client->forget(&waiter);
        return {sent, m_recorder->sinceBeginning(waiter.answered), waiter.reply()};
    }
    void believe(Belief what, const char *lane, const char *token, const Taken &taken, Nanoseconds ttl = 0ns);
    std::vector<Event> owners() const;
    QByteArray told() const; // one word per owner event: "set:a1 expired …"

    std::unique_ptr<TestServer> m_server;
    RealClock m_clock;
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<Connection> m_client;
    std::unique_ptr<OwnerWatch> m_watch;
};

void tst_OwnerWatch::init()
{
    m_server = std::make_unique<TestServer>();
    QVERIFY2(m_server->isReady(), qPrintable(m_server->error()));
    m_recorder = std::make_unique<Recorder>([this] { return m_clock.now(); });
    m_client = std::make_unique<Connection>(m_server->endpoint());
    QVERIFY(ask(*m_client, "PING").text == "PONG");
}

void tst_OwnerWatch::cleanup()
{
    m_watch.reset();
    m_client.reset();
    m_recorder.reset();
    m_server.reset();
}

void tst_OwnerWatch::watch(bool notifications)
{
    std::optional<Result<void>> ready;
    m_watch = std::make_unique<OwnerWatch>(m_server->endpoint(), QStringLiteral("redis"), notifications, *m_recorder,
        m_clock, [&ready](const Result<void> &result) { ready = result; });
    QVERIFY(QTest::qWaitFor([&ready] { return ready.has_value(); }));
    QVERIFY(ready->ok());
    m_watch->watch("lock");
    const Lane lane {Lane::Type::Node, QStringLiteral("redis"), QStringLiteral("lock")};
    QVERIFY(m_recorder->header().lanes.contains(lane));
}

void tst_OwnerWatch::settle()
{
    bool isSettled = false;
    m_watch->settle([&isSettled] { isSettled = true; });
    QVERIFY(QTest::qWaitFor([&isSettled] { return isSettled; }));
}

void tst_OwnerWatch::believe(Belief what, const char *lane, const char *token, const Taken &taken, Nanoseconds ttl)
{
    Event event;
    event.kind = Event::Kind::Belief;
    event.what = static_cast<quint8>(what);
    event.at = m_recorder->now();
    event.sent = taken.sent;
    event.answered = taken.answered;
    event.until = ttl == 0ns ? never : taken.sent + ttl.count();
    event.lane = m_recorder->intern(lane);
    event.key = m_recorder->intern("lock");
    event.text = m_recorder->intern(token);
    event.number = what == Belief::Released ? taken.reply.integer : 0;
    m_recorder->record(event);
}

std::vector<Event> tst_OwnerWatch::owners() const
{
    std::vector<Event> events;
    for (const Event &event : m_recorder->events()) {
        if (event.kind == Event::Kind::Owner)
            events.push_back(event);
    }
    return events;
}

QByteArray tst_OwnerWatch::told() const
{
    static constexpr const char *words[] = {"set", "renewed", "deleted", "expired", "promoted", "restarted", "read"};
    const auto bytes = [this](Name name) { return m_recorder->run().names.bytes(name); };
    QByteArrayList text;
    for (const Event &event : owners()) {
        QByteArray word = words[event.what];
        if (event.text != 0)
            word += ':' + bytes(event.text);
        if (event.detail != 0)
            word += " by " + bytes(event.detail);
        text.append(word);
    }
    return text.join(", ");
}

void tst_OwnerWatch::tellsOfAGrantARenewalAndARelease()
{
    watch();
    const Taken granted = act("SET", "lock", "a1", "NX", "PX", 10'000);
    believe(Belief::Granted, "A", "a1", granted, 10s);
    const Taken renewed = act("PEXPIRE", "lock", 20'000);
    believe(Belief::Renewed, "A", "a1", renewed, 20s);
    const Taken released = act("DEL", "lock");
    believe(Belief::Released, "A", "a1", released);
    settle();
    QCOMPARE(told(), QByteArray("set:a1, renewed:a1 by A, deleted by A"));
    const std::vector<Event> events = owners();
    const Taken *taken[] = {&granted, &renewed, &released};
    for (size_t i = 0; i < 3; ++i) {
        QVERIFY(taken[i]->sent <= events[i].at);
        QVERIFY(events[i].at <= taken[i]->answered);
        QCOMPARE(m_recorder->run().names.bytes(events[i].lane), QByteArray("redis"));
        QCOMPARE(m_recorder->run().names.bytes(events[i].key), QByteArray("lock"));
    }
    QCOMPARE(events[0].until, events[0].at + 10'000'000'000);
    QCOMPARE(events[1].until, events[1].at + 20'000'000'000);
    QCOMPARE(events[2].until, never);
    QVERIFY(!events[2].has(Event::Inferred));
}

void tst_OwnerWatch::tellsOfAnExpiry()
{
    watch();
    const Taken granted = act("SET", "lock", "a1", "NX", "PX", 1'000); // long enough to be read on a busy machine
    believe(Belief::Granted, "A", "a1", granted, 1s);
    QVERIFY(QTest::qWaitFor([this] { return owners().size() >= 2; }));
    QCOMPARE(told(), QByteArray("set:a1, expired"));
    const std::vector<Event> events = owners();
    QVERIFY(!events[0].has(Event::Inferred)); // it was read while it lasted
    QVERIFY(!events[1].has(Event::Inferred));
    // Heard of after the computed expiry, it happened then; heard of before, the grant was earlier than the middle of its
    // round trip. The server counts whole milliseconds from when it carried the grant out.
    QVERIFY(events[1].at <= events[0].until);
    QVERIFY(events[1].at >= granted.sent + 1'000'000'000 - 1'000'000);
}

void tst_OwnerWatch::tellsOfATakeover()
{
    watch();
    const Taken first = act("SET", "lock", "a1", "PX", 10'000);
    believe(Belief::Granted, "A", "a1", first, 10s);
    const Taken second = act("SET", "lock", "b1", "PX", 10'000);
    believe(Belief::Granted, "B", "b1", second, 10s);
    const Taken wrong = act("DEL", "lock");
    believe(Belief::Released, "A", "a1", wrong);
    settle();
    QCOMPARE(told(), QByteArray("set:a1, set:b1, deleted by A"));
}

void tst_OwnerWatch::tellsOfAKeyWithoutTtlThatGetsOne()
{
    watch();
    const Taken granted = act("SETNX", "lock", "a1");
    believe(Belief::Granted, "A", "a1", granted);
    const Taken expiring = act("EXPIRE", "lock", 10);
    believe(Belief::Renewed, "A", "a1", expiring, 10s);
    settle();
    QCOMPARE(told(), QByteArray("set:a1, renewed:a1 by A"));
    QCOMPARE(owners()[0].until, never);
    QCOMPARE(owners()[1].until, owners()[1].at + 10'000'000'000);
}

void tst_OwnerWatch::tellsOfASetThatNobodyBelievesIn()
{
    watch();
    const Taken granted = act("SET", "lock", "dead", "NX", "PX", 10'000);
    QVERIFY(QTest::qWaitFor([this] { return owners().size() >= 1; }));
    QCOMPARE(told(), QByteArray("set:dead"));
    const Event event = owners()[0];
    QVERIFY(!event.has(Event::Inferred));
    QVERIFY(event.at >= granted.sent);
    QVERIFY(std::abs(event.until - (event.at + 10'000'000'000)) < 1'000'000'000); // as precise as the read was quick
    settle();
    QCOMPARE(told(), QByteArray("set:dead"));
}

void tst_OwnerWatch::tellsOfManyOwnersInOrder()
{
    watch();
    QByteArrayList expected;
    for (int i = 0; i < 200; ++i) {
        const QByteArray token = (i % 2 == 0 ? "a" : "b") + QByteArray::number(i);
        const char *lane = i % 2 == 0 ? "A" : "B";
        const Taken granted = act("SET", "lock", token, "NX", "PX", 10'000);
        believe(Belief::Granted, lane, token.constData(), granted, 10s);
        const Taken released = act("DEL", "lock");
        believe(Belief::Released, lane, token.constData(), released);
        expected.append("set:" + token);
        expected.append(QByteArray("deleted by ") + lane);
    }
    settle();
    QCOMPARE(told(), expected.join(", "));
    const std::vector<Event> events = owners();
    QVERIFY(std::is_sorted(
        events.begin(), events.end(), [](const Event &left, const Event &right) { return left.at < right.at; }));
}

void tst_OwnerWatch::tellsNothingOfOtherKeys()
{
    watch();
    QVERIFY(act("SET", "other", "x", "PX", 10'000).reply.isOk());
    QVERIFY(act("SELECT", 1).reply.isOk());
    QVERIFY(act("SET", "lock", "x").reply.isOk()); // of another database
    settle();
    QCOMPARE(told(), QByteArray());
}

void tst_OwnerWatch::concludesWithoutNotifications()
{
    watch(false);
    const Taken granted = act("SET", "lock", "a1", "NX", "PX", 100);
    believe(Belief::Granted, "A", "a1", granted, 100ms);
    QCOMPARE(told(), QByteArray("set:a1"));
    QVERIFY(QTest::qWaitFor([this] { return owners().size() >= 2; }));
    const Taken second = act("SET", "lock", "b1", "NX", "PX", 10'000);
    believe(Belief::Granted, "B", "b1", second, 10s);
    const Taken released = act("DEL", "lock");
    believe(Belief::Released, "B", "b1", released);
    settle();
    QCOMPARE(told(), QByteArray("set:a1, expired, set:b1, deleted by B"));
    QCOMPARE(owners()[1].at, owners()[0].until);
    for (const Event &event : owners())
        QVERIFY(event.has(Event::Inferred));
}

void tst_OwnerWatch::settlesThoughTheServerIsGone()
{
    watch();
    const Taken granted = act("SET", "lock", "a1", "NX", "PX", 10'000);
    QVERIFY(m_server->server().kill());
    believe(Belief::Granted, "A", "a1", granted, 10s);
    settle();
    QVERIFY(owners().size() <= 1); // the notification may have been on its way
}

void tst_OwnerWatch::saysWhyItCannotWatch()
{
    Endpoint endpoint = m_server->endpoint();
    endpoint.password = "wrong";
    std::optional<Result<void>> ready;
    OwnerWatch refused(endpoint, QStringLiteral("redis"), true, *m_recorder, m_clock,
        [&ready](const Result<void> &result) { ready = result; });
    QVERIFY(QTest::qWaitFor([&ready] { return ready.has_value(); }));
    QVERIFY(!ready->ok());
    QVERIFY2(ready->error().text.contains(QStringLiteral("refused the password")), qPrintable(ready->error().text));
}

QTEST_GUILESS_MAIN(tst_OwnerWatch)
#include "tst_ownerwatch.moc"
