// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/timeline/blocks.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace interlock {

/// A stretch of time in a lane. The spans of one layer of a lane are in order and do not overlap.
struct Span
{
    enum class Kind : quint8 {
        Waiting, ///< an actor wants a lock
        Holding, ///< an actor believes that it holds a lock; from `turn` on it only thinks so
        Working, ///< an actor is inside a protected section
        Contested, ///< an actor is inside a protected section together with another
        Paused, ///< an actor or a node does not run
        Held, ///< an actor is held at a point of its program, while its other parts go on
        Dead, ///< an actor died, or a node was killed
        Primary, ///< a node of a group says that it is the primary
        Owned, ///< a node says that a token owns the key; `turn` is the expiry
    };

    qint64 begin = 0; ///< ns
    qint64 end = never; ///< never: it had not ended when the record did
    qint64 turn = never; ///< see the kinds
    Name token = 0;
    quint32 event = 0; ///< index of the event that began it
    Kind kind = Kind::Waiting;
    bool inferred = false;

    bool operator==(const Span &) const = default;
};

/// A moment in a lane.
struct Mark
{
    enum class Kind : quint8 {
        Command, ///< answered without an error
        CommandFailed, ///< an error, or no answer
        Refused, ///< an attempt to get the lock was answered no
        Renewed, ///< an actor's renewal was accepted
        RenewalFailed,
        Released, ///< an actor's release removed the key
        ReleasedNothing, ///< an actor's release removed nothing
        GaveUp,
        Died,
        Set, ///< node: the key was given a token
        Copied, ///< replica: its primary's key came to it
        Extended, ///< node: the key's expiry was moved
        Deleted, ///< node: somebody deleted the key
        Expired, ///< node: the key's time ran out
        Changed, ///< node: promoted or restarted, or a replica now
        WriteAccepted, ///< resource
        WriteRefused,
        Fault,
        Node, ///< a server process: started, ready, killed
        Phase,
        Note,
    };

    qint64 at = 0; ///< ns
    quint32 event = 0;
    qint16 by = -1; ///< row of the actor that caused it, where that is known
    Kind kind = Kind::Command;

    bool operator==(const Mark &) const = default;
};

/// A lane with what happened in it, ready to be drawn.
struct LaneRow
{
    Lane lane;
    Name name = 0; ///< 0: no event has named it yet
    Name key = 0;
    int owner = -1; ///< index among the actors, for the theme's colours; -1: no actor
    bool isStandIn = false; ///< a server of a group that has no lane in the header (yet)
    bool isShared = false; ///< a node, and others show the same key
    bool isReplicated = false; ///< a node of a group: a primary or a replica
    bool isPrimary = false; ///< then: by its own word, as far as events were taken
    std::vector<qint64> promotions; ///< when it became that
    std::unordered_set<Name> arrived; ///< tokens that it has had
    std::vector<Span> waiting, holding, working, contested, state, owned, primary;
    std::vector<Mark> commands; ///< commands and refused attempts: many and quiet
    std::vector<Mark> marks; ///< the others

    struct
    {
        Blocks waiting, holding, working, commands, marks;
    } blocks; ///< of the layers of these names
};

/// Two or more owners in one protected section at once.
struct Overlap
{
    Name key = 0; ///< the section
    qint64 begin = 0;
    qint64 end = never;
    int owners = 2; ///< the most at once
    std::vector<int> rows; ///< who took part, in order of entering
    quint32 event = 0; ///< the entering that began it

    bool operator==(const Overlap &) const = default;
};

/// A key that was set on the primary, and that a replica did not get.
struct Absence
{
    qint64 begin = 0; ///< when the primary got it
    qint64 end = never; ///< until the replica got another, or was promoted without it
    quint32 event = 0; ///< the setting
    std::optional<quint32> cut; ///< the fault that kept it away, if there was one

    bool operator==(const Absence &) const = default;
};

/// Turns a run into lanes. Can be extended while the run grows: each event is looked at once.
/// Events may come slightly out of order, since a command is recorded when it has been answered.
class Spans
{
public:
    void clear();
    /// Takes the run's lanes and events that it has not yet taken. Precondition: the same run as before, grown.
    void extend(const Run &run);
    /// The same for at most so many events, so that a long run can be taken in steps. @return whether there are more.
    bool extend(const Run &run, size_t most);

