// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace interlock {

struct Experiment;
class FailoverView;
class LimiterView;
class TimelineView;
class EventTable;

/// The window's menus and their actions; the window connects them.
class Menus : public QObject
{
    Q_OBJECT

public:
    Menus(QMainWindow &window, const TimelineView &timeline, const LimiterView &limiters, const FailoverView &failover, const EventTable &table);

    QAction *open = nullptr;
    QAction *save = nullptr;
    QAction *exportView = nullptr;
    QAction *quit = nullptr;
    QAction *run = nullptr;
    QAction *stop = nullptr;
    QAction *runAgain = nullptr;
    QAction *backToSet = nullptr; ///< enabled while a run of a set is shown
    QAction *request = nullptr; ///< enabled while a run waits for the person
    QAction *breakIt = nullptr;
    QAction *safe = nullptr;
    QAction *server = nullptr; ///< checked while runs go to a server of the user's own
    QAction *ownServers = nullptr; ///< checked otherwise
    QAction *find = nullptr;
    QAction *largeText = nullptr;
    QAction *present = nullptr;
    QAction *catalogue = nullptr; ///< panels: checked when shown
    QAction *controls = nullptr;
    QAction *events = nullptr;
    QAction *keys = nullptr;
    QAction *startUpCheck = nullptr;
    QAction *about = nullptr;

    /// The presets of the chosen experiment.
    void setPresets(const Experiment &experiment);
    /// "light", "dark", "system".
    void setTheme(const QString &theme);
    void setTarget(bool isNamed);
    void showKeys(QWidget *parent) const;

Q_SIGNALS:
    void presetChosen(const QString &name);
    void themeChosen(const QString &theme);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAction *add(QMenu *menu, const QString &text, const QList<QKeySequence> &shortcuts = {});
    QAction *addSwitch(QMenu *menu, const QString &text, const QList<QKeySequence> &shortcuts = {});
    void addFileMenu();
    void addRunMenu();
    void addViewMenu();
    void addHelpMenu();

    QMainWindow &m_window;
    const TimelineView &m_timeline;
    const LimiterView &m_limiters;
    const FailoverView &m_failover;
    const EventTable &m_table;
    QMenu *m_presets = nullptr;
    QActionGroup *m_themes = nullptr;
};

}
