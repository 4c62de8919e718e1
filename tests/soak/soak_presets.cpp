// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"
#include "engine/run/setfiles.h"
#include "engine/runplan.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTimer>

#include <atomic>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

// Runs every preset of every experiment many times through the command line, several side by side, since most of a run is
// waiting, and counts how many gave the declared verdict. The run file and the words of each that did not are kept.

using namespace interlock;

namespace {

/// What one preset has to show, and what it showed.
struct Case
{
    QString experiment;
    QString preset;
    QString expected;
    int children = 0; ///< of a set: the runs that it is made of
    int asDeclared = 0;
    std::map<QString, int> otherwise; ///< verdict, or how it ended: how often
};

/// The verdict on the last line that the program wrote, or how it ended.
QString verdictOf(QProcess &process)
{
    if (process.error() == QProcess::FailedToStart)
        return "could not be started";
    if (process.exitStatus() == QProcess::CrashExit)
        return "crashed or hung";
    const QByteArrayList lines = process.readAllStandardOutput().trimmed().split('\n');
    const QString verdict = QJsonDocument::fromJson(lines.last()).object()["verdict"].toString();
    if (verdict == "none" && process.exitCode() != 0)
        return "incomplete";
    return verdict.isEmpty() ? QString("exit status %1").arg(process.exitCode()) : verdict;
}

/// Keeps so many threads busy while it lives.
class Load
{
public:
    explicit Load(int threads)
    {
        for (int i = 0; i < threads; ++i)
            m_threads.emplace_back([](std::stop_token stop) {
                for (volatile unsigned turns = 0; !stop.stop_requested();)
                    turns = turns + 1;
            });
    }

private:
    std::vector<std::jthread> m_threads;
};

class Soak : public QObject
{
public:
    Soak(std::vector<Case> cases, int runs, const QDir &kept)
        : m_cases(std::move(cases))
        , m_kept(kept)
    {
        for (int run = 1; run <= runs; ++run) {
            for (Case &each : m_cases) {
                // A set counts for as many as it is made of.
                if (run == 1 || run * std::max(1, each.children) <= runs)
                    m_waiting.push_back({&each, run});
            }
        }
    }

    void start(int jobs)
    {
        for (int i = 0; i < jobs; ++i)
            next();
    }

private:
    struct Job
    {
        Case *of;
        int run;
    };

    void next()
    {
        if (m_waiting.empty()) {
            if (m_running == 0)
                QCoreApplication::exit(report() ? 0 : 1);
            return;
        }
        const Job job = m_waiting.front();
        m_waiting.pop_front();
        ++m_running;

        const QString file
            = m_kept.filePath(QString("%1-%2-%3.interlock.jsonl").arg(job.of->experiment, job.of->preset).arg(job.run));
        auto *process = new QProcess(this);
        connect(process, &QProcess::finished, this, [=, this] { ended(job, *process, file); });
        // Then finished() does not follow. Queued, since start() itself finds it out.
        const auto failed = [=, this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                ended(job, *process, file);
        };
        connect(process, &QProcess::errorOccurred, this, failed, Qt::QueuedConnection);
        // Far above the limit that an experiment sets itself: who needs it hangs.
        QTimer::singleShot(120'000 * std::max(1, job.of->children), process, &QProcess::kill);
        process->start(INTERLOCK_PROGRAM, {"run", job.of->experiment, "--preset", job.of->preset, "--json", "--out", file});
    }

    void ended(const Job &job, QProcess &process, const QString &file)
    {
        const QString verdict = verdictOf(process);
        if (verdict == job.of->expected) {
            ++job.of->asDeclared;
            QFile::remove(file);
            if (job.of->children > 0)
                QFileInfo(childFile(file, "any")).dir().removeRecursively();
        } else {
            ++job.of->otherwise[verdict];
            std::fprintf(stderr, "%s %s, run %d: %s instead of %s\n%s%s\n", qPrintable(job.of->experiment),
                qPrintable(job.of->preset), job.run, qPrintable(verdict), qPrintable(job.of->expected),
                process.readAllStandardError().constData(), QFile::exists(file) ? qPrintable("kept: " + file) : "");
        }
        process.deleteLater();
        --m_running;
        next();
    }

    bool report() const
    {
        bool all = true;
        for (const Case &each : m_cases) {
            int runs = each.asDeclared;
            QString others;
            for (const auto &[verdict, times] : each.otherwise) {
                runs += times;
                others += QString(", %1: %2").arg(verdict).arg(times);
            }
            all = all && each.otherwise.empty();
            std::printf("%-16s %-20s %-8s %d of %d%s\n", qPrintable(each.experiment), qPrintable(each.preset),
                qPrintable(each.expected), each.asDeclared, runs, qPrintable(others));
        }
        return all;
    }

    std::vector<Case> m_cases;
    QDir m_kept;
    std::deque<Job> m_waiting;
    int m_running = 0;
};

/// All presets, or those named: of an experiment, or one as EXPERIMENT/PRESET.
std::vector<Case> casesOf(const QStringList &named)
{
    std::vector<Case> cases;
    for (const Experiment &experiment : experiments::all()) {
        for (const Preset &preset : experiment.presets) {
            if (!named.isEmpty() && !named.contains(experiment.id) && !named.contains(experiment.id + '/' + preset.name))
                continue;
            RunRequest request;
            request.experiment = experiment.id;
            request.preset = preset.name;
            const Result<RunPlan> plan = makePlan(request);
            const int children = plan ? int(childrenOf(*plan).size()) : 0;
            cases.push_back({experiment.id, preset.name, word(preset.expected), children, 0, {}});
        }
    }
    return cases;
}

}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{"runs", "How often each preset runs.", "N", "50"},
        {"jobs", "How many run side by side.", "N", QString::number(2 * std::thread::hardware_concurrency())},
        {"load", "Keep so many cores busy beside it.", "N", "0"},
        {"keep", "Where the files of deviating runs go.", "DIR", QFileInfo(INTERLOCK_PROGRAM).dir().filePath("soak")}});
    parser.addPositionalArgument("EXPERIMENT", "Only these, or one preset: EXPERIMENT/PRESET.", "[EXPERIMENT...]");
    parser.process(application);

    const QDir kept(parser.value("keep"));
    std::vector<Case> cases = casesOf(parser.positionalArguments());
    const int runs = parser.value("runs").toInt();
    const int jobs = parser.value("jobs").toInt();
    if (cases.empty() || runs < 1 || jobs < 1 || !kept.mkpath(".")) {
        std::fputs("Nothing to do: no such experiment, a number below 1, or a folder that cannot be made.\n", stderr);
        return 64;
    }
    const Load load(parser.value("load").toInt());
    Soak soak(std::move(cases), runs, kept);
    QTimer::singleShot(0, &soak, [&] { soak.start(jobs); });
    return QCoreApplication::exec();
}
