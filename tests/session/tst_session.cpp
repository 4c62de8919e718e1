// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"
#include "engine/redis/connection.h"
#include "engine/session.h"
#include "tests/support/descendants.h"
#include "tests/support/testserver.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>
#include <QTimer>

#include <csignal>

using namespace interlock;

namespace {

constexpr int runLimit = 30'000;

struct Outcome
{
    std::shared_ptr<const Run> run;
    Verdict verdict;
    std::optional<Error> error;
    int ends = 0; ///< how many finished and failed there were
};

/// Collects what a session says of its runs.
class Listener : public QObject
{
public:
    explicit Listener(Session &session)
    {
        connect(&session, &Session::began, this, [this](quint64 run) { began.append(run); });
        connect(&session, &Session::batchReady, this, [this](const Batch &batch) { events += batch.events.size(); });
        connect(&session, &Session::finished, this,
            [this](quint64 run, std::shared_ptr<const Run> record, const Verdict &verdict) {
                Outcome &outcome = outcomes[run];
                outcome.run = std::move(record);
                outcome.verdict = verdict;
                ++outcome.ends;
            });
        connect(&session, &Session::failed, this, [this](quint64 run, const Error &error) {
            outcomes[run].error = error;
            ++outcomes[run].ends;
        });
    }

    bool await(quint64 run, int limit = runLimit)
    {
        return QTest::qWaitFor([&] { return outcomes[run].ends > 0; }, limit);
    }

    QList<quint64> began;
    size_t events = 0;
    std::map<quint64, Outcome> outcomes;
};

RunRequest request(const QString &preset = QStringLiteral("break"), const QString &experiment = QStringLiteral("lock-release"))
{
    RunRequest request;
    request.experiment = experiment;
    request.preset = preset;
    request.pace = 0.1;
    request.seed = 7;
    return request;
}

bool hasEvent(const Run &run, const std::function<bool(const Event &)> &fits)
{
    return std::any_of(run.events.begin(), run.events.end(), fits);
}

/// What a Redis answers to one command, through a connection of its own.
Reply ask(const Endpoint &endpoint, const Command &command)
{
    struct Receiver : ReplyReceiver
    {
        std::optional<Reply> reply;
        bool hasFailed = false;
        void replied(Reply answer, Nanoseconds) override { reply = std::move(answer); }
        void failed(Error) override { hasFailed = true; }
    } receiver;
    Connection connection(endpoint);
    connection.send(command, 2s, &receiver);
    if (!QTest::qWaitFor([&] { return receiver.reply || receiver.hasFailed; }, 5000) || receiver.hasFailed)
        return {};
    return *receiver.reply;
}

}

class SessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useKeeperOfProgram(); }
    void refusesWhatItCannotRun_data();
    void refusesWhatItCannotRun();
    void batchesAddUpToTheFinishedRun();
    void stopsWithinASecondWhereverItStands_data();
    void stopsWithinASecondWhereverItStands();
    void aStoppedRunIsNeverHeld();
    void startingAgainEndsTheRunBefore();
    void endsWhenItsServerIsKilled();
    void endsWhenTheKeeperIsKilled();
    void leavesNothingBehindWhenItIsDestroyedInMidRun();
    void sixSessionsRunSideBySide();
    void leavesNoKeyOnATarget();
    void ownersOnATargetWithoutNotificationsAreInferred();
    void saysWithinTwoSecondsWhenATargetDoesNotAnswer_data();
    void saysWithinTwoSecondsWhenATargetDoesNotAnswer();
    void keysWithoutTtlAreNotLeftOnATarget();
};

