// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/experiments/parameter.h"
#include "engine/run/run.h"

#include <QList>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace interlock {

class Stage;

/// A named set of values and what it is expected to show.
struct Preset
{
    QString name; ///< "break", "safe", "break-get-del"
    QString title; ///< in the window: "GET, then DEL"
    QList<std::pair<QString, QString>> values; ///< what differs from the defaults
    Judgement expected = Judgement::None; ///< None: it draws a curve or a table
    QList<Witness> witnesses; ///< without them the verdict is unknown
};

/// A primary with replicas and the sentinels that watch over them, private, each behind a link.
/// The servers are N1 (the first primary), N2, …; the sentinels S1, S2, ….
struct GroupPlan
{
    int replicas = 2;
    int sentinels = 3; ///< 0: nobody watches
    QStringList settings; ///< lines of every server's configuration
    std::map<QString, QStringList> settingsOf; ///< lines of one server's configuration, by its name
};

/// One run of a set. It plays the same experiment with values for which Experiment::set gives nothing.
struct SetChild
{
    QString name; ///< unique in its set, as it is in file names: "lag-50ms-03"
    QString title; ///< for people: "Lag 50 ms, run 3"
    QList<std::pair<QString, QString>> values; ///< over those of the set
};

/// What one run of a set tells; see MeasureKind.
struct Measure
{
    QString series;
    MeasureKind kind = MeasureKind::Value;
    qint64 x = never;
    qint64 y = 0; ///< or a cell's count
    qint64 low = never; ///< or, of a share, how many trials
    qint64 high = never;
    QString column;
    QString outcome;
};

/// An experiment is a value: everything that anybody else needs to know about it is here.
struct Experiment
{
    QString id; ///< "lock-release"
    QString family; ///< "locks", see familyTitle()
    int place = 0; ///< in its family, from the top; those of equal place by id
    QString title; ///< "Release"
    QString claim; ///< the headline
    QString promise; ///< one checkable sentence; where no preset expects a verdict, what is measured instead
    QList<Parameter> parameters;
    QList<Preset> presets; ///< the first is the default
    QStringList views; ///< "timeline", "waits": see widgets/scenes
    QStringList nodes {QStringLiteral("redis")}; ///< private servers to start
    /// Names of at least three private servers that form a cluster, for these values; they are started in the place of nodes.
    /// Empty: none do. Null: they never do.
    QStringList (*cluster)(const Values &values) = nullptr;
    /// The group that these values need in the place of nodes; nothing: none. Null: they never do.
    std::optional<GroupPlan> (*group)(const Values &values) = nullptr;
    /// Whether the person may strike the nodes of the group while the play is on (Session::strike()).
    bool allowsStrikes = false;
    /// The runs that a set with these values is made of, in order; empty: it is one run. Null: it always is.
    std::vector<SetChild> (*set)(const Values &values) = nullptr;
    /// What a run of the set tells, from its record alone; an incomplete run tells nothing. Null: there are no sets.
    QList<Measure> (*measure)(const SetChild &child, const Run &run) = nullptr;
    /// The curves and table rows that measures of this experiment name.
    QList<SeriesInfo> series;
    /// Why these values need a server of the lab's own, as a sentence (keys without TTL are not left on somebody's server);
    /// empty: they can run on a server that the user names. Null: they always can.
    QString (*needsOwnServer)(const Values &values) = nullptr;
    /// The checks for these values; the promise's own first.
    QList<CheckUse> (*checks)(const Values &values) = nullptr;
    /// The play: makes actors, stages faults, returns when it is over. Its failure makes the run incomplete.
    Task<Result<void>> (*play)(Stage &stage) = nullptr;
    /// Whether the play with these values waits for the person (Session::press()); null: never.
    bool (*asksPerson)(const Values &values) = nullptr;
    bool watchesOwners = true; ///< whether lock keys are watched: each of a limiter's writes would be told of for nobody
    Nanoseconds limit = 30s; ///< the run is ended after this time and is incomplete

    const Preset *preset(const QString &name) const;
};

/// "Locks on one server"
QString familyTitle(const QString &family);

}
