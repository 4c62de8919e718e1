// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/spans.h"

#include "widgets/timeline/spanlayers.h"

#include <algorithm>

// What becomes of servers, what is done to them, and what a replica never got.
namespace interlock {

using namespace spanlayers;

namespace {

/// A copy takes about a millisecond; what is not there after this long is missed.
constexpr qint64 usualLag = 250'000'000;

/// Of these the Node events tell, when it has happened.
bool isOfProcess(const QByteArray &fault)
{
    return fault == "kill" || fault == "restart" || fault == "pause" || fault == "resume";
}

bool cutsReplication(const QByteArray &fault)
{
    return fault == "cut-replication" || fault == "hold-replication" || fault == "isolate";
}

bool isDead(const LaneRow &row)
{
    return !row.state.empty() && row.state.back().kind == Span::Kind::Dead && row.state.back().end == never;
}

}

void Spans::takeNode(const Run &run, const Event &event, quint32 index)
{
    for (LaneRow &row : m_rows) {
        if (row.lane.type != Lane::Type::Node || row.name != event.lane || row.name == 0)
            continue;
        const Mark mark {.at = event.at, .event = index, .kind = Mark::Kind::Node};
        switch (static_cast<NodeChange>(event.what)) {
        case NodeChange::Paused:
            begin(row.state, Span::Kind::Paused, event, index);
            break; // its hatch says so
        case NodeChange::Killed:
        case NodeChange::Ended:
            begin(row.state, Span::Kind::Dead, event, index);
            close(row.owned, event.at);
            close(row.primary, event.at);
            break;
        case NodeChange::Resumed:
        case NodeChange::Started:
            close(row.state, event.at);
            addMark(row, mark);
            break;
        case NodeChange::Ready:
            if (isDead(row))
                addMark(row, mark);
            close(row.state, event.at);
            if (row.isPrimary && !open(row.primary)) // started again, in the role that it had
                begin(row.primary, Span::Kind::Primary, event, index);
            break;
        case NodeChange::RoleChanged:
            changeRole(row, run.names.bytes(event.text), event, index);
            break;
        case NodeChange::Offset:
        case NodeChange::Linked:
            break;
        case NodeChange::ClockMoved:
        case NodeChange::Synced:
            addMark(row, mark);
            break;
        }
    }
}

/// A record begins with everybody's role: only another one is news.
void Spans::changeRole(LaneRow &row, const QByteArray &role, const Event &event, quint32 index)
{
    const qint64 at = event.at;
    const bool isPrimary = role == "primary";
    if (!row.isReplicated || isPrimary == row.isPrimary || (!isPrimary && role != "replica"))
        return;
    row.isPrimary = isPrimary;
    if (isPrimary) {
        row.promotions.push_back(at);
        begin(row.primary, Span::Kind::Primary, event, index);
    } else {
        close(row.primary, at);
    }
    // The key as it has it then may have been told a moment before.
    const bool isMarked = std::any_of(row.marks.begin(), row.marks.end(), [at](const Mark &each) { return each.kind == Mark::Kind::Changed && at - each.at < usualLag; });
    if (!isMarked)
        addMark(row, {.at = at, .event = index, .kind = Mark::Kind::Changed});
}

void Spans::takeFault(const Run &run, const Event &event, quint32 index)
{
    const int place = rowOf(event);
    const bool begins = event.has(Event::Begins);
    if (place < 0) {
        if (!begins)
            insert(m_phases, {.at = event.at, .event = index, .kind = Mark::Kind::Fault});
        return;
    }
    const QByteArray &fault = run.names.bytes(event.text);
    if (m_rows[size_t(place)].lane.type == Lane::Type::Node)
        return takeNodeFault(fault, event, index);
    LaneRow &row = m_rows[size_t(place)];
    if (begins)
        return;
    if ((fault == "pause" || fault == "hold") && event.until != never) {
        // Recorded when it is over: the layer may hold later spans already, though hardly ever.
        const Span stopped {.begin = event.at, .end = event.until, .event = index, .kind = fault == "hold" ? Span::Kind::Held : Span::Kind::Paused};
        const auto later = std::find_if(row.state.begin(), row.state.end(), [&](const Span &span) { return span.begin > stopped.begin; });
        row.state.insert(later, stopped);
        m_last = std::max(m_last, event.until);
    } else if (row.owner >= 0 && isDeath(fault)) {
        die(place, event.at, index);
        return;
    }
    addMark(row, {.at = event.at, .event = index, .kind = Mark::Kind::Fault});
}

/// One that lasts is told when it begins, and once more when it is over.
void Spans::takeNodeFault(const QByteArray &fault, const Event &event, quint32 index)
{
    const bool found = event.has(Event::Begins) || event.has(Event::Touched) || event.until != never;
    if (isOfProcess(fault) || !found)
        return;
    const auto begun = std::find_if(m_nodeFaults.begin(), m_nodeFaults.end(),
        [&](const NodeFault &each) { return each.node == event.lane && each.name == event.text && each.begin == event.at; });
    if (begun != m_nodeFaults.end()) {
        begun->end = event.has(Event::Begins) ? begun->end : event.until;
        return;
    }
    const bool lasts = event.has(Event::Begins) || event.until != never;
    m_nodeFaults.push_back({event.lane, event.text, event.at, lasts ? event.until : event.at, index, cutsReplication(fault)});
    for (LaneRow &row : m_rows) {
        if (row.lane.type == Lane::Type::Node && row.name == event.lane)
            addMark(row, {.at = event.at, .event = index, .kind = Mark::Kind::Fault});
    }
}

/// A key that was set where the primary is should come to its replicas.
void Spans::noteOwner(LaneRow &row, const Event &event, quint32 index)
{
    if (!row.isReplicated || event.text == 0)
        return;
    if (row.arrived.insert(event.text).second && row.isPrimary)
        m_grants.push_back({row.name, event.key, event.text, event.at, index});
}

std::vector<Absence> Spans::absencesOf(int place, qint64 from, qint64 to, qint64 now) const
{
    std::vector<Absence> absences;
    const LaneRow &row = m_rows[size_t(place)];
    if (!row.isReplicated)
        return absences;
    constexpr size_t most = 200; // more than can be read
    for (const Grant &grant : m_grants) {
        if (grant.at > to || absences.size() >= most)
            break;
        const bool isHere = grant.node == row.name || grant.key != row.key || row.arrived.contains(grant.token);
        const bool isOver = !row.promotions.empty() && row.promotions.front() <= grant.at;
        const bool isDead = std::any_of(row.state.begin(), row.state.end(),
            [&](const Span &each) { return each.kind == Span::Kind::Dead && each.begin <= grant.at && grant.at < each.end; });
        if (isHere || isOver || isDead || now - grant.at < usualLag)
            continue;
        Absence absence {.begin = grant.at, .end = now, .event = grant.event, .cut = {}};
        const auto next = std::find_if(row.owned.begin(), row.owned.end(), [&](const Span &span) { return span.end > grant.at; });
        if (next != row.owned.end())
            absence.end = next->begin;
        if (!row.promotions.empty())
            absence.end = std::min(absence.end, row.promotions.front());
        const auto cut = std::find_if(m_nodeFaults.rbegin(), m_nodeFaults.rend(), [&](const NodeFault &each) {
            return each.cuts && (each.node == grant.node || each.node == row.name) && each.begin <= grant.at && grant.at < each.end;
        });
        if (cut != m_nodeFaults.rend())
            absence.cut = cut->event;
        if (absence.end > absence.begin && absence.end >= from)
            absences.push_back(absence);
    }
    return absences;
}

}
