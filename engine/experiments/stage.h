// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/parameter.h"
#include "engine/experiments/strikes.h"
#include "engine/schedule/client.h"
#include "engine/schedule/signal.h"

#include <QList>
#include <QSet>
#include <QString>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace interlock {

/// What an experiment's play sees: its values, its servers, its actors, and the faults that it may stage. The play itself
/// runs as the director, an actor without a lane.
class Stage
{
public:
    struct Setting
    {
        Values values;
        std::vector<NodeRef> nodes;
        std::vector<NodeRef> sentinels;
        QString primaryName; ///< by which the sentinels know their primary
        quint64 seed = 0;
        double pace = 1; ///< on every wait that only serves the eye
        QByteArray keyPrefix; ///< of every key; empty on private servers
        std::function<void(const QByteArray &key)> watch; ///< called for each lock key whose owner is to be told
        ServerControls controls; ///< of private servers
    };

    Stage(World world, Setting setting);
    ~Stage();

    const Values &values() const { return m_setting.values; }
    /// A server or a sentinel. Of a group: where it is announced, behind its link.
    const NodeRef &node(const QString &name = QStringLiteral("redis")) const;
    /// All servers, in the order of their declaration; of a group N1, the first primary, N2, ….
    const std::vector<NodeRef> &nodes() const { return m_setting.nodes; }
    /// S1, S2, …; none: nobody watches the servers.
    const std::vector<NodeRef> &sentinels() const { return m_setting.sentinels; }
    /// By which the sentinels know their primary.
    const QString &primaryName() const { return m_setting.primaryName; }
    Recorder &recorder() { return *m_world.recorder; }
    Actor &director() { return *m_director; }
    Random &random() { return m_random; }

    /// The name under which the key exists on the server: prefixed on a target that the user named.
    QByteArray key(const QByteArray &name);
    /// A key that the play makes up itself, prefix and all: it is cleaned up like the others.
    void willUse(const QByteArray &key);
    /// All keys that were asked for, for the one who cleans up.
    const QList<QByteArray> &keys() const { return m_keys; }
    const QByteArray &keyPrefix() const { return m_setting.keyPrefix; }

    /// From now on the record tells who owns this lock key, as each node says.
    void watch(const QByteArray &key) { m_setting.watch(key); }
    /// A row for a protected resource, named in Resource events.
    void addResource(const QByteArray &name);

    /// A wait that only serves the eye, scaled by the pace.
    SleepStep breathe(Nanoseconds duration) { return m_director->sleep(scaled(duration)); }
    Nanoseconds scaled(Nanoseconds duration) const;

    /// A new client with a lane of its own, and its program: a free coroutine function whose first parameter is Actor &, the
    /// rest taken by value.
    template<typename Program, typename... Arguments>
    Actor &actor(const QString &name, Program program, Arguments... arguments)
    {
        Actor &added = add(name);
        added.run(program(added, std::move(arguments)...));
        return added;
    }

    /// Waits for recorded events (from the beginning of the run on). @p limit: then TimedOut.
    SeenStep seen(SeenStep::Fits fits, Nanoseconds limit = 10s, int count = 1) { return m_director->seen(std::move(fits), limit, count); }
    EndedStep ended(Actor &actor) { return m_director->ended(actor); }
    /// Waits until the actor stands at the point of holdAt(); it stays there until proceed() or crash().
    SeenStep heldAt(Actor &actor, const QString &point, Nanoseconds limit = 10s);

    /// The actor will stop when its program comes to this point (lock code names them: see engine/locks/lock.h).
    void holdAt(Actor &actor, const QString &point);
    /// Lets it go on. Recorded as a fault "hold" from its arrival to now; touched if it was held.
    void proceed(Actor &actor);

    /// Kills the client where it stands (call it only from the play). Recorded as a fault; touched if it was alive.
    void crash(Actor &actor);
    /// SIGSTOP and SIGCONT for a client. Recorded as one fault from then to now; touched if anything of it had to wait.
    void pause(Actor &actor);
    void resume(Actor &actor);

    /// What is done to a private server or a sentinel; recorded as a fault of the strike's name, one that lasts when it begins and again when
    /// it is over: see Strikes. Precondition: there is a node of that name, and the run has no target.
    void strike(const Strike &strike) { m_strikes.strike(strike, Strikes::By::Play); }
    /// The same by the person's hand, and recorded so; nothing if there is no such node.
    void strikeByHand(const Strike &strike);
    void killServer(const QString &node = QStringLiteral("redis")) { strike({node, Strike::Kind::Kill, {}}); }
    /// Starts it again where it was, with nothing in it, and waits until it answers. Failed: it runs, or did not start.
    Task<Result<void>> restartServer(QString node = QStringLiteral("redis"));

    /// Raised each time that the person asks for something: Session::press().
    Signal &presses() { return m_presses; }

    /// An anchor for the narration.
    void phase(const QString &text) { recordPhase(text, 0); }

    /// Faults that still last are recorded as they were until now.
    void endStrikes() { m_strikes.end(); }
    /// All actors destroyed at once, nothing recorded of it: the run is being stopped.
    void abandon();
    const std::vector<std::unique_ptr<Actor>> &actors() const { return m_actors; }

private:
    Actor &add(const QString &name);
    void recordFault(const QString &fault, Actor &actor, qint64 from, qint64 until, bool touched, const QString &detail = {});
    void recordPhase(const QString &text, Name lane);
    const NodeRef *find(const QString &name) const;
    void endHold(Actor &actor);

    World m_world;
    Setting m_setting;
    Random m_random;
    Strikes m_strikes;
    std::unique_ptr<Actor> m_director;
    std::vector<std::unique_ptr<Actor>> m_actors;
    std::map<Actor *, qint64> m_pausedSince;
    std::map<Actor *, std::pair<QString, qint64>> m_held; // where, and since when
    QList<QByteArray> m_keys; // in the order of asking
    QSet<QByteArray> m_knownKeys;
    Signal m_presses;
};

/// Predicates for seen().
namespace saw {
SeenStep::Fits belief(Belief what, const QString &who, const QByteArray &key);
SeenStep::Fits granted(const QString &who);
SeenStep::Fits refused(const QString &who);
/// An attempt was granted or refused.
SeenStep::Fits answered(const QString &who);
SeenStep::Fits entered(const QString &who);
SeenStep::Fits wrote(const QString &who);
SeenStep::Fits ownerExpired(const QByteArray &key);
}

}
