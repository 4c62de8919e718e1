// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runplan.h"

#include "engine/base/random.h"
#include "engine/experiments/catalogue.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QRandomGenerator>

namespace interlock {

namespace {
QString tr(const char *text)
{
    return QCoreApplication::translate("run", text);
}

QString names(const QList<Preset> &presets)
{
    QStringList list;
    for (const Preset &preset : presets)
        list.append(preset.name);
    return list.join(QStringLiteral(", "));
}

/// Whether the experiment can run with these values where the plan says.
Result<void> checkTarget(const RunPlan &plan)
{
    if (!plan.target)
        return {};
    const Experiment &experiment = *plan.experiment;
    if (const QString why = experiment.needsOwnServer ? experiment.needsOwnServer(plan.values) : QString(); !why.isEmpty())
        return Error {Error::Kind::Invalid, why};
    if (experiment.cluster && !experiment.cluster(plan.values).isEmpty())
        return Error {Error::Kind::Invalid, tr("With these values %1 forms a cluster, which needs servers of the lab’s own.").arg(experiment.id)};
    if (experiment.group && experiment.group(plan.values))
        return Error {Error::Kind::Invalid, tr("With these values %1 forms a group of servers, which have to be the lab’s own.").arg(experiment.id)};
    return {};
}
}

Result<RunPlan> makePlan(const RunRequest &request)
{
    RunPlan plan;
    plan.experiment = experiments::find(request.experiment);
    if (!plan.experiment)
        return Error {Error::Kind::Invalid, tr("There is no experiment named “%1”.").arg(request.experiment)};
    plan.preset = request.preset;
    plan.values = Values(plan.experiment->parameters);
    if (!request.preset.isEmpty()) {
        const Preset *preset = plan.experiment->preset(request.preset);
        if (!preset) {
            return Error {Error::Kind::Invalid,
                tr("%1 has no preset named “%2”; it has %3.")
                    .arg(request.experiment, request.preset, names(plan.experiment->presets))};
        }
        for (const auto &[name, text] : preset->values) {
            if (const Result<void> set = plan.values.set(name, text); !set)
                return set.error();
        }
    }
    for (const auto &[name, text] : request.values) {
        if (const Result<void> set = plan.values.set(name, text); !set)
            return set.error();
    }
    if (!(request.pace > 0 && request.pace <= 10))
        return Error {Error::Kind::Invalid, tr("The pace is a number above 0, up to 10.")};
    plan.pace = request.pace;
    plan.target = request.target;
    if (const Result<void> possible = checkTarget(plan); !possible)
        return possible.error();
    // 32 bits, so that a seed in a run file survives readers that know only floating point.
    plan.seed = request.seed.value_or(QRandomGenerator::global()->generate());
    return plan;
}

std::vector<SetChild> childrenOf(const RunPlan &plan)
{
    return plan.experiment->set ? plan.experiment->set(plan.values) : std::vector<SetChild>();
}

Result<RunPlan> childPlan(const RunPlan &set, const SetChild &child, size_t index)
{
    RunPlan plan = set;
    plan.preset.clear();
    for (const auto &[name, text] : child.values) {
        if (const Result<void> done = plan.values.set(name, text); !done)
            return done.error();
    }
    if (!childrenOf(plan).empty())
        return Error {Error::Kind::Invalid, tr("It would be a set of runs itself.")};
    if (const Result<void> possible = checkTarget(plan); !possible)
        return possible.error();
    // Neighbours must not have neighbouring numbers: the second of one set would be the first of the next.
    const quint64 mixed = Random(Random(set.seed).next() + index).next();
    plan.seed = static_cast<quint32>(mixed);
    return plan;
}

void describe(const RunPlan &plan, Header &header)
{
    const Experiment &experiment = *plan.experiment;
    header.program = QStringLiteral("interlock " INTERLOCK_VERSION);
    header.experiment = experiment.id;
    header.preset = plan.preset;
    header.promise = experiment.promise;
    header.series = experiment.series;
    header.values = plan.values.written();
    header.seed = plan.seed;
    header.pace = plan.pace;
    header.started = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    if (!childrenOf(plan).empty())
        return;
    header.checks = experiment.checks(plan.values);
    if (const Preset *preset = experiment.preset(plan.preset)) {
        header.expected = preset->expected;
        header.witnesses = preset->witnesses;
    }
}

}