void SessionTest::refusesWhatItCannotRun_data()
{
    QTest::addColumn<RunRequest>("wrong");
    QTest::addColumn<QString>("named");
    RunRequest wrong = request();
    wrong.experiment = QStringLiteral("lock-nonsense");
    QTest::newRow("unknown experiment") << wrong << QStringLiteral("lock-nonsense");
    wrong = request(QStringLiteral("brake"));
    QTest::newRow("unknown preset") << wrong << QStringLiteral("brake");
    wrong = request();
    wrong.values = {{QStringLiteral("tttl"), QStringLiteral("5")}};
    QTest::newRow("unknown value") << wrong << QStringLiteral("tttl");
    wrong = request();
    wrong.pace = 0;
    QTest::newRow("pace of zero") << wrong << QStringLiteral("pace");
}

void SessionTest::refusesWhatItCannotRun()
{
    QFETCH(RunRequest, wrong);
    QFETCH(QString, named);
    Session session;
    const Result<quint64> started = session.start(wrong);
    QVERIFY(!started);
    QCOMPARE(started.error().kind, Error::Kind::Invalid);
    QVERIFY2(started.error().text.contains(named), qPrintable(started.error().text));
    QVERIFY(!session.isRunning());
}

void SessionTest::batchesAddUpToTheFinishedRun()
{
    Session session;
    Listener listener(session);
    const Result<quint64> run = session.start(request());
    QVERIFY(run);
    QVERIFY(listener.await(*run));
    const Outcome &outcome = listener.outcomes[*run];
    QVERIFY2(outcome.run, outcome.error ? qPrintable(outcome.error->text) : "no record");
    QVERIFY2(outcome.run->isComplete, qPrintable(outcome.run->incompleteBecause));
    QCOMPARE(listener.events, outcome.run->events.size());
    QCOMPARE(outcome.verdict.judgement, Judgement::Broken);
    QCOMPARE(outcome.run->header.seed, 7u);
    QVERIFY(std::is_sorted(outcome.run->events.begin(), outcome.run->events.end(),
        [](const Event &left, const Event &right) { return left.at < right.at; }));
    QCOMPARE(outcome.ends, 1);
    QVERIFY(!session.isRunning());
}

void SessionTest::stopsWithinASecondWhereverItStands_data()
{
    QTest::addColumn<int>("afterMs");
    for (const int ms : {0, 1, 3, 10, 20, 40, 60, 80, 120, 200, 400, 800, 1200, 1600, 2000})
        QTest::addRow("after %d ms", ms) << ms;
}

void SessionTest::stopsWithinASecondWhereverItStands()
{
    QFETCH(int, afterMs);
    Session session;
    Listener listener(session);
    const Result<quint64> run = session.start(request());
    QVERIFY(run);
    bool isTime = false;
    QTimer::singleShot(afterMs, this, [&] { isTime = true; });
    QVERIFY(QTest::qWaitFor([&] { return isTime; }, 5000));
    QElapsedTimer since;
    since.start();
    session.stop();
    QVERIFY(listener.await(*run, 1000));
    QVERIFY2(since.elapsed() <= 1000, qPrintable(QString::number(since.elapsed())));
    QCOMPARE(listener.outcomes[*run].ends, 1);
    QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 0, 2000);
}

void SessionTest::aStoppedRunIsNeverHeld()
{
    Session session;
    Listener listener(session);
    const Result<quint64> run = session.start(request(QStringLiteral("safe")));
    QVERIFY(run);
    QVERIFY(QTest::qWaitFor([&] { return listener.events > 10; }, runLimit));
    session.stop();
    QVERIFY(listener.await(*run));
    const Outcome &outcome = listener.outcomes[*run];
    QVERIFY(outcome.run);
    QVERIFY(!outcome.run->isComplete);
    QCOMPARE(outcome.verdict.judgement, Judgement::Unknown);
}

void SessionTest::startingAgainEndsTheRunBefore()
{
    Session session;
    Listener listener(session);
    const Result<quint64> first = session.start(request());
    QVERIFY(first);
    QVERIFY(QTest::qWaitFor([&] { return !listener.began.isEmpty(); }, runLimit));
    const Result<quint64> second = session.start(request());
    QVERIFY(second);
    QCOMPARE(*second, *first + 1);
    QVERIFY(listener.await(*second));
    QVERIFY(listener.outcomes[*first].run);
    QVERIFY(!listener.outcomes[*first].run->isComplete);
    QVERIFY(listener.outcomes[*second].run);
    QVERIFY(listener.outcomes[*second].run->isComplete);
}

