// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runcontrol.h"

#include "widgets/runmodel.h"

namespace interlock {

RunControl::RunControl(Session &session, RunModel &model, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_model(model)
{
    connect(&session, &Session::progressed, this, [this](quint64 run, const QString &what) {
        if (shows(run) && m_state == State::Starting)
            Q_EMIT progressed(what);
    });
    connect(&session, &Session::began, this, &RunControl::begin);
    connect(&session, &Session::batchReady, this, &RunControl::take);
    connect(&session, &Session::setProgressed, this, [this](quint64 run, int ended, int total, qint64 left) {
        if (shows(run))
            Q_EMIT setProgressed(ended, total, left);
    });
    connect(&session, &Session::childFinished, this,
        [this](quint64 run, const QString &name, const QString &title, std::shared_ptr<const Run> record, const Verdict &verdict) {
            const ChildRun child {name, title, std::move(record), verdict, {}};
            m_children[run].push_back(child);
            if (shows(run))
                Q_EMIT childEnded(child);
        });
    connect(&session, &Session::finished, this, &RunControl::finish);
    connect(&session, &Session::failed, this, &RunControl::fail);
}

void RunControl::start(const RunRequest &request)
{
    const Result<quint64> run = m_session.start(request);
    if (!run) {
        Q_EMIT failed(run.error());
        return;
    }
    m_shown = *run;
    m_model.clear();
    setState(State::Starting);
}

void RunControl::stop()
{
    if (m_state != State::Starting && m_state != State::Running)
        return;
    m_session.stop();
    setState(State::Stopping);
}

void RunControl::press()
{
    if (m_state == State::Running)
        m_session.press();
}

void RunControl::strike(const Strike &strike)
{
    if (m_state == State::Running)
        m_session.strike(strike);
}

void RunControl::leave()
{
    if (isRunning())
        m_session.stop();
    m_shown = 0;
    setState(State::Idle);
}

void RunControl::begin(quint64 run, const Header &header)
{
    if (!shows(run))
        return;
    m_model.begin(header);
    if (m_state == State::Starting)
        setState(State::Running);
}

void RunControl::take(const Batch &batch)
{
    if (shows(batch.run))
        m_model.append(batch);
}

void RunControl::finish(quint64 run, std::shared_ptr<const Run> record, const Verdict &verdict)
{
    const bool isOurs = shows(run);
    const bool isShown = isOurs && !m_model.isAside();
    auto children = m_children.extract(run);
    m_ended = children ? std::move(children.mapped()) : std::vector<ChildRun>();
    if (isOurs) {
        if (isShown)
            m_model.show(record, verdict);
        m_model.endAside();
        m_shown = 0;
        setState(State::Idle);
    }
    Q_EMIT finished(std::move(record), verdict, isShown);
}

void RunControl::fail(quint64 run, const Error &error)
{
    m_children.erase(run);
    if (!shows(run))
        return;
    m_model.endAside();
    m_shown = 0;
    setState(State::Idle);
    Q_EMIT failed(error);
}

void RunControl::setState(State state)
{
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

}
