// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session.h"

#include "engine/base/mailbox.h"
#include "engine/experiments/experiment.h"
#include "engine/job.h"
#include "engine/runplan.h"

#include <QThread>

#include <utility>

namespace interlock {

/// Lives on the worker's thread, as do the calls posted to it; one run at a time. A new plan stops the run before it and
/// waits for its end.
class Session::Worker : public Mailbox
{
public:
    Worker(Session &session, Mailbox &outbox)
        : m_session(session)
        , m_outbox(outbox)
    {
    }

    void start(RunPlan plan)
    {
        if (!m_job) {
            launch(std::move(plan));
            return;
        }
        if (m_next)
            sendFailed(m_next->number, {Error::Kind::Cancelled, {}});
        m_next = std::move(plan);
        m_job->stop();
    }

    void stop()
    {
        if (m_job)
            m_job->stop();
    }

    void press()
    {
        if (m_job)
            m_job->press();
    }

    void strike(const Strike &strike)
    {
        if (m_job)
            m_job->strike(strike);
    }

    void quit()
    {
        m_isQuitting = true;
        if (m_job)
            m_job->stop();
        else
            thread()->quit();
    }

    /// On the worker's thread, before it ends.
    void destroyJob() { m_job.reset(); }

private:
    void launch(RunPlan plan)
    {
        const quint64 number = plan.number;
        Job::Calls calls;
        calls.progressed = [this, number](const QString &what) {
            m_outbox.post([&session = m_session, number, what] { Q_EMIT session.progressed(number, what); });
        };
        calls.began = [this, number](const Header &header) {
            m_outbox.post([&session = m_session, number, header] { Q_EMIT session.began(number, header); });
        };
        calls.batchReady = [this](const Batch &batch) {
            m_outbox.post([&session = m_session, batch] { Q_EMIT session.batchReady(batch); });
        };
        calls.finished = [this, number](const std::shared_ptr<const Run> &run, const Verdict &verdict) {
            m_outbox.post([&session = m_session, number, run, verdict] { Q_EMIT session.finished(number, run, verdict); });
            post([this] { ended(); });
        };
        calls.failed = [this, number](const Error &error) {
            sendFailed(number, error);
            post([this] { ended(); });
        };
        calls.setProgressed = [this, number](int ended, int total, qint64 left) {
            m_outbox.post([&session = m_session, number, ended, total, left] { Q_EMIT session.setProgressed(number, ended, total, left); });
        };
        calls.childFinished = [this, number](const SetChild &child, const std::shared_ptr<const Run> &run, const Verdict &verdict) {
            m_outbox.post([&session = m_session, number, name = child.name, title = child.title, run, verdict] {
                Q_EMIT session.childFinished(number, name, title, run, verdict);
            });
        };
        m_job = makeJob(std::move(plan), std::move(calls));
        m_job->start();
    }

    void sendFailed(quint64 number, const Error &error)
    {
        m_outbox.post([&session = m_session, number, error] { Q_EMIT session.failed(number, error); });
    }

    void ended()
    {
        m_job.reset();
        if (m_isQuitting)
            thread()->quit();
        else if (auto next = std::exchange(m_next, std::nullopt))
            launch(std::move(*next));
    }

    Session &m_session; ///< only its signals, and only on its own thread
    Mailbox &m_outbox; ///< on the session's thread
    std::unique_ptr<Job> m_job;
    std::optional<RunPlan> m_next;
    bool m_isQuitting = false;
};

struct Session::Private
{
    Mailbox outbox; ///< of the worker, on the session's thread
    QThread thread;
    Worker *worker = nullptr;
    quint64 lastNumber = 0;
    quint64 running = 0; ///< 0: none
};

Session::Session(QObject *parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>())
{
    qRegisterMetaType<std::shared_ptr<const Run>>();
    m_private->worker = new Worker(*this, m_private->outbox);
    m_private->worker->moveToThread(&m_private->thread);
    connect(&m_private->thread, &QThread::finished, m_private->worker, [worker = m_private->worker] {
        worker->destroyJob();
        worker->deleteLater();
    });
    const auto over = [this](quint64 run) {
        if (m_private->running == run)
            m_private->running = 0;
    };
    connect(this, &Session::finished, this, over);
    connect(this, &Session::failed, this, over);
    m_private->thread.setObjectName(QStringLiteral("interlock-worker"));
    // Its own loop instead of GLib's: one layer less between a socket and its connection.
    qputenv("QT_NO_THREADED_GLIB", "1");
    m_private->thread.start();
}

Session::~Session()
{
    m_private->worker->post([worker = m_private->worker] { worker->quit(); });
    m_private->thread.wait();
}

Result<quint64> Session::start(const RunRequest &request)
{
    Result<RunPlan> plan = makePlan(request);
    if (!plan)
        return plan.error();
    plan->number = ++m_private->lastNumber;
    m_private->running = plan->number;
    m_private->worker->post([worker = m_private->worker, plan = *plan] { worker->start(plan); });
    return m_private->lastNumber;
}

void Session::stop()
{
    m_private->worker->post([worker = m_private->worker] { worker->stop(); });
}

void Session::press()
{
    m_private->worker->post([worker = m_private->worker] { worker->press(); });
}

void Session::strike(const Strike &strike)
{
    m_private->worker->post([worker = m_private->worker, strike] { worker->strike(strike); });
}

bool Session::isRunning() const
{
    return m_private->running != 0;
}

}
