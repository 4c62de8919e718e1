// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/spans.h"

#include "engine/run/groupstate.h"
#include "widgets/timeline/spanlayers.h"

#include <algorithm>
#include <cstdlib>

namespace interlock {

using namespace spanlayers;

namespace {

/// A notification can come this much after the answer of the command that caused it.
constexpr qint64 notificationDelay = 150'000'000;

}

void Spans::clear()
{
    *this = Spans();
}

int Spans::rowOf(const Event &event) const
{
    const auto found = m_actors.find(event.lane);
    if (found != m_actors.end())
        return found->second;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const LaneRow &row = m_rows[i];
        if (row.lane.type == Lane::Type::Node && row.name == event.lane && row.name != 0
            && (row.key == event.key || event.kind != Event::Kind::Owner))
            return static_cast<int>(i);
    }
    return -1;
}

void Spans::extend(const Run &run)
{
    extend(run, run.events.size());
}

bool Spans::extend(const Run &run, size_t most)
{
    takeLanes(run);
    const size_t end = m_taken + std::min(most, run.events.size() - m_taken);
    for (; m_taken < end; ++m_taken)
        take(run, run.events[m_taken], static_cast<quint32>(m_taken));
    for (LaneRow &row : m_rows) {
        row.blocks.waiting.take(row.waiting);
        row.blocks.holding.take(row.holding);
        row.blocks.working.take(row.working);
        row.blocks.commands.take(row.commands);
        row.blocks.marks.take(row.marks);
    }
    return m_taken < run.events.size();
}

void Spans::takeLanes(const Run &run)
{
    const QList<Lane> &lanes = run.header.lanes;
    if (m_unnamed == 0 && lanes.size() == m_lanes && !m_rows.empty())
        return;
    for (; m_lanes < lanes.size(); ++m_lanes) {
        const Lane &lane = lanes[m_lanes];
        const auto standIn = std::find_if(m_rows.begin(), m_rows.end(), [&lane](const LaneRow &row) { return row.isStandIn && row.lane.name == lane.name; });
        if (standIn == m_rows.end()) {
            addRow(run, lane);
            continue;
        }
        standIn->lane = lane;
        standIn->isStandIn = false;
    }
    addServers(run);
    std::stable_sort(m_order.begin(), m_order.end(),
        [this](int left, int right) { return m_rows[size_t(left)].lane.type < m_rows[size_t(right)].lane.type; });
    for (LaneRow &row : m_rows) {
        row.isShared = row.lane.type == Lane::Type::Node && std::any_of(m_rows.begin(), m_rows.end(), [&row](const LaneRow &other) {
            return other.lane.type == Lane::Type::Node && other.lane.key == row.lane.key && other.lane.name != row.lane.name;
        });
    }
    m_unnamed = 0;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        LaneRow &row = m_rows[i];
        row.name = run.names.find(row.lane.name.toUtf8());
        row.key = run.names.find(row.lane.key.toUtf8());
        if (row.name == 0 || (row.key == 0 && !row.lane.key.isEmpty()))
            ++m_unnamed;
        if (row.name != 0 && row.lane.type == Lane::Type::Actor)
            m_actors[row.name] = static_cast<int>(i);
    }
}

LaneRow &Spans::addRow(const Run &run, const Lane &lane)
{
    LaneRow row;
    row.lane = lane;
    if (lane.type == Lane::Type::Actor)
        row.owner = static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [](const LaneRow &each) { return each.owner >= 0; }));
    for (const NodeInfo &node : run.header.nodes) {
        const bool isIt = lane.type == Lane::Type::Node && node.name == lane.name;
        row.isPrimary = row.isPrimary || (isIt && node.role == QLatin1String("primary"));
        row.isReplicated = row.isReplicated || row.isPrimary || (isIt && node.role == QLatin1String("replica"));
    }
    if (row.isPrimary)
        row.primary.push_back({.begin = 0, .kind = Span::Kind::Primary});
    m_order.push_back(static_cast<int>(m_rows.size()));
    m_rows.push_back(std::move(row));
    return m_rows.back();
}

