// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scripts and reference models on random traffic: they agree on every field of every answer.
#include "engine/base/random.h"
#include "tests/limiters/limitertrials.h"
#include "tests/support/servertest.h"

#include <QTest>

using namespace interlock;

namespace {

constexpr int traces = 100;
constexpr int requestsPerTrace = 2'000;

using Pairs = QList<std::pair<QString, QString>>;

QString number(quint64 value)
{
    return QString::number(value);
}

/// Small and large values, even ones and such that leave fractions everywhere.
Pairs randomValues(const QString &algorithm, Random &random)
{
    static const QStringList windows {"1ms", "7us", "333us", "10ms", "1s", "60s", "97s", "3600s", "2592000s"};
    static const QStringList rates {"1/s", "3/s", "7/s", "0.7/s", "10/60s", "7/11s", "1000/s", "999983/s", "1000000/s", "2.5/7ms"};
    const auto oneOf = [&](const QStringList &list) { return list.at(static_cast<qsizetype>(random.below(static_cast<quint64>(list.size())))); };
    const QString limit = number(random.below(3) == 0 ? 1 + random.below(5) : 1 + random.below(200));
    if (algorithm == "fixed-window")
        return {{"limit", limit}, {"window", oneOf(windows)}, {"start", oneOf({"aligned", "first-hit"})}};
    if (algorithm == "sliding-window") {
        const quint64 buckets = 1 + random.below(12);
        return {{"limit", limit}, {"buckets", number(buckets)}, {"window", number(buckets * (1 + random.below(5'000'000))) + "us"}};
    }
    if (algorithm == "token-bucket")
        return {{"capacity", limit}, {"rate", oneOf(rates)}, {"initial", number(random.below(limit.toULongLong() + 1))}};
    if (algorithm == "leaky-bucket")
        return {{"capacity", limit}, {"rate", oneOf(rates)}, {"mode", oneOf({"police", "queue"})}};
    if (algorithm == "gcra")
        return {{"limit", limit}, {"interval", oneOf({"1us", "7us", "1ms", "333ms", "1s", "60s"})}};
    // Large limits, so that products do not fit into 53 bits.
    const bool isHuge = algorithm == "sliding-counter" && random.below(3) == 0;
    return {{"limit", isHuge ? number(1 + random.below(mostCount)) : limit}, {"window", oneOf(windows)}};
}

/// How long it takes to use the limiter up, roughly: gaps are drawn around it, so that there are admissions and rejections.
qint64 typicalGap(const Settings &settings, qint64 limit)
{
    for (const auto &[name, text] : settings.written()) {
        if (name == "window")
            return std::max<qint64>(1, settings.number("window") / std::min<qint64>(limit, 200));
        if (name == "interval")
            return settings.number("interval");
        if (name == "rate")
            return std::max<qint64>(1, settings.rate("rate").period / settings.rate("rate").amount);
    }
    return 1;
}

/// Mixed costs from 0 to one above the limit, bursts, pauses, and a clock that steps back now and then.
LimiterRequests randomTraffic(const Limiter &limiter, const QByteArray &key, Random &random)
{
    const auto below = [&](qint64 bound) { return static_cast<qint64>(random.below(static_cast<quint64>(bound))); };
    // Capped, so that the whole trace stays within what limiters take for a time.
    const qint64 gap = std::min<qint64>(typicalGap(limiter.settings(), limiter.limit()), 500'000'000'000);
    LimiterRequests requests;
    qint64 now = below(2) == 0 ? below(1'000'000) : 1'700'000'000'000'000 + below(1'000'000'000);
    qint64 burst = 0;
    for (int i = 0; i < requestsPerTrace; ++i) {
        if (burst > 0)
            --burst;
        else if (below(40) == 0)
            burst = below(30);
        else if (below(50) == 0)
            now += below(gap * 100 + 1);
        else if (below(60) == 0)
            now = std::max<qint64>(0, now - below(gap * 20 + 1));
        else
            now += below(gap * 2 + 1);
        now = std::min(now, mostNumber);
        const bool isUnit = below(2) == 0 && limiter.limit() < 1'000;
        requests.push_back({key, isUnit ? 1 : below(limiter.limit() + 2), now});
    }
    return requests;
}

}

