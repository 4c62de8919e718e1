// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run on the primary that sentinels name: that it is one like on any server of the user's, and what is said if there is none.
#include "engine/session.h"
#include "tests/redis/fakeredis.h"
#include "tests/redis/waiter.h"
#include "tests/support/testgroup.h"
#include "tests/support/testserver.h"

#include <QElapsedTimer>
#include <QTest>

using namespace interlock;

namespace {

const Endpoint nobody {"127.0.0.1", 1, {}, {}, {}, 0};

/// One run, and what came of it.
class OneRun
{
public:
    explicit OneRun(const SentinelEndpoint &target, const QString &experiment = "lock-release", const QString &preset = "safe")
    {
        QObject::connect(&m_session, &Session::batchReady, [this](const Batch &batch) { events += batch.events.size(); });
        QObject::connect(&m_session, &Session::finished, [this](quint64, std::shared_ptr<const Run> finished, const Verdict &judged) {
            run = std::move(finished);
            verdict = judged;
        });
        QObject::connect(&m_session, &Session::failed, [this](quint64, const Error &failed) { error = failed; });
        RunRequest request;
        request.experiment = experiment;
        request.preset = preset;
        request.pace = 0.1;
        request.target = target;
        const Result<quint64> started = m_session.start(request);
        if (!started)
            error = started.error();
    }

    bool awaitEnd(int limit = 30'000)
    {
        return QTest::qWaitFor([this] { return run || error; }, limit);
    }

    size_t events = 0;
    std::shared_ptr<const Run> run;
    Verdict verdict;
    std::optional<Error> error;

private:
    Session m_session;
};

SentinelEndpoint targetOf(const QList<Endpoint> &sentinels, const Endpoint &server = {})
{
    SentinelEndpoint target;
    target.sentinels = sentinels;
    target.primaryName = "mymaster";
    target.user = server.user;
    target.password = server.password;
    return target;
}

QList<QByteArray> keysOf(Connection &server)
{
    QList<QByteArray> keys;
    for (const Reply &key : ask(server, "KEYS", "*").elements)
        keys.append(key.text);
    return keys;
}

}

class TestSentinelTarget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsOnThePrimary()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        FakeSentinel sentinel(server.endpoint());
        Connection owner(server.endpoint());
        QVERIFY(ask(owner, "SET", "owners-data", 1).isOk());
        OneRun one(targetOf({nobody, sentinel.endpoint()}, server.endpoint()));
        QTRY_VERIFY_WITH_TIMEOUT(one.events > 20 || one.run || one.error, 30'000);
        QVERIFY2(!one.error, one.error ? qPrintable(one.error->text) : "");
        for (const QByteArray &key : keysOf(owner)) {
            QVERIFY2(key == "owners-data" || key.startsWith("interlock:{"), key.constData());
            QVERIFY2(key == "owners-data" || ask(owner, "PTTL", key).integer != -1, key.constData());
        }
        QVERIFY(one.awaitEnd());
        QVERIFY2(one.run && one.run->isComplete, one.error ? qPrintable(one.error->text) : "");
        QCOMPARE(one.verdict.judgement, Judgement::Held);
        QCOMPARE(keysOf(owner), QList<QByteArray> {"owners-data"});

        const Header &header = one.run->header;
        QCOMPARE(header.target,
            QStringLiteral("sentinel://127.0.0.1:1,127.0.0.1:%1/mymaster → %2").arg(QString::number(sentinel.endpoint().port), server.endpoint().shown()));
        QCOMPARE(header.nodes.size(), 1);
        QCOMPARE(header.nodes[0].role, "primary");
        QVERIFY(!header.nodes[0].isPrivate);
        const QByteArray used = ask(owner, "INFO", "commandstats").text;
        QVERIFY(used.contains("cmdstat_role:"));
        for (const char *forbidden : {"cmdstat_flush", "cmdstat_config|set", "cmdstat_acl", "cmdstat_client|kill", "cmdstat_debug", "cmdstat_failover"})
            QVERIFY2(!used.contains(forbidden), forbidden);
    }

