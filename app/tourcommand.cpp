// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "engine/checks/checks.h"
#include "engine/experiments/catalogue.h"
#include "engine/runplan.h"
#include "widgets/scenes.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

constexpr double pace = 0.1; // nobody watches
constexpr size_t atOnce = 4; // most of a run is waiting

/// One preset, and how its run ended.
struct Stop
{
    const Experiment *experiment = nullptr;
    const Preset *preset = nullptr;
    size_t weight = 1; ///< a set is two runs at once
    std::unique_ptr<Session> session;
    bool isOver = false;
    bool isAsDeclared = false;
    bool couldNotRun = false;
    QString line;
};

RunRequest requestOf(const Stop &stop)
{
    RunRequest request;
    request.experiment = stop.experiment->id;
    request.preset = stop.preset->name;
    request.pace = pace;
    return request;
}

class Tour : public QObject
{
public:
    explicit Tour(const QString &directory)
        : m_directory(directory)
    {
        for (const Experiment &experiment : experiments::all()) {
            for (const Preset &preset : experiment.presets) {
                Stop stop;
                stop.experiment = &experiment;
                stop.preset = &preset;
                if (const Result<RunPlan> plan = makePlan(requestOf(stop)); plan && !childrenOf(*plan).empty())
                    stop.weight = 2;
                m_stops.push_back(std::move(stop));
            }
        }
    }

    int take();

private:
    void startMore();
    void start(Stop &stop);
    void finished(Stop &stop, const Run &run, const Verdict &verdict);
    void failed(Stop &stop, const QString &why);
    void over(Stop &stop);
    void drawPicture(const Stop &stop, const Run &run, const Verdict &verdict);
    void interrupted();
    int result() const;

    QString m_directory;
    std::vector<Stop> m_stops;
    size_t m_started = 0;
    size_t m_running = 0;
    size_t m_printed = 0;
    bool m_isInterrupted = false;
    bool m_pictureFailed = false;
    QEventLoop m_loop;
};

int Tour::take()
{
    const Interrupt interrupt([this] { interrupted(); });
    startMore();
    if (m_running > 0)
        m_loop.exec();
    return flushed(result());
}

void Tour::startMore()
{
    while (m_started < m_stops.size() && !m_isInterrupted && m_running + m_stops[m_started].weight <= atOnce) {
        Stop &stop = m_stops[m_started++];
        m_running += stop.weight;
        start(stop);
    }
}

void Tour::start(Stop &stop)
{
    stop.session = std::make_unique<Session>();
    // Queued, so that a session is never destroyed in a call of its own.
    connect(stop.session.get(), &Session::finished, this,
        [this, &stop](quint64, std::shared_ptr<const Run> run, const Verdict &verdict) { finished(stop, *run, verdict); },
        Qt::QueuedConnection);
    connect(stop.session.get(), &Session::failed, this,
        [this, &stop](quint64, const Error &error) { failed(stop, error.text); }, Qt::QueuedConnection);
    if (const Result<quint64> started = stop.session->start(requestOf(stop)); !started) {
        const QString why = started.error().text;
        QMetaObject::invokeMethod(this, [this, &stop, why] { failed(stop, why); }, Qt::QueuedConnection);
    }
}

void Tour::finished(Stop &stop, const Run &run, const Verdict &verdict)
{
    // What has no verdict has to be whole.
    stop.isAsDeclared = verdict.judgement == stop.preset->expected && (verdict.judgement != Judgement::None || run.isComplete);
    stop.line = QStringLiteral("%1  %2")
                    .arg(stop.isAsDeclared ? tr("as declared") : tr("NOT as declared (%1)").arg(word(stop.preset->expected)),
                        verdictSentence(run, verdict));
    if (!m_directory.isEmpty() && !m_isInterrupted)
        drawPicture(stop, run, verdict);
    over(stop);
}

void Tour::failed(Stop &stop, const QString &why)
{
    stop.couldNotRun = true;
    stop.line = tr("could not run: %1").arg(why);
    over(stop);
}

/// Lines come in the order of the catalogue, each as soon as those before it are there.
void Tour::over(Stop &stop)
{
    stop.isOver = true;
    stop.session.reset();
    m_running -= stop.weight;
    while (m_printed < m_stops.size() && m_stops[m_printed].isOver) {
        const Stop &next = m_stops[m_printed++];
        print(QStringLiteral("%1 %2 %3")
                  .arg(next.experiment->id.leftJustified(19), next.preset->name.leftJustified(23), next.line)
                  .toUtf8());
    }
    std::fflush(stdout);
    showProgress(m_printed < m_stops.size() ? tr("%1 of %2").arg(m_printed).arg(m_stops.size()) : QString());
    startMore();
    if (m_running == 0)
        m_loop.quit();
}

/// The experiment's first; of a set, which has no lanes, the first that shows what its runs tell together.
QString viewOf(const Stop &stop)
{
    const QStringList &views = stop.experiment->views;
    const auto told = std::find_if(views.begin(), views.end(),
        [](const QString &view) { return view == QLatin1String("measures") || view == QLatin1String("matrix"); });
    return stop.weight > 1 && told != views.end() ? *told : views.value(0);
}

void Tour::drawPicture(const Stop &stop, const Run &run, const Verdict &verdict)
{
    const QString view = viewOf(stop);
    if (view.isEmpty())
        return;
    const QString name = QStringLiteral("%1-%2.png").arg(stop.experiment->id, stop.preset->name);
    const Result<void> written
        = exportView(run, verdict, view, QDir(m_directory).filePath(name), ExportOptions {});
    if (written)
        return;
    m_pictureFailed = true;
    say(written.error().text);
}

void Tour::interrupted()
{
    m_isInterrupted = true;
    for (Stop &stop : m_stops) {
        if (stop.session)
            stop.session->stop();
    }
}

int Tour::result() const
{
    if (m_isInterrupted || m_pictureFailed)
        return status::unknown;
    bool couldNotRun = false;
    bool allAsDeclared = true;
    for (const Stop &stop : m_stops) {
        couldNotRun |= stop.couldNotRun;
        allAsDeclared &= stop.isAsDeclared;
    }
    return couldNotRun ? status::unknown : allAsDeclared ? status::done : status::broken;
}

}

int tour(const QString &directory)
{
    if (!directory.isEmpty()) {
        if (!QDir().mkpath(directory)) {
            say(tr("%1 is no directory and cannot be made one.").arg(directory));
            return status::unknown;
        }
        if (const Result<void> writable = checkWritable(QDir(directory).filePath(QStringLiteral("tour.png"))); !writable)
            return refuse(writable.error());
    }
    return Tour(directory).take();
}

}
