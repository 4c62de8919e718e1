// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/mainwindow.h"
#include "app/windowsettings.h"

#include <QTemporaryDir>

#include <memory>

namespace interlock {

/// A window with settings of its own.
struct Laboratory
{
    Laboratory()
        : settings(named())
        , window(*settings)
    {
        window.show();
    }
    std::unique_ptr<WindowSettings> named()
    {
        qputenv("INTERLOCK_SETTINGS", directory.filePath(QStringLiteral("settings.ini")).toUtf8());
        return std::make_unique<WindowSettings>();
    }
    QTemporaryDir directory;
    std::unique_ptr<WindowSettings> settings;
    MainWindow window;
};

/// A complete run with so many notes, one each millisecond.
inline Run recordOf(const QString &experiment, int events)
{
    Run run;
    run.header.experiment = experiment;
    run.header.program = QStringLiteral("interlock test");
    run.header.promise = QStringLiteral("Nothing in particular.");
    for (int i = 0; i < events; ++i) {
        Event event;
        event.at = i * 1'000'000;
        event.text = run.names.intern(QByteArrayView("remark"));
        run.events.push_back(event);
    }
    run.duration = events * 1'000'000;
    run.isComplete = true;
    return run;
}

}
