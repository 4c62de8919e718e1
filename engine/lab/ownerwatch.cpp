// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/ownerwatch.h"

#include "engine/lab/keyreader.h"

#include <QRandomGenerator>

#include <map>
#include <set>
#include <utility>

namespace interlock {

namespace {

/// An actor records its belief in the turn of the loop in which the answer arrives, unless it is paused or dead.
constexpr Nanoseconds beliefLimit = 50ms;
constexpr Nanoseconds settleLimit = 100ms;
constexpr Nanoseconds retryDelay = 50ms; // of a subscription
constexpr int commandsBefore = 64; // a belief follows its command in the record at once, but for what others record in between

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
    void subscribe(std::function<void(Result<void>)> ready);
    void subscribeAndReload(OwnerChange why, bool evenIfSame);
    void nodeChanged(const Event &event);
    void setDead(bool isDead);
    void roleChanged(const Event &event);
    void reload(OwnerChange why, bool evenIfSame = true);
    Name serverOf(const Event &belief) const;
    void heard(const Subscription::Message &message);
    void believed(const Event &belief);
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
    Name m_source = 0; // whose grants can be here; 0: anybody's
    bool m_isReplica = false;
    bool m_isDead = false;
    Recorder::ListenerId m_listener;
    std::set<Clock::TimerId> m_timers;
    std::function<void()> m_settled;
    bool m_isMarkerHeard = false;
    KeyReader m_reader;
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
        else if (event.kind == Event::Kind::Node && event.lane == m_lane)
            nodeChanged(event);
    }))
    , m_reader(m_endpoint, recorder, clock, [this](Name key, quint64 change, const std::optional<OwnerLane::Reading> &reading) {
        m_lanes.at(key).read(change, reading);
        checkSettled();
    })
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
    m_reader.reconnect(); // what closed the one connection has closed both
    m_subscription = std::make_unique<Subscription>(
        m_endpoint, QList<QByteArray> {m_marker}, QList<QByteArray> {m_prefix + '*'},
        [this](const Subscription::Message &message) { heard(message); }, std::move(ready),
        [this](const Error &) { subscribeAndReload(OwnerChange::Read, false); });
}

/// A sentinel that gives a server another role closes all connections there. What is missed until it listens again is read.
void OwnerWatch::Impl::subscribeAndReload(OwnerChange why, bool evenIfSame)
{
    if (m_isDead)
        return;
    subscribe([this, why, evenIfSame](const Result<void> &ready) {
        if (ready)
            reload(why, evenIfSame);
        else
            after(retryDelay, [this, why, evenIfSame] { subscribeAndReload(why, evenIfSame); });
    });
}

/// As whoever strikes and watches the nodes of a group records it. A node that is paused keeps its connections.
void OwnerWatch::Impl::nodeChanged(const Event &event)
{
    switch (static_cast<NodeChange>(event.what)) {
    case NodeChange::RoleChanged:
        roleChanged(event);
        break;
    case NodeChange::Synced:
        if (m_recorder.names().bytes(event.text) == "full")
            reload(OwnerChange::Read);
        break;
    case NodeChange::Killed:
    case NodeChange::Ended:
        setDead(true);
        for (auto &[key, lane] : m_lanes)
            lane.died();
        break;
    case NodeChange::Ready:
        if (m_isDead) {
            setDead(false);
            subscribeAndReload(OwnerChange::Restarted, true);
        }
        break;
    default:
        break;
    }
}

void OwnerWatch::Impl::setDead(bool isDead)
{
    m_isDead = isDead;
    m_reader.setNodeDead(isDead);
}

void OwnerWatch::Impl::roleChanged(const Event &event)
{
    const bool wasReplica = m_isReplica;
    m_isReplica = m_recorder.names().bytes(event.text) == "replica";
    m_source = m_isReplica ? event.node : m_lane;
    for (auto &[key, lane] : m_lanes)
        lane.setSource(m_source, m_isReplica);
    if (wasReplica && !m_isReplica)
        reload(OwnerChange::Promoted);
}

void OwnerWatch::Impl::reload(OwnerChange why, bool evenIfSame)
{
    for (auto &[key, lane] : m_lanes)
        m_reader.read(key, lane.reloaded(why, evenIfSame));
}

/// The server that answered the command behind it; 0: not known.
Name OwnerWatch::Impl::serverOf(const Event &belief) const
{
    const std::vector<Event> &events = m_recorder.events();
    int left = commandsBefore;
    for (auto event = events.rbegin(); event != events.rend() && left > 0; ++event, --left) {
        if (event->kind == Event::Kind::Command && event->lane == belief.lane && event->at == belief.sent)
            return event->node;
    }
    return 0;
}

void OwnerWatch::Impl::watch(const QByteArray &key)
{
    const Name name = m_recorder.intern(key);
    if (m_lanes.contains(name))
        return;
    m_recorder.addLane({Lane::Type::Node, m_node, QString::fromUtf8(key)});
    const auto [lane, isNew] = m_lanes.try_emplace(name, m_hasNotifications, [this, name](Event event) {
        event.kind = Event::Kind::Owner;
        event.lane = m_lane;
        event.key = name;
        m_recorder.record(event);
    });
    lane->second.setSource(m_source, m_isReplica);
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
        m_reader.read(key, change);
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
    Event told = belief;
    told.node = serverOf(belief);
    lane->second.believed(told);
    const qint64 expiry = lane->second.expiry();
    if (!m_hasNotifications && expiry != never) {
        after(Nanoseconds(expiry - m_recorder.now()),
            [this, key = belief.key] { m_lanes.at(key).passed(m_recorder.now()); });
    }
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
    if (m_hasNotifications && !m_isDead) {
        m_reader.connection().send(Command("PUBLISH", m_marker, ""), settleLimit, nullptr);
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
