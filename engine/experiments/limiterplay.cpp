// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/limiterplay.h"

#include "engine/experiments/experiment.h"
#include "engine/run/limiternote.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("LimiterPlay", text);
}

struct Offered
{
    const char *word;
    const char *title;
    const char *algorithm;
    std::pair<const char *, const char *> value {}; ///< over those of the limit and the window
};

constexpr Offered offered[] = {
    {"fixed-window", QT_TRANSLATE_NOOP("LimiterPlay", "Fixed window, aligned"), "fixed-window", {}},
    {"fixed-window-first-hit", QT_TRANSLATE_NOOP("LimiterPlay", "Fixed window, first hit"), "fixed-window", {"start", "first-hit"}},
    {"sliding-log", QT_TRANSLATE_NOOP("LimiterPlay", "Sliding log"), "sliding-log", {}},
    {"sliding-window", QT_TRANSLATE_NOOP("LimiterPlay", "Sliding window in buckets"), "sliding-window", {}},
    {"sliding-counter", QT_TRANSLATE_NOOP("LimiterPlay", "Sliding counter"), "sliding-counter", {}},
    {"token-bucket", QT_TRANSLATE_NOOP("LimiterPlay", "Token bucket"), "token-bucket", {}},
    {"leaky-bucket", QT_TRANSLATE_NOOP("LimiterPlay", "Leaky bucket, meter"), "leaky-bucket", {}},
    {"leaky-bucket-queue", QT_TRANSLATE_NOOP("LimiterPlay", "Leaky bucket, queue"), "leaky-bucket", {"mode", "queue"}},
    {"gcra", QT_TRANSLATE_NOOP("LimiterPlay", "GCRA"), "gcra", {}},
    {"token-bucket-one", QT_TRANSLATE_NOOP("LimiterPlay", "Token bucket of one"), "token-bucket", {"capacity", "1"}},
};

/// The largest of some usual numbers of buckets into which the window can be cut.
qint64 bucketsOf(qint64 window)
{
    for (const qint64 buckets : {10, 8, 6, 5, 4, 3, 2}) {
        if (window % buckets == 0)
            return buckets;
    }
    return 1;
}

/// Eight in a window, the first at once.
std::vector<LimiterRequest> trickle(const QByteArray &key, qint64 from, qint64 until, qint64 window)
{
    std::vector<LimiterRequest> requests;
    for (qint64 at = from; at < until; at += std::max<qint64>(1, window / 8))
        requests.push_back({key, 1, at});
    return requests;
}

QString inMicroseconds(qint64 microseconds)
{
    return QString::number(microseconds) + QStringLiteral("us");
}

std::vector<LimiterRequest> edgeTrafficA(qint64 limit, qint64 window)
{
    const qint64 step = std::max<qint64>(1, window / (6 * limit));
    std::vector<LimiterRequest> requests(static_cast<size_t>(limit), {"caller", 1, window - step});
    for (qint64 at = window; at <= 2 * window - step; at += step)
        requests.push_back({"caller", 1, at});
    return requests;
}

std::vector<LimiterRequest> evenTrafficB(qint64 limit, qint64 window)
{
    const qint64 step = std::max<qint64>(1, 5 * window / (12 * limit));
    std::vector<LimiterRequest> requests;
    for (qint64 at = 0; at < 10 * window; at += step)
        requests.push_back({"caller", 1, at});
    return requests;
}

}

QList<Option> limiterOptions()
{
    QList<Option> options;
    for (const Offered &one : offered)
        options.append({QString::fromLatin1(one.word), tr(one.title)});
    return options;
}

QList<std::pair<QString, QString>> limiterValues(const QString &algorithm, qint64 limit, Nanoseconds window)
{
    const qint64 microseconds = window / 1us;
    const std::pair windowValue {QStringLiteral("window"), inMicroseconds(microseconds)};
    const std::pair limitValue {QStringLiteral("limit"), QString::number(limit)};
    if (algorithm == QLatin1String("token-bucket") || algorithm == QLatin1String("leaky-bucket"))
        return {{QStringLiteral("capacity"), QString::number(limit)},
            {QStringLiteral("rate"), QString::number(limit) + u'/' + inMicroseconds(microseconds)}};
    if (algorithm == QLatin1String("gcra")) // rounded up: never more than the limit in the long run
        return {limitValue, {QStringLiteral("interval"), inMicroseconds((microseconds + limit - 1) / limit)}};
    if (algorithm == QLatin1String("sliding-window"))
        return {limitValue, windowValue, {QStringLiteral("buckets"), QString::number(bucketsOf(microseconds))}};
    return {limitValue, windowValue};
}

Result<PlayedLimiter> limiterOf(const QString &word, qint64 limit, Nanoseconds window)
{
    const auto known = std::find_if(std::begin(offered), std::end(offered), [&](const Offered &one) { return word == QLatin1String(one.word); });
    Q_ASSERT(known != std::end(offered));
    const QString algorithm = QString::fromLatin1(known->algorithm);
    QList<std::pair<QString, QString>> values = limiterValues(algorithm, limit, window);
    if (known->value.first)
        values.append({QString::fromLatin1(known->value.first), QString::fromLatin1(known->value.second)});
    const Result<Limiter> limiter = Limiter::make(algorithm, values);
    if (!limiter)
        return Error {limiter.error().kind, tr("%1: %2").arg(tr(known->title), limiter.error().text)};
    return played(*limiter, word, tr(known->title));
}