class TestLimiterTwins : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void agreeOnEveryField_data()
    {
        QTest::addColumn<QString>("algorithm");
        for (const Algorithm &algorithm : Limiter::algorithms())
            QTest::newRow(qPrintable(algorithm.id)) << algorithm.id;
    }
    void agreeOnEveryField()
    {
        QFETCH(QString, algorithm);
        qint64 admitted = 0;
        qint64 never = 0;
        qint64 all = 0;
        for (int trace = 0; trace < traces; ++trace) {
            Random random(static_cast<quint64>(trace) + 1);
            const Pairs values = randomValues(algorithm, random);
            const Result<Limiter> limiter = Limiter::make(algorithm, values);
            QVERIFY2(limiter.ok(), limiter ? "" : qPrintable(limiter.error().text));
            const LimiterRequests requests = randomTraffic(*limiter, algorithm.toUtf8() + QByteArray::number(trace), random);
            const auto reference = byReference(*limiter, requests);
            const QString differs = difference(requests, byScript(*m_connection, *limiter, requests), reference);
            QStringList words;
            for (const auto &[name, text] : limiter->settings().written())
                words.append(name + '=' + text);
            QVERIFY2(differs.isEmpty(), qPrintable(QString("trace %1, %2: %3").arg(trace).arg(words.join(' '), differs)));
            for (const Decision &decision : reference) {
                admitted += decision.admitted ? 1 : 0;
                never += decision.retryAfter ? 0 : 1;
            }
            all += static_cast<qint64>(reference.size());
        }
        QCOMPARE(all, qint64(traces) * requestsPerTrace);
        // The traffic says something: much of it passes, much of it does not.
        QVERIFY2(admitted > all / 5 && admitted < all * 4 / 5, qPrintable(QString("%1 of %2 admitted").arg(admitted).arg(all)));
        QVERIFY(never > 100);
    }

    /// With matched values a full bucket, GCRA and the meter answer alike.
    void bucketMeterAndGcraAnswerAlike()
    {
        const Result<Limiter> bucket = Limiter::make("token-bucket", {{"capacity", "20"}, {"rate", "10/s"}});
        const Result<Limiter> meter = Limiter::make("leaky-bucket", {{"capacity", "20"}, {"rate", "10/s"}});
        const Result<Limiter> gcra = Limiter::make("gcra", {{"limit", "20"}, {"interval", "100ms"}});
        Random random(7);
        const LimiterRequests requests = randomTraffic(*bucket, "alike", random);
        const auto first = byReference(*bucket, requests);
        for (const Limiter &other : {*meter, *gcra}) {
            auto answers = byReference(other, requests);
            for (size_t i = 0; i < answers.size(); ++i)
                answers[i].level = first[i].level; // each counts in its own way
            QCOMPARE(difference(requests, answers, first), QString());
        }
    }

    /// The comparison is one: a change of any field is found.
    void aDifferenceIsSeen()
    {
        const Result<Limiter> limiter = Limiter::make("gcra");
        const LimiterRequests requests {{"key", 1, 5}, {"key", 2, 6}};
        const auto right = byReference(*limiter, requests);
        QCOMPARE(difference(requests, right, right), QString());
        const auto isSeen = [&](auto change) {
            auto wrong = right;
            change(wrong[1]);
            return difference(requests, wrong, right).startsWith("request 1");
        };
        QVERIFY(isSeen([](Decision &decision) { decision.admitted = !decision.admitted; }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.limit; }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.remaining; }));
        QVERIFY(isSeen([](Decision &decision) { decision.retryAfter.reset(); }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.resetAfter; }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.delay; }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.level; }));
        QVERIFY(isSeen([](Decision &decision) { ++decision.now; }));
        QVERIFY(!difference(requests, {}, right).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestLimiterTwins)
#include "tst_limitertwins.moc"
