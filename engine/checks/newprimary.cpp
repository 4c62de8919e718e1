// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// New primary: within the declared bound (argument bound, ns) of the primary's death another node has its role, as a majority of
// all sentinels sees it, dead ones included.
//
//     N1 killed at 0.5, +switch-master by S1 at 2.6 and S3 at 2.7, bound 6 s     held: 2 of 3 see it after 2.2 s
//     N1 killed at 0.5, +switch-master by S1 alone, bound 6 s, the run goes on   broken
//     N1 killed at 0.5, +switch-master by S1 and S3 at 7.9, bound 6 s            broken: too late
//     N1 killed at 0.5, the record ends at 3.0 without a majority, bound 6 s     unknown
//     nobody killed the primary                                                  unknown
//
// Used: Node Killed of the server that is the primary then, Sentinel events (+switch-master, which leader and followers publish when they
// take the new primary for theirs), and, for its name, Node RoleChanged. Each death of a primary is judged by itself.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"
#include "engine/checks/serverroles.h"

#include <algorithm>
#include <set>

namespace interlock::checks {

namespace {

/// A primary's death and what the sentinels made of it.
struct Succession
{
    size_t killed = 0;
    std::vector<size_t> switches; ///< the first of each sentinel, as long as they are not a majority
    std::optional<size_t> seen; ///< the event by which a majority had switched
    std::optional<size_t> took; ///< a node took the role
    std::optional<size_t> gaveUp; ///< a sentinel's failover was aborted
    std::set<Name> deadSentinels; ///< when the last of these came
};

class Reader
{
public:
    explicit Reader(const History &history)
        : m_history(history)
        , m_roles(history.run())
        , m_switch(findName("+switch-master"))
    {
        for (const NodeInfo &node : history.run().header.nodes) {
            if (node.role != QLatin1String("sentinel"))
                continue;
            ++m_count;
            if (const Name name = findName(node.name.toUtf8()))
                m_sentinels.insert(name);
        }
    }

    qint64 sentinels() const { return m_count; }
    bool isMajority(size_t sentinels) const { return qint64(sentinels) * 2 > m_count; }

    std::vector<Succession> read()
    {
        for (const size_t index : m_history.order()) {
            const Event &event = m_history.event(index);
            if (event.kind == Event::Kind::Node)
                readNode(event, index);
            else if (event.kind == Event::Kind::Sentinel && !m_found.empty())
                readSentinel(event, index, m_found.back());
            m_roles.read(event);
        }
        return std::move(m_found);
    }

private:
    Name findName(QByteArrayView text) const { return m_history.run().names.find(text); }

    void readNode(const Event &event, size_t index)
    {
        const auto what = static_cast<NodeChange>(event.what);
        const ServerState *server = m_roles.find(event.lane);
        if (m_sentinels.contains(event.lane)) {
            if (what == NodeChange::Killed || what == NodeChange::Ended)
                m_dead.insert(event.lane);
            else if (what == NodeChange::Ready)
                m_dead.erase(event.lane);
            if (!m_found.empty() && !m_found.back().seen)
                m_found.back().deadSentinels = m_dead;
        } else if (what == NodeChange::Killed && server && server->isPrimary && server->life != NodeState::Life::Dead) {
            Succession succession;
            succession.killed = index;
            succession.deadSentinels = m_dead;
            m_found.push_back(std::move(succession));
        } else if (what == NodeChange::RoleChanged && !m_found.empty() && !m_found.back().took && m_history.run().names.bytes(event.text) == "primary") {
            m_found.back().took = index;
        }
    }

    void readSentinel(const Event &event, size_t index, Succession &succession) const
    {
        if (event.text != m_switch || !m_switch) {
            if (!succession.seen && m_history.run().names.bytes(event.text).startsWith("-failover-abort"))
                succession.gaveUp = succession.gaveUp.value_or(index);
            return;
        }
        const bool isKnown = std::any_of(succession.switches.begin(), succession.switches.end(),
            [&](size_t each) { return m_history.event(each).lane == event.lane; });
        if (succession.seen || isKnown || !m_sentinels.contains(event.lane))
            return;
        succession.switches.push_back(index);
        if (isMajority(succession.switches.size()))
            succession.seen = index;
    }

