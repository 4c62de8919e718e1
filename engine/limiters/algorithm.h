// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/reference.h"
#include "engine/limiters/settings.h"

#include <QByteArray>

#include <functional>
#include <memory>

namespace interlock {

/// What a limiter's values come to.
struct LimiterPlan
{
    qint64 limit = 1; ///< the most that one request may cost
    qint64 levelUnit = 1; ///< Decision::level has so many parts for one unit of cost
    QList<QByteArray> arguments; ///< of the script, behind now and cost
    std::function<std::unique_ptr<ReferenceModel>()> reference;
};

/// One way of limiting, declared as data.
struct Algorithm
{
    QString id; ///< on the command line, and the name of its script: "token-bucket"
    QString title; ///< "Token bucket"
    QString promise; ///< one sentence
    QList<Setting> settings;
    int keys = 1; ///< that one limited thing takes: 1 or 2
    /// Invalid with a sentence if the values do not go together.
    std::function<Result<LimiterPlan>(const Settings &)> plan;
};

/// Each in a file of its own.
Algorithm describeFixedWindow();
Algorithm describeSlidingLog();
Algorithm describeSlidingWindow();
Algorithm describeSlidingCounter();
Algorithm describeTokenBucket();
Algorithm describeLeakyBucket();
Algorithm describeGcra();

/// Invalid, with a sentence, if @p count units of so many @p parts are more than limiters can count exactly.
Result<void> checkParts(qint64 count, qint64 parts);
/// The same for a bucket, where a unit has as many parts as the rate's period has microseconds.
Result<void> checkRate(qint64 capacity, Rate rate);

}