/// The servers of a group have lanes for what becomes of them, even where nobody asks what they say of a lock.
void Spans::addServers(const Run &run)
{
    if (!hasGroup(run.header))
        return;
    for (const NodeInfo &node : run.header.nodes) {
        const bool isServer = node.role == QLatin1String("primary") || node.role == QLatin1String("replica");
        const bool isThere = std::any_of(m_rows.begin(), m_rows.end(), [&node](const LaneRow &row) { return row.lane.type == Lane::Type::Node && row.lane.name == node.name; });
        if (isServer && !isThere)
            addRow(run, {Lane::Type::Node, node.name, {}}).isStandIn = true;
    }
}

void Spans::take(const Run &run, const Event &event, quint32 index)
{
    m_last = std::max(m_last, event.at);
    const int row = rowOf(event);
    switch (event.kind) {
    case Event::Kind::Command:
        takeCommand(row, event, index);
        break;
    case Event::Kind::Belief:
        takeBelief(run, row, event, index);
        break;
    case Event::Kind::Owner:
        takeOwner(run, event, index);
        break;
    case Event::Kind::Resource:
        takeResource(row, event, index);
        break;
    case Event::Kind::Node:
        takeNode(run, event, index);
        break;
    case Event::Kind::Fault:
        takeFault(run, event, index);
        break;
    case Event::Kind::Phase:
        insert(m_phases, {.at = event.at, .event = index, .kind = Mark::Kind::Phase});
        break;
    case Event::Kind::Note:
        if (const Mark note {.at = event.at, .event = index, .kind = Mark::Kind::Note}; row >= 0)
            addMark(m_rows[size_t(row)], note);
        else
            insert(m_phases, note);
        break;
    case Event::Kind::Decision: // the charts of the limiters show them
    case Event::Kind::Sentinel: // the ladder shows them
    case Event::Kind::Measure: // the charts of a set show them
        break;
    }
}

void Spans::takeCommand(int row, const Event &event, quint32 index)
{
    if (row < 0)
        return;
    const bool failed = event.answered == never || static_cast<ReplyType>(event.what) == ReplyType::Error;
    addCommand(m_rows[size_t(row)],
        {.at = event.at, .event = index, .kind = failed ? Mark::Kind::CommandFailed : Mark::Kind::Command});
}

void Spans::takeBelief(const Run &run, int index, const Event &event, quint32 number)
{
    if (index < 0)
        return;
    LaneRow &row = m_rows[size_t(index)];
    const auto mark = [&](Mark::Kind kind) { addMark(row, {.at = event.at, .event = number, .kind = kind}); };
    rememberToken(event.text, index);
    switch (static_cast<Belief>(event.what)) {
    case Belief::Wants:
        begin(row.waiting, Span::Kind::Waiting, event, number);
        break;
    case Belief::Refused:
        addCommand(row, {.at = event.at, .event = number, .kind = Mark::Kind::Refused});
        break;
    case Belief::Granted: {
        close(row.waiting, event.at);
        Span &span = begin(row.holding, Span::Kind::Holding, event, number);
        span.turn = event.until;
        const auto lost = m_lost.find(event.text);
        if (lost != m_lost.end())
            span.turn = std::min(span.turn, lost->second);
        break;
    }
    case Belief::Renewed:
        if (Span *span = open(row.holding); span && m_lost.find(event.text) == m_lost.end())
            span->turn = event.until;
        mark(Mark::Kind::Renewed);
        break;
    case Belief::RenewalFailed:
        mark(Mark::Kind::RenewalFailed);
        break;
    case Belief::Ended:
        close(row.holding, event.at);
        if (isDeath(run.names.bytes(event.detail)))
            die(index, event.at, number);
        break;
    case Belief::Released:
        mark(event.number > 0 ? Mark::Kind::Released : Mark::Kind::ReleasedNothing);
        if (event.number > 0)
            attribute(index, event);
        break;
    case Belief::GaveUp:
        close(row.waiting, event.at);
        if (isDeath(run.names.bytes(event.detail)))
            die(index, event.at, number);
        else
            mark(Mark::Kind::GaveUp);
        break;
    }
}

