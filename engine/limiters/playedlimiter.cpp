// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/playedlimiter.h"

#include "engine/limiters/defects/defect.h"
#include "engine/redis/script.h"
#include "engine/schedule/client.h"

#include <memory>

namespace interlock {

namespace {

/// What a correct limiter and a defect beside it have in common.
LimiterInfo infoOf(const Limiter &limiter)
{
    LimiterInfo info;
    info.algorithm = limiter.id();
    info.values = limiter.settings().written();
    info.limit = limiter.limit();
    info.levelUnit = limiter.levelUnit();
    for (const auto &[name, text] : info.values) {
        if (name == QLatin1String("window"))
            info.window = limiter.settings().number(name);
    }
    return info;
}

/// A defect does not tell when its commands were sent and answered: from its call to its return, then.
Task<TimedDecision> decideTimed(Client &client, std::shared_ptr<const DefectiveLimiter> limiter, QByteArray key, qint64 cost, std::optional<qint64> now)
{
    const Recorder *recorder = client.actor().world().recorder;
    const qint64 sent = recorder ? recorder->now() : client.actor().now().count();
    Result<Decision> decision = co_await decide(client, *limiter, std::move(key), cost, now);
    const bool isAnswered = decision.ok() || decision.error().kind == Error::Kind::Failed;
    const qint64 resumed = recorder ? recorder->now() : client.actor().now().count();
    co_return TimedDecision {std::move(decision), sent, isAnswered ? resumed : never};
}

}

PlayedLimiter played(const Limiter &limiter, const QString &name, const QString &title)
{
    PlayedLimiter played;
    played.info = infoOf(limiter);
    played.info.name = name.isEmpty() ? limiter.id() : name;
    played.info.title = title.isEmpty() ? limiter.title() : title;
    const auto shared = std::make_shared<const Limiter>(limiter);
    played.ask = [shared](Client &client, QByteArray key, qint64 cost, std::optional<qint64> now) {
        return decideTimed(client, *shared, std::move(key), cost, now);
    };
    played.keys = [shared](const QByteArray &key) { return shared->keys(key); };
    played.scripts = {limiter.script().name};
    return played;
}

PlayedLimiter played(const DefectiveLimiter &limiter, const QString &twin)
{
    const Defect &defect = limiter.defect();
    PlayedLimiter played;
    played.info = infoOf(limiter.twin());
    played.info.name = defect.algorithm + u' ' + defect.id;
    played.info.title = defect.title;
    played.info.defect = defect.id;
    played.info.twin = twin;
    const auto shared = std::make_shared<const DefectiveLimiter>(limiter);
    played.ask = [shared](Client &client, QByteArray key, qint64 cost, std::optional<qint64> now) {
        return decideTimed(client, shared, std::move(key), cost, now);
    };
    played.keys = [shared](const QByteArray &key) { return shared->keys(key); };
    if (!defect.program)
        played.scripts = {QStringLiteral("limiters/defects/") + defect.id};
    played.needsCallersClock = defect.time == Defect::Time::Caller;
    played.needsServersClock = defect.time == Defect::Time::Server;
    return played;
}

}
