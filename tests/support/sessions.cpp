// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sessions.h"

namespace interlock {

QString Outcome::said() const
{
    if (error)
        return error->text;
    if (!run)
        return QStringLiteral("It did not end.");
    QString all = run->incompleteBecause;
    for (const CheckResult &check : verdict.checks)
        all += QStringLiteral("\n%1 (%2): %3").arg(check.check, word(check.judgement), text(check.sentences));
    return all;
}

Sessions::Sessions(const QList<RunRequest> &requests)
    : m_waiting(requests)
{
}

void Sessions::start(int atOnce)
{
    for (int i = 0; i < atOnce; ++i)
        next();
}

void Sessions::next()
{
    if (m_waiting.isEmpty())
        return;
    const RunRequest request = m_waiting.takeFirst();
    const QString name = request.experiment + u' ' + request.preset;
    auto session = std::make_shared<Session>();
    m_sessions.append(session);
    const auto over = [this, name](Outcome outcome) {
        m_outcomes.insert(name, std::move(outcome));
        next();
    };
    connect(session.get(), &Session::finished, this,
        [over](quint64, std::shared_ptr<const Run> run, const Verdict &verdict) { over({std::move(run), verdict, {}}); });
    connect(session.get(), &Session::failed, this, [over](quint64, const Error &error) { over({{}, {}, error}); });
    if (const Result<quint64> started = session->start(request); !started)
        over({{}, {}, started.error()});
}

}
