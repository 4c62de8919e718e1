// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a lock does on a server. The numbers of rows are those of tests/oracles/locks.md.
#include "engine/locks/scopedlock.h"
#include "engine/schedule/client.h"
#include "tests/support/fakeclock.h"
#include "tests/support/servertest.h"

#include <QTest>

#include <optional>

using namespace interlock;

namespace {

LockOptions optionsFor(const QByteArray &key, Nanoseconds ttl)
{
    LockOptions options;
    options.key = key;
    options.ttl = ttl;
    return options;
}

/// The key's time is up: the server itself lets it expire.
Task<> letExpire(Client &client, QByteArray key)
{
    (void)co_await client.command("PEXPIRE", key, 1);
    for (;;) {
        const Result<Reply> exists = co_await client.command("EXISTS", key);
        if (!exists || exists->isInteger(0))
            co_return;
    }
}

Task<QByteArray> valueOf(Client &client, QByteArray key)
{
    const Result<Reply> reply = co_await client.command("GET", key);
    co_return reply ? reply->text : QByteArray("no answer");
}

/// -2: no key, -1: no TTL; as PTTL says.
Task<qint64> ttlOf(Client &client, QByteArray key)
{
    const Result<Reply> reply = co_await client.command("PTTL", key);
    co_return reply ? reply->integer : -3;
}

}

