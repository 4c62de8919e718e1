// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the window looks: theme, scale, presentation, and what is remembered of it.
#include "app/mainwindow.h"

#include "app/menus.h"
#include "app/windowsettings.h"
#include "engine/experiments/catalogue.h"
#include "widgets/appearance.h"
#include "widgets/catalogueview.h"
#include "widgets/controlpanel.h"
#include "widgets/eventtable.h"
#include "widgets/runpage.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QScreen>
#include <QSplitter>

namespace interlock {

namespace {

QList<QSplitter *> namedSplitters(const QWidget &window)
{
    QList<QSplitter *> splitters = window.findChildren<QSplitter *>();
    splitters.removeIf([](const QSplitter *splitter) { return splitter->objectName().isEmpty(); });
    return splitters;
}

}

Theme MainWindow::theme() const
{
    const double scale = m_isPresenting ? std::max(2.0, m_settings.scale()) : m_settings.scale();
    QString name = m_settings.theme();
    if (name == QLatin1String("system"))
        name = m_systemIsDark ? QStringLiteral("dark") : QStringLiteral("light");
    return Theme::named(name, scale);
}

bool MainWindow::dressApplication()
{
    QApplication::setPalette(QPalette()); // with none of the application's own, it has the system's
    m_systemIsDark = Theme::isDark(QApplication::palette());
    interlock::applyTheme(*qApp, theme());
    return m_systemIsDark;
}

void MainWindow::dressParts()
{
    const Theme look = theme();
    m_catalogue->setTheme(look);
    m_runs->setTheme(look);
    m_page->setTheme(look);
    m_panel->setTheme(look);
    const int line = QFontMetrics(look.font).height();
    m_left->setMinimumWidth(line * 9);
    m_page->setMinimumWidth(line * 20);
    m_panel->setMinimumWidth(line * 16);
}

void MainWindow::applyTheme()
{
    interlock::applyTheme(*qApp, theme());
    dressParts();
}

void MainWindow::setThemeName(const QString &name)
{
    m_settings.setTheme(name);
    m_menus->setTheme(m_settings.theme());
    applyTheme();
}

void MainWindow::setScale(double scale)
{
    m_settings.setScale(scale);
    const QSignalBlocker quietly(m_menus->largeText);
    m_menus->largeText->setChecked(m_settings.scale() > 1.5);
    applyTheme();
}

/// For a projector: the picture and its verdict alone, in large type, on the whole screen.
void MainWindow::present(bool isOn)
{
    if (isOn == m_isPresenting)
        return;
    m_isPresenting = isOn;
    m_left->setVisible(!isOn && m_menus->catalogue->isChecked());
    m_panel->setVisible(!isOn && m_menus->controls->isChecked());
    m_page->showEvents(!isOn && m_menus->events->isChecked());
    menuBar()->setVisible(!isOn);
    setWindowState(isOn ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
    applyTheme();
    m_menus->present->setChecked(isOn);
}

void MainWindow::restore()
{
    m_menus->setTheme(m_settings.theme());
    {
        const QSignalBlocker quietly(m_menus->largeText);
        m_menus->largeText->setChecked(m_settings.scale() > 1.5);
    }
    for (QAction *panel : {m_menus->catalogue, m_menus->controls, m_menus->events})
        panel->setChecked(true);
    m_menus->catalogue->setChecked(m_settings.isShown(QStringLiteral("catalogue")));
    m_menus->controls->setChecked(m_settings.isShown(QStringLiteral("controls")));
    m_menus->events->setChecked(m_settings.isShown(QStringLiteral("events")));

    m_page->setHiddenLimiters(m_settings.hiddenLimiters());

    if (!restoreGeometry(m_settings.geometry()))
        showFirstTime();
    const int line = QFontMetrics(font()).height();
    m_columns->setSizes({line * 12, width() - line * 30, line * 18});
    for (QSplitter *splitter : namedSplitters(*this))
        splitter->restoreState(m_settings.splitter(splitter->objectName()));

    const std::vector<Experiment> &all = experiments::all();
    const Experiment *last = experiments::find(m_settings.experiment());
    if (last || !all.empty())
        choose(last ? last->id : all.front().id);
    updateActions();
}

/// On a screen that leaves no room around the usual size, the title bar would push the lower edge out of it.
void MainWindow::showFirstTime()
{
    constexpr QSize usual(1280, 800);
    resize(usual);
    if (const QSize room = screen()->availableSize(); room.width() <= usual.width() || room.height() <= usual.height() + 2 * fontMetrics().height())
        setWindowState(Qt::WindowMaximized);
}

void MainWindow::remember()
{
    if (m_isPresenting)
        present(false);
    m_settings.setGeometry(saveGeometry());
    for (const QSplitter *splitter : namedSplitters(*this))
        m_settings.setSplitter(splitter->objectName(), splitter->saveState());
    m_settings.setShown(QStringLiteral("catalogue"), m_menus->catalogue->isChecked());
    m_settings.setShown(QStringLiteral("controls"), m_menus->controls->isChecked());
    m_settings.setShown(QStringLiteral("events"), m_menus->events->isChecked());
}

/// The desktop went from light to dark, or back.
bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::ThemeChange) {
        dressApplication();
        dressParts();
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    remember();
    QMainWindow::closeEvent(event);
}

}
