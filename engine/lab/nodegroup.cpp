// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/nodegroup.h"

#include "engine/base/awaited.h"
#include "engine/lab/asking.h"
#include "engine/lab/groupagreement.h"
#include "engine/lab/grouplayout.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>

namespace interlock {

namespace {

constexpr int mostAttempts = 10; // at free addresses and ports
constexpr LinkClass allClasses[] = {LinkClass::Client, LinkClass::Replication, LinkClass::Sentinel};

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::NodeGroup)
};

}

class NodeGroup::Impl
{
public:
    Impl(NodeGroup &group, Keeper &keeper, Options options, Clock &clock, std::function<void(Result<void>)> ready);

    struct Member
    {
        GroupLayout::Node plan;
        std::unique_ptr<Relay> relay;
        std::unique_ptr<PrivateServer> server;
        Task<> restarting;
    };

    Member &member(const QString &name);
    void restart(Member &member, std::function<void(Result<void>)> ready);

    NodeGroup &m_group;
    std::vector<GroupNode> m_nodes;
    std::vector<std::unique_ptr<Member>> m_members; // in the order of the nodes

private:
    Task<> run();
    Task<Result<void>> form();
    Result<void> place();
    Task<Result<void>> start(bool areSentinels);
    void started(Member &member, const Result<void> &ready);
    void ended(Member &member, const QString &how);
    Task<> runRestart(Member &member, std::function<void(Result<void>)> ready);
    void conclude(const Result<void> &result);

    Keeper &m_keeper;
    const Options m_options;
    Clock &m_clock;
    std::function<void(Result<void>)> m_ready;
    GroupLayout m_plan;
    int m_attempts = 0;
    int m_starting = 0;
    bool m_isPlaceTaken = false;
    std::function<void(Result<void>)> m_started;
    std::unique_ptr<GroupAgreement> m_agreement;
    Task<> m_task;
    QObject m_context; // of calls that come later
};

NodeGroup::Impl::Impl(NodeGroup &group, Keeper &keeper, Options options, Clock &clock, std::function<void(Result<void>)> ready)
    : m_group(group)
    , m_keeper(keeper)
    , m_options(std::move(options))
    , m_clock(clock)
    , m_ready(std::move(ready))
{
    QTimer::singleShot(std::chrono::ceil<Milliseconds>(m_options.limit), &m_context, [this] {
        const double seconds = std::chrono::duration<double>(m_options.limit).count();
        const QString missing = m_agreement && !m_agreement->missing().isEmpty() ? m_agreement->missing() : Text::tr("not all servers answer");
        conclude(Error {Error::Kind::TimedOut, Text::tr("The servers were not ready within %1 s: %2.").arg(seconds).arg(missing)});
    });
    m_task = run();
    m_task.start();
}

Task<> NodeGroup::Impl::run()
{
    const Result<void> formed = co_await form();
    QTimer::singleShot(0, &m_context, [this, formed] { conclude(formed); });
}

Task<Result<void>> NodeGroup::Impl::form()
{
    Result<void> done;
    do {
        m_isPlaceTaken = false;
        done = place();
        if (done)
            done = co_await start(false);
        if (done)
            done = co_await m_agreement->awaitReplicas();
        if (done)
            done = co_await start(true);
    } while (!done && m_isPlaceTaken && ++m_attempts < mostAttempts);
    if (done && m_group.onStarted)
        m_group.onStarted();
    if (done)
        done = co_await m_agreement->awaitSentinels();
    if (done)
        done = co_await m_agreement->awaitStream();
    if (done)
        done = co_await m_agreement->quickenSentinels();
    co_return done;
}

/// Chooses addresses and lets the relays listen there.
Result<void> NodeGroup::Impl::place()
{
    m_agreement.reset();
    m_members.clear();
    m_nodes.clear();
    m_plan = GroupLayout::make(m_options, m_attempts == 0 ? m_options.firstPort : quint16(0));
    for (const GroupLayout::Node &node : m_plan.nodes) {
        m_members.push_back(std::make_unique<Member>());
        Member &member = *m_members.back();
        member.plan = node;
        member.relay = std::make_unique<Relay>(m_plan.relay(node), m_clock);
        member.relay->onOpenChanged = [this, name = node.name](const LinkTraffic &traffic) {
            if (m_group.onOpenChanged)
                m_group.onOpenChanged(name, traffic);
        };
        if (const Result<void> listening = member.relay->listen(); !listening) {
            m_isPlaceTaken = true;
            return listening;
        }
        m_nodes.push_back({node.name, node.role, {}, {}, {}, node.downAfter});
    }
    m_agreement = std::make_unique<GroupAgreement>(m_nodes, m_clock);
    return {};
}

/// The sentinels, or all others at once.
Task<Result<void>> NodeGroup::Impl::start(bool areSentinels)
{
    Awaited<Result<void>> started(post(m_clock));
    m_started = started.callback();
    m_starting = 0;
    for (const auto &member : m_members) {
        if ((member->plan.role == NodeRole::Sentinel) != areSentinels)
            continue;
        ++m_starting;
        member->server = std::make_unique<PrivateServer>(
            m_keeper, m_plan.server(member->plan, m_options), [this, one = member.get()](const Result<void> &ready) { this->started(*one, ready); });
        member->server->onEnded = [this, one = member.get()](const QString &how) { ended(*one, how); };
    }
    if (m_starting == 0)
        co_return Result<void>();
    co_return co_await started;
}

