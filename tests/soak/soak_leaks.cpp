// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"
#include "engine/session.h"
#include "tests/support/descendants.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <map>
#include <vector>

#include <malloc.h>

// Runs experiments one after the other in one process, as a window does for a whole lecture, and looks after each whether it left
// anything: a process, a directory, a descriptor, memory. One JSON line with what was there after the first tenth and at the end.

using namespace interlock;

namespace {

constexpr auto settleLimit = 2'000; // ms: servers that were killed are gone by then

struct Left
{
    qsizetype processes = 0; ///< servers and keepers
    qsizetype directories = 0;
    qsizetype descriptors = 0;
    double residentMegabytes = 0;
    double allocatedMegabytes = 0; ///< by malloc, and not freed

    QJsonObject json() const
    {
        return {{"processes", processes}, {"directories", directories}, {"descriptors", descriptors},
            {"residentMB", residentMegabytes}, {"allocatedMB", allocatedMegabytes}};
    }
};

double residentMegabytes()
{
    QFile file("/proc/self/status");
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (line.startsWith("VmRSS:"))
                return line.mid(6).simplified().split(' ').first().toDouble() / 1024;
        }
    }
    return 0;
}

Left look(const QDir &runtime)
{
    malloc_trim(0);
    Left left;
    left.processes = descendants("redis-server").size() + descendants("redis-sentinel").size() + descendants("interlock").size()
        + descendants("interlock-keeper").size();
    left.directories = qsizetype(runtime.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size());
    left.descriptors = qsizetype(QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
    left.residentMegabytes = residentMegabytes();
    left.allocatedMegabytes = double(mallinfo2().uordblks + mallinfo2().hblkhd) / (1 << 20);
    return left;
}

struct Case
{
    QString experiment;
    QString preset;
    Judgement expected;
};

/// The presets of one run each (sets are made of such) of the experiments named; without names: of those that form a group.
std::vector<Case> casesOf(const QStringList &named)
{
    std::vector<Case> cases;
    for (const Experiment &experiment : experiments::all()) {
        if (named.isEmpty() ? !experiment.group : !named.contains(experiment.id))
            continue;
        for (const Preset &preset : experiment.presets) {
            Values values(experiment.parameters);
            bool isUsable = true;
            for (const auto &[name, text] : preset.values)
                isUsable = values.set(name, text).ok() && isUsable;
            if (isUsable && !(experiment.set && !experiment.set(values).empty()))
                cases.push_back({experiment.id, preset.name, preset.expected});
        }
    }
    return cases;
}

class Soak : public QObject
{
public:
    Soak(std::vector<Case> cases, int runs, const QDir &runtime)
        : m_cases(std::move(cases))
        , m_runs(runs)
        , m_runtime(runtime)
    {
        connect(&m_session, &Session::finished, this, [this](quint64, const std::shared_ptr<const Run> &run, const Verdict &verdict) {
            const QString how = word(verdict.judgement);
            m_deviating += verdict.judgement != current().expected;
            if (verdict.judgement != current().expected)
                std::fprintf(stderr, "Run %d, %s %s: %s. %s\n", m_ended + 1, qPrintable(current().experiment), qPrintable(current().preset), qPrintable(how), qPrintable(run->incompleteBecause));
            ++m_verdicts[how];
            settle();
        });
        connect(&m_session, &Session::failed, this, [this](quint64, const Error &error) {
            std::fprintf(stderr, "Run %d, %s %s: %s\n", m_ended + 1, qPrintable(current().experiment), qPrintable(current().preset), qPrintable(error.text));
            ++m_verdicts["failed"];
            ++m_deviating;
            settle();
        });
    }

    void start()
    {
        RunRequest request;
        request.experiment = current().experiment;
        request.preset = current().preset;
        request.pace = 0.1;
        if (const auto started = m_session.start(request); !started) {
            std::fprintf(stderr, "%s\n", qPrintable(started.error().text));
            QCoreApplication::exit(64);
        }
    }

private:
    const Case &current() const { return m_cases[size_t(m_ended) % m_cases.size()]; }

    /// Waits until nothing is left of the run, or the limit is over.
    void settle()
    {
        m_sinceEnd.start();
        look();
    }

    void look()
    {
        const Left left = ::look(m_runtime);
        if ((left.processes || left.directories) && m_sinceEnd.elapsed() < settleLimit) {
            QTimer::singleShot(20, this, [this] { look(); });
            return;
        }
        m_slowest = std::max(m_slowest, m_sinceEnd.elapsed());
        m_leftBehind += left.processes + left.directories;
        if (++m_ended == std::max(1, m_runs / 10))
            m_early = left;
        if (m_ended < m_runs)
            start();
        else
            QCoreApplication::exit(report(left) ? 0 : 1);
    }

    bool report(const Left &late) const
    {
        QJsonObject verdicts;
        for (const auto &[how, times] : m_verdicts)
            verdicts[how] = times;
        const QJsonObject line {{"soak", "leaks"}, {"runs", m_runs}, {"presets", qint64(m_cases.size())}, {"verdicts", verdicts}, {"deviating", m_deviating}, {"early", m_early.json()},
            {"late", late.json()}, {"leftBehind", qint64(m_leftBehind)}, {"slowestCleanUpMs", m_slowest}};
        std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
        return m_deviating == 0 && m_leftBehind == 0 && late.descriptors <= m_early.descriptors && late.allocatedMegabytes < m_early.allocatedMegabytes + 1;
    }

    std::vector<Case> m_cases;
    int m_runs;
    QDir m_runtime;
    Session m_session;
    int m_ended = 0;
    int m_deviating = 0; ///< runs that did not give the declared verdict
    qsizetype m_leftBehind = 0;
    qint64 m_slowest = 0;
    QElapsedTimer m_sinceEnd;
    Left m_early;
    std::map<QString, int> m_verdicts;
};

}

int main(int argc, char **argv)
{
    QTemporaryDir runtime;
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(runtime.path())); // labs are made in it, and nothing else
    qputenv("INTERLOCK_KEEPER", INTERLOCK_PROGRAM);
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({"runs", "How many runs in all.", "N", "200"});
    parser.addPositionalArgument("EXPERIMENT", "Only these; otherwise those that form a group.", "[EXPERIMENT...]");
    parser.process(application);

    std::vector<Case> cases = casesOf(parser.positionalArguments());
    const int runs = parser.value("runs").toInt();
    if (cases.empty() || runs < 1) {
        std::fputs("Nothing to do: no such experiment, or a number below 1.\n", stderr);
        return 64;
    }
    Soak soak(std::move(cases), runs, QDir(runtime.path()));
    QTimer::singleShot(0, &soak, [&] { soak.start(); });
    return QCoreApplication::exec();
}