    const History &m_history;
    ServerRoles m_roles;
    Name m_switch;
    qint64 m_count = 0;
    std::set<Name> m_sentinels;
    std::set<Name> m_dead;
    std::vector<Succession> m_found;
};

class Telling
{
public:
    Telling(const History &history, const Reader &reader, qint64 bound)
        : m_history(history)
        , m_reader(reader)
        , m_bound(bound)
        , m_end(std::max(history.run().duration, history.order().empty() ? 0 : history.event(history.order().back()).at))
    {
    }

    CheckResult tell(const Succession &each, CheckResult result) const
    {
        const Event &killed = m_history.event(each.killed);
        result.events = {each.killed};
        result.events.insert(result.events.end(), each.switches.begin(), each.switches.end());
        const qint64 took = each.seen ? between(killed.at, m_history.event(*each.seen).at) : never;
        if (each.seen) {
            result.facts = {{QStringLiteral("took"), took}};
            std::swap(result.events.front(), result.events.back());
        }
        const QString name = m_history.name(killed.lane);
        const qint64 switched = qint64(each.switches.size());
        if (took <= m_bound) {
            result.sentences.push_back(say("primary.held", name, At {killed.at}, switched, m_reader.sentinels(), For {took}));
        } else if (between(killed.at, m_end) < m_bound) {
            result.judgement = Judgement::Unknown;
            result.sentences.push_back(say("primary.ended-early", name, At {killed.at}, For {between(killed.at, m_end)}, For {m_bound}));
            return result;
        } else {
            result.judgement = Judgement::Broken;
            result.sentences.push_back(each.seen
                    ? say("primary.late", name, At {killed.at}, switched, m_reader.sentinels(), For {took}, For {m_bound})
                    : say("primary.never", name, At {killed.at}, For {m_bound}, switched, m_reader.sentinels()));
            tellWhy(each, result);
        }
        if (each.took) {
            const Event &taken = m_history.event(*each.took);
            result.sentences.push_back(say("primary.took", m_history.name(taken.lane), At {taken.at}));
            result.events.push_back(*each.took);
        }
        return result;
    }

private:
    void tellWhy(const Succession &each, CheckResult &result) const
    {
        const qint64 alive = m_reader.sentinels() - qint64(each.deadSentinels.size());
        if (!m_reader.isMajority(size_t(alive)))
            result.sentences.push_back(say("primary.sentinels-dead", alive, m_reader.sentinels()));
        if (each.gaveUp) {
            const Event &event = m_history.event(*each.gaveUp);
            result.sentences.push_back(say("primary.gave-up", m_history.name(event.lane), m_history.name(event.text), At {event.at}));
            result.events.push_back(*each.gaveUp);
        }
    }

    const History &m_history;
    const Reader &m_reader;
    qint64 m_bound;
    qint64 m_end;
};

CheckResult unknown(CheckResult result, Sentence why)
{
    result.judgement = Judgement::Unknown;
    result.sentences.push_back(std::move(why));
    return result;
}

}

CheckResult newPrimary(const History &history, const CheckUse &use)
{
    CheckResult result = resultOf(use);
    const QString given = argument(use, QStringLiteral("bound"));
    const std::optional<qint64> bound = countArgument(use, QStringLiteral("bound"), 0);
    if (!bound)
        return unknown(std::move(result), given.isEmpty() ? say("primary.no-bound") : say("primary.argument", given));
    Reader reader(history);
    if (reader.sentinels() == 0)
        return unknown(std::move(result), say("primary.no-sentinels"));
    const std::vector<Succession> deaths = reader.read();
    if (deaths.empty())
        return unknown(std::move(result), say("primary.nobody-killed"));
    const Telling telling(history, reader, *bound);
    CheckResult worst = telling.tell(deaths.front(), result);
    for (size_t i = 1; i < deaths.size() && worst.judgement != Judgement::Broken; ++i) {
        CheckResult next = telling.tell(deaths[i], result);
        if (next.judgement != Judgement::Held)
            worst = std::move(next);
    }
    return concluded(history.run(), std::move(worst));
}

}
