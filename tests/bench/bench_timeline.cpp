// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measures, one JSON line each: the redraw of a timeline of a million events at 1600×900 at five zooms beside QCPGraph with a
// million points; and the longest block of the window's thread while 50,000 events a second arrive in 30 batches a second.

#include "tests/support/sampleruns.h"
#include "widgets/eventtablemodel.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/timelineview.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdio>

using namespace interlock;

namespace {

constexpr QSize pictureSize(1600, 900);

void print(const QJsonObject &line)
{
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

/// Of several redraws the median, in ms.
double redraw(QCustomPlot &plot)
{
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        QElapsedTimer timer;
        timer.start();
        plot.replot(QCustomPlot::rpImmediateRefresh);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

double rounded(double number)
{
    return std::round(number * 100) / 100;
}

void benchRedraw()
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

    QJsonArray ours, theirs;
    double sum = 0, sumOfTheirs = 0;
    for (const double part : {1.0, 0.1, 0.01, 0.001, 0.0001}) {
        const double middle = 0.4;
        const auto duration = static_cast<double>(run.duration);
        lanes.setScale(lanes.scale().showing(duration * (middle - part * middle), duration * (middle + part * (1 - middle))));
        points.xAxis->setRange(double(count) * (middle - part * middle), double(count) * (middle + part * (1 - middle)));
        const double mine = redraw(lanes);
        const double graphs = redraw(points);
        ours.append(rounded(mine));
        theirs.append(rounded(graphs));
        sum += mine;
        sumOfTheirs += graphs;
    }
    print({{QStringLiteral("bench"), QStringLiteral("timeline-redraw")}, {QStringLiteral("events"), int(run.events.size())},
        {QStringLiteral("ms"), ours}, {QStringLiteral("qcpgraph_ms"), theirs}, {QStringLiteral("ratio"), rounded(sum / sumOfTheirs)},
        {QStringLiteral("ratio_whole"), rounded(ours.first().toDouble() / theirs.first().toDouble())}});
}

void benchLive(int seconds)
{
    constexpr int perSecond = 50'000;
    constexpr int batches = 30;
    const Run whole = samples::synthetic(static_cast<size_t>(perSecond) * static_cast<size_t>(seconds) + 1000);

    RunModel model;
    EventTableModel table(model);
    QWidget window; // its views go before what they show
    auto *layout = new QVBoxLayout(&window);
    auto *view = new TimelineView(model);
    auto *rows = new QTableView;
    rows->setModel(&table);
    layout->addWidget(view);
    layout->addWidget(rows);
    window.resize(pictureSize);
    window.show();
    model.begin(whole.header);

    size_t sent = 0;
    size_t sentNames = 1;
    QElapsedTimer clock;
    clock.start();
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &model, [&] {
        Batch batch;
        batch.firstName = sentNames;
        for (; sentNames < whole.names.size(); ++sentNames)
            batch.names.push_back(whole.names.bytes(static_cast<Name>(sentNames)));
        const size_t due = std::min(whole.events.size(), static_cast<size_t>(clock.elapsed()) * perSecond / 1000);
        batch.events.assign(whole.events.begin() + static_cast<std::ptrdiff_t>(sent), whole.events.begin() + static_cast<std::ptrdiff_t>(due));
        sent = due;
        batch.lanes = whole.header.lanes;
        batch.now = sent ? whole.events[sent - 1].at : 0;
        model.append(batch);
    });
    timer.start(1000 / batches);

    std::vector<double> blocks; // of each turn of the event loop
    while (clock.elapsed() < seconds * 1000) {
        QElapsedTimer turn;
        turn.start();
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        blocks.push_back(static_cast<double>(turn.nsecsElapsed()) / 1e6);
        // Only now: waiting for the next event is no block.
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
    }
    std::sort(blocks.begin(), blocks.end());
    print({{QStringLiteral("bench"), QStringLiteral("live-block")}, {QStringLiteral("events"), int(sent)}, {QStringLiteral("seconds"), seconds},
        {QStringLiteral("longest_ms"), rounded(blocks.back())}, {QStringLiteral("p99_ms"), rounded(blocks[blocks.size() * 99 / 100])}});
}

}

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchRedraw();
    benchLive(10);
    return 0;
}
