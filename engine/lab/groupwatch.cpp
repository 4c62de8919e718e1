// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/groupwatch.h"

#include "engine/base/awaited.h"
#include "engine/lab/asking.h"
#include "engine/lab/replicationnews.h"
#include "engine/lab/sentinelnews.h"
#include "engine/redis/connection.h"

#include <map>

namespace interlock {

namespace {

constexpr Nanoseconds interval = 50ms; // between two looks at a server
constexpr Nanoseconds patience = 1s; // with an answer; a paused server gives none

Connection::Options connectionOptions()
{
    Connection::Options options;
    options.name = "interlock-group-watch";
    return options;
}

}

class GroupWatch::Impl
{
public:
    Impl(std::vector<GroupNode> nodes, Recorder &recorder, Clock &clock);
    ~Impl();
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    Task<> start(std::function<void(Result<void>)> ready);
    void begin();
    void end();

    Task<> m_starting;

private:
    struct Server
    {
        GroupNode node;
        Name name = 0;
        bool isDead = false;
        std::unique_ptr<Connection> connection;
        Task<> following; // before its connection, which it uses
    };
    struct Sentinel
    {
        GroupNode node;
        Name name = 0;
        std::unique_ptr<Subscription> subscription;
    };

    Task<Result<void>> startAll();
    Task<> follow(Server &server);
    Task<Result<void>> look(Server &server);
    Task<Result<void>> introduce(const Sentinel &sentinel);
    void subscribe(Sentinel &sentinel, std::function<void(Result<void>)> ready);
    void heard(const Sentinel &sentinel, const Subscription::Message &message);
    void nodeChanged(const Event &event);