    const std::vector<LaneRow> &rows() const { return m_rows; } ///< in the header's order, and the servers of a group that have no lane there
    const std::vector<int> &order() const { return m_order; } ///< rows as shown: actors, then nodes, then resources
    const std::vector<Overlap> &overlaps() const { return m_overlaps; } ///< in order of beginning
    const std::vector<Mark> &phases() const { return m_phases; } ///< what belongs to no lane
    qint64 last() const { return m_last; } ///< ns: the latest time seen

    /// The row of the actor that used this token; -1 if none did.
    int actorOf(Name token) const { return token < m_actorOfToken.size() ? m_actorOfToken[token] : -1; }
    /// The row of the lane that an event belongs to; -1 if it has none.
    int rowOf(const Event &event) const;

    /// What did not come to this row and should have, between two times (ns); @p now is how far the record reaches.
    std::vector<Absence> absencesOf(int row, qint64 from, qint64 to, qint64 now) const;

    /// What the event began, or else the command it is, from its begin to its end.
    std::pair<qint64, qint64> extentOf(const Run &run, size_t event) const;
    /// The beginning, end or mark that is nearest to @p time, if one lies within @p tolerance (ns).
    std::optional<qint64> nearestEdge(qint64 time, qint64 tolerance) const;
    /// The event of the mark nearest to @p time within @p tolerance (ns), or else of the span there.
    std::optional<size_t> eventAt(int row, qint64 time, qint64 tolerance) const;

private:
    struct Inside
    {
        int row = 0;
        int depth = 1; ///< how often it entered without leaving
        bool isContested = false;
    };
    struct Section
    {
        std::vector<Inside> inside;
        std::optional<size_t> overlap; ///< the one that is going on
    };
    struct Deletion
    {
        int row = 0;
        qint64 at = 0;
    };

    /// A key that was set on a primary.
    struct Grant
    {
        Name node = 0;
        Name key = 0;
        Name token = 0;
        qint64 at = 0;
        quint32 event = 0;
    };
    struct NodeFault
    {
        Name node = 0;
        Name name = 0;
        qint64 begin = 0;
        qint64 end = never;
        quint32 event = 0;
        bool cuts = false; ///< replication
    };

    void takeLanes(const Run &run);
    LaneRow &addRow(const Run &run, const Lane &lane);
    void addServers(const Run &run);
    void take(const Run &run, const Event &event, quint32 index);
    void takeCommand(int row, const Event &event, quint32 index);
    void takeBelief(const Run &run, int row, const Event &event, quint32 index);
    void takeOwner(const Run &run, const Event &event, quint32 index);
    void takeResource(int row, const Event &event, quint32 index);
    void takeNode(const Run &run, const Event &event, quint32 index);
    void changeRole(LaneRow &row, const QByteArray &role, const Event &event, quint32 index);
    void takeFault(const Run &run, const Event &event, quint32 index);
    void takeNodeFault(const QByteArray &fault, const Event &event, quint32 index);
    void noteOwner(LaneRow &row, const Event &event, quint32 index);
    void enter(Section &section, int row, const Event &event, quint32 index);
    void leave(Section &section, int row, qint64 at);
    void loseToken(Name key, Name token, qint64 at);
    void die(int row, qint64 at, quint32 index);
    void rememberToken(Name token, int row);
    void attribute(int row, const Event &release);

    std::vector<LaneRow> m_rows;
    std::vector<int> m_order;
    std::vector<Overlap> m_overlaps;
    std::vector<Mark> m_phases;
    std::vector<int> m_actorOfToken; // by token
    std::unordered_map<Name, int> m_actors; // row by lane's name
    std::unordered_map<Name, Section> m_sections;
    std::unordered_map<Name, qint64> m_lost; // tokens that the node no longer knows, since when
    std::vector<Grant> m_grants;
    std::vector<NodeFault> m_nodeFaults;
    std::vector<Event> m_releases; // whose deletion has not been seen yet
    size_t m_taken = 0;
    qsizetype m_lanes = 0; // of the header, taken so far
    size_t m_unnamed = 0;
    qint64 m_last = 0;
};

}
