// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/median.h"
#include "widgets/runmodel.h"

#include <qcustomplot.h>

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

/// What measurements of the window share: a JSON line each, wall and CPU time, redraws, and turns of the event loop.
namespace interlock::measuring {

inline void print(const QJsonObject &line)
{
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

/// Wall time and the thread's own CPU time, in ms: on a machine that does other work as well, only the latter compares.
struct Cost
{
    double wall = 0;
    double cpu = 0;
};

inline double cpuNow()
{
    timespec time {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

class Stopwatch
{
public:
    Stopwatch()
        : m_cpu(cpuNow())
    {
        m_wall.start();
    }
    Cost cost() const { return {static_cast<double>(m_wall.nsecsElapsed()) / 1e6, cpuNow() - m_cpu}; }

private:
    QElapsedTimer m_wall;
    double m_cpu;
};

inline double rounded(double number)
{
    return std::round(number * 100) / 100;
}

/// Of several redraws the median.
inline Cost redraw(QCustomPlot &plot, int times)
{
    std::vector<double> walls, cpus;
    for (int i = 0; i < times; ++i) {
        const Stopwatch stopwatch;
        plot.replot(QCustomPlot::rpImmediateRefresh);
        walls.push_back(stopwatch.cost().wall);
        cpus.push_back(stopwatch.cost().cpu);
    }
    return {median(walls), median(cpus)};
}

/// How long the turns of this thread's event loop take in which anything happens: each is a block of the window.
class Turns
{
public:
    void take()
    {
        const Stopwatch stopwatch;
        const bool anything = QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents);
        const Cost cost = stopwatch.cost();
        if (!anything && cost.cpu < 0.1)
            return QThread::usleep(200); // waiting for the next event is no block
        m_walls.push_back(cost.wall);
        m_cpus.push_back(cost.cpu);
    }

    /// Longest and 99th percentile of the turns since the last report. @param first a block before them.
    QJsonObject report(const char *bench, qint64 events, Cost first = {})
    {
        std::sort(m_walls.begin(), m_walls.end());
        std::sort(m_cpus.begin(), m_cpus.end());
        const QJsonObject line {{QStringLiteral("bench"), QString::fromLatin1(bench)}, {QStringLiteral("events"), events},
            {QStringLiteral("longest_ms"), rounded(std::max(m_walls.back(), first.wall))}, {QStringLiteral("longest_cpu_ms"), rounded(std::max(m_cpus.back(), first.cpu))},
            {QStringLiteral("p99_ms"), rounded(m_walls[m_walls.size() * 99 / 100])}, {QStringLiteral("p99_cpu_ms"), rounded(m_cpus[m_cpus.size() * 99 / 100])}};
        m_walls.clear();
        m_cpus.clear();
        return line;
    }

private:
    std::vector<double> m_walls, m_cpus;
};

/// The blocks of the window while a run arrives live in 30 batches a second, and when its finished record takes its place: two lines.
/// @param model has begun a run. @param whole at least so many events a second, decisions in order of recording.
inline void benchBlocks(const char *live, const char *end, RunModel &model, const Run &whole, int perSecond, int seconds)
{
    constexpr int batches = 30;
    size_t sent = 0, sentNames = 1, sentDecisions = 0;
    QElapsedTimer clock;
    clock.start();
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &model, [&] {
        Batch batch;
        batch.firstName = sentNames;
        for (; sentNames < whole.names.size(); ++sentNames)
            batch.names.push_back(whole.names.bytes(static_cast<Name>(sentNames)));
        const size_t due = std::min(whole.events.size(), static_cast<size_t>(clock.elapsed() * perSecond / 1000));
        for (; sent < due; ++sent) {
            batch.events.push_back(whole.events[sent]);
            if (whole.events[sent].kind == Event::Kind::Decision)
                batch.decisions.push_back(whole.decisions[sentDecisions++]);
        }
        batch.lanes = whole.header.lanes;
        batch.limiters = whole.header.limiters;
        batch.now = sent ? whole.events[sent - 1].at : 0;
        model.append(batch);
    });
    timer.start(1000 / batches);
    Turns turns;
    while (clock.elapsed() < seconds * 1000)
        turns.take();
    print(turns.report(live, static_cast<qint64>(sent)));

    timer.stop();
    const auto finished = std::make_shared<const Run>(whole);
    const Stopwatch handing;
    model.show(finished, {});
    const Cost first = handing.cost();
    clock.restart();
    while (clock.elapsed() < 2000)
        turns.take();
    print(turns.report(end, static_cast<qint64>(sent), first));
}

}