    Recorder &m_recorder;
    Clock &m_clock;
    ReplicationNews m_news;
    std::vector<std::unique_ptr<Server>> m_servers;
    std::vector<std::unique_ptr<Sentinel>> m_sentinels;
    std::map<QString, Name> m_names; // by host and port
    std::map<QByteArray, Name> m_sentinelNames; // by id
    Clock::TimerId m_telling = 0; // that all are ready
    bool m_hasBegun = false;
    Recorder::ListenerId m_listener;
};

GroupWatch::Impl::Impl(std::vector<GroupNode> nodes, Recorder &recorder, Clock &clock)
    : m_recorder(recorder)
    , m_clock(clock)
    , m_news(nodes, recorder)
    , m_listener(recorder.listen([this](const Event &event) {
        if (event.kind == Event::Kind::Node)
            nodeChanged(event);
    }))
{
    for (const GroupNode &node : nodes) {
        const Name name = recorder.intern(node.name);
        m_names[ServerAddress {node.announced.host, node.announced.port}.shown()] = name;
        if (node.role == NodeRole::Sentinel) {
            m_sentinels.push_back(std::make_unique<Sentinel>());
            m_sentinels.back()->node = node;
            m_sentinels.back()->name = name;
        } else {
            m_servers.push_back(std::make_unique<Server>());
            m_servers.back()->node = node;
            m_servers.back()->name = name;
        }
    }
}

GroupWatch::Impl::~Impl()
{
    m_recorder.stopListening(m_listener);
    m_starting = {};
    m_clock.cancel(m_telling);
}

Task<> GroupWatch::Impl::start(std::function<void(Result<void>)> ready)
{
    const Result<void> started = co_await startAll();
    m_telling = m_clock.after(0ns, [ready = std::move(ready), started] { ready(started); });
}

Task<Result<void>> GroupWatch::Impl::startAll()
{
    for (const auto &sentinel : m_sentinels) {
        Awaited<Result<void>> subscribed(post(m_clock));
        subscribe(*sentinel, subscribed.callback());
        Result<void> done = co_await subscribed;
        if (done)
            done = co_await introduce(*sentinel);
        if (!done)
            co_return done;
    }
    for (const auto &server : m_servers) {
        if (Result<void> done = co_await look(*server); !done)
            co_return done;
    }
    co_return Result<void>();
}

void GroupWatch::Impl::begin()
{
    m_hasBegun = true;
    m_news.begin();
    for (const auto &sentinel : m_sentinels) {
        Event role;
        role.kind = Event::Kind::Node;
        role.what = static_cast<quint8>(NodeChange::RoleChanged);
        role.lane = sentinel->name;
        role.text = m_recorder.intern("sentinel");
        m_recorder.record(role);
    }
    for (const auto &server : m_servers) {
        server->following = follow(*server);
        server->following.start();
    }
}

void GroupWatch::Impl::end()
{
    m_hasBegun = false;
    for (const auto &server : m_servers)
        server->following = {};
    m_news.end();
}

Task<> GroupWatch::Impl::follow(Server &server)
{
    for (;;) {
        co_await rest(m_clock, interval);
        if (server.isDead)
            continue;
        // A sentinel that gives it another role closes all connections: then the news is there at once.
        const Result<void> looked = co_await look(server);
        if (!looked && looked.error().kind == Error::Kind::Closed && !server.isDead)
            (void)co_await look(server);
    }
}

/// Where a link is not up, only ROLE knows whether the replica is trying.
Task<Result<void>> GroupWatch::Impl::look(Server &server)
{
    if (!server.connection || !server.connection->isUsable())
        server.connection = std::make_unique<Connection>(server.node.direct, connectionOptions());
    const qint64 asked = m_recorder.now();
    const Result<Reply> info = co_await ask(*server.connection, Command("INFO", "replication", "stats"), m_clock, patience);
    if (!info)
        co_return info.error();
    ReplicationInfo replication = ReplicationInfo::from(info->text);
    if (!replication.isPrimary && replication.link != "up") {
        const Result<Reply> role = co_await ask(*server.connection, Command("ROLE"), m_clock, patience);
        if (!role)
            co_return role.error();
        const QByteArray link = linkFrom(*role);
        if (!link.isEmpty() && link != "up") // else it has changed just now: the next look tells
            replication.link = link;
    }
    if (!server.isDead)
        m_news.heard(server.name, replication, asked);
    co_return Result<void>();
}

/// Votes name a sentinel by its id.
Task<Result<void>> GroupWatch::Impl::introduce(const Sentinel &sentinel)
{
    Connection connection(sentinel.node.direct, connectionOptions());
    const Result<Reply> id = co_await ask(connection, Command("SENTINEL", "MYID"), m_clock, patience);
    if (!id)
        co_return id.error();
    m_sentinelNames[id->text] = sentinel.name;
    co_return Result<void>();
}

void GroupWatch::Impl::subscribe(Sentinel &sentinel, std::function<void(Result<void>)> ready)
{
    sentinel.subscription = std::make_unique<Subscription>(
        sentinel.node.direct, QList<QByteArray>(), QList<QByteArray> {"*"},
        [this, &sentinel](const Subscription::Message &message) { heard(sentinel, message); }, std::move(ready), [](const Error &) {});
}

void GroupWatch::Impl::heard(const Sentinel &sentinel, const Subscription::Message &message)
{
    if (!m_hasBegun)
        return;
    const SentinelNews news = SentinelNews::from(message.channel, message.payload);
    Event event;
    event.kind = Event::Kind::Sentinel;
    event.at = m_recorder.sinceBeginning(m_clock.at(message.received));
    event.lane = sentinel.name;
    event.text = m_recorder.intern(message.channel);
    event.detail = m_recorder.intern(message.payload);
    event.number = news.epoch;
    if (const auto about = news.about ? m_names.find(news.about->shown()) : m_names.end(); about != m_names.end())
        event.node = about->second;
    else if (const auto voted = m_sentinelNames.find(news.sentinelId); voted != m_sentinelNames.end())
        event.node = voted->second;
    m_recorder.record(event);
}

/// By whoever strikes the nodes.
void GroupWatch::Impl::nodeChanged(const Event &event)
{
    const auto what = static_cast<NodeChange>(event.what);
    const bool hasDied = what == NodeChange::Killed || what == NodeChange::Ended;
    if (!m_hasBegun || (!hasDied && what != NodeChange::Ready))
        return;
    for (const auto &server : m_servers) {
        if (server->name != event.lane)
            continue;
        server->isDead = hasDied;
        if (hasDied)
            m_news.died(server->name);
    }
    for (const auto &sentinel : m_sentinels) {
        if (sentinel->name == event.lane && !hasDied)
            subscribe(*sentinel, [](const Result<void> &) {});
    }
}

GroupWatch::GroupWatch(std::vector<GroupNode> nodes, Recorder &recorder, Clock &clock, std::function<void(Result<void>)> ready)
    : m_impl(std::make_unique<Impl>(std::move(nodes), recorder, clock))
{
    m_impl->m_starting = m_impl->start(std::move(ready));
    m_impl->m_starting.start();
}

GroupWatch::~GroupWatch() = default;

void GroupWatch::begin()
{
    m_impl->begin();
}

void GroupWatch::end()
{
    m_impl->end();
}

}
