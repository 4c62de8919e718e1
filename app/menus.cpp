// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus.h"

#include "engine/experiments/experiment.h"
#include "widgets/eventtable.h"
#include "widgets/keyspage.h"
#include "widgets/ladder/ladderview.h"
#include "widgets/limiters/limiterview.h"
#include "widgets/timeline/timelineview.h"
#include "widgets/topology/failoverview.h"
#include "widgets/topology/topologyview.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace interlock {

Menus::Menus(QMainWindow &window, const TimelineView &timeline, const LimiterView &limiters, const FailoverView &failover, const EventTable &table)
    : QObject(&window)
    , m_window(window)
    , m_timeline(timeline)
    , m_limiters(limiters)
    , m_failover(failover)
    , m_table(table)
{
    addFileMenu();
    addRunMenu();
    addViewMenu();
    addHelpMenu();
    for (QMenu *menu : m_window.menuBar()->findChildren<QMenu *>())
        menu->installEventFilter(this);
}

/// In an open menu a letter chooses an entry. The timeline's keys are letters as well, and would take it away.
bool Menus::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride || static_cast<QKeyEvent *>(event)->modifiers() != Qt::NoModifier)
        return QObject::eventFilter(watched, event);
    event->accept();
    return true;
}

QAction *Menus::add(QMenu *menu, const QString &text, const QList<QKeySequence> &shortcuts)
{
    QAction *action = menu->addAction(text);
    action->setShortcuts(shortcuts);
    m_window.addAction(action); // so that its keys work when the menu bar is hidden
    return action;
}

QAction *Menus::addSwitch(QMenu *menu, const QString &text, const QList<QKeySequence> &shortcuts)
{
    QAction *action = add(menu, text, shortcuts);
    action->setCheckable(true);
    return action;
}

void Menus::addFileMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&File"));
    open = add(menu, tr("&Open…"), {QKeySequence::Open});
    save = add(menu, tr("&Save Run As…"), {QKeySequence::Save});
    exportView = add(menu, tr("&Export…"), {QKeySequence(Qt::CTRL | Qt::Key_E)});
    menu->addSeparator();
    quit = add(menu, tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
}

void Menus::addRunMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&Run"));
    run = add(menu, tr("&Run"), {QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)});
    runAgain = add(menu, tr("Run &Again"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)});
    runAgain->setToolTip(tr("Runs what is shown again, with the same values and the same seed."));
    backToSet = add(menu, tr("Back to the S&et"), {QKeySequence(Qt::ALT | Qt::Key_Up)});
    backToSet->setToolTip(tr("Shows the set again to which the shown run belongs."));
    stop = add(menu, tr("&Stop"), {QKeySequence(Qt::SHIFT | Qt::Key_F5)});
    request = add(menu, tr("Re&quest"), {QKeySequence(Qt::Key_R)});
    request->setToolTip(tr("Sends a request of your own, while a run waits for it."));
    menu->addSeparator();
    breakIt = add(menu, tr("&Break"), {QKeySequence(Qt::CTRL | Qt::Key_B)});
    safe = add(menu, tr("Sa&fe"), {QKeySequence(Qt::CTRL | Qt::Key_K)});
    m_presets = menu->addMenu(tr("Run &Preset"));
    menu->addSeparator();
    ownServers = addSwitch(menu, tr("&Own Servers"), {});
    server = addSwitch(menu, tr("Run on a Ser&ver…"), {});
    setTarget(false);
    menu->addSeparator();
    menu->addActions(m_table.copyActions());
}

void Menus::addViewMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&View"));
    menu->addActions(m_timeline.viewActions());
    menu->addMenu(tr("&Limiters"))->addActions(m_limiters.viewActions());
    menu->addMenu(tr("T&opology"))->addActions(m_failover.topology().viewActions());
    menu->addMenu(tr("Steps of a Fai&lover"))->addActions(m_failover.ladder().viewActions());
    menu->addSeparator();
    find = add(menu, tr("&Find an Experiment"), {QKeySequence::Find});
    QMenu *panels = menu->addMenu(tr("&Panels"));
    catalogue = addSwitch(panels, tr("&Experiments"), {QKeySequence(Qt::CTRL | Qt::Key_1)});
    events = addSwitch(panels, tr("E&vents"), {QKeySequence(Qt::CTRL | Qt::Key_2)});
    controls = addSwitch(panels, tr("&Controls and Lesson"), {QKeySequence(Qt::CTRL | Qt::Key_3)});

    QMenu *themes = menu->addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    const QList<std::pair<QString, QString>> choices {{QStringLiteral("system"), tr("As the &System")},
        {QStringLiteral("light"), tr("&Light")}, {QStringLiteral("dark"), tr("&Dark")}};
    for (const auto &[name, title] : choices) {
        QAction *action = themes->addAction(title);
        action->setCheckable(true);
        action->setData(name);
        m_themes->addAction(action);
    }
    connect(m_themes, &QActionGroup::triggered, this, [this](const QAction *action) { Q_EMIT themeChosen(action->data().toString()); });
    largeText = addSwitch(menu, tr("&Large Text"), {QKeySequence(Qt::CTRL | Qt::Key_L)});
    present = addSwitch(menu, tr("P&resentation"), {QKeySequence(Qt::Key_F11)});
}

void Menus::addHelpMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&Help"));
    keys = add(menu, tr("&Keys"), {QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)});
    startUpCheck = add(menu, tr("&Start-Up Check…"));
    menu->addSeparator();
    about = add(menu, tr("&About Interlock"));
}

void Menus::setPresets(const Experiment &experiment)
{
    m_presets->clear();
    for (const Preset &preset : experiment.presets) {
        QAction *action = m_presets->addAction(preset.title.isEmpty() ? preset.name : preset.title);
        connect(action, &QAction::triggered, this, [this, name = preset.name] { Q_EMIT presetChosen(name); });
    }
    m_presets->setEnabled(!experiment.presets.isEmpty());
}

void Menus::setTheme(const QString &theme)
{
    for (QAction *action : m_themes->actions())
        action->setChecked(action->data() == theme);
}

void Menus::setTarget(bool isNamed)
{
    server->setChecked(isNamed);
    ownServers->setChecked(!isNamed);
}

void Menus::showKeys(QWidget *parent) const
{
    QList<QAction *> look = {find, catalogue, events, controls, largeText, present};
    auto *page = new KeysPage({{tr("Runs"), {run, runAgain, stop, breakIt, safe, backToSet}}, {tr("Timeline"), m_timeline.viewActions()},
                                  {tr("Limiters"), m_limiters.viewActions()},
                                  {tr("Topology"), m_failover.topology().viewActions()}, {tr("Steps of a failover"), m_failover.ladder().viewActions()},
                                  {tr("Table"), m_table.copyActions()}, {tr("Files"), {open, save, exportView, quit}},
                                  {tr("Window"), look + QList<QAction *> {keys}}},
        parent);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->open();
}

}
