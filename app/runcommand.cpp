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

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>

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
    Result<void> childrenWritten; ///< the first that could not be
    bool isInterrupted = false;
};

/// A run of a set, beside the set's own file.
Result<void> writeChild(const QString &out, const QString &name, const Run &run, const Verdict &verdict)
{
    const QString file = childFile(out, name);
    if (const QString folder = QFileInfo(file).path(); !QDir().mkpath(folder))
        return Error {Error::Kind::Failed, tr("%1 is no directory and cannot be made one.").arg(folder)};
    return writeRunFile(file, run, verdict);
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
        [&](quint64, const QString &name, const QString &, const std::shared_ptr<const Run> &run, const Verdict &verdict) {
            if (!out.isEmpty() && outcome.childrenWritten)
                outcome.childrenWritten = writeChild(out, name, *run, verdict);
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

void printRecord(const Run &run, const Verdict &verdict)
{
    print(headerLine(run));
    for (const Event &event : run.events)
        print(eventLine(run, event));
    print(verdictLine(run, verdict));
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
    if (judgement == Judgement::None && !outcome.run->isComplete)
        return status::unknown; // what it draws is not all there
    if (!command.expect)
        return statusOf(judgement);
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
    // Said now and not after the run, which may take minutes.
    if (!command.out.isEmpty()) {
        if (const Result<void> writable = checkWritable(command.out); !writable)
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
        say(tr("The record is incomplete: %1").arg(run.incompleteBecause));
    int result = statusOf(command, *outcome);
    if (!command.out.isEmpty()) {
        for (const Result<void> &written : {writeRunFile(command.out, run, outcome->verdict), outcome->childrenWritten}) {
            if (written)
                continue;
            say(written.error().text);
            result = status::unknown;
        }
    }
    if (command.json)
        printRecord(run, outcome->verdict);
    else
        print(verdictSentence(run, outcome->verdict).toUtf8());
    sayNotes(outcome->verdict);
    return flushed(result);
}

}
