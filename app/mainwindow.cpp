// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"

#include "app/menus.h"
#include "app/windowsettings.h"
#include "engine/experiments/catalogue.h"
#include "widgets/banner.h"
#include "widgets/catalogueview.h"
#include "widgets/controlpanel.h"
#include "widgets/eventtable.h"
#include "widgets/limiters/limiterview.h"
#include "widgets/measures/matrixview.h"
#include "widgets/measures/measuresview.h"
#include "widgets/runpage.h"
#include "widgets/statusbadge.h"
#include "widgets/timeline/timelineview.h"
#include "widgets/topology/failoverview.h"
#include "widgets/topology/topologyview.h"
#include "widgets/verdictbar.h"

#include <QAction>
#include <QSplitter>
#include <QVBoxLayout>

namespace interlock {

MainWindow::MainWindow(WindowSettings &settings)
    : m_settings(settings)
    , m_control(m_session, m_model)
    , m_systemIsDark(dressApplication()) // before there are widgets, since they take the font they find
    , m_catalogue(new CatalogueView(experiments::all()))
    , m_runs(new RunList)
    , m_page(new RunPage(m_model))
    , m_panel(new ControlPanel)
    , m_left(new QWidget)
    , m_columns(new QSplitter(this))
    , m_menus(new Menus(*this, m_page->timeline(), m_page->limiters(), m_page->failover(), m_page->table()))
{
    arrange();
    connectParts();
    connectMenus();
    dressParts();
    restore();
    m_page->timeline().setFocus(); // its keys work at once, and the space bar presses nothing
}

MainWindow::~MainWindow()
{
    delete m_columns; // the views look at the model, a member, until they go
}

void MainWindow::arrange()
{
    auto *halves = new QSplitter(Qt::Vertical);
    halves->setObjectName(QStringLiteral("leftSplitter"));
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_catalogue);
    halves->addWidget(m_runs);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 1);
    m_runs->hide();
    auto *left = new QVBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 0);
    left->addWidget(halves);

    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->setChildrenCollapsible(false);
    m_columns->setHandleWidth(3);
    m_columns->addWidget(m_left);
    m_columns->addWidget(m_page);
    m_columns->addWidget(m_panel);
    m_columns->setStretchFactor(1, 1);
    setCentralWidget(m_columns);
    setAcceptDrops(true);
    m_tick.setInterval(100);
}

void MainWindow::connectParts()
{
    connect(m_catalogue, &CatalogueView::chosenChanged, this, [this](const QString &id) {
        if (!m_experiment || id != m_experiment->id)
            choose(id);
    });
    connect(m_panel, &ControlPanel::experimentAsked, m_catalogue, &CatalogueView::choose);
    connect(m_panel, &ControlPanel::runAsked, this, &MainWindow::run);
    connect(m_panel, &ControlPanel::stopAsked, &m_control, &RunControl::stop);
    connect(m_panel, &ControlPanel::requestAsked, &m_control, &RunControl::press);
    connect(m_panel, &ControlPanel::presetAsked, this, [this](const QString &kind) {
        if (const Preset *preset = firstPreset(*m_experiment, kind))
            runPreset(preset->name);
    });
    connect(m_panel, &ControlPanel::edited, this, [this] {
        m_settings.setValues(m_experiment->id, m_panel->preset(), m_panel->form().written());
    });
    connect(m_page, &RunPage::strikeAsked, &m_control, &RunControl::strike);
    connect(m_runs, &RunList::asked, this, &MainWindow::showKept);
    connect(&m_page->limiters(), &LimiterView::hiddenChanged, this, [this](const QStringList &limiters) { m_settings.setHiddenLimiters(limiters); });

    connect(&m_page->measures(), &MeasuresView::childAsked, this, &MainWindow::showChild);
    connect(&m_page->matrix(), &MatrixView::childAsked, this, &MainWindow::showChild);

    connect(&m_control, &RunControl::stateChanged, this, &MainWindow::showState);
    connect(&m_control, &RunControl::progressed, this, [this](const QString &what) { m_page->verdict().showProgress(what); });
    connect(&m_control, &RunControl::setProgressed, this, &MainWindow::showSetProgress);
    connect(&m_control, &RunControl::childEnded, m_runs, &RunList::grow);
    connect(&m_control, &RunControl::finished, this, &MainWindow::takeFinished);
    connect(&m_control, &RunControl::failed, this, [this](const Error &error) { m_page->verdict().showFailure(error); });
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_model.isLive())
            m_page->verdict().showRunning(m_model.now());
    });
    connect(&m_model, &RunModel::reset, this, &MainWindow::updateActions);

    connect(&m_files, &FileWork::opened, this, &MainWindow::takeOpened);
    connect(&m_files, &FileWork::saved, this, [this](const QString &path, const std::shared_ptr<const Run> &run) {
        m_runs->setFile(run, path);
        m_page->banner().say(tr("Saved to %1.").arg(path));
    });
    connect(&m_files, &FileWork::exported, this, [this](const QString &path) { m_page->banner().say(tr("Exported to %1.").arg(path)); });
    connect(&m_files, &FileWork::failed, this, [this](const QString &, const Error &error) { m_page->banner().say(error.text); });
}

