// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/limiters/decide.h"
#include "engine/run/run.h"

#include <functional>

namespace interlock {

class DefectiveLimiter;

/// A limiter as a run uses it, correct or with a defect: what the record says of it, and how it is asked.
struct PlayedLimiter
{
    LimiterInfo info; ///< its name is in every decision
    std::function<Task<TimedDecision>(Client &client, QByteArray key, qint64 cost, std::optional<qint64> now)> ask;
    /// Every key in Redis for what @p key names, those that are declared first.
    std::function<QList<QByteArray>(const QByteArray &key)> keys;
    QList<QString> scripts; ///< by name, see Script::named
    bool needsCallersClock = false;
    bool needsServersClock = false;
};

/// Named by its algorithm unless @p name says otherwise, and titled likewise.
PlayedLimiter played(const Limiter &limiter, const QString &name = {}, const QString &title = {});
/// Named by its twin's algorithm and its defect; drawn over the correct limiter called @p twin.
PlayedLimiter played(const DefectiveLimiter &limiter, const QString &twin);

}
