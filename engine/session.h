// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/target.h"
#include "engine/run/strike.h"
#include "engine/run/verdict.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace interlock {

/// What to run.
struct RunRequest
{
    QString experiment; ///< id
    QString preset; ///< recorded, and its expectation and witnesses used; empty: values of the user's own
    QList<std::pair<QString, QString>> values; ///< as the command line takes them; over the preset's
    std::optional<quint64> seed; ///< none: a fresh one
    double pace = 1; ///< (0, 10]
    std::optional<Target> target; ///< none: private servers
};

/// Events that crossed since the last batch, in order of recording.
struct Batch
{
    quint64 run = 0; ///< its number; receivers drop batches of runs they no longer show
    size_t firstName = 0; ///< names[0] is number firstName in the run's table
    std::vector<QByteArray> names;
    std::vector<Event> events;
    std::vector<DecisionFigures> decisions; ///< of these events
    QList<Lane> lanes; ///< all lanes so far
    QList<LimiterInfo> limiters; ///< all limiters so far
    qint64 now = 0; ///< ns since the run began
};

/// The engine, as the window and the command line see it. Lives in the thread of its owner; owns a worker thread on which
/// everything runs that talks to Redis. Its signals come in its own thread. One run at a time; nothing here blocks.
class Session : public QObject
{
    Q_OBJECT

public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override; ///< stops what runs; waits for the worker, at most about 1 s

    /// Checks the request at once: Invalid or Missing with a sentence, and nothing is started. Otherwise the run's number (1, 2, …);
    /// progress, batches and exactly one finished or failed follow.
    /// A run that is still going on is stopped first.
    Result<quint64> start(const RunRequest &request);
    /// Ends the run within 1 s wherever it stands; finished() follows, incomplete.
    void stop();
    bool isRunning() const;
    /// The person asks for something: a request of their own, where the play that runs waits for one (Experiment::asksPerson).
    void press();
    /// The person strikes a node, where the play allows it (Experiment::allowsStrikes); the record holds what was done.
    void strike(const Strike &strike);

Q_SIGNALS:
    /// What is being done before the first event, for people: "Starting redis-server…"; then an empty text.
    void progressed(quint64 run, const QString &what);
    /// The servers are ready and the header's facts are known.
    void began(quint64 run, const interlock::Header &header);
    void batchReady(const interlock::Batch &batch);
    /// Of a set: this many of its runs have ended, and about so long (ns) it will go on; never: not known yet.
    void setProgressed(quint64 run, int ended, int total, qint64 left);
    /// One run of a set has ended: its name in the set's measures, its title for people. Its record is for whoever wants to open it.
    void childFinished(quint64 run, const QString &name, const QString &title, std::shared_ptr<const interlock::Run> record, const interlock::Verdict &verdict);
    /// The whole run, in order of time, and what its checks say.
    void finished(quint64 run, std::shared_ptr<const interlock::Run> record, const interlock::Verdict &verdict);
    /// It could not be started (no server, no answer, wrong password).
    void failed(quint64 run, const interlock::Error &error);

private:
    class Worker;
    struct Private;
    std::unique_ptr<Private> m_private;
};

}
