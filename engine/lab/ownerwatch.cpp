// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/ownerwatch.h"

#include "engine/lab/ownerlane.h"

#include <QRandomGenerator>

#include <list>
#include <map>
#include <set>
#include <utility>

namespace interlock {

namespace {

/// An actor records its belief in the turn of the loop in which the answer arrives, unless it is paused or dead.
constexpr Nanoseconds beliefLimit = 50ms;
constexpr Nanoseconds settleLimit = 100ms;
constexpr Nanoseconds readingDeadline = 2s;

std::optional<OwnerLane::Cause> causeOf(const QByteArray &event)
{
    using Cause = OwnerLane::Cause;
    static const std::map<QByteArray, Cause> causes {
        {"set", Cause::Set},
        {"expire", Cause::TtlSet},
        {"persist", Cause::TtlRemoved},
        {"del", Cause::Deleted},
        {"evicted", Cause::Evicted},
        {"expired", Cause::Expired},
    };
    const auto known = causes.find(event);
    return known == causes.end() ? std::nullopt : std::optional(known->second);
}

}

class OwnerWatch::Impl
{
public:
    Impl(Endpoint endpoint, const QString &node, bool notifications, Recorder &recorder, Clock &clock,
        std::function<void(Result<void>)> ready);
    ~Impl();
    Impl(const Impl &) = delete;

    void watch(const QByteArray &key);
    void settle(std::function<void()> done);

private:
    /// GET and PTTL, sent one behind the other.
    class Reader : public ReplyReceiver
    {
    public:
        Reader(Impl &watch, Name key, quint64 change)
            : m_watch(watch)
            , m_key(key)
            , m_change(change)
        {
        }
        void replied(Reply reply, Nanoseconds answered) override;
        void failed(Error error) override;

    private:
        Impl &m_watch;
        Name m_key;
        quint64 m_change;
        std::optional<Reply> m_value;
    };

    void subscribe(std::function<void(Result<void>)> ready);
    void heard(const Subscription::Message &message);
    void believed(const Event &belief);
    void read(Name key, quint64 change);
    void keepRead(Reader *reader, Name key, quint64 change, std::optional<OwnerLane::Reading> reading);
    void after(Nanoseconds delay, std::function<void()> call);
    void checkSettled();
    void settled();

