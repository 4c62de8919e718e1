// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measures, one JSON line each: the redraw of eight limiters' charts with 100,000 decisions each at 1600×900 at four zooms beside
// eight QCPGraphs with as many points; the longest block of the window's thread while 2,000 decisions a second over eight limiters
// arrive in 30 batches a second; and when that run ends.

#include "tests/bench/measuring.h"
#include "tests/support/limiterruns.h"
#include "widgets/limiters/limiterplot.h"
#include "widgets/runmodel.h"
#include "widgets/runpage.h"

#include <QApplication>
#include <QJsonArray>

#include <cstdlib>

using namespace interlock;
using namespace interlock::measuring;

namespace {

constexpr QSize pictureSize(1600, 900);
constexpr int limiters = 8;

void benchRedraw(size_t each, int times)
{
    const Run run = samples::manyDecisions(each, 60);
    LimiterRecord record;
    const Stopwatch taking;
    record.extend(run);
    const Cost taken = taking.cost();
    LimiterPlot charts;
    charts.resize(pictureSize);
    charts.setRun(&run, &record);
    charts.setRows(record.rows({}));
    charts.setNow(run.duration);
    charts.layOut(pictureSize);
    charts.show();

    QCustomPlot graphs;
    graphs.resize(pictureSize);
    graphs.plotLayout()->clear();
    for (int i = 0; i < limiters; ++i) {
        auto *rect = new QCPAxisRect(&graphs);
        graphs.plotLayout()->addElement(i, 0, rect);
        QCPGraph *graph = graphs.addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        QVector<QCPGraphData> data;
        data.reserve(static_cast<qsizetype>(each));
        for (const DecisionPoint &point : record.series()[static_cast<size_t>(i)].points())
            data.append(QCPGraphData(static_cast<double>(point.time), static_cast<double>(point.level)));
        graph->data()->set(data, true);
        graph->rescaleAxes();
    }
    graphs.show();
    QCoreApplication::processEvents();

    QJsonArray walls, cpus, wallsOfTheirs, cpusOfTheirs, ratios;
    for (const double part : {1.0, 0.1, 0.01, 0.001}) {
        const auto duration = static_cast<double>(run.duration);
        const double begin = duration * 0.4 * (1 - part), end = begin + duration * part;
        charts.setScale(charts.scale().showing(begin, end));
        for (int i = 0; i < limiters; ++i)
            graphs.axisRect(i)->axis(QCPAxis::atBottom)->setRange(begin, end);
        const Cost ours = redraw(charts, times), theirs = redraw(graphs, times);
        walls.append(rounded(ours.wall));
        cpus.append(rounded(ours.cpu));
        wallsOfTheirs.append(rounded(theirs.wall));
        cpusOfTheirs.append(rounded(theirs.cpu));
        ratios.append(rounded(ours.cpu / theirs.cpu));
    }
    print({{QStringLiteral("bench"), QStringLiteral("charts-redraw")}, {QStringLiteral("decisions"), static_cast<qint64>(run.decisions.size())},
        {QStringLiteral("taken_cpu_ms"), rounded(taken.cpu)}, {QStringLiteral("ms"), walls}, {QStringLiteral("cpu_ms"), cpus},
        {QStringLiteral("qcpgraph_ms"), wallsOfTheirs}, {QStringLiteral("qcpgraph_cpu_ms"), cpusOfTheirs}, {QStringLiteral("cpu_ratio"), ratios}});
}

void benchLive(int seconds)
{
    constexpr int perSecond = 2'000;
    const Run whole = samples::manyDecisions(static_cast<size_t>(perSecond / limiters * (seconds + 1)), seconds + 1);
    RunModel model;
    RunPage page(model); // as in the window, with the table of events
    page.setTheme(Theme::light());
    page.setViews({QStringLiteral("limiters"), QStringLiteral("limiter-table")});
    page.resize(pictureSize);
    page.show();
    Header header = whole.header;
    header.limiters.clear(); // they come with the batches
    model.begin(header);
    benchBlocks("charts-live-block", "charts-end-block", model, whole, perSecond, seconds);
}

}

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    // "bench_charts 1" only draws, once at each zoom: for a profiler.
    const int times = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    benchRedraw(100'000, times);
    if (argc == 1)
        benchLive(15);
    return 0;
}
