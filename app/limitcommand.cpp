// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "engine/base/jsonwriter.h"
#include "engine/lab/server.h"
#include "engine/limiters/pipeline.h"
#include "engine/limiters/trace.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <memory>
#include <vector>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

/// Writes a line for each decision and counts them.
class Answers
{
public:
    Answers(const Trace &trace, bool isJson)
        : m_trace(trace)
        , m_isJson(isJson)
    {
        if (!isJson)
            print("at_us,cost,admitted,remaining,retry_after_us,reset_after_us,delay_us");
    }

    void add(size_t number, const Decision &decision)
    {
        const Trace::Row &row = m_trace.rows[number];
        m_line.resize(0); // keeps its memory
        if (m_isJson)
            writeObject(row, decision);
        else
            writeFields(row, decision);
        print(m_line);
        ++m_decided;
        m_admitted += decision.admitted ? 1 : 0;
        if (number % 10'000 == 0)
            showProgress(tr("%1 of %2").arg(number).arg(m_trace.rows.size()));
    }
    qint64 decided() const { return m_decided; }
    qint64 admitted() const { return m_admitted; }

private:
    void writeObject(const Trace::Row &row, const Decision &decision)
    {
        JsonWriter json(m_line);
        json.beginObject().key("at_us").integer(row.at).key("cost").integer(row.cost);
        json.key("admitted").flag(decision.admitted).key("remaining").integer(decision.remaining).key("retry_after_us");
        if (decision.retryAfter)
            json.integer(*decision.retryAfter);
        else
            json.null();
        json.key("reset_after_us").integer(decision.resetAfter).key("delay_us").integer(decision.delay).endObject();
    }
    /// As trace files are, and with - for none.
    void writeFields(const Trace::Row &row, const Decision &decision)
    {
        const auto add = [&](qint64 number) { m_line += ',' + QByteArray::number(number); };
        m_line += QByteArray::number(row.at);
        add(row.cost);
        m_line += decision.admitted ? ",1" : ",0";
        add(decision.remaining);
        m_line += decision.retryAfter ? ',' + QByteArray::number(*decision.retryAfter) : QByteArray(",-");
        add(decision.resetAfter);
        add(decision.delay);
    }

    const Trace &m_trace;
    bool m_isJson;
    QByteArray m_line;
    qint64 m_decided = 0;
    qint64 m_admitted = 0;
};

void decideByReference(const Limiter &limiter, const Trace &trace, Answers &answers)
{
    std::vector<std::unique_ptr<ReferenceModel>> models(static_cast<size_t>(trace.keys.size()));
    for (size_t i = 0; i < trace.rows.size(); ++i) {
        const Trace::Row &row = trace.rows[i];
        std::unique_ptr<ReferenceModel> &model = models[row.key];
        if (!model)
            model = limiter.reference();
        answers.add(i, model->decide(row.at, row.cost));
    }
}

/// Starts a private server, sends the whole trace through the limiter's script there, and ends it.
class ScriptRun
{
public:
    ScriptRun(const Limiter &limiter, const Trace &trace, Answers &answers)
        : m_limiter(limiter)
        , m_trace(trace)
        , m_answers(answers)
    {
    }

    Result<void> perform()
    {
        const Interrupt interrupt([this] { end(Error {Error::Kind::Cancelled, tr("It was interrupted.")}); });
        m_keeper = std::make_unique<Keeper>([this](const Result<void> &ready) {
            if (!ready)
                end(ready.error());
        });
        PrivateServer::Options options;
        options.unixSocket = true;
        m_server = std::make_unique<PrivateServer>(*m_keeper, options, [this](const Result<void> &ready) {
            if (ready)
                begin();
            else
                end(ready.error());
        });
        m_server->onEnded = [this](const QString &how) { end(Error {Error::Kind::Failed, how}); };
        if (!m_result)
            m_loop.exec();
        showProgress({});
        return *m_result;
    }

private:
    void begin()
    {
        m_connection = std::make_unique<Connection>(m_server->unixEndpoint());
        m_pipeline = std::make_unique<LimiterPipeline>(*m_connection, m_limiter,
            LimiterPipeline::Calls {[this] { return next(); },
                [this](qint64 number, const Decision &decision) { m_answers.add(static_cast<size_t>(number), decision); },
                [this](Result<void> result) { end(std::move(result)); }});
        m_pipeline->start();
    }
    std::optional<LimiterRequest> next()
    {
        if (m_next == m_trace.rows.size())
            return {};
        const Trace::Row &row = m_trace.rows[m_next++];
        return LimiterRequest {m_trace.keys[row.key], row.cost, row.at};
    }
    void end(Result<void> result)
    {
        if (!m_result)
            m_result = std::move(result);
        QMetaObject::invokeMethod(&m_loop, &QEventLoop::quit, Qt::QueuedConnection); // it may not have begun yet
    }

    const Limiter &m_limiter;
    const Trace &m_trace;
    Answers &m_answers;
    QEventLoop m_loop;
    std::optional<Result<void>> m_result;
    size_t m_next = 0;
    std::unique_ptr<Keeper> m_keeper;
    std::unique_ptr<PrivateServer> m_server;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<LimiterPipeline> m_pipeline;
};

void sayWhat(const Limiter &limiter, const Trace &trace)
{
    QStringList values;
    for (const auto &[name, value] : limiter.settings().written())
        values.append(name + u'=' + value);
    say(QStringLiteral("%1: %2").arg(limiter.title(), values.join(u' ')));
    if (trace.stepsBack == 1)
        say(tr("One request is earlier than the one before it: a limiter's time does not go back, it keeps the later one."));
    else if (trace.stepsBack > 1)
        say(tr("%1 requests are earlier than the one before them: a limiter's time does not go back, it keeps the later one.").arg(trace.stepsBack));
}

}

int decideTrace(const LimitCommand &command)
{
    const Result<Limiter> limiter = Limiter::make(command.algorithm, command.values);
    if (!limiter)
        return refuse(limiter.error());
    const Result<Trace> trace = readTrace(command.trace);
    if (!trace) {
        say(trace.error().text);
        return status::unknown;
    }
    sayWhat(*limiter, *trace);
    Answers answers(*trace, command.json);
    Result<void> result;
    if (command.byReference)
        decideByReference(*limiter, *trace, answers);
    else
        result = ScriptRun(*limiter, *trace, answers).perform();
    showProgress({});
    say(tr("Requests: %1, admitted: %2, rejected: %3.").arg(answers.decided()).arg(answers.admitted()).arg(answers.decided() - answers.admitted()));
    if (!result)
        say(result.error().text);
    return flushed(result ? status::done : status::unknown);
}

}
