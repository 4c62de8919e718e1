// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/mainwindow.h"
#include "app/windowsettings.h"
#include "engine/base/time.h"

#include <QApplication>
#include <QEvent>
#include <QHash>
#include <QImage>
#include <QTimer>

#include <algorithm>
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

/// With the 256 most frequent colours: a window has few, and a page loads the smaller picture sooner.
QImage compact(const QImage &picture)
{
    const QImage pixels = picture.convertToFormat(QImage::Format_RGB32);
    QHash<QRgb, int> counts;
    for (int y = 0; y < pixels.height(); ++y) {
        for (int x = 0; x < pixels.width(); ++x)
            ++counts[pixels.pixel(x, y)];
    }
    QList<QRgb> colours = counts.keys();
    std::sort(colours.begin(), colours.end(),
        [&counts](QRgb left, QRgb right) { return std::pair(counts.value(right), left) < std::pair(counts.value(left), right); });
    colours.resize(std::min<qsizetype>(colours.size(), 256));
    return pixels.convertToFormat(QImage::Format_Indexed8, colours, Qt::ThresholdDither);
}

/// Runs the experiment that the settings name, or waits for the opened file, and keeps a picture of the window with the verdict.
void takePicture(MainWindow &window, const QString &path, bool runs)
{
    const auto take = [&window, path] {
        if (!window.model().finishedRun() || window.model().run().header.experiment.isEmpty())
            return;
        constexpr int painted = 500; // ms: the window has drawn what came last
        QTimer::singleShot(painted, &window, [&window, path] { QCoreApplication::exit(compact(window.grab().toImage()).save(path) ? 0 : 2); });
    };
    window.showNormal();
    window.resize(1280, 800);
    QObject::connect(&window.model(), &RunModel::reset, &window, take);
    QObject::connect(&window.control(), &RunControl::failed, &window, [](const Error &) { QCoreApplication::exit(2); });
    if (runs)
        QTimer::singleShot(0, &window, &MainWindow::run);
}

}

int runWindow(QStringList files)
{
    WindowSettings settings;
    MainWindow window(settings);
    StartupProbe probe;
    if (qEnvironmentVariableIsSet("INTERLOCK_STARTUP_PROBE"))
        window.installEventFilter(&probe);
    window.show();
    if (!files.isEmpty())
        QTimer::singleShot(0, &window, [&window, file = files.first()] { window.openFile(file); });
    if (const QString picture = qEnvironmentVariable("INTERLOCK_SCREENSHOT"); !picture.isEmpty())
        takePicture(window, picture, files.isEmpty());
    return QApplication::exec();
}

}