void Spans::takeOwner(const Run &, const Event &event, quint32 index)
{
    const int place = rowOf(event);
    if (place < 0)
        return;
    LaneRow &row = m_rows[size_t(place)];
    const auto change = static_cast<OwnerChange>(event.what);
    const bool inferred = event.has(Event::Inferred);
    noteOwner(row, event, index);
    Span *current = open(row.owned);
    if (current && current->token == event.text) {
        current->turn = event.until;
        current->inferred = current->inferred && inferred;
    } else {
        if (current) {
            loseToken(event.key, current->token, event.at);
            close(row.owned, event.at);
        }
        if (event.text != 0) {
            Span &span = begin(row.owned, Span::Kind::Owned, event, index);
            span.turn = event.until;
            span.inferred = inferred;
            m_lost.erase(event.text);
        }
    }

    Mark mark {.at = event.at, .event = index, .by = static_cast<qint16>(actorOf(event.text))};
    switch (change) {
    case OwnerChange::Set:
        mark.kind = row.isReplicated && !row.isPrimary ? Mark::Kind::Copied : Mark::Kind::Set;
        break;
    case OwnerChange::Renewed:
        mark.kind = Mark::Kind::Extended;
        break;
    case OwnerChange::Deleted: {
        mark.kind = Mark::Kind::Deleted;
        const auto cause = std::find_if(m_releases.begin(), m_releases.end(), [&](const Event &release) {
            return release.key == event.key && release.sent <= event.at && event.at <= release.answered + notificationDelay;
        });
        if (cause != m_releases.end()) {
            mark.by = static_cast<qint16>(rowOf(*cause));
            m_releases.erase(cause);
        }
        break;
    }
    case OwnerChange::Expired:
        mark.kind = Mark::Kind::Expired;
        break;
    case OwnerChange::Promoted:
        if (!row.promotions.empty() && event.at - row.promotions.back() < notificationDelay)
            return; // marked when the server told its role
        mark.kind = Mark::Kind::Changed;
        break;
    case OwnerChange::Restarted:
        mark.kind = Mark::Kind::Changed;
        break;
    case OwnerChange::Read:
        return;
    }
    addMark(row, mark);
}

/// The release that deleted a key may be recorded before or after the node's notification.
void Spans::attribute(int actor, const Event &release)
{
    for (LaneRow &row : m_rows) {
        if (row.lane.type != Lane::Type::Node || row.key != release.key)
            continue;
        for (auto mark = row.marks.rbegin(); mark != row.marks.rend() && mark->at >= release.sent; ++mark) {
            if (mark->kind == Mark::Kind::Deleted && mark->by < 0 && mark->at <= release.answered + notificationDelay) {
                mark->by = static_cast<qint16>(actor);
                return;
            }
        }
    }
    constexpr size_t enough = 64;
    if (m_releases.size() >= enough)
        m_releases.erase(m_releases.begin());
    m_releases.push_back(release);
}

/// Whoever held with this token only thinks so from now on. With several nodes one of them does not decide.
void Spans::loseToken(Name key, Name token, qint64 at)
{
    const auto nodes = std::count_if(m_rows.begin(), m_rows.end(),
        [key](const LaneRow &row) { return row.lane.type == Lane::Type::Node && row.key == key; });
    if (nodes != 1)
        return;
    m_lost[token] = at;
    const int actor = actorOf(token);
    if (actor < 0)
        return;
    std::vector<Span> &holding = m_rows[size_t(actor)].holding;
    const auto held = std::find_if(holding.rbegin(), holding.rend(), [token](const Span &span) { return span.token == token; });
    if (held != holding.rend())
        held->turn = std::min(held->turn, at);
}

void Spans::die(int index, qint64 at, quint32 event)
{
    LaneRow &row = m_rows[size_t(index)];
    if (!row.state.empty() && row.state.back().kind == Span::Kind::Dead)
        return;
    close(row.waiting, at);
    row.state.push_back({.begin = at, .event = event, .kind = Span::Kind::Dead});
    addMark(row, {.at = at, .event = event, .kind = Mark::Kind::Died});
}

void Spans::rememberToken(Name token, int row)
{
    if (token == 0)
        return;
    if (token >= m_actorOfToken.size())
        m_actorOfToken.resize(size_t(token) + 1, -1);
    m_actorOfToken[token] = row;
}

}
