// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <optional>

namespace interlock {

/// An experiment on a primary, two replicas and three sentinels. @param play what happens there.
inline Experiment groupExperiment(Task<Result<void>> (*play)(Stage &stage))
{
    Experiment experiment;
    experiment.id = QStringLiteral("group-test");
    experiment.promise = QStringLiteral("Something happens.");
    experiment.parameters = {Parameter::toggle(QStringLiteral("group"), QStringLiteral("Group"), QStringLiteral("Whether there is one."), true)};
    experiment.group = [](const Values &values) {
        return values.toggle(QStringLiteral("group")) ? std::optional<GroupPlan>(GroupPlan()) : std::nullopt;
    };
    experiment.checks = [](const Values &) { return QList<CheckUse>(); };
    experiment.play = play;
    experiment.allowsStrikes = true;
    experiment.limit = 60s;
    return experiment;
}

/// A run of it, by a runner of its own.
class GroupRun
{
public:
    /// @param batchReady is told of each batch; empty: nobody is.
    explicit GroupRun(const Experiment &experiment, std::function<void(const Batch &)> batchReady = {})
    {
        useKeeperOfProgram();
        RunPlan plan;
        plan.experiment = &experiment;
        plan.values = Values(experiment.parameters);
        plan.seed = 1;
        plan.pace = 0.1;
        Runner::Calls calls;
        calls.progressed = [this](const QString &what) { progress.append(what); };
        calls.began = [this](const Header &) { hasBegun = true; };
        calls.batchReady = [this, batchReady](const Batch &batch) {
            heard += batch.events.size();
            if (batchReady)
                batchReady(batch);
        };
        calls.finished = [this](std::shared_ptr<const Run> finished, const Verdict &) { run = std::move(finished); };
        calls.failed = [this](const Error &failed) { error = failed; };
        runner = std::make_unique<Runner>(plan, calls);
        runner->start();
    }

    bool isOver() const { return run || error; }
    bool wait(int milliseconds = 60'000)
    {
        return QTest::qWaitFor([this] { return isOver(); }, milliseconds);
    }
    QString why() const { return error ? error->text : run ? run->incompleteBecause : QStringLiteral("It is not over."); }

    /// A line for each event of the kinds that fit: "N2 role-changed primary", "S1 +sdown N1".
    QStringList told(const std::function<bool(const Event &)> &fits) const
    {
        QStringList lines;
        for (const Event &event : run->events) {
            if (!fits(event))
                continue;
            QString line = run->text(event.lane);
            for (const Name name : {event.text, event.node}) {
                if (name)
                    line += u' ' + run->text(name);
            }
            lines.append(line);
        }
        return lines;
    }
    QStringList told(NodeChange what) const
    {
        return told([what](const Event &event) { return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(what); });
    }
    QStringList sentinelEvents() const
    {
        return told([](const Event &event) { return event.kind == Event::Kind::Sentinel; });
    }

    QStringList progress;
    bool hasBegun = false;
    size_t heard = 0;
    std::shared_ptr<const Run> run;
    std::optional<Error> error;
    std::unique_ptr<Runner> runner;
};

}