void announce(Stage &stage, const PlayedLimiters &limiters, const PlayedRequests &requests)
{
    QSet<QByteArray> keys;
    for (const LimiterRequest &request : *requests)
        keys.insert(request.key);
    for (const PlayedLimiter &limiter : *limiters) {
        stage.recorder().addLimiter(limiter.info);
        for (const QByteArray &key : std::as_const(keys)) {
            for (const QByteArray &name : limiter.keys(Player::redisKey(stage.keyPrefix(), limiter, key)))
                stage.willUse(name);
        }
    }
}

std::vector<LimiterRequest> requestsOf(const Trace &trace, size_t most, qint64 first)
{
    std::vector<LimiterRequest> requests;
    for (const Trace::Row &row : trace.rows) {
        if (requests.size() == most)
            break;
        requests.push_back({trace.keys[row.key], row.cost, std::max<qint64>(0, row.at - first)});
    }
    return requests;
}

Parameter trafficParameter(const Option &own)
{
    return Parameter::choice(QStringLiteral("traffic"), tr("Traffic"), tr("How the requests come."),
        {own, {QStringLiteral("a"), tr("A: one burst before an edge, then evenly")}, {QStringLiteral("b"), tr("B: evenly, at 2.4 times the limit")}}, 0);
}

std::optional<std::vector<LimiterRequest>> trafficOf(const Values &values, qint64 limit, qint64 window)
{
    const QString traffic = values.choice(QStringLiteral("traffic"));
    if (traffic == QLatin1String("a"))
        return edgeTrafficA(limit, window);
    return traffic == QLatin1String("b") ? std::optional(evenTrafficB(limit, window)) : std::nullopt;
}

void note(Stage &stage, const QString &text)
{
    Event event;
    event.kind = Event::Kind::Note;
    event.at = stage.recorder().now();
    event.text = stage.recorder().intern(text);
    stage.recorder().record(event);
}

Task<Result<qint64>> lastEdge(Client &client, qint64 window)
{
    const Answer answer = co_await client.timed("TIME");
    if (!answer.reply)
        co_return answer.reply.error();
    if (answer.reply->elements.size() != 2)
        co_return Error {Error::Kind::Failed, QString::fromUtf8(answer.reply->shown())};
    const qint64 server = answer.reply->elements[0].text.toLongLong() * 1'000'000 + answer.reply->elements[1].text.toLongLong();
    co_return answer.sent + (answer.answered - answer.sent) / 2 - server % window * 1'000;
}

Task<> playRequests(Actor &actor, std::vector<NodeRef> nodes, Playing playing)
{
    Player player(actor, nodes, *playing.limiters, playing.options);
    co_await player.connect();
    const Recorder &recorder = *actor.world().recorder;
    qint64 zero = recorder.now();
    if (const qint64 window = playing.alignedTo; window > 0 && !playing.requests->empty()) {
        Client client(actor, nodes.front());
        const Result<qint64> edge = co_await lastEdge(client, window);
        if (!edge)
            co_return;
        zero = *edge;
        while (zero + playing.requests->front().at * 1'000 < recorder.now())
            zero += window * 1'000;
        const std::vector<LimiterRequest> before = trickle(playing.requests->front().key, (recorder.now() - zero) / 1'000, playing.trickleUntil, window);
        co_await player.play(before, zero);
    }
    co_await player.play(*playing.requests, zero);
    if (playing.looksAfterwards)
        co_await lookAfterwards(actor, player);
}

Task<> lookAfterwards(Actor &actor, Player &player)
{
    co_await player.probe();
    const std::vector<Player::Costs> costs = co_await player.lookAtKeys();
    Recorder &recorder = *actor.world().recorder;
    for (const Player::Costs &one : costs) {
        const std::pair<LimiterMeasure, qint64> measures[]
            = {{LimiterMeasure::KeyBytes, one.keyBytes}, {LimiterMeasure::Commands, one.commands}, {LimiterMeasure::Bytes, one.bytes}};
        for (const auto &[measure, number] : measures)
            recorder.record(limiterNote(recorder.names(), measure, one.limiter, number, recorder.now()));
    }
}

Experiment limiterExperiment(const QString &id, int place)
{
    Experiment experiment;
    experiment.id = id;
    experiment.family = QStringLiteral("limiters");
    experiment.place = place;
    experiment.views = {QStringLiteral("limiters"), QStringLiteral("limiter-table"), QStringLiteral("timeline")};
    experiment.watchesOwners = false;
    return experiment;
}

Parameter clockParameter()
{
    return Parameter::choice(QStringLiteral("clock"), tr("Clock"),
        tr("Whose time the limiters go by. On the caller’s clock requests go as fast as answers come, and each tells its own time."),
        {{QStringLiteral("server"), tr("The server’s")}, {QStringLiteral("caller"), tr("The caller’s")}}, 0);
}

bool isOnCallersClock(const Values &values)
{
    return values.choice(QStringLiteral("clock")) == QLatin1String("caller");
}

}
