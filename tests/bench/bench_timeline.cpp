// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measures, one JSON line each: the redraw of a timeline of a million events at 1600×900 at five zooms beside QCPGraph with a
// million points; the longest block of the window's thread while 50,000 events a second arrive in 30 batches a second, up to a
// million; and the longest block when that run ends. A block is a turn of the event loop; p99 is of those in which anything happened.

#include "tests/bench/measuring.h"
#include "tests/support/sampleruns.h"
#include "widgets/eventtable.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/timelineview.h"

#include <QApplication>
#include <QJsonArray>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace interlock;
using namespace interlock::measuring;

namespace {

constexpr QSize pictureSize(1600, 900);

/// The five zooms: all of the run, a tenth, …, a ten-thousandth.
void benchRedraw(int times)
{
    constexpr size_t count = 1'000'000;
    const Run run = samples::synthetic(count);
    Spans spans;
    spans.extend(run);
    TimelinePlot lanes;
    lanes.resize(pictureSize);
    lanes.setRun(&run, &spans);
    lanes.setNow(run.duration);
    lanes.layOut(pictureSize);
    lanes.show();

    QCustomPlot points;
    points.resize(pictureSize);
    QCPGraph *graph = points.addGraph();
    QVector<QCPGraphData> data;
    data.reserve(count);
    for (size_t i = 0; i < count; ++i)
        data.append(QCPGraphData(static_cast<double>(i), std::sin(static_cast<double>(i) * 1e-4) + static_cast<double>(i * 7919 % 1000) * 1e-4));
    graph->data()->set(data, true);
    points.yAxis->setRange(-1.2, 1.3);
    points.show();
    QCoreApplication::processEvents();

    QJsonArray walls, cpus, wallsOfTheirs, cpusOfTheirs, ratios, cpuRatios;
    for (const double part : {1.0, 0.1, 0.01, 0.001, 0.0001}) {
        const double middle = 0.4;
        const auto duration = static_cast<double>(run.duration);
        lanes.setScale(lanes.scale().showing(duration * (middle - part * middle), duration * (middle + part * (1 - middle))));
        points.xAxis->setRange(double(count) * (middle - part * middle), double(count) * (middle + part * (1 - middle)));
        const Cost ours = redraw(lanes, times);
        const Cost theirs = redraw(points, times);
        walls.append(rounded(ours.wall));
        cpus.append(rounded(ours.cpu));
        wallsOfTheirs.append(rounded(theirs.wall));
        cpusOfTheirs.append(rounded(theirs.cpu));
        ratios.append(rounded(ours.wall / theirs.wall));
        cpuRatios.append(rounded(ours.cpu / theirs.cpu));
    }
    print({{QStringLiteral("bench"), QStringLiteral("timeline-redraw")}, {QStringLiteral("events"), int(run.events.size())},
        {QStringLiteral("ms"), walls}, {QStringLiteral("cpu_ms"), cpus}, {QStringLiteral("qcpgraph_ms"), wallsOfTheirs},
        {QStringLiteral("qcpgraph_cpu_ms"), cpusOfTheirs}, {QStringLiteral("ratio"), ratios}, {QStringLiteral("cpu_ratio"), cpuRatios}});
}

void benchLive(int seconds)
{
    constexpr int perSecond = 50'000;
    const Run whole = samples::synthetic(static_cast<size_t>(perSecond) * static_cast<size_t>(seconds) + 1000);

    RunModel model;
    QWidget window; // its views go before what they show
    auto *layout = new QVBoxLayout(&window);
    auto *view = new TimelineView(model);
    layout->addWidget(view);
    auto *rows = new EventTable(model); // it follows the end
    rows->setTheme(Theme::light());
    layout->addWidget(rows);
    window.resize(pictureSize);
    window.show();
    model.begin(whole.header);
    benchBlocks("live-block", "end-block", model, whole, perSecond, seconds);
}

}

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    // "bench_timeline 1" only draws, once at each zoom: for a profiler.
    const int times = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    benchRedraw(times);
    if (argc == 1)
        benchLive(20);
    return 0;
}