void SessionTest::endsWhenItsServerIsKilled()
{
    Session session;
    Listener listener(session);
    const Result<quint64> run = session.start(request(QStringLiteral("safe")));
    QVERIFY(run);
    QVERIFY(QTest::qWaitFor([&] { return listener.events > 10; }, runLimit));
    const QList<qint64> servers = descendants("redis-server");
    QCOMPARE(servers.size(), 1);
    QCOMPARE(::kill(static_cast<pid_t>(servers[0]), SIGKILL), 0);
    QVERIFY(listener.await(*run, 3000));
    const Outcome &outcome = listener.outcomes[*run];
    QVERIFY(outcome.run);
    QVERIFY(!outcome.run->isComplete);
    QVERIFY(outcome.run->events.size() > 10);
    QVERIFY(hasEvent(*outcome.run, [](const Event &event) {
        return event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Killed);
    }));
    QCOMPARE(outcome.verdict.judgement, Judgement::Unknown);
}

void SessionTest::endsWhenTheKeeperIsKilled()
{
    Session session;
    Listener listener(session);
    const Result<quint64> run = session.start(request());
    QVERIFY(run);
    QVERIFY(QTest::qWaitFor([&] { return listener.events > 10; }, runLimit));
    const QList<qint64> keepers = descendants("interlock-keeper") + descendants("interlock");
    QCOMPARE(keepers.size(), 1);
    QCOMPARE(::kill(static_cast<pid_t>(keepers[0]), SIGKILL), 0);
    QVERIFY(listener.await(*run, 3000));
    QVERIFY(listener.outcomes[*run].run);
    QVERIFY(!listener.outcomes[*run].run->isComplete);
}

void SessionTest::leavesNothingBehindWhenItIsDestroyedInMidRun()
{
    {
        Session session;
        Listener listener(session);
        QVERIFY(session.start(request()));
        QVERIFY(QTest::qWaitFor([&] { return listener.events > 0; }, runLimit));
    }
    QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 0, 2000);
}

void SessionTest::sixSessionsRunSideBySide()
{
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<std::unique_ptr<Listener>> listeners;
    for (int i = 0; i < 6; ++i) {
        sessions.push_back(std::make_unique<Session>());
        listeners.push_back(std::make_unique<Listener>(*sessions.back()));
        QVERIFY(sessions.back()->start(request(i % 2 == 0 ? QStringLiteral("break") : QStringLiteral("safe"))));
    }
    for (size_t i = 0; i < sessions.size(); ++i) {
        QVERIFY(listeners[i]->await(1));
        const Outcome &outcome = listeners[i]->outcomes[1];
        QVERIFY2(outcome.run, outcome.error ? qPrintable(outcome.error->text) : "");
        QCOMPARE(outcome.verdict.judgement, i % 2 == 0 ? Judgement::Broken : Judgement::Held);
    }
}

void SessionTest::leavesNoKeyOnATarget()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QVERIFY(ask(server.endpoint(), Command("SET", "owners-data", "1")).isOk());
    Session session;
    Listener listener(session);
    RunRequest onTarget = request();
    onTarget.target = server.endpoint();
    const Result<quint64> run = session.start(onTarget);
    QVERIFY2(run, run ? "" : qPrintable(run.error().text));
    QVERIFY(QTest::qWaitFor([&] { return listener.events > 20; }, runLimit));
    const Reply during = ask(server.endpoint(), Command("KEYS", "*"));
    for (const Reply &key : during.elements) {
        if (key.text == "owners-data")
            continue;
        QVERIFY2(key.text.startsWith("interlock:{"), key.text.constData());
        const Reply ttl = ask(server.endpoint(), Command("PTTL", key.text));
        QVERIFY2(ttl.integer != -1, key.text.constData());
    }
    QVERIFY(listener.await(*run));
    QVERIFY(listener.outcomes[*run].run);
    QCOMPARE(listener.outcomes[*run].verdict.judgement, Judgement::Broken);
    const Reply after = ask(server.endpoint(), Command("KEYS", "*"));
    QCOMPARE(after.elements.size(), 1u);
    QCOMPARE(after.elements[0].text, QByteArray("owners-data"));

    const QByteArray used = ask(server.endpoint(), Command("INFO", "commandstats")).text;
    QVERIFY(used.contains("cmdstat_set:"));
    for (const char *forbidden : {"cmdstat_flush", "cmdstat_config|set", "cmdstat_acl", "cmdstat_client|kill", "cmdstat_debug",
             "cmdstat_shutdown", "cmdstat_failover"})
        QVERIFY2(!used.contains(forbidden), forbidden);
}

