// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/limiters/algorithm.h"
#include "engine/limiters/decision.h"

#include <QByteArray>
#include <QList>

#include <memory>
#include <optional>
#include <utility>

namespace interlock {

struct Script;

/// A rate limiter: an algorithm with its values. It holds no state, that is in Redis; one limiter serves any number of keys.
///
///     const Result<Limiter> limiter = Limiter::make("token-bucket", {{"capacity", "5"}, {"rate", "2/s"}});
///     EVALSHA limiter->script().sha, keys(key), arguments(cost)   →   decisionFrom(reply)
class Limiter
{
public:
    /// fixed-window, sliding-log, sliding-window, sliding-counter, token-bucket, leaky-bucket, gcra.
    static const QList<Algorithm> &algorithms();
    /// Nothing if there is none of that name.
    static const Algorithm *algorithm(const QString &id);
    /// Values by name as Settings::set takes them, the others as declared. Invalid with a sentence for an unknown
    /// algorithm or name and for values that cannot be used.
    static Result<Limiter> make(const QString &id, const QList<std::pair<QString, QString>> &values = {});

    const QString &id() const { return m_algorithm->id; }
    const QString &title() const { return m_algorithm->title; }
    const Settings &settings() const { return m_settings; }
    qint64 limit() const { return m_plan.limit; } ///< the most that one request may cost
    qint64 levelUnit() const { return m_plan.levelUnit; } ///< Decision::level has so many parts for one unit of cost

    const Script &script() const { return *m_script; }
    /// The script's keys for what @p key names: any bytes. Two keys lie in one slot of a cluster.
    QList<QByteArray> keys(const QByteArray &key) const;
    /// The script's arguments. @p cost and @p now (µs; none: the server's clock): 0 to mostNumber.
    QList<QByteArray> arguments(qint64 cost, std::optional<qint64> now = {}) const;

    /// A fresh reference model, for one key.
    std::unique_ptr<ReferenceModel> reference() const { return m_plan.reference(); }

private:
    Limiter() = default;

    const Algorithm *m_algorithm = nullptr;
    const Script *m_script = nullptr;
    Settings m_settings;
    LimiterPlan m_plan;
};

/// Two keys of one slot for what @p key names. If it has a hash tag, that counts; otherwise all of it becomes the tag.
std::pair<QByteArray, QByteArray> keysOfOneSlot(const QByteArray &key);

}
