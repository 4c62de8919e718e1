// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/strikes.h"

#include "engine/lab/nodegroup.h"
#include "engine/run/recorder.h"

#include <QCoreApplication>

#include <utility>

namespace interlock {

namespace {

using Kind = Strike::Kind;

QString tr(const char *text)
{
    return QCoreApplication::translate("Strikes", text);
}

/// On the relay in front of the server that is struck.
struct LinkStrike
{
    LinkClass linkClass = LinkClass::Client;
    LinkDirection direction = LinkDirection::Both;
    LinkPolicy policy;
};

LinkStrike linkStrike(const Strike &strike)
{
    switch (strike.kind) {
    case Kind::CutReplication:
        return {LinkClass::Replication, LinkDirection::Both, LinkPolicy::cut()};
    case Kind::LagReplication:
        return {LinkClass::Replication, LinkDirection::FromNode, LinkPolicy::delayed(strike.amount)};
    case Kind::HoldReplication:
        return {LinkClass::Replication, LinkDirection::FromNode, LinkPolicy::hold()};
    case Kind::CutClients:
        return {LinkClass::Client, LinkDirection::Both, LinkPolicy::cut()};
    case Kind::DelayClients:
        return {LinkClass::Client, LinkDirection::Both, LinkPolicy::delayed(strike.amount)};
    default:
        return {};
    }
}

}

Strikes::Hold Strikes::holdOf(Kind kind)
{
    switch (kind) {
    case Kind::CutReplication:
    case Kind::LagReplication:
    case Kind::HoldReplication:
        return Hold::Replication;
    case Kind::CutClients:
    case Kind::DelayClients:
        return Hold::Clients;
    case Kind::Isolate:
        return Hold::All;
    default:
        return Hold::Process;
    }
}

LinkClass Strikes::linkClassOf(Hold hold)
{
    return hold == Hold::Replication ? LinkClass::Replication : LinkClass::Client;
}

Strikes::Strikes(Recorder &recorder, ServerControls controls)
    : m_recorder(recorder)
    , m_controls(std::move(controls))
{
}

void Strikes::strike(const Strike &strike, By by)
{
    if (m_isOver)
        return;
    switch (strike.kind) {
    case Kind::Kill:
        kill(strike, by);
        break;
    case Kind::Restart:
        restart(strike, by, [this, server = strike.node](const Result<void> &ready) {
            if (!ready)
                recordNote(server, ready.error().text);
        });
        break;
    case Kind::Pause:
        pause(strike, by);
        break;
    case Kind::Resume:
        resume(strike, by);
        break;
    case Kind::Heal:
        recordAtOnce(strike, by, heal(strike.node));
        break;
    default:
        strikeLinks(strike, by);
        break;
    }
}

void Strikes::kill(const Strike &strike, By by)
{
    const bool isKilled = m_controls.kill(strike.node);
    recordAtOnce(strike, by, isKilled);
    if (!isKilled)
        return;
    finish(strike.node, Hold::Process);
    heal(strike.node);
    recordNode(strike.node, NodeChange::Killed);
}

void Strikes::restart(const Strike &strike, By by, std::function<void(Result<void>)> ready)
{
    const QString server = strike.node;
    const bool canStart = !m_isOver && !m_controls.isRunning(server) && !m_starting.contains(server);
    if (!m_isOver)
        recordAtOnce(strike, by, canStart);
    if (!canStart) {
        ready(Error {Error::Kind::Failed, tr("%1 runs already.").arg(server)});
        return;
    }
    m_starting.insert(server);
    recordNode(server, NodeChange::Started);
    m_controls.restart(server, [this, server, ready = std::move(ready)](const Result<void> &started) {
        m_starting.erase(server);
        if (started)
            recordNode(server, NodeChange::Ready);
        ready(started ? started : Error {started.error().kind, tr("%1 did not start again. %2").arg(server, started.error().text)});
    });
}

void Strikes::pause(const Strike &strike, By by)
{
    if (m_lasting.contains({strike.node, Hold::Process}) || !m_controls.pause(strike.node)) {
        recordAtOnce(strike, by, false);
        return;
    }
    begin(Hold::Process, strike, by);
    recordNode(strike.node, NodeChange::Paused);
}

void Strikes::resume(const Strike &strike, By by)
{
    const bool isResumed = m_lasting.contains({strike.node, Hold::Process}) && m_controls.resume(strike.node);
    recordAtOnce(strike, by, isResumed);
    if (!isResumed)
        return;
    finish(strike.node, Hold::Process);
    recordNode(strike.node, NodeChange::Resumed);
}

void Strikes::strikeLinks(const Strike &strike, By by)
{
    const Hold hold = holdOf(strike.kind);
    const auto before = m_lasting.find({strike.node, hold});
    const bool isSame = before != m_lasting.end() && before->second.strike == strike;
    if (isSame || !m_controls.group || !m_controls.isRunning(strike.node)) {
        recordAtOnce(strike, by, false);
        return;
    }
    finish(strike.node, hold);
    begin(hold, strike, by);
    if (hold == Hold::All) {
        m_controls.group->isolate(strike.node);
        return;
    }
    const LinkStrike link = linkStrike(strike);
    m_controls.group->setPolicy(strike.node, link.linkClass, {}, link.direction, link.policy);
    if (link.direction == LinkDirection::FromNode) // the one before may have struck both, as a cut does
        m_controls.group->setPolicy(strike.node, link.linkClass, {}, LinkDirection::TowardsNode, {});
}

/// Whether there was anything to heal.
bool Strikes::heal(const QString &server)
{
    bool wasHealed = false;
    for (const Hold hold : {Hold::Replication, Hold::Clients, Hold::All}) {
        if (!finish(server, hold))
            continue;
        wasHealed = true;
        if (hold == Hold::All) {
            if (const Result<void> healed = m_controls.group->heal(server); !healed)
                recordNote(server, healed.error().text);
        } else {
            m_controls.group->setPolicy(server, linkClassOf(hold), {}, LinkDirection::Both, {});
        }
    }
    return wasHealed;
}

void Strikes::begin(Hold hold, const Strike &strike, By by)
{
    Event event = fault(strike, by);
    event.flags = Event::Begins;
    m_lasting[{strike.node, hold}] = {strike, by, event.at, touchedSoFar(strike.node, hold)}; // its whole is told with the same time
    m_recorder.record(event);
}

/// Records the whole of what lasts; false if nothing did.
bool Strikes::finish(const QString &server, Hold hold)
{
    const auto found = m_lasting.find({server, hold});
    if (found == m_lasting.end())
        return false;
    const Lasting lasting = found->second;
    m_lasting.erase(found);
    Event event = fault(lasting.strike, lasting.by);
    event.at = lasting.since;
    event.until = m_recorder.now();
    const bool isTouched = hold == Hold::Process || (touchedSoFar(server, hold) - lasting.before).any();
    event.flags = isTouched ? Event::Touched : 0;
    m_recorder.record(event);
    return true;
}

LinkTouch Strikes::touchedSoFar(const QString &server, Hold hold) const
{
    if (hold == Hold::Process || !m_controls.group)
        return {};
    return hold == Hold::All ? m_controls.group->touched(server) : m_controls.group->touched(server, linkClassOf(hold));
}

void Strikes::end()
{
    while (!m_lasting.empty()) {
        const auto [server, hold] = m_lasting.begin()->first;
        finish(server, hold);
    }
    m_isOver = true;
}

Event Strikes::fault(const Strike &strike, By by) const
{
    Event event;
    event.kind = Event::Kind::Fault;
    event.at = m_recorder.now();
    event.lane = m_recorder.intern(strike.node);
    event.text = m_recorder.intern(strikeWord(strike.kind));
    event.detail = by == By::Person ? m_recorder.intern("by hand") : 0;
    event.number = strike.amount.count();
    return event;
}

void Strikes::recordAtOnce(const Strike &strike, By by, bool isTouched)
{
    Event event = fault(strike, by);
    event.flags = isTouched ? Event::Touched : 0;
    m_recorder.record(event);
}

void Strikes::recordNode(const QString &server, NodeChange change)
{
    if (m_isOver)
        return;
    Event event;
    event.kind = Event::Kind::Node;
    event.what = static_cast<quint8>(change);
    event.at = m_recorder.now();
    event.lane = m_recorder.intern(server);
    m_recorder.record(event);
}

void Strikes::recordNote(const QString &server, const QString &text)
{
    if (m_isOver)
        return;
    Event event;
    event.at = m_recorder.now();
    event.lane = m_recorder.intern(server);
    event.text = m_recorder.intern(text);
    m_recorder.record(event);
}

}
