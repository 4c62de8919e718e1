// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/experiments/parameter.h"
#include "engine/run/run.h"

#include <QList>
#include <QString>

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

/// An experiment is a value: everything that anybody else needs to know about it is here.
struct Experiment
{
    QString id; ///< "lock-release"
    QString family; ///< "locks", see familyTitle()
    int place = 0; ///< in its family, from the top; those of equal place by id
    QString title; ///< "Release"
    QString claim; ///< the headline
    QString promise; ///< one checkable sentence
    QList<Parameter> parameters;
    QList<Preset> presets; ///< the first is the default
    QStringList views; ///< "timeline", "waits": see widgets/scenes
    QStringList nodes {QStringLiteral("redis")}; ///< private servers to start
    /// Names of at least three private servers that form a cluster, for these values; they are started in the place of nodes.
    /// Empty: none do. Null: they never do.
    QStringList (*cluster)(const Values &values) = nullptr;
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
