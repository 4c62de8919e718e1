// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "engine/checks/checks.h"
#include "engine/limiters/limiter.h"
#include "engine/limiters/reference.h"
#include "engine/run/recorder.h"

#include <QTest>

#include <ctime>

using namespace interlock;

namespace {

using Values = QList<std::pair<QString, QString>>;

const CheckUse own {QStringLiteral("limiter-bound"), {}, true};
const CheckUse twin {QStringLiteral("twin-equality"), {}, true};

/// Random traffic on an explicit clock, decided by the reference model.
Run trafficOf(const QString &algorithm, const Values &values, quint64 seed, size_t count)
{
    const Result<Limiter> limiter = Limiter::make(algorithm, values);
    if (!limiter)
        qFatal("%s", qPrintable(limiter.error().text));
    const std::unique_ptr<ReferenceModel> model = limiter->reference();
    Random random(seed);
    Recorder recorder([] { return Nanoseconds(0); });
    LimiterInfo info;
    info.name = info.title = info.algorithm = algorithm;
    info.values = values;
    info.limit = limiter->limit();
    recorder.addLimiter(info);
    Event event;
    event.lane = recorder.intern("A");
    event.key = recorder.intern("api");
    event.text = recorder.intern(algorithm);
    qint64 asked = 1'700'000'000'000'000;
    for (size_t i = 0; i < count; ++i) {
        asked += random.below(3) == 0 ? 0 : qint64(random.below(random.below(8) == 0 ? 3'000'000 : 150'000));
        const qint64 cost = 1 + qint64(random.below(3));
        const Decision decision = model->decide(asked, cost);
        event.at = qint64(i) * 1'000;
        event.answered = event.at + 500;
        event.what = quint8(decision.admitted ? LimiterAnswer::Admitted : LimiterAnswer::Rejected);
        event.flags = decision.admitted ? Event::Accepted : 0;
        recorder.recordDecision(event,
            {cost, decision.limit, decision.remaining, decision.retryAfter.value_or(never), decision.resetAfter, decision.delay, decision.level,
                decision.now, 1, asked});
    }
    return recorder.finish();
}

/// Makes an admission of a rejection somewhere in the middle, with the delay that a queue would give it.
bool admitOneMore(Run &run, Random &random)
{
    std::vector<Event *> rejections;
    for (Event &event : run.events) {
        if (static_cast<LimiterAnswer>(event.what) == LimiterAnswer::Rejected)
            rejections.push_back(&event);
    }
    if (rejections.empty())
        return false;
    Event &event = *rejections[random.below(rejections.size())];
    event.what = quint8(LimiterAnswer::Admitted);
    event.flags = Event::Accepted;
    return true;
}

}

class LimiterBound : public QObject
{
    Q_OBJECT

private slots:
    void whatTheModelAdmitsIsHeldAndOneMoreIsNot_data();
    void whatTheModelAdmitsIsHeldAndOneMoreIsNot();
    void aQueueThatPassesTooEarlyIsBroken();
    void judgesAMillionDecisionsInLinearTime();
    void theFactsAreThoseOfTheWorstLimiter();
};

void LimiterBound::whatTheModelAdmitsIsHeldAndOneMoreIsNot_data()
{
    QTest::addColumn<QString>("algorithm");
    QTest::addColumn<Values>("values");
    const auto row = [](const char *name, const char *algorithm, const Values &values) { QTest::newRow(name) << QString(algorithm) << values; };
    row("fixed window", "fixed-window", {{"limit", "7"}, {"window", "1s"}});
    row("fixed window from the first hit", "fixed-window", {{"limit", "7"}, {"window", "1s"}, {"start", "first-hit"}});
    row("sliding log", "sliding-log", {{"limit", "7"}, {"window", "1s"}});
    row("sliding counter", "sliding-counter", {{"limit", "7"}, {"window", "777777us"}});
    row("sliding window in buckets", "sliding-window", {{"limit", "7"}, {"window", "1s"}, {"buckets", "5"}});
    row("token bucket", "token-bucket", {{"capacity", "7"}, {"rate", "7/s"}});
    row("token bucket of an odd rate", "token-bucket", {{"capacity", "5"}, {"rate", "0.7/77ms"}});
    row("leaky bucket as a meter", "leaky-bucket", {{"capacity", "7"}, {"rate", "7/s"}});
    row("leaky bucket as a queue", "leaky-bucket", {{"capacity", "7"}, {"rate", "7/s"}, {"mode", "queue"}});
    row("leaky bucket as a queue of an odd rate", "leaky-bucket", {{"capacity", "5"}, {"rate", "0.7/77ms"}, {"mode", "queue"}});
    row("GCRA", "gcra", {{"limit", "7"}, {"interval", "142857us"}});
}

void LimiterBound::whatTheModelAdmitsIsHeldAndOneMoreIsNot()
{
    QFETCH(QString, algorithm);
    QFETCH(Values, values);
    for (quint64 seed = 1; seed <= 20; ++seed) {
        Run run = trafficOf(algorithm, values, seed, 400);
        const CheckResult held = findCheck(own.check)(run, own);
        QVERIFY2(held.judgement == Judgement::Held, qPrintable(text(held.sentences)));
        const CheckResult equal = findCheck(twin.check)(run, twin);
        QVERIFY2(equal.judgement == Judgement::Held, qPrintable(text(equal.sentences)));
        Random random(seed);
        QVERIFY(admitOneMore(run, random));
        QCOMPARE(findCheck(twin.check)(run, twin).judgement, Judgement::Broken);
        const CheckResult broken = findCheck(own.check)(run, own);
        // An admission that was recorded without a queue's delay passes among those that wait.
        QVERIFY2(broken.judgement == Judgement::Broken, qPrintable(text(broken.sentences)));
        QVERIFY(!broken.events.empty());
    }
}

void LimiterBound::aQueueThatPassesTooEarlyIsBroken()
{
    Run run = trafficOf(QStringLiteral("leaky-bucket"), {{"capacity", "7"}, {"rate", "3/s"}, {"mode", "queue"}}, 3, 400);
    const auto waits = std::find_if(run.decisions.begin() + 200, run.decisions.end(), [](const DecisionFigures &each) { return each.delay > 10; });
    waits->delay -= 2; // one could be rounding
    QCOMPARE(findCheck(own.check)(run, own).judgement, Judgement::Broken);
    waits->delay += 2;
    QCOMPARE(findCheck(own.check)(run, own).judgement, Judgement::Held);
}

void LimiterBound::judgesAMillionDecisionsInLinearTime()
{
    Run run = trafficOf(QStringLiteral("sliding-log"), {{"limit", "50000"}, {"window", "3600s"}}, 1, 20'000);
    const std::vector<Event> events = run.events;
    const std::vector<DecisionFigures> decisions = run.decisions;
    const qint64 span = decisions.back().asked - decisions.front().asked + 1;
    while (run.events.size() < 1'000'000) {
        const qint64 round = qint64(run.events.size() / events.size());
        for (size_t i = 0; i < events.size(); ++i) {
            run.events.push_back(events[i]);
            run.events.back().at += round * 20'000'000;
            run.events.back().answered += round * 20'000'000;
            run.events.back().number = qint64(run.decisions.size());
            run.decisions.push_back(decisions[i]);
            run.decisions.back().now += round * span;
            run.decisions.back().asked += round * span;
        }
    }
    const CheckUse trailing {own.check, {{"bound", "trailing"}, {"limit", "4000000"}, {"window", "3600000000"}}, true};
    const std::clock_t began = std::clock(); // the processor's time, since tests run beside each other
    const CheckResult result = findCheck(own.check)(run, trailing);
    const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
    qInfo("%zu decisions: %.2f s", run.decisions.size(), took);
    QCOMPARE(result.judgement, Judgement::Held);
    QVERIFY2(took < 30, "A pass over every pair of decisions would take hours.");
}

void LimiterBound::theFactsAreThoseOfTheWorstLimiter()
{
    Run run = trafficOf(QStringLiteral("fixed-window"), {{"limit", "5"}, {"window", "10s"}}, 1, 300);
    const CheckUse trailing {own.check, {{"bound", "trailing"}, {"window", "10000000"}}, true};
    const CheckResult result = findCheck(own.check)(run, trailing);
    QCOMPARE(result.facts.size(), 2);
    QCOMPARE(result.facts[0].first, QStringLiteral("mostInWindow"));
    QCOMPARE(result.facts[1], std::pair(QStringLiteral("limit"), qint64(5)));
    run.header.checks = {trailing};
    const Verdict verdict = judge(run);
    QVERIFY(verdictLine(run, verdict).contains("\"mostInWindow\":" + QByteArray::number(result.facts[0].second)));
}

QTEST_GUILESS_MAIN(LimiterBound)
#include "tst_limiterbound.moc"
