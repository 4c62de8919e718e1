// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
/// From the start of the program to its first painted window, beside a bare Qt window, alternating. One line of JSON; times in ms.
#include "engine/base/time.h"

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

/// Milliseconds from the start to the paint that the program tells of; negative if it did not.
double measure(const QString &program, const QStringList &arguments, const QString &settings)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("INTERLOCK_STARTUP_PROBE", "1");
    environment.insert("INTERLOCK_SETTINGS", settings);
    process.setProcessEnvironment(environment);
    const qint64 started = monotonicNow().count();
    process.start(program, arguments);
    if (!process.waitForFinished(30'000))
        return -1;
    for (const QByteArray &line : process.readAllStandardOutput().split('\n')) {
        if (line.startsWith("painted "))
            return static_cast<double>(line.mid(8).toLongLong() - started) / 1e6;
    }
    return -1;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
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
    std::vector<double> ours;
    std::vector<double> bare;
    for (int round = 0; round < rounds; ++round) {
        ours.push_back(measure(QStringLiteral(INTERLOCK_PROGRAM), {}, settings));
        bare.push_back(measure(QCoreApplication::applicationFilePath(), {"--bare"}, settings));
    }
    const bool isComplete = *std::min_element(ours.begin(), ours.end()) >= 0 && *std::min_element(bare.begin(), bare.end()) >= 0;
    const QJsonObject line {{"bench", "startup"}, {"interlock_ms", array(ours)}, {"bare_ms", array(bare)}, {"interlock_median_ms", median(ours)},
        {"bare_median_ms", median(bare)}, {"limit_ms", 300}, {"ok", isComplete && median(ours) <= 300}};
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    return isComplete ? 0 : 1;
}