void MainWindow::connectMenus()
{
    connect(m_menus->open, &QAction::triggered, this, &MainWindow::askForFile);
    connect(m_menus->save, &QAction::triggered, this, &MainWindow::askWhereToSave);
    connect(m_menus->exportView, &QAction::triggered, this, &MainWindow::askForExport);
    connect(m_menus->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_menus->run, &QAction::triggered, m_panel, &ControlPanel::runAsked);
    connect(m_menus->stop, &QAction::triggered, m_panel, &ControlPanel::stopAsked);
    connect(m_menus->request, &QAction::triggered, m_panel, &ControlPanel::requestAsked);
    connect(m_menus->backToSet, &QAction::triggered, this, &MainWindow::showSet);
    connect(m_menus->runAgain, &QAction::triggered, this, &MainWindow::runAgain);
    connect(m_menus->breakIt, &QAction::triggered, m_panel, [this] { Q_EMIT m_panel->presetAsked(QStringLiteral("break")); });
    connect(m_menus->safe, &QAction::triggered, m_panel, [this] { Q_EMIT m_panel->presetAsked(QStringLiteral("safe")); });
    connect(m_menus->server, &QAction::triggered, this, &MainWindow::askForServer);
    connect(m_menus->ownServers, &QAction::triggered, this, [this] { useServer({}); });
    connect(m_menus, &Menus::presetChosen, this, &MainWindow::runPreset);
    connect(m_menus, &Menus::themeChosen, this, &MainWindow::setThemeName);
    connect(m_menus->largeText, &QAction::toggled, this, [this](bool isOn) { setScale(isOn ? 2 : 1); });
    connect(m_menus->present, &QAction::toggled, this, &MainWindow::present);
    connect(m_menus->find, &QAction::triggered, this, [this] {
        m_menus->catalogue->setChecked(true);
        m_catalogue->focusSearch();
    });
    connect(m_menus->catalogue, &QAction::toggled, m_left, &QWidget::setVisible);
    connect(m_menus->controls, &QAction::toggled, m_panel, &QWidget::setVisible);
    connect(m_menus->events, &QAction::toggled, m_page, &RunPage::showEvents);
    connect(m_menus->keys, &QAction::triggered, this, [this] { m_menus->showKeys(this); });
    connect(m_menus->startUpCheck, &QAction::triggered, this, &MainWindow::showStartUpCheck);
    connect(m_menus->about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::choose(const QString &id)
{
    const Experiment *experiment = experiments::find(id);
    if (!experiment)
        return;
    m_control.leave();
    setExperiment(*experiment);
    showNewest();
}

/// The experiment's title, controls and lesson, with the values that were last used.
void MainWindow::setExperiment(const Experiment &experiment)
{
    m_experiment = &experiment;
    m_settings.setExperiment(experiment.id);
    m_catalogue->choose(experiment.id);
    setPage(experiment);
    m_panel->setExperiment(experiment);
    if (const QString preset = m_settings.preset(experiment.id); !preset.isEmpty())
        m_panel->choosePreset(preset);
    if (const auto values = m_settings.values(experiment.id); !values.isEmpty())
        m_panel->setValues(values);
    m_menus->setPresets(experiment);
}

void MainWindow::setPage(const Experiment &experiment)
{
    m_page->setTitle(experiment.title, experiment.promise);
    m_page->setViews(experiment.views);
    setWindowTitle(experiment.title);
}

void MainWindow::run()
{
    if (!m_experiment)
        return;
    if (const QString complaint = m_panel->complaint(); !complaint.isEmpty()) {
        m_page->verdict().showFailure({Error::Kind::Invalid, complaint});
        return;
    }
    RunRequest request;
    request.experiment = m_experiment->id;
    request.preset = m_panel->preset();
    request.values = m_panel->form().written();
    start(request);
}

void MainWindow::runPreset(const QString &name)
{
    m_panel->choosePreset(name);
    m_settings.setValues(m_experiment->id, m_panel->preset(), m_panel->form().written());
    run();
}

/// The same values and the same seed as the run that is shown.
void MainWindow::runAgain()
{
    const Header header = m_model.run().header;
    if (header.experiment.isEmpty())
        return;
    RunRequest request;
    request.experiment = header.experiment;
    request.preset = header.preset;
    request.values = header.values;
    request.seed = header.seed;
    start(request);
}

void MainWindow::start(const RunRequest &request)
{
    m_page->banner().clear();
    m_page->badge().setRecorded(false);
    if (const Experiment *experiment = experiments::find(request.experiment))
        setPage(*experiment);
    m_isSet = false;
    RunRequest placed = request;
    placed.target = m_target;
    m_control.start(placed);
}

void MainWindow::showState()
{
    switch (m_control.state()) {
    case RunControl::State::Starting:
        m_runs->dropGoing();
        m_runs->mark(nullptr);
        m_page->verdict().showProgress({});
        break;
    case RunControl::State::Running:
        m_page->verdict().showRunning(0);
        break;
    case RunControl::State::Stopping:
        break;
    case RunControl::State::Idle:
        m_runs->dropGoing();
        break;
    }
    if (m_control.state() == RunControl::State::Running)
        m_tick.start();
    else
        m_tick.stop();
    updateActions();
}

void MainWindow::updateActions()
{
    const bool isRunning = m_control.isRunning();
    const bool isFinished = m_model.finishedRun() && !m_model.run().header.experiment.isEmpty();
    m_panel->setRunning(isRunning);
    m_menus->stop->setEnabled(isRunning);
    const bool isLive = m_control.state() == RunControl::State::Running && m_model.isLive();
    const bool asks = isLive && experiments::asksPerson(m_model.run().header);
    m_panel->setAsking(asks);
    m_menus->request->setEnabled(asks);
    const Experiment *going = isLive ? experiments::find(m_model.run().header.experiment) : nullptr;
    m_page->failover().topology().setStriking(going && going->allowsStrikes);
    m_menus->save->setEnabled(isFinished);
    m_menus->exportView->setEnabled(isFinished);
    m_menus->backToSet->setEnabled(isFinished && m_runs->setOf(m_model.finishedRun()));
    m_menus->runAgain->setEnabled(isFinished && experiments::find(m_model.run().header.experiment));
    m_menus->run->setEnabled(m_experiment);
    m_menus->breakIt->setEnabled(m_experiment && firstPreset(*m_experiment, QStringLiteral("break")));
    m_menus->safe->setEnabled(m_experiment && firstPreset(*m_experiment, QStringLiteral("safe")));
}

}
