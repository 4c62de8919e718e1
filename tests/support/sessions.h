// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session.h"

#include <QHash>
#include <QObject>

#include <memory>
#include <optional>

namespace interlock {

/// What became of a run.
struct Outcome
{
    std::shared_ptr<const Run> run;
    Verdict verdict;
    std::optional<Error> error;

    /// Why there is no whole run, or what its verdict says; for a test that fails.
    QString said() const;
};

/// Several runs side by side, each in a session of its own, since most of a run is waiting.
class Sessions : public QObject
{
public:
    explicit Sessions(const QList<RunRequest> &requests);

    /// Starts the first so many; each that ends starts the next.
    void start(int atOnce);
    /// By "experiment preset"; of those that have ended.
    const QHash<QString, Outcome> &outcomes() const { return m_outcomes; }

private:
    void next();

    QList<RunRequest> m_waiting;
    QList<std::shared_ptr<Session>> m_sessions;
    QHash<QString, Outcome> m_outcomes;
};

}
