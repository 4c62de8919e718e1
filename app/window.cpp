// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/mainwindow.h"
#include "app/settings.h"
#include "engine/base/time.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>

#include <cstdio>

namespace interlock {

namespace {

/// Tells when the window was painted for the first time, then ends the program.
class StartupProbe : public QObject
{
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && !m_isPainted) {
            m_isPainted = true;
            QTimer::singleShot(0, watched, [] { // the next turn of the loop: what was painted is on the screen
                std::printf("painted %lld\n", static_cast<long long>(monotonicNow().count()));
                std::fflush(stdout);
                QCoreApplication::quit();
            });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_isPainted = false;
};

}

int runWindow(QStringList files)
{
    Settings settings;
    MainWindow window(settings);
    StartupProbe probe;
    if (qEnvironmentVariableIsSet("INTERLOCK_STARTUP_PROBE"))
        window.installEventFilter(&probe);
    window.show();
    if (!files.isEmpty())
        QTimer::singleShot(0, &window, [&window, file = files.first()] { window.openFile(file); });
    return QApplication::exec();
}

}