void SessionTest::ownersOnATargetWithoutNotificationsAreInferred()
{
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QVERIFY(ask(server.endpoint(), Command("CONFIG", "SET", "notify-keyspace-events", "")).isOk());
    Session session;
    Listener listener(session);
    RunRequest onTarget = request(QStringLiteral("safe"));
    onTarget.target = server.endpoint();
    const Result<quint64> run = session.start(onTarget);
    QVERIFY(run);
    QVERIFY(listener.await(*run));
    const Outcome &outcome = listener.outcomes[*run];
    QVERIFY(outcome.run);
    QCOMPARE(outcome.verdict.judgement, Judgement::Held);
    int owners = 0;
    for (const Event &event : outcome.run->events) {
        if (event.kind != Event::Kind::Owner)
            continue;
        ++owners;
        QVERIFY(event.has(Event::Inferred));
    }
    QVERIFY(owners >= 2);
}

void SessionTest::saysWithinTwoSecondsWhenATargetDoesNotAnswer_data()
{
    QTest::addColumn<QString>("how");
    QTest::newRow("nobody listens") << QStringLiteral("closed");
    QTest::newRow("accepts and stays silent") << QStringLiteral("silent");
    QTest::newRow("needs a password") << QStringLiteral("no password");
    QTest::newRow("another password") << QStringLiteral("wrong password");
}

void SessionTest::saysWithinTwoSecondsWhenATargetDoesNotAnswer()
{
    QFETCH(QString, how);
    TestServer server;
    QVERIFY2(server.isReady(), qPrintable(server.error()));
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Endpoint target = server.endpoint();
    if (how == QStringLiteral("silent") || how == QStringLiteral("closed"))
        target.port = silent.serverPort();
    if (how == QStringLiteral("closed"))
        silent.close();
    if (how == QStringLiteral("no password"))
        target.password.clear();
    if (how == QStringLiteral("wrong password"))
        target.password = "not-the-one-that-was-set";
    Session session;
    Listener listener(session);
    RunRequest onTarget = request();
    onTarget.target = target;
    QElapsedTimer since;
    since.start();
    const Result<quint64> run = session.start(onTarget);
    QVERIFY(run);
    QVERIFY(listener.await(*run, 4000));
    QVERIFY2(since.elapsed() < 2500, qPrintable(QString::number(since.elapsed()))); // 2 s and the way here
    const Outcome &outcome = listener.outcomes[*run];
    QVERIFY(outcome.error);
    QVERIFY2(outcome.error->text.contains(QString::number(target.port)), qPrintable(outcome.error->text));
    QVERIFY(!outcome.error->text.contains(QStringLiteral("not-the-one")));
}

void SessionTest::keysWithoutTtlAreNotLeftOnATarget()
{
    Session session;
    RunRequest onTarget = request(QStringLiteral("break"), QStringLiteral("lock-crash"));
    onTarget.target = Endpoint {QStringLiteral("127.0.0.1"), 1, {}, {}, {}, 0};
    const Result<quint64> run = session.start(onTarget);
    QVERIFY(!run);
    QCOMPARE(run.error().kind, Error::Kind::Invalid);
}

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
