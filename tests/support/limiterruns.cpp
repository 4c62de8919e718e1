// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/limiterruns.h"

#include "engine/base/random.h"
#include "engine/limiters/limiter.h"
#include "engine/run/limiternote.h"

#include <algorithm>

namespace interlock::samples {

namespace {

constexpr qint64 epoch = 1'735'660'800'000'000; ///< µs: what the server's clock says at the run's beginning

qint64 ns(double milliseconds)
{
    return milliseconds < 0 ? never : static_cast<qint64>(milliseconds * 1e6);
}

qint64 us(double milliseconds)
{
    return milliseconds < 0 ? never : static_cast<qint64>(milliseconds * 1e3);
}

struct Sample
{
    const char *name;
    const char *title;
    const char *algorithm;
    QList<std::pair<QString, QString>> values;
    bool hasWindow;
    int keyBytes;
};

QList<Sample> eight()
{
    const std::pair<QString, QString> limit {"limit", "10"}, window {"window", "1s"}, rate {"rate", "10/s"}, capacity {"capacity", "10"};
    return {{"fixed-window", "Fixed window", "fixed-window", {limit, window}, true, 96},
        {"first-hit", "Fixed window, first hit", "fixed-window", {limit, window, {"start", "first-hit"}}, true, 96},
        {"sliding-log", "Sliding log", "sliding-log", {limit, window}, true, 368},
        {"sliding-window", "Sliding window in buckets", "sliding-window", {limit, window, {"buckets", "5"}}, true, 120},
        {"sliding-counter", "Sliding counter", "sliding-counter", {limit, window}, true, 112},
        {"token-bucket", "Token bucket", "token-bucket", {capacity, rate}, false, 96},
        {"leaky-bucket", "Leaky bucket", "leaky-bucket", {capacity, rate}, false, 96},
        {"gcra", "GCRA", "gcra", {limit, {"interval", "100ms"}}, false, 80}};
}

}

LimiterRunBuilder::LimiterRunBuilder()
{
    m_run.header.program = QStringLiteral("interlock 0.1.0");
    m_run.header.experiment = QStringLiteral("limiter-boundary");
    m_run.header.preset = QStringLiteral("break");
    m_run.header.promise = QStringLiteral("Never more than the limit in any window.");
    m_run.header.seed = 7;
    m_run.header.started = QStringLiteral("2024-05-01T12:00:00Z");
    m_run.header.nodes = {{QStringLiteral("redis"), QStringLiteral("independent"), QStringLiteral("7.0.15"), true, {}}};
    m_run.header.lanes = {{Lane::Type::Actor, QStringLiteral("caller"), {}}};
}

LimiterRunBuilder &LimiterRunBuilder::limiter(const QString &name, const QString &algorithm, qint64 limit, double window,
    const QList<std::pair<QString, QString>> &values, const QString &twin, qint64 levelUnit)
{
    LimiterInfo info;
    info.name = name;
    info.title = name;
    info.algorithm = algorithm;
    info.values = values;
    info.limit = limit;
    info.levelUnit = levelUnit;
    info.twin = twin;
    info.window = us(window);
    info.windowStart = epoch;
    m_run.header.limiters.append(info);
    return *this;
}

size_t LimiterRunBuilder::decision(const QString &limiter, double at, LimiterAnswer answer, const Given &given)
{
    Event event {.at = ns(at), .until = ns(at + given.latency), .sent = ns(given.due), .answered = answer == LimiterAnswer::Failed ? never : ns(at + given.latency)};
    event.kind = Event::Kind::Decision;
    event.what = static_cast<quint8>(answer);
    event.lane = m_run.names.intern("caller");
    event.node = m_run.names.intern("redis");
    event.key = m_run.names.intern(given.key);
    event.text = m_run.names.intern(limiter);
    event.flags = answer == LimiterAnswer::Admitted ? Event::Accepted : 0;
    event.number = static_cast<qint64>(m_run.decisions.size());
    DecisionFigures figures;
    figures.cost = given.cost;
    figures.retryAfter = answer == LimiterAnswer::Admitted ? 0 : us(given.retryAfter);
    figures.resetAfter = us(given.resetAfter);
    figures.level = given.level;
    figures.serverTime = epoch + us(at);
    figures.now = given.asked ? us(*given.asked) : figures.serverTime;
    figures.asked = given.asked ? us(*given.asked) : never;
    if (const LimiterInfo *info = m_run.limiter(limiter))
        figures.limit = info->limit;
    if (answer == LimiterAnswer::Failed)
        figures.now = figures.serverTime = figures.limit = 0;
    m_run.decisions.push_back(figures);
    m_run.events.push_back(event);
    return m_run.events.size() - 1;
}

Run LimiterRunBuilder::finish(double duration)
{
    m_run.duration = ns(duration);
    m_run.isComplete = true;
    std::stable_sort(m_run.events.begin(), m_run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
    return std::move(m_run);
}

Requests boundaryBurst(double seconds)
{
    Requests requests;
    for (int i = 0; i < 12; ++i)
        requests.push_back({820 + 5 * i, 1});
    for (int i = 0; i < 12; ++i)
        requests.push_back({1010 + 5 * i, 1});
    for (double at = 1120; at < seconds * 1000; at += 100) {
        requests.push_back({at, 1});
        requests.push_back({at + 30, 1});
    }
    return requests;
}

Run eightLimiters(const Requests &requests)
{
    LimiterRunBuilder builder;
    Random random(11);
    for (const Sample &sample : eight()) {
        const Result<Limiter> limiter = Limiter::make(sample.algorithm, sample.values);
        builder.limiter(sample.name, sample.algorithm, limiter->limit(), sample.hasWindow ? 1000 : 0, sample.values, {}, limiter->levelUnit());
        builder.run().header.limiters.last().title = sample.title;
        const auto model = limiter->reference();
        for (const auto &[at, cost] : requests) {
            const Decision decided = model->decide(epoch + us(at), cost);
            LimiterRunBuilder::Given given;
            given.cost = cost;
            given.due = at;
            given.latency = 0.03 + static_cast<double>(random.below(30)) / 1000;
            const size_t index = builder.decision(sample.name, at, decided.admitted ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, given);
            DecisionFigures &figures = builder.run().decisions[static_cast<size_t>(builder.run().events[index].number)];
            figures.remaining = decided.remaining;
            figures.retryAfter = decided.retryAfter.value_or(never);
            figures.resetAfter = decided.resetAfter;
            figures.delay = decided.delay;
            figures.level = decided.level;
        }
        Run &run = builder.run();
        const qint64 end = ns(requests.back().first);
        run.events.push_back(limiterNote(run.names, LimiterMeasure::KeyBytes, sample.name, sample.keyBytes, end));
        run.events.push_back(limiterNote(run.names, LimiterMeasure::Commands, sample.name, static_cast<qint64>(requests.size()), end));
        run.events.push_back(limiterNote(run.names, LimiterMeasure::Bytes, sample.name, static_cast<qint64>(requests.size()) * 214, end));
    }
    return builder.finish(requests.back().first + 50);
}

Run flooredBucket()
{
    LimiterRunBuilder builder;
    builder.limiter("token-bucket", "token-bucket", 10, 0, {{"capacity", "10"}, {"rate", "10/s"}});
    builder.limiter("token-bucket defect", "token-bucket", 10, 0, {{"capacity", "10"}, {"rate", "10/s"}}, "token-bucket");
    builder.run().header.experiment = QStringLiteral("limiter-defects");
    builder.run().header.limiters[0].title = QStringLiteral("Token bucket");
    builder.run().header.limiters[1].title = QStringLiteral("Refill rounded down");
    builder.run().header.limiters[1].defect = QStringLiteral("floored-refill");
    // One request each 60 ms: the correct bucket gains 0.6 tokens between two, the defect 0.
    qint64 tenths = 100, whole = 10;
    for (int i = 0; i < 60; ++i) {
        const double at = 100 + 60 * i;
        tenths = std::min<qint64>(100, i == 0 ? 100 : tenths + 6);
        const bool passes = tenths >= 10, defectPasses = whole >= 1;
        tenths -= passes ? 10 : 0;
        whole -= defectPasses ? 1 : 0;
        LimiterRunBuilder::Given given;
        given.due = at;
        given.level = tenths / 10;
        given.retryAfter = 100 - static_cast<double>(tenths % 10) * 10;
        builder.decision("token-bucket", at, passes ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, given);
        given.level = whole;
        given.retryAfter = 100;
        builder.decision("token-bucket defect", at, defectPasses ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, given);
    }
    return builder.finish(3800);
}

Run manyDecisions(size_t each, double seconds)
{
    LimiterRunBuilder builder;
    QList<Sample> samples = eight();
    std::vector<Name> names;
    Random random(5);
    for (const Sample &sample : samples) {
        const Result<Limiter> limiter = Limiter::make(sample.algorithm, sample.values);
        builder.limiter(sample.name, sample.algorithm, limiter->limit(), sample.hasWindow ? 1000 : 0, sample.values, {}, limiter->levelUnit());
    }
    LimiterRunBuilder::Given given;
    const double step = seconds * 1000 / static_cast<double>(each);
    for (size_t i = 0; i < each; ++i) {
        for (const Sample &sample : samples) {
            const bool passes = random.below(10) == 0;
            given.level = static_cast<qint64>(random.below(11)) * builder.run().limiter(sample.name)->levelUnit;
            given.retryAfter = 40;
            builder.decision(sample.name, static_cast<double>(i) * step, passes ? LimiterAnswer::Admitted : LimiterAnswer::Rejected, given);
        }
    }
    return builder.finish(seconds * 1000);
}

}
