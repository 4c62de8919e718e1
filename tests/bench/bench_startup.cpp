// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
/// From the start of the program to its first painted window, beside a bare Qt window, alternating. One line of JSON; times in ms,
/// and the CPU time of the program until its end: on a machine that does other work as well, only that compares.
#include "engine/base/time.h"
#include "tests/support/median.h"

#include <QApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <cstdio>
#include <vector>

#include <sys/resource.h>

using namespace interlock;

namespace {

constexpr int rounds = 5;

class BareWindow : public QWidget
{
protected:
    void paintEvent(QPaintEvent *) override
    {
        QTimer::singleShot(0, this, [] {
            std::printf("painted %lld\n", static_cast<long long>(monotonicNow().count()));
            std::fflush(stdout);
            QCoreApplication::quit();
        });
    }
};

int showBareWindow(int argc, char **argv)
{
    const QApplication application(argc, argv);
    BareWindow window;
    window.resize(1280, 800);
    window.show();
    return QApplication::exec();
}

struct Start
{
    double wall = -1; ///< ms from the start to the paint that the program tells of; negative if it did not
    double cpu = 0; ///< ms
};

/// ms that all programs have used that were started from here and have ended.
double cpuOfChildren()
{
    rusage usage {};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto milliseconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3; };
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

Start measure(const QString &program, const QStringList &arguments, const QString &settings)
{
    const double before = cpuOfChildren();
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("INTERLOCK_STARTUP_PROBE", "1");
    environment.insert("INTERLOCK_SETTINGS", settings);
    process.setProcessEnvironment(environment);
    const qint64 started = monotonicNow().count();
    process.start(program, arguments);
    if (!process.waitForFinished(30'000))
        return {};
    const double cpu = cpuOfChildren() - before;
    for (const QByteArray &line : process.readAllStandardOutput().split('\n')) {
        if (line.startsWith("painted "))
            return {static_cast<double>(line.mid(8).toLongLong() - started) / 1e6, cpu};
    }
    return {};
}

std::vector<double> each(const std::vector<Start> &starts, double Start::*part)
{
    std::vector<double> values;
    for (const Start &start : starts)
        values.push_back(start.*part);
    return values;
}

QJsonArray array(const std::vector<double> &values)
{
    QJsonArray list;
    for (const double value : values)
        list.append(value);
    return list;
}

}

int main(int argc, char **argv)
{
    if (argc > 1 && qstrcmp(argv[1], "--bare") == 0)
        return showBareWindow(argc, argv);
    const QCoreApplication application(argc, argv);
    const QTemporaryDir directory;
    const QString settings = directory.filePath("settings.ini");
    std::vector<Start> ours;
    std::vector<Start> bare;
    for (int round = 0; round < rounds; ++round) {
        ours.push_back(measure(QStringLiteral(INTERLOCK_PROGRAM), {}, settings));
        bare.push_back(measure(QCoreApplication::applicationFilePath(), {"--bare"}, settings));
    }
    const std::vector<double> walls = each(ours, &Start::wall);
    const std::vector<double> bareWalls = each(bare, &Start::wall);
    const bool isComplete = *std::min_element(walls.begin(), walls.end()) >= 0 && *std::min_element(bareWalls.begin(), bareWalls.end()) >= 0;
    const QJsonObject line {{"bench", "startup"}, {"interlock_ms", array(walls)}, {"bare_ms", array(bareWalls)}, {"interlock_median_ms", median(walls)},
        {"bare_median_ms", median(bareWalls)}, {"interlock_cpu_median_ms", median(each(ours, &Start::cpu))},
        {"bare_cpu_median_ms", median(each(bare, &Start::cpu))}, {"limit_ms", 300}, {"ok", isComplete && median(walls) <= 300}};
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    return isComplete ? 0 : 1;
}
