// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "engine/base/words.h"
#include "engine/checks/checks.h"
#include "engine/experiments/catalogue.h"
#include "engine/run/runfile.h"
#include "engine/run/setfiles.h"
#include "engine/runplan.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <cmath>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

/// What the session left: a run, or why there is none.
struct Outcome
{
    std::shared_ptr<const Run> run;
    Verdict verdict;
    Error error;
    std::vector<ChildRun> children; ///< of a set; what was written is kept in its file only
    bool isInterrupted = false;
};

/// A run of a set has ended: it goes into its file at once. If that fails it is said, and the run is kept to be tried again with the set.
ChildRun keepChild(const QString &out, ChildRun child)
{
    if (const Result<void> done = writeChildFile(out, child); !done) {
        say(done.error().text);
        return child;
    }
    child.file = childFile(out, child.name);
    child.run.reset();
    return child;
}

QString setProgress(int ended, int total, qint64 left)
{
    const QString runs = tr("%1 of %2 runs").arg(ended).arg(total);
    if (left == never || ended == total)
        return runs;
    return tr("%1, about %2 s left").arg(runs).arg(std::ceil(static_cast<double>(left) / 1e9));
}

/// The first of the presets, unless the user chose one or gave values of his own; or a sentence on the names.
Result<RunRequest> completed(RunRequest request)
{
    const Experiment *experiment = experiments::find(request.experiment);
    if (!experiment) {
        QStringList known;
        for (const Experiment &one : experiments::all())
            known.append(one.id);
        return Error {Error::Kind::Invalid,
            tr("There is no experiment named “%1”.%2 There are %3.")
                .arg(request.experiment, didYouMean(request.experiment, known), listedAnd(known))};
    }
    if (request.preset.isEmpty() && request.values.isEmpty() && !experiment->presets.isEmpty())
        request.preset = experiment->presets.first().name;
    if (!request.preset.isEmpty() && !experiment->preset(request.preset)) {
        QStringList known;
        for (const Preset &one : experiment->presets)
            known.append(one.name);
        return Error {Error::Kind::Invalid,
            tr("%1 has no preset named “%2”.%3 It has %4.")
                .arg(experiment->id, request.preset, didYouMean(request.preset, known), listedAnd(known))};
    }
    return request;
}

/// Runs it to its end, however that comes. @param out see RunCommand.
Result<Outcome> play(const RunRequest &request, const QString &out)
{
    Outcome outcome;
    Session session;
    QEventLoop loop;
    bool isSet = false;
    QObject::connect(&session, &Session::progressed, &loop, [](quint64, const QString &what) { showProgress(what); });
    QObject::connect(&session, &Session::batchReady, &loop, [&isSet](const Batch &batch) {
        if (!isSet)
            showProgress(tr("Running: %1 s").arg(static_cast<double>(batch.now) / 1e9, 0, 'f', 1));
    });
    QObject::connect(&session, &Session::setProgressed, &loop, [&isSet](quint64, int ended, int total, qint64 left) {
        isSet = true;
        showProgress(setProgress(ended, total, left));
    });
    QObject::connect(&session, &Session::childFinished, &loop,
        [&](quint64, const QString &name, const QString &title, const std::shared_ptr<const Run> &run, const Verdict &verdict) {
            if (!out.isEmpty())
                outcome.children.push_back(keepChild(out, {name, title, run, verdict, {}}));
        });
    QObject::connect(&session, &Session::finished, &loop,
        [&](quint64, std::shared_ptr<const Run> run, const Verdict &verdict) {
            outcome.run = std::move(run);
            outcome.verdict = verdict;
            loop.quit();
        });
    QObject::connect(&session, &Session::failed, &loop, [&](quint64, const Error &error) {
        outcome.error = error;
        loop.quit();
    });
    const Interrupt interrupt([&] { session.stop(); });
    if (const Result<quint64> started = session.start(request); !started)
        return started.error();
    loop.exec();
    outcome.isInterrupted = interrupt.hasCome();
    showProgress({});
    return outcome;
}

void printRecord(const Run &run)
{
    print(headerLine(run));
    for (const Event &event : run.events)
        print(eventLine(run, event));
}

/// Said now and not after the run, which may take minutes.
Result<void> checkFiles(const RunRequest &request, const QString &out)
{
    if (const Result<void> writable = checkWritable(out); !writable)
        return writable;
    const Result<RunPlan> plan = makePlan(request);
    const std::vector<SetChild> children = plan ? childrenOf(*plan) : std::vector<SetChild>();
    if (children.empty())
        return {};
    if (const Result<void> made = makeChildrenFolder(out); !made)
        return made;
    const Result<void> writable = checkWritable(childFile(out, children.front().name));
    dropEmptyChildrenFolder(out);
    return writable;
}

/// The run and the runs of a set, in files of their own. False, and a sentence: not all could be written.
bool keep(const QString &out, const Outcome &outcome)
{
    const Result<void> written = writeSetFiles(out, *outcome.run, outcome.verdict, outcome.children);
    if (!written) {
        say(written.error().text);
        dropEmptyChildrenFolder(out);
    }
    return written.ok();
}

void sayWhat(const Header &header)
{
    QStringList values;
    for (const auto &[name, value] : header.values)
        values.append(name + u'=' + value);
    const QString preset = header.preset.isEmpty() ? tr("own values") : header.preset;
    say(tr("%1, %2, seed %3: %4").arg(header.experiment, preset).arg(header.seed).arg(values.join(u' ')));
    const Experiment *experiment = experiments::find(header.experiment);
    say((experiment && experiments::onlyMeasures(*experiment) ? tr("Measures: %1") : tr("Promise: %1")).arg(header.promise));
}

/// The exit status of a run that came to an end, and words on it where the status alone does not tell.
int statusOf(const RunCommand &command, const Outcome &outcome)
{
    if (outcome.isInterrupted) {
        say(tr("The run was interrupted."));
        return status::unknown;
    }
    const Judgement judgement = outcome.verdict.judgement;
    if (!command.expect)
        return statusOf(*outcome.run, outcome.verdict);
    if (judgement == *command.expect)
        return status::done;
    say(tr("Expected: %1.").arg(word(*command.expect)));
    return judgement == Judgement::Held || judgement == Judgement::Broken ? status::broken : status::unknown;
}

}

int runExperiment(const RunCommand &command)
{
    const Result<RunRequest> request = completed(command.request);
    if (!request)
        return refuse(request.error());
    if (!command.out.isEmpty()) {
        if (const Result<void> writable = checkFiles(*request, command.out); !writable)
            return refuse(writable.error());
    }
    const Result<Outcome> outcome = play(*request, command.out);
    if (!outcome)
        return refuse(outcome.error());
    if (!outcome->run) {
        say(outcome->error.text);
        return status::unknown;
    }

    const Run &run = *outcome->run;
    sayWhat(run.header);
    if (!run.isComplete)
        sayIncomplete(run);
    int result = statusOf(command, *outcome);
    if (!command.out.isEmpty() && !keep(command.out, *outcome))
        result = status::unknown;
    if (command.json)
        printRecord(run);
    printResult(run, outcome->verdict, command.out, command.json);
    sayNotes(outcome->verdict);
    return flushed(result);
}

}
