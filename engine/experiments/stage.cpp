// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/stage.h"

#include "engine/base/awaited.h"

#include <QCoreApplication>

namespace interlock {

namespace {
QString heldText(const QString &point)
{
    return QCoreApplication::translate("stage", "held %1").arg(point);
}
}

Stage::Stage(World world, Setting setting)
    : m_world(world)
    , m_setting(std::move(setting))
    , m_random(m_setting.seed)
    , m_strikes(*world.recorder, m_setting.controls)
    , m_director(std::make_unique<Actor>(QStringLiteral("director"), world, m_random.next(), false))
{
}

Stage::~Stage()
{
    abandon();
}

const NodeRef *Stage::find(const QString &name) const
{
    for (const std::vector<NodeRef> *nodes : {&m_setting.nodes, &m_setting.sentinels}) {
        for (const NodeRef &node : *nodes) {
            if (node.name == name)
                return &node;
        }
    }
    return nullptr;
}

const NodeRef &Stage::node(const QString &name) const
{
    const NodeRef *known = find(name);
    Q_ASSERT(known);
    return *known;
}

QByteArray Stage::key(const QByteArray &name)
{
    const QByteArray key = m_setting.keyPrefix + name;
    willUse(key);
    return key;
}

void Stage::willUse(const QByteArray &key)
{
    if (m_knownKeys.contains(key))
        return;
    m_knownKeys.insert(key);
    m_keys.append(key);
}

void Stage::addResource(const QByteArray &name)
{
    recorder().addLane({Lane::Type::Resource, QString::fromUtf8(name), QString::fromUtf8(name)});
}

Nanoseconds Stage::scaled(Nanoseconds duration) const
{
    return Nanoseconds(static_cast<qint64>(static_cast<double>(duration.count()) * m_setting.pace));
}

Actor &Stage::add(const QString &name)
{
    m_actors.push_back(std::make_unique<Actor>(name, m_world, m_random.next()));
    return *m_actors.back();
}

void Stage::holdAt(Actor &actor, const QString &point)
{
    actor.holdAt(point, [this, &actor, point] {
        m_held[&actor] = {point, recorder().now()};
        recordPhase(heldText(point), actor.lane());
    });
}

SeenStep Stage::heldAt(Actor &actor, const QString &point, Nanoseconds limit)
{
    return seen(
        [lane = actor.lane(), text = heldText(point).toUtf8()](const Event &event, const Names &names) {
            return event.kind == Event::Kind::Phase && event.lane == lane && names.bytes(event.text) == text;
        },
        limit);
}

void Stage::proceed(Actor &actor)
{
    endHold(actor);
    actor.proceed();
}

void Stage::endHold(Actor &actor)
{
    const auto held = m_held.find(&actor);
    if (held == m_held.end())
        return;
    const auto [point, since] = held->second;
    m_held.erase(held);
    recordFault(QStringLiteral("hold"), actor, since, recorder().now(), true, point);
}

void Stage::crash(Actor &actor)
{
    endHold(actor);
    recordFault(QStringLiteral("crash"), actor, recorder().now(), never, actor.isAlive());
    actor.kill();
}

void Stage::pause(Actor &actor)
{
    m_pausedSince.emplace(&actor, recorder().now());
    actor.pause();
}

void Stage::resume(Actor &actor)
{
    const auto paused = m_pausedSince.find(&actor);
    if (paused == m_pausedSince.end())
        return;
    const qint64 since = paused->second;
    m_pausedSince.erase(paused);
    const qint64 until = recorder().now();
    const int waited = actor.resume();
    recordFault(QStringLiteral("pause"), actor, since, until, waited > 0);
}

void Stage::strikeByHand(const Strike &strike)
{
    if (find(strike.node))
        m_strikes.strike(strike, Strikes::By::Person);
}

Task<Result<void>> Stage::restartServer(QString node)
{
    Awaited<Result<void>> restarting([this](std::function<void()> call) { m_world.clock.after(0ns, std::move(call)); });
    m_strikes.restart({node, Strike::Kind::Restart, {}}, Strikes::By::Play, restarting.callback());
    co_return co_await restarting;
}

void Stage::recordFault(const QString &fault, Actor &actor, qint64 from, qint64 until, bool touched, const QString &detail)
{
    Event event;
    event.kind = Event::Kind::Fault;
    event.at = from;
    event.until = until;
    event.lane = actor.lane();
    event.text = recorder().intern(fault);
    event.detail = recorder().intern(detail);
    event.flags = touched ? Event::Touched : 0;
    recorder().record(event);
}

void Stage::recordPhase(const QString &text, Name lane)
{
    Event event;
    event.kind = Event::Kind::Phase;
    event.at = recorder().now();
    event.lane = lane;
    event.text = recorder().intern(text);
    recorder().record(event);
}

void Stage::abandon()
{
    m_director->abandon();
    for (const auto &actor : m_actors)
        actor->abandon();
}

namespace saw {

namespace {
bool isBelief(const Event &event, Belief what)
{
    return event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(what);
}

SeenStep::Fits belief(Belief what, const QString &who)
{
    return [what, lane = who.toUtf8()](const Event &event, const Names &names) {
        return isBelief(event, what) && names.bytes(event.lane) == lane;
    };
}

SeenStep::Fits resource(Resource what, const QString &who)
{
    return [what, lane = who.toUtf8()](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Resource && event.what == static_cast<quint8>(what)
            && names.bytes(event.lane) == lane;
    };
}
}

SeenStep::Fits belief(Belief what, const QString &who, const QByteArray &key)
{
    return [what, lane = who.toUtf8(), key](const Event &event, const Names &names) {
        return isBelief(event, what) && names.bytes(event.lane) == lane && names.bytes(event.key) == key;
    };
}

SeenStep::Fits granted(const QString &who)
{
    return belief(Belief::Granted, who);
}

SeenStep::Fits refused(const QString &who)
{
    return belief(Belief::Refused, who);
}

SeenStep::Fits answered(const QString &who)
{
    return [lane = who.toUtf8()](const Event &event, const Names &names) {
        return (isBelief(event, Belief::Granted) || isBelief(event, Belief::Refused)) && names.bytes(event.lane) == lane;
    };
}

SeenStep::Fits entered(const QString &who)
{
    return resource(Resource::Entered, who);
}

SeenStep::Fits wrote(const QString &who)
{
    return resource(Resource::Wrote, who);
}

SeenStep::Fits ownerExpired(const QByteArray &key)
{
    return [key](const Event &event, const Names &names) {
        return event.kind == Event::Kind::Owner && event.what == static_cast<quint8>(OwnerChange::Expired)
            && names.bytes(event.key) == key;
    };
}

}

}