    Endpoint m_endpoint;
    QString m_node;
    bool m_hasNotifications;
    Recorder &m_recorder;
    Clock &m_clock;
    Name m_lane;
    QByteArray m_prefix; // of the channels that notify of keys
    QByteArray m_marker; // a channel of our own: what comes behind a message there came after it
    std::map<Name, OwnerLane> m_lanes;
    Recorder::ListenerId m_listener;
    std::set<Clock::TimerId> m_timers;
    std::function<void()> m_settled;
    bool m_isMarkerHeard = false;
    std::list<Reader> m_readers;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<Subscription> m_subscription;
};

OwnerWatch::Impl::Impl(Endpoint endpoint, const QString &node, bool notifications, Recorder &recorder, Clock &clock,
    std::function<void(Result<void>)> ready)
    : m_endpoint(std::move(endpoint))
    , m_node(node)
    , m_hasNotifications(notifications)
    , m_recorder(recorder)
    , m_clock(clock)
    , m_lane(recorder.intern(node))
    , m_prefix("__keyspace@" + QByteArray::number(m_endpoint.database) + "__:")
    , m_marker("interlock:settled:" + QByteArray::number(QRandomGenerator::global()->generate64(), 16))
    , m_listener(recorder.listen([this](const Event &event) {
        if (event.kind == Event::Kind::Belief)
            believed(event);
    }))
{
    if (m_hasNotifications)
        subscribe(std::move(ready));
    else
        ready({});
}

OwnerWatch::Impl::~Impl()
{
    m_recorder.stopListening(m_listener);
    for (const Clock::TimerId timer : m_timers)
        m_clock.cancel(timer);
}

void OwnerWatch::Impl::subscribe(std::function<void(Result<void>)> ready)
{
    Connection::Options options;
    options.name = "interlock-owner-watch";
    m_connection = std::make_unique<Connection>(m_endpoint, options);
    m_subscription = std::make_unique<Subscription>(
        m_endpoint, QList<QByteArray> {m_marker}, QList<QByteArray> {m_prefix + '*'},
        [this](const Subscription::Message &message) { heard(message); }, std::move(ready), [](const Error &) {});
}

void OwnerWatch::Impl::watch(const QByteArray &key)
{
    const Name name = m_recorder.intern(key);
    if (m_lanes.contains(name))
        return;
    m_recorder.addLane({Lane::Type::Node, m_node, QString::fromUtf8(key)});
    m_lanes.try_emplace(name, m_hasNotifications, [this, name](Event event) {
        event.kind = Event::Kind::Owner;
        event.lane = m_lane;
        event.key = name;
        m_recorder.record(event);
    });
}

void OwnerWatch::Impl::heard(const Subscription::Message &message)
{
    if (message.channel == m_marker) {
        m_isMarkerHeard = true;
        checkSettled();
        return;
    }
    const Name key = m_recorder.names().find(QByteArrayView(message.channel).sliced(m_prefix.size()));
    const auto lane = m_lanes.find(key);
    const std::optional<OwnerLane::Cause> cause = causeOf(message.payload);
    if (lane == m_lanes.end() || !cause)
        return;
    const quint64 change = lane->second.notified(*cause, m_recorder.sinceBeginning(m_clock.at(message.received)));
    if (OwnerLane::wantsReading(*cause))
        read(key, change);
    after(beliefLimit, [this, key, change] {
        m_lanes.at(key).waitedOut(change);
        checkSettled();
    });
}

void OwnerWatch::Impl::believed(const Event &belief)
{
    const auto lane = m_lanes.find(belief.key);
    if (lane == m_lanes.end())
        return;
    lane->second.believed(belief);
    const qint64 expiry = lane->second.expiry();
    if (!m_hasNotifications && expiry != never) {
        after(Nanoseconds(expiry - m_recorder.now()),
            [this, key = belief.key] { m_lanes.at(key).passed(m_recorder.now()); });
    }
    checkSettled();
}

void OwnerWatch::Impl::read(Name key, quint64 change)
{
    Reader &reader = m_readers.emplace_back(*this, key, change);
    const QByteArray name = m_recorder.names().bytes(key);
    m_connection->send(Command("GET", name), readingDeadline, &reader);
    m_connection->send(Command("PTTL", name), readingDeadline, &reader);
}

void OwnerWatch::Impl::Reader::replied(Reply reply, Nanoseconds answered)
{
    if (!m_value) {
        m_value = std::move(reply);
        return;
    }
    std::optional<OwnerLane::Reading> reading;
    if (m_value->isNil() || reply.isInteger(-2)) {
        reading = OwnerLane::Reading {};
    } else if (m_value->type == ReplyType::String && reply.type == ReplyType::Integer) {
        const qint64 at = m_watch.m_recorder.sinceBeginning(m_watch.m_clock.at(answered));
        const qint64 left = Nanoseconds(Milliseconds(reply.integer)).count();
        reading = OwnerLane::Reading {m_watch.m_recorder.intern(m_value->text), reply.integer < 0 ? never : at + left};
    }
    m_watch.keepRead(this, m_key, m_change, reading);
}

void OwnerWatch::Impl::Reader::failed(Error)
{
    m_watch.m_connection->forget(this); // the other command would say the same
    m_watch.keepRead(this, m_key, m_change, {});
}

void OwnerWatch::Impl::keepRead(Reader *reader, Name key, quint64 change, std::optional<OwnerLane::Reading> reading)
{
    m_readers.remove_if([reader](const Reader &other) { return &other == reader; });
    m_lanes.at(key).read(change, reading);
    checkSettled();
}

void OwnerWatch::Impl::after(Nanoseconds delay, std::function<void()> call)
{
    // The clock calls from the loop, so the number is known before it is needed.
    const auto id = std::make_shared<Clock::TimerId>(0);
    *id = m_clock.after(delay, [this, id, call = std::move(call)] {
        m_timers.erase(*id);
        call();
    });
    m_timers.insert(*id);
}

void OwnerWatch::Impl::settle(std::function<void()> done)
{
    m_settled = std::move(done);
    if (m_hasNotifications) {
        m_connection->send(Command("PUBLISH", m_marker, ""), settleLimit, nullptr);
        after(settleLimit, [this] { settled(); });
    } else {
        after(0ns, [this] { settled(); });
    }
}

void OwnerWatch::Impl::checkSettled()
{
    if (!m_settled || !m_isMarkerHeard)
        return;
    const qint64 now = m_recorder.now();
    for (const auto &[key, lane] : m_lanes) {
        if (!lane.isSettled(now))
            return;
    }
    after(0ns, [this] { settled(); }); // not from inside a recording
}

void OwnerWatch::Impl::settled()
{
    const auto done = std::exchange(m_settled, nullptr);
    if (!done)
        return;
    for (auto &[key, lane] : m_lanes) {
        lane.giveUp();
        lane.passed(m_recorder.now());
    }
    done(); // may destroy this object
}

OwnerWatch::OwnerWatch(Endpoint endpoint, QString node, bool notifications, Recorder &recorder, Clock &clock,
    std::function<void(Result<void>)> ready)
    : m_impl(std::make_unique<Impl>(std::move(endpoint), node, notifications, recorder, clock, std::move(ready)))
{
}

OwnerWatch::~OwnerWatch() = default;

void OwnerWatch::watch(const QByteArray &key)
{
    m_impl->watch(key);
}

void OwnerWatch::settle(std::function<void()> done)
{
    m_impl->settle(std::move(done));
}

}
