// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which run the window shows: the newest, kept ones, opened ones, sets and their runs.
#include "app/mainwindow.h"

#include "app/menus.h"
#include "engine/experiments/catalogue.h"
#include "widgets/banner.h"
#include "widgets/controlpanel.h"
#include "widgets/runpage.h"
#include "widgets/scenes.h"
#include "widgets/statusbadge.h"
#include "widgets/verdictbar.h"

#include <QAction>
#include <QFileInfo>

#include <utility>

namespace interlock {

namespace {

/// "Release · GET, then DEL"
QString titleOf(const Header &header)
{
    const Experiment *experiment = experiments::find(header.experiment);
    const Preset *preset = experiment ? experiment->preset(header.preset) : nullptr;
    const QString values = preset ? (preset->title.isEmpty() ? preset->name : preset->title) : MainWindow::tr("own values");
    return MainWindow::tr("%1 · %2").arg(experiment ? experiment->title : header.experiment, values);
}

}

void MainWindow::showNewest()
{
    if (const KeptRun *kept = m_runs->newestOf(m_experiment->id)) {
        showKept(KeptRun(*kept));
        return;
    }
    m_page->banner().clear();
    m_page->badge().setRecorded(false);
    m_model.clear();
    m_runs->mark(nullptr);
    m_page->verdict().showNothing(m_experiment->claim);
}

void MainWindow::showKept(const KeptRun &kept)
{
    if (!kept.run) { // of a set that was opened: it is read when it is wanted
        openFile(kept.file);
        return;
    }
    if (lookAt(kept))
        return;
    m_control.leave();
    const Header &header = kept.run->header;
    if (const Experiment *experiment = experiments::find(header.experiment)) {
        if (experiment != m_experiment)
            setExperiment(*experiment);
        else
            setPage(*experiment); // the one before may have been a file of an experiment that nobody knows
        if (experiment->preset(header.preset))
            m_panel->choosePreset(header.preset);
        m_panel->setValues(header.values);
    } else {
        m_page->setTitle(header.experiment, header.promise);
        m_page->setViews(viewsOf(*kept.run));
        setWindowTitle(header.experiment);
    }
    m_model.show(kept.run, kept.verdict);
    m_page->showFitting(*kept.run);
    m_runs->mark(kept.run);
    m_page->badge().setRecorded(!kept.problems.isEmpty() || !kept.file.isEmpty());
    m_page->verdict().showVerdict(*kept.run, kept.verdict);
    if (kept.problems.isEmpty())
        m_page->banner().clear();
    else
        m_page->banner().say(tr("%1 is damaged; this is what could be read.").arg(QFileInfo(kept.file).fileName()), kept.problems);
}

bool MainWindow::lookAt(const KeptRun &kept)
{
    const KeptRun *set = kept.isGoing ? &kept : m_runs->setOf(kept.run);
    if (!set || !set->isGoing)
        return false;
    if (!kept.isGoing) {
        m_model.lookAt(kept.run, kept.verdict);
        m_page->showFitting(*kept.run);
        m_page->verdict().showVerdict(*kept.run, kept.verdict);
        saySet(tr("The set goes on."));
    } else if (m_model.isAside()) {
        m_model.lookBack();
        m_page->showMeasured();
        m_page->verdict().showRunning(m_model.now());
        m_page->banner().clear();
    }
    m_runs->mark(kept.run);
    return true;
}

void MainWindow::showSetProgress(int ended, int total, qint64 left)
{
    m_page->verdict().setProgress(ended, total, left);
    if (m_model.isAside())
        saySet(tr("The set goes on: %1 of %2 runs have ended.").arg(ended).arg(total));
    if (std::exchange(m_isSet, true))
        return;
    m_page->showMeasured();
    m_runs->add({m_model.sharedRun(), {.judgement = Judgement::None, .checks = {}}, titleOf(m_model.run().header), QDateTime::currentDateTime(), {}, {}, {}, true});
    m_runs->show();
}

void MainWindow::saySet(const QString &state)
{
    m_page->banner().say(tr("%1 %2 goes back to it.").arg(state, m_menus->backToSet->shortcut().toString(QKeySequence::NativeText)));
}

void MainWindow::showChild(const QString &name)
{
    if (const std::optional<KeptRun> child = m_runs->child(m_model.sharedRun(), name))
        showKept(*child);
    else
        m_page->banner().say(tr("The record of the run %1 is not beside that of its set.").arg(name));
}

void MainWindow::showSet()
{
    if (const KeptRun *set = m_runs->setOf(m_model.finishedRun()))
        showKept(KeptRun(*set));
}

void MainWindow::takeFinished(std::shared_ptr<const Run> run, const Verdict &verdict, bool isShown)
{
    m_runs->add({run, verdict, titleOf(run->header), QDateTime::currentDateTime(), {}, {}, m_control.children(), false});
    m_runs->show();
    if (isShown)
        m_page->verdict().showVerdict(*run, verdict);
    else
        m_runs->mark(m_model.finishedRun());
    if (const KeptRun *set = m_runs->setOf(m_model.finishedRun()); set && set->run == run)
        saySet(run->isComplete ? tr("The set has ended.") : run->incompleteBecause);
    updateActions();
}

void MainWindow::takeOpened(const OpenedRun &opened)
{
    if (std::optional<KeptRun> child = m_runs->fill(opened.path, opened.run, opened.verdict)) {
        child->problems = opened.problems;
        showKept(*child);
        return;
    }
    KeptRun kept {opened.run, opened.verdict, QFileInfo(opened.path).fileName(), QDateTime::currentDateTime(), opened.path, opened.problems, {}, false};
    for (const QString &name : opened.children)
        kept.children.push_back({name, name, nullptr, {}, childFile(opened.path, name)});
    m_runs->add(kept);
    m_runs->show();
    showKept(kept);
    if (!opened.missing.isEmpty() && opened.problems.isEmpty()) {
        m_page->banner().say(tr("Of the %1 runs of this set %2 are not beside it.").arg(opened.children.size() + opened.missing.size()).arg(opened.missing.size()), opened.missing);
    }
    m_page->badge().setRecorded(true);
}

}
