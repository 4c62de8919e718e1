// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"
#include "engine/runner.h"

#include <QCoreApplication>
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
    if (plan.target && plan.experiment->needsOwnServer) {
        if (const QString why = plan.experiment->needsOwnServer(plan.values); !why.isEmpty())
            return Error {Error::Kind::Invalid, why};
    }
    if (plan.target && plan.experiment->cluster && !plan.experiment->cluster(plan.values).isEmpty())
        return Error {Error::Kind::Invalid, tr("With these values %1 forms a cluster, which needs servers of the lab’s own.").arg(request.experiment)};
    if (plan.target && plan.experiment->group && plan.experiment->group(plan.values))
        return Error {Error::Kind::Invalid, tr("With these values %1 forms a group of servers, which have to be the lab’s own.").arg(request.experiment)};
    // 32 bits, so that a seed in a run file survives readers that know only floating point.
    plan.seed = request.seed.value_or(QRandomGenerator::global()->generate());
    return plan;
}

}