class LockTest : public ServerTest
{
    Q_OBJECT

private Q_SLOTS:
    void storesItsTokenWithTheTtl_data()
    {
        QTest::addColumn<int>("ttl");
        QTest::addRow("row 1: 10 s") << 10'000;
        QTest::addRow("row 2: 9.5 s") << 9'500;
    }
    void storesItsTokenWithTheTtl()
    {
        QFETCH(int, ttl);
        QByteArray value, token;
        qint64 left = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, Milliseconds(ttl)));
            (void)co_await lock.acquire();
            token = lock.token();
            value = co_await valueOf(client, m_key);
            left = co_await ttlOf(client, m_key);
            (void)co_await lock.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QVERIFY(!token.isEmpty());
        QCOMPARE(value, token);
        QVERIFY2(left > 8'000 && left <= ttl, qPrintable(QString::number(left)));
    }

    void isRefusedToASecondClientUntilTheRelease_data()
    {
        QTest::addColumn<int>("acquiring");
        QTest::addRow("row 3: SET NX PX") << int(Acquiring::SetNxPx);
        QTest::addRow("SETNX") << int(Acquiring::SetNx);
        QTest::addRow("SETNX, then EXPIRE") << int(Acquiring::SetNxThenExpire);
    }
    void isRefusedToASecondClientUntilTheRelease()
    {
        QFETCH(int, acquiring);
        std::optional<bool> first, second, third;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions options = optionsFor(m_key, 10s);
            options.acquiring = Acquiring(acquiring);
            Lock one(client, options);
            Lock other(client, options);
            first = *co_await one.acquire();
            second = *co_await other.acquire();
            (void)co_await one.release();
            third = *co_await other.acquire();
            (void)co_await other.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(first, true);
        QCOMPARE(second, false);
        QCOMPARE(third, true);
    }

    void setWithoutNxTakesTheLockFromItsOwner()
    {
        std::optional<bool> second;
        QByteArray value, token;
        std::optional<Ownership> released;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions options = optionsFor(m_key, 10s);
            options.acquiring = Acquiring::Set;
            Lock one(client, options);
            Lock other(client, options);
            (void)co_await one.acquire();
            second = *co_await other.acquire();
            token = other.token();
            released = *co_await one.release();
            value = co_await valueOf(client, m_key);
            (void)co_await other.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(second, true);
        QCOMPARE(released, Ownership::Other);
        QCOMPARE(value, token);
    }

    /// Whole seconds go by EXPIRE, others by PEXPIRE; bare SETNX has no TTL.
    void acquiringDecidesTheTtl_data()
    {
        QTest::addColumn<int>("acquiring");
        QTest::addColumn<int>("ttl");
        QTest::addColumn<int>("least");
        QTest::addColumn<int>("most");
        QTest::addRow("SETNX") << int(Acquiring::SetNx) << 2'000 << -1 << -1;
        QTest::addRow("EXPIRE") << int(Acquiring::SetNxThenExpire) << 20'000 << 18'000 << 20'000;
        QTest::addRow("PEXPIRE") << int(Acquiring::SetNxThenExpire) << 19'500 << 18'000 << 19'500;
        QTest::addRow("SET") << int(Acquiring::Set) << 20'000 << 18'000 << 20'000;
    }
    void acquiringDecidesTheTtl()
    {
        QFETCH(int, acquiring);
        QFETCH(int, ttl);
        QFETCH(int, least);
        QFETCH(int, most);
        qint64 left = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions options = optionsFor(m_key, Milliseconds(ttl));
            options.acquiring = Acquiring(acquiring);
            Lock lock(client, options);
            (void)co_await lock.acquire();
            left = co_await ttlOf(client, m_key);
            (void)co_await lock.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QVERIFY2(left >= least && left <= most, qPrintable(QString::number(left)));
    }

    /// Row 6. DEL is the twin that does remove it.
    void releaseLeavesAnotherOwnersLock_data()
    {
        QTest::addColumn<int>("releasing");
        QTest::addColumn<int>("expected");
        QTest::addColumn<QByteArray>("left");
        QTest::addRow("row 6: script") << int(Releasing::Script) << int(Ownership::Other) << QByteArray("another");
        QTest::addRow("GET, then DEL") << int(Releasing::GetThenDel) << int(Ownership::Other) << QByteArray("another");
        QTest::addRow("DEL does not") << int(Releasing::Del) << int(Ownership::Own) << QByteArray();
    }
    void releaseLeavesAnotherOwnersLock()
    {
        QFETCH(int, releasing);
        QFETCH(int, expected);
        QFETCH(QByteArray, left);
        std::optional<Ownership> released;
        QByteArray value;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions options = optionsFor(m_key, 10s);
            options.releasing = Releasing(releasing);
            Lock lock(client, options);
            (void)co_await lock.acquire();
            (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            released = *co_await lock.release();
            value = co_await valueOf(client, m_key);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(released, Ownership(expected));
        QCOMPARE(value, left);
    }

    /// Rows 7 and 8.
    void prolongsWhatIsItsOwn_data()
    {
        QTest::addColumn<bool>("extends");
        QTest::addColumn<qint64>("above");
        QTest::addColumn<qint64>("most");
        QTest::addRow("row 7: extend 10 s by 10 s") << true << qint64(16'000) << qint64(20'000);
        QTest::addRow("row 8: renew 5 s to 10 s") << false << qint64(8'000) << qint64(10'000);
    }
    void prolongsWhatIsItsOwn()
    {
        QFETCH(bool, extends);
        QFETCH(qint64, above);
        QFETCH(qint64, most);
        std::optional<Ownership> prolonged;
        qint64 left = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 10s));
            (void)co_await lock.acquire();
            if (extends) {
                prolonged = *co_await lock.extend(10s);
            } else {
                (void)co_await client.command("PEXPIRE", m_key, 5'000);
                prolonged = *co_await lock.renew(10s);
            }
            left = co_await ttlOf(client, m_key);
            (void)co_await lock.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(prolonged, Ownership::Own);
        QVERIFY2(left > above && left <= most, qPrintable(QString::number(left)));
    }

    /// Row 9: by the library, and by the script itself.
    void refusesToProlongByNothing_data()
    {
        QTest::addColumn<bool>("extends");
        QTest::addColumn<int>("milliseconds");
        for (const int milliseconds : {0, -1}) {
            QTest::addRow("renew to %d ms", milliseconds) << false << milliseconds;
            QTest::addRow("extend by %d ms", milliseconds) << true << milliseconds;
        }
    }
    void refusesToProlongByNothing()
    {
        QFETCH(bool, extends);
        QFETCH(int, milliseconds);
        std::optional<Error::Kind> refused;
        QByteArray value, token;
        qint64 code = 0, left = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 10s));
            (void)co_await lock.acquire();
            token = lock.token();
            const Nanoseconds duration = Milliseconds(milliseconds);
            Result<Ownership> answer = Ownership::Own;
            if (extends)
                answer = co_await lock.extend(duration);
            else
                answer = co_await lock.renew(duration);
            if (!answer)
                refused = answer.error().kind;
            const Script &script = Script::named(extends ? QStringLiteral("locks/extend") : QStringLiteral("locks/renew"));
            QList<QByteArray> keys, arguments;
            keys << m_key;
            arguments << token << QByteArray::number(milliseconds);
            const Answer raw = co_await client.evaluate(script, keys, arguments);
            code = raw.reply ? raw.reply->integer : 0;
            value = co_await valueOf(client, m_key);
            left = co_await ttlOf(client, m_key);
            (void)co_await lock.release();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(refused, Error::Kind::Invalid);
        QCOMPARE(code, qint64(-2));
        QCOMPARE(value, token);
        QVERIFY2(left > 8'000 && left <= 10'000, qPrintable(QString::number(left)));
    }

    /// Rows 10, 11 and 19.
    void tellsAnExpiredLockFromAnothers_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<bool>("deleted");
        QTest::addRow("row 10: extend an expired lock") << 0 << false;
        QTest::addRow("renew an expired lock") << 1 << false;
        QTest::addRow("row 11: release an expired lock") << 2 << false;
        QTest::addRow("row 19: extend a deleted lock") << 0 << true;
        QTest::addRow("renew a deleted lock") << 1 << true;
    }
    void tellsAnExpiredLockFromAnothers()
    {
        QFETCH(int, what);
        QFETCH(bool, deleted);
        std::optional<Ownership> expired, another;
        qint64 left = 0;
        const auto ask = [&](Lock &lock) -> Task<std::optional<Ownership>> {
            Result<Ownership> answer = Ownership::Own;
            if (what == 0)
                answer = co_await lock.extend(10s);
            else if (what == 1)
                answer = co_await lock.renew(10s);
            else
                answer = co_await lock.release();
            co_return answer ? std::optional(*answer) : std::nullopt;
        };
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 500ms));
            (void)co_await lock.acquire();
            if (deleted)
                (void)co_await client.command("DEL", m_key);
            else
                co_await letExpire(client, m_key);
            co_await actor.sleep(1s);
            expired = co_await ask(lock);
            left = co_await ttlOf(client, m_key);
            (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            another = co_await ask(lock);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(expired, Ownership::Expired);
        QCOMPARE(left, qint64(-2)); // nothing was created
        QCOMPARE(another, Ownership::Other);
    }

    /// Row 20.
    void releasesAfterTheServerForgotItsScripts()
    {
        std::optional<Ownership> released;
        qint64 left = 0;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 10s));
            (void)co_await lock.acquire();
            (void)co_await client.command("SCRIPT", "FLUSH");
            released = *co_await lock.release();
            left = co_await ttlOf(client, m_key);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(released, Ownership::Own);
        QCOMPARE(left, qint64(-2));
    }

    void theUncheckedRenewalCreatesAnExpiredLockAgain()
    {
        QByteArray value, token;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 500ms));
            (void)co_await lock.acquire();
            token = lock.token();
            co_await letExpire(client, m_key);
            (void)co_await lock.renewUnchecked(client, 60s);
            value = co_await valueOf(client, m_key);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(value, token);
    }

    void anErrorReplyIsNoGrant()
    {
        std::optional<Error> error;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            (void)co_await client.command("SET", m_key + ":counter", "not a number");
            LockOptions options = optionsFor(m_key, 10s);
            options.fencingCounter = m_key + ":counter";
            Lock lock(client, options);
            const Result<bool> acquired = co_await lock.acquire();
            if (!acquired)
                error = acquired.error();
            if (co_await ttlOf(client, m_key) != -2)
                error.reset();
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QVERIFY(error); // and no lock was left behind by the failed script
        QCOMPARE(error->kind, Error::Kind::Failed);
        QCOMPARE(time.beliefs(Belief::Refused).size(), size_t(1));
    }

    /// Row 23.
    void fencingTokensRiseWithEachHold()
    {
        QList<qint64> tokens;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            LockOptions options = optionsFor(m_key, 10s);
            options.fencingCounter = m_key + ":counter";
            for (int i = 0; i < 5; ++i) {
                Lock lock(client, options);
                Lock other(client, options);
                (void)co_await lock.acquire();
                (void)co_await other.acquire(); // refused, and draws no token
                tokens << lock.fencingToken();
                if (i == 2)
                    co_await letExpire(client, m_key);
                else
                    (void)co_await lock.release();
            }
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(tokens, (QList<qint64> {1, 2, 3, 4, 5}));
    }

    /// Rows 24 and 27.
    void aScopedLockGuardsItsBody_data()
    {
        QTest::addColumn<bool>("taken");
        QTest::addColumn<bool>("fails");
        QTest::addRow("row 24: not acquired, so it does not run") << true << false;
        QTest::addRow("row 27: it fails, and the lock is released") << false << true;
        QTest::addRow("it succeeds") << false << false;
    }
    void aScopedLockGuardsItsBody()
    {
        QFETCH(bool, taken);
        QFETCH(bool, fails);
        int runs = 0;
        qint64 during = 0, after = 0;
        std::optional<Result<Scoped>> outcome;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            if (taken)
                (void)co_await client.command("SET", m_key, "another", "PX", 60'000);
            Lock lock(client, optionsFor(m_key, 10s));
            const auto body = [&]() -> Task<Result<void>> {
                ++runs;
                during = co_await ttlOf(client, m_key);
                if (fails)
                    co_return Error {Error::Kind::Failed, QStringLiteral("no paper")};
                co_return Result<void>();
            };
            outcome = co_await withLock(lock, Waiting::once(), body);
            after = co_await ttlOf(client, m_key);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(runs, taken ? 0 : 1);
        if (taken) {
            QCOMPARE(outcome->value(), Scoped::Refused);
            QVERIFY(after > 0);
            return;
        }
        QVERIFY(during > 0);
        QCOMPARE(after, qint64(-2));
        if (fails)
            QCOMPARE(outcome->error().text, QStringLiteral("no paper"));
        else
            QCOMPARE(outcome->value(), Scoped::Done);
    }

    void aScopedLockTellsThatItRanOut()
    {
        std::optional<Result<Scoped>> outcome;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 10s));
            const auto body = [&]() -> Task<Result<void>> {
                co_await letExpire(client, m_key);
                co_return Result<void>();
            };
            outcome = co_await withLock(lock, Waiting::once(), body);
        };
        FakeTime time;
        QVERIFY(time.run(program));
        QCOMPARE(outcome->value(), Scoped::Overrun);
    }

    void worksWithoutARecord()
    {
        std::optional<Ownership> released;
        FakeTime time;
        const auto program = [&](Actor &actor) -> Task<> {
            Client client(actor, m_node);
            Lock lock(client, optionsFor(m_key, 10s));
            (void)co_await lock.acquire();
            (void)co_await lock.renew(20s);
            released = *co_await lock.release();
        };
        Actor actor(QStringLiteral("A"), World {time.clock, time.scheduler, nullptr}, 1);
        actor.run(program(actor));
        QVERIFY(time.pass([&] { return !actor.isAlive(); }));
        QCOMPARE(released, Ownership::Own);
        QVERIFY(time.recorder.events().empty());
    }
};

QTEST_GUILESS_MAIN(LockTest)
#include "tst_lock.moc"