    /// Sentinels that let nobody in but a user with the rights to ask them and to listen, and his password.
    void logsInAtSentinelsAsTheirUser()
    {
        TestGroup test;
        QVERIFY2(test.isReady(), qPrintable(test.error()));
        QStringList places;
        for (const char *name : {"S1", "S2", "S3"}) {
            const Reply made = test.ask(name, "ACL", "SETUSER", "watcher", "on", ">his word", "allchannels", "+@connection", "+sentinel|get-master-addr-by-name",
                "+sentinel|sentinels", "+subscribe", "+psubscribe");
            QVERIFY2(made.isOk(), made.shown().constData());
            QVERIFY(test.ask(name, "ACL", "SETUSER", "default", "off").isOk());
            const Endpoint announced = test.group().node(name).announced;
            places.append(QString("%1:%2").arg(announced.host).arg(announced.port));
        }
        const QString address = QString("sentinel://:%1@%2/lab").arg(QString::fromUtf8(test.group().node("N1").direct.password.toPercentEncoding()), places.join(u','));
        const auto run = [&](const QString &options) { return std::make_unique<OneRun>(SentinelEndpoint::parse(address + options).value()); };
        const auto his = run("?sentinel-user=watcher&sentinel-password=his%20word");
        QVERIFY(his->awaitEnd());
        QVERIFY2(his->run && his->run->isComplete, his->error ? qPrintable(his->error->text) : "");
        QCOMPARE(his->verdict.judgement, Judgement::Held);
        QVERIFY2(!his->run->header.target.contains("watcher") && !his->run->header.target.contains("word"), qPrintable(his->run->header.target));

        for (const char *options : {"?sentinel-password=his%20word", "?sentinel-user=watcher&sentinel-password=another"}) {
            const auto other = run(options);
            QVERIFY(other->awaitEnd());
            QVERIFY2(other->error && other->error->text.contains("refused the password"), options);
        }
    }

    /// Another server has become the primary meanwhile, with copies of the keys.
    void cleansUpWhereThePrimaryIsThen()
    {
        TestServer before;
        TestServer after;
        QVERIFY(before.isReady() && after.isReady());
        FakeSentinel sentinel(before.endpoint());
        Connection old(before.endpoint());
        Connection promoted(after.endpoint());
        // One login for all servers, as the address has it.
        QVERIFY(ask(promoted, "ACL", "SETUSER", "default", '>' + before.endpoint().password).isOk());
        OneRun one(targetOf({sentinel.endpoint()}, before.endpoint()));
        QTRY_VERIFY_WITH_TIMEOUT(one.run || one.error || !keysOf(old).isEmpty(), 30'000);
        QVERIFY2(!one.run && !one.error, one.error ? qPrintable(one.error->text) : "");
        const QList<QByteArray> copied = keysOf(old);
        for (const QByteArray &key : copied)
            QVERIFY(ask(promoted, "SET", key, 1).isOk());
        QVERIFY(!copied.isEmpty());
        QVERIFY(ask(promoted, "SET", "owners-data", 1).isOk());
        sentinel.names = after.endpoint();
        QVERIFY(one.awaitEnd());
        QVERIFY(one.run);
        QCOMPARE(keysOf(promoted), QList<QByteArray> {"owners-data"});
    }

    void saysWithinTwoSecondsWhyThereIsNoPrimary_data()
    {
        QTest::addColumn<QString>("said");
        QTest::newRow("nobody listens") << "The sentinel at 127.0.0.1:1 could not be asked: ";
        QTest::newRow("silent sentinels") << "did not answer within 500 ms";
        QTest::newRow("unknown name") << "does not know that name.";
        QTest::newRow("a replica") << "which is a replica.";
        QTest::newRow("a silent server") << "did not answer within 500 ms";
        QTest::newRow("a server with another password") << "refused the password";
    }
    void saysWithinTwoSecondsWhyThereIsNoPrimary()
    {
        QFETCH(QString, said);
        const QByteArray what = QTest::currentDataTag();
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        FakeServer silent;
        FakeServer silentToo;
        FakeNode replica("slave");
        FakeSentinel sentinel;
        if (what == "a replica")
            sentinel.names = replica.endpoint();
        if (what == "a silent server")
            sentinel.names = silent.endpoint();
        if (what == "a server with another password")
            sentinel.names = server.endpoint();
        SentinelEndpoint target = targetOf({sentinel.endpoint()});
        if (what == "nobody listens")
            target.sentinels = {nobody};
        if (what == "silent sentinels")
            target.sentinels = {silent.endpoint(), silentToo.endpoint(), silent.endpoint()};
        target.password = "hidden-word";
        QElapsedTimer since;
        since.start();
        OneRun one(target);
        QVERIFY(one.awaitEnd(4'000));
        QVERIFY2(since.elapsed() < 2'500, qPrintable(QString::number(since.elapsed()))); // 2 s and the way here
        QVERIFY(one.error);
        QVERIFY2(one.error->text.contains(said), qPrintable(one.error->text));
        QVERIFY2(one.error->text.startsWith("The primary “mymaster” was not found"), qPrintable(one.error->text));
        QVERIFY(!one.error->text.contains("hidden-word"));
    }

    /// What no target may be used for is refused before anybody is asked.
    void refusesWhatNeedsItsOwnServers()
    {
        FakeSentinel sentinel;
        OneRun one(targetOf({sentinel.endpoint()}), "lock-crash", "break");
        QVERIFY(one.error);
        QCOMPARE(one.error->kind, Error::Kind::Invalid);
        QCOMPARE(sentinel.commands().size(), size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestSentinelTarget)
#include "tst_sentineltarget.moc"