void NodeGroup::Impl::started(Member &member, const Result<void> &ready)
{
    if (!ready) {
        m_isPlaceTaken = member.server->isPortTaken();
        return m_started(Error {ready.error().kind, Text::tr("The node %1 did not start. %2").arg(member.plan.name, ready.error().text)});
    }
    const auto place = std::find_if(m_members.begin(), m_members.end(), [&](const auto &one) { return one.get() == &member; });
    GroupNode &node = m_nodes[static_cast<size_t>(place - m_members.begin())];
    node.direct = member.server->endpoint();
    node.announced = node.direct;
    node.announced.host = member.plan.announced.host;
    node.announced.port = member.plan.announced.port;
    node.version = member.server->version();
    member.relay->nodeStarted();
    if (--m_starting == 0)
        m_started({});
}

void NodeGroup::Impl::ended(Member &member, const QString &how)
{
    member.relay->nodeEnded();
    if (m_ready) {
        const Error error {Error::Kind::Failed, Text::tr("The node %1 ended while the servers found each other. %2").arg(member.plan.name, how)};
        QTimer::singleShot(0, &m_context, [this, error] { conclude(error); });
    } else if (const auto call = m_group.onEnded) { // copies, of the name too: it may destroy the group
        const QString name = member.plan.name;
        call(name, how);
    }
}

void NodeGroup::Impl::conclude(const Result<void> &result)
{
    if (!m_ready)
        return;
    m_task = {};
    m_agreement.reset();
    if (!result) {
        m_members.clear();
        m_nodes.clear();
    }
    const auto ready = std::exchange(m_ready, nullptr);
    ready(result);
}

NodeGroup::Impl::Member &NodeGroup::Impl::member(const QString &name)
{
    const auto found = std::find_if(m_members.begin(), m_members.end(), [&](const auto &one) { return one->plan.name == name; });
    Q_ASSERT(found != m_members.end());
    return **found;
}

void NodeGroup::Impl::restart(Member &member, std::function<void(Result<void>)> ready)
{
    member.restarting = runRestart(member, std::move(ready));
    member.restarting.start();
}

Task<> NodeGroup::Impl::runRestart(Member &member, std::function<void(Result<void>)> ready)
{
    Awaited<Result<void>> started(post(m_clock));
    member.server->restart(started.callback());
    Result<void> done = co_await started;
    if (done)
        done = member.relay->listen();
    if (done)
        member.relay->nodeStarted();
    if (done && member.plan.role == NodeRole::Sentinel) {
        Connection connection(member.server->endpoint());
        done = co_await quickenSentinel(connection, member.plan.downAfter, m_clock);
    }
    QTimer::singleShot(0, &m_context, [ready, done] { ready(done); });
}

NodeGroup::NodeGroup(Keeper &keeper, Options options, Clock &clock, std::function<void(Result<void>)> ready)
    : m_impl(std::make_unique<Impl>(*this, keeper, std::move(options), clock, std::move(ready)))
{
}

NodeGroup::~NodeGroup() = default;

const std::vector<GroupNode> &NodeGroup::nodes() const
{
    return m_impl->m_nodes;
}

const GroupNode &NodeGroup::node(const QString &name) const
{
    const auto &nodes = m_impl->m_nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const GroupNode &one) { return one.name == name; });
    Q_ASSERT(found != nodes.end());
    return *found;
}

std::vector<Endpoint> NodeGroup::sentinels() const
{
    std::vector<Endpoint> endpoints;
    for (const GroupNode &node : m_impl->m_nodes) {
        if (node.role == NodeRole::Sentinel)
            endpoints.push_back(node.announced);
    }
    return endpoints;
}

qint64 NodeGroup::processId(const QString &name) const
{
    const auto &server = m_impl->member(name).server;
    return server ? server->processId() : 0;
}

bool NodeGroup::isRunning(const QString &name) const
{
    const auto &server = m_impl->member(name).server;
    return server && server->isRunning();
}

bool NodeGroup::kill(const QString &name)
{
    Impl::Member &member = m_impl->member(name);
    if (!member.server->kill())
        return false;
    member.relay->nodeEnded();
    return true;
}

bool NodeGroup::pause(const QString &name)
{
    return m_impl->member(name).server->pause();
}

bool NodeGroup::resume(const QString &name)
{
    return m_impl->member(name).server->resume();
}

void NodeGroup::restart(const QString &name, std::function<void(Result<void>)> ready)
{
    m_impl->restart(m_impl->member(name), std::move(ready));
}

void NodeGroup::setPolicy(
    const QString &node, LinkClass linkClass, std::optional<QString> peer, LinkDirection direction, std::optional<LinkPolicy> policy)
{
    m_impl->member(node).relay->setPolicy(linkClass, std::move(peer), direction, policy);
}

void NodeGroup::isolate(const QString &name)
{
    for (const auto &member : m_impl->m_members)
        member->relay->isolate(member->plan.name == name ? std::optional<QString>() : name);
}

Result<void> NodeGroup::heal(const QString &name)
{
    Result<void> healed;
    for (const auto &member : m_impl->m_members) {
        const Result<void> one = member->relay->heal(member->plan.name == name ? std::optional<QString>() : name);
        if (!one)
            healed = one;
    }
    return healed;
}

LinkTouch NodeGroup::touched(const QString &node, LinkClass linkClass, std::optional<QString> peer, LinkDirection direction) const
{
    return m_impl->member(node).relay->touched(linkClass, std::move(peer), direction);
}

LinkTouch NodeGroup::touched(const QString &name) const
{
    LinkTouch touch;
    for (const auto &member : m_impl->m_members) {
        for (const LinkClass linkClass : allClasses)
            touch += member->relay->touched(linkClass, member->plan.name == name ? std::optional<QString>() : name);
    }
    return touch;
}

std::vector<LinkTraffic> NodeGroup::traffic(const QString &node) const
{
    return m_impl->member(node).relay->traffic();
}

}
