// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/decisionfigures.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace interlock {

/// A row of the timeline.
struct Lane
{
    enum class Type { Actor, Node, Resource };
    Type type = Type::Actor;
    QString name;
    QString key; ///< node: the lock key whose owner the lane shows

    bool operator==(const Lane &) const = default;
};

/// A check to run on the record, with the values it needs. Judges: its answer counts for the promise; the others add notes.
struct CheckUse
{
    QString check; ///< "mutual-exclusion-work", …: see engine/checks/checks.h
    QList<std::pair<QString, QString>> arguments; ///< times as nanoseconds
    bool judges = true;

    bool operator==(const CheckUse &) const = default;
};

/// What must be seen in the record for the preset to have shown anything: a fault that touched, a client that asked.
struct Witness
{
    QString what; ///< "fault", "asked", "expired", "granted"…: see engine/checks/witnesses.h
    QString whom; ///< a fault's name, a lane's name; empty: any
    int atLeast = 1;

    bool operator==(const Witness &) const = default;
};

enum class Judgement { Held, Broken, Unknown, None };

/// "held", "broken", "unknown", "none": as in files and on the command line.
QString word(Judgement judgement);

/// A server as it was.
struct NodeInfo
{
    QString name;
    QString role; ///< primary, replica, sentinel, independent, cluster member
    QString version;
    bool isPrivate = true; ///< started by the lab; otherwise the user's target
    QString address; ///< host:port under which the others know it; empty: not told

    bool operator==(const NodeInfo &) const = default;
};

/// A Lua script that the run used, so that commands can be repeated from the record alone.
struct ScriptInfo
{
    QString name;
    QString sha;
    QString body;

    bool operator==(const ScriptInfo &) const = default;
};

/// A rate limiter as the run used it.
struct LimiterInfo
{
    QString name; ///< in the run's decisions; unique: "token-bucket", "token-bucket defect"
    QString title; ///< for people
    QString algorithm; ///< "token-bucket"; of a defect that of its correct twin
    QString defect; ///< its id; empty: correct
    QList<std::pair<QString, QString>> values; ///< as `interlock limit --set` takes them
    qint64 limit = 0; ///< the most that one request may cost
    qint64 levelUnit = 1; ///< DecisionFigures::level has so many parts for one unit of cost
    QString twin; ///< the limiter that it is drawn over and compared with; empty: none
    qint64 windowStart = 0; ///< µs on the limiter's clock: where one of its windows begins
    qint64 window = 0; ///< µs; 0: it has none

    bool operator==(const LimiterInfo &) const = default;
};

/// A line of a chart or a row of a table, which measures name.
struct SeriesInfo
{
    QString name; ///< in the run's measures
    QString title; ///< for people
    QString xTitle; ///< what x is: "Replication lag"; of a table's row empty
    QString yTitle; ///< what y is: "Locks lost"
    QString xUnit; ///< "ns" (a length of time), "bytes", "requests", …; empty: a bare number
    QString yUnit; ///< the same

    bool operator==(const SeriesInfo &) const = default;
};

/// Everything about a run that is not an event.
struct Header
{
    static constexpr int currentFormat = 1;

    int format = currentFormat;
    QString program; ///< "interlock 0.1.0"
    QString experiment;
    QString preset; ///< empty: values of the user's own
    QString promise; ///< the checkable sentence
    Judgement expected = Judgement::None;
    QList<std::pair<QString, QString>> values; ///< parameters in declared order, as the command line takes them
    quint64 seed = 0;
    QString schedule = QStringLiteral("real time");
    double pace = 1;
    QString started; ///< ISO 8601, UTC
    bool relay = false; ///< a relay of ours stood in front of the nodes
    bool clockShim = false;
    QString target; ///< the user's server without its password; empty: private servers
    QList<NodeInfo> nodes;
    QList<Lane> lanes;
    QList<ScriptInfo> scripts;
    QList<CheckUse> checks;
    QList<Witness> witnesses;
    QList<LimiterInfo> limiters;
    QList<SeriesInfo> series;

    bool operator==(const Header &) const = default;
};

/// A run: the only thing that checks, widgets and exports read.
struct Run
{
    Header header;
    Names names;
    std::vector<Event> events;
    std::vector<DecisionFigures> decisions; ///< in order of recording; Event::number of a decision is its index here
    bool isComplete = false; ///< the program came to its end; an incomplete run can be broken, never held
    QString incompleteBecause; ///< a sentence
    qint64 duration = 0; ///< ns from the run's beginning to its end
    quint64 dropped = 0; ///< events beyond the cap, which were not recorded one by one

    QString text(Name name) const { return names.text(name); }
    /// Of a decision; null for every other event.
    const DecisionFigures *figures(const Event &event) const;
    /// Null if there is none of that name.
    const LimiterInfo *limiter(const QString &name) const;
};

}
