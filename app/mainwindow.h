// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filework.h"
#include "app/runcontrol.h"
#include "widgets/runlist.h"
#include "widgets/runmodel.h"

#include <QMainWindow>
#include <QTimer>

class QSplitter;

namespace interlock {

class CatalogueView;
class ControlPanel;
class Menus;
class RunPage;
class WindowSettings;
struct Experiment;

/// The laboratory's window. It arranges: the parts compute.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// @param settings must outlive the window.
    explicit MainWindow(WindowSettings &settings);
    ~MainWindow() override;

    void openFile(const QString &path);
    void saveTo(const QString &path);

    RunControl &control() { return m_control; }
    RunModel &model() { return m_model; }
    Session &session() { return m_session; }
    RunPage &page() { return *m_page; }
    ControlPanel &panel() { return *m_panel; }
    CatalogueView &catalogue() { return *m_catalogue; }
    RunList &runs() { return *m_runs; }
    Menus &menus() { return *m_menus; }

    void choose(const QString &experiment);
    void run();
    void runPreset(const QString &name);
    void runAgain();
    /// Where runs go from now on; none: private servers.
    void useServer(const std::optional<Target> &target);
    void present(bool isOn);
    void setThemeName(const QString &name);
    void setScale(double scale);

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void arrange();
    void connectParts();
    void connectMenus();
    void restore();
    void showFirstTime();
    void remember();
    Theme theme() const;
    /// Gives the application the theme of the settings. Returns whether the system's colours are dark.
    bool dressApplication();
    void dressParts();
    void applyTheme();

    void setExperiment(const Experiment &experiment);
    /// Its title and its views, whatever the page showed before.
    void setPage(const Experiment &experiment);
    void showNewest();
    void showKept(const KeptRun &kept);
    /// Shows the set that goes on, or a run of it, while it goes on. False: it is neither.
    bool lookAt(const KeptRun &kept);
    void showSetProgress(int ended, int total, qint64 left);
    /// Where the set is to which the run that is looked at belongs.
    void saySet(const QString &state);
    /// A run of the set that is shown, by its name there.
    void showChild(const QString &name);
    void showSet();
    void takeFinished(std::shared_ptr<const Run> run, const Verdict &verdict, bool isShown);
    void takeOpened(const OpenedRun &opened);
    void start(const RunRequest &request);
    void showState();
    void updateActions();
    void askForFile();
    void askWhereToSave();
    void askForExport();
    void askForServer();
    void showStartUpCheck();
    void showAbout();

    WindowSettings &m_settings;
    Session m_session;
    RunModel m_model;
    RunControl m_control;
    FileWork m_files;
    const Experiment *m_experiment = nullptr;
    std::optional<Target> m_target; ///< none: private servers
    bool m_isSet = false; ///< the run that was started last
    bool m_isPresenting = false;
    bool m_systemIsDark = false;
    QTimer m_tick; ///< while live: the time in the verdict bar

    CatalogueView *m_catalogue;
    RunList *m_runs;
    RunPage *m_page;
    ControlPanel *m_panel;
    QWidget *m_left;
    QSplitter *m_columns;
    Menus *m_menus;
};

}
