// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/setfiles.h"
#include "engine/session.h"

#include <QObject>

#include <map>
#include <memory>

namespace interlock {

class RunModel;

/// Leads the window's runs through the session into the run model: batches of the shown run are drawn, those of older ones dropped.
class RunControl : public QObject
{
    Q_OBJECT

public:
    enum class State { Idle, Starting, Running, Stopping };

    RunControl(Session &session, RunModel &model, QObject *parent = nullptr);

    /// Starts; stops what is running. Ends with finished() or failed().
    void start(const RunRequest &request);
    /// Ends the shown run within a second; finished() follows.
    void stop();
    /// The person asks for something, in a run that waits for that (Experiment::asksPerson).
    void press();
    /// The person strikes a node, in a run that allows that (Experiment::allowsStrikes).
    void strike(const Strike &strike);
    /// Something else will be shown, and not a run of the set that goes on (RunModel::lookAt()): a run that is going on is stopped, and finished() hands its record over without showing it.
    void leave();

    State state() const { return m_state; }
    bool isRunning() const { return m_state != State::Idle; }
    /// Does this number belong to the run that is shown?
    bool shows(quint64 run) const { return run != 0 && run == m_shown; }
    /// The runs of the set that finished last; none: it was no set.
    const std::vector<ChildRun> &children() const { return m_ended; }

Q_SIGNALS:
    void stateChanged();
    /// What is being done before the first event.
    void progressed(const QString &what);
    /// Of the shown set: so many of its runs have ended, and so long it will go on; never: not known yet.
    void setProgressed(int ended, int total, qint64 left);
    /// A run of the shown set has ended.
    void childEnded(const interlock::ChildRun &child);
    /// @param isShown false: it was left while it ran, or one of its runs is looked at; it is only to be kept.
    void finished(std::shared_ptr<const interlock::Run> run, const interlock::Verdict &verdict, bool isShown);
    void failed(const interlock::Error &error);

private:
    void begin(quint64 run, const Header &header);
    void take(const Batch &batch);
    void finish(quint64 run, std::shared_ptr<const Run> record, const Verdict &verdict);
    void fail(quint64 run, const Error &error);
    void setState(State state);

    Session &m_session;
    RunModel &m_model;
    quint64 m_shown = 0; ///< 0: none of the session's runs
    State m_state = State::Idle;
    std::map<quint64, std::vector<ChildRun>> m_children; ///< by set, while it goes on
    std::vector<ChildRun> m_ended;
};

}
