// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/scopedlock.h"
#include "engine/schedule/section.h"

#include <QCoreApplication>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QUuid>

namespace interlock::experiments::lock_fencing {

namespace {

struct LockFencing
{
    Q_DECLARE_TR_FUNCTIONS(LockFencing)
};

constexpr auto beforeTheWrite = "before the write";
constexpr int orderNumber = 1001;

/// The orders: a table with a unique index in an SQLite file of its own. Its calls block for some 100 µs.
class Orders
{
public:
    /// Failed with the database's own words.
    static Result<std::shared_ptr<Orders>> open()
    {
        std::shared_ptr<Orders> orders(new Orders);
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), orders->m_connection);
        database.setDatabaseName(orders->m_directory.filePath(QStringLiteral("orders.sqlite")));
        QSqlQuery query(database);
        // Not written through to the disk: this file does not outlive the run.
        if (!database.open() || !query.exec(QStringLiteral("PRAGMA synchronous = OFF"))
            || !query.exec(QStringLiteral("CREATE TABLE orders (number INTEGER NOT NULL, worker TEXT NOT NULL)"))
            || !query.exec(QStringLiteral("CREATE UNIQUE INDEX one_per_number ON orders (number)")))
            return Error {Error::Kind::Failed,
                LockFencing::tr("The SQLite file for the orders could not be made: %1").arg(database.lastError().text() + query.lastError().text())};
        return orders;
    }
    ~Orders() { QSqlDatabase::removeDatabase(m_connection); }

    /// False if the unique index refused it.
    bool insert(int number, const QString &worker)
    {
        QSqlQuery query(QSqlDatabase::database(m_connection));
        query.prepare(QStringLiteral("INSERT INTO orders (number, worker) VALUES (?, ?)"));
        query.addBindValue(number);
        query.addBindValue(worker);
        return query.exec();
    }

private:
    Orders() = default;

    QTemporaryDir m_directory;
    QString m_connection = QUuid::createUuid().toString();
};

/// The protected resource, as a writer sees it.
struct Storage
{
    QByteArray key; ///< its name in the record, and its key if it is one in Redis
    bool comparesTokens = false;
    std::shared_ptr<Orders> orders; ///< null: the resource is a key in Redis
};

/// Writes to the resource, which decides by itself; the record tells what it answered.
Task<> write(Client &client, Storage storage, qint64 fencingToken)
{
    Actor &actor = client.actor();
    if (storage.orders) {
        const bool isNew = storage.orders->insert(orderNumber, actor.name());
        recordWrite(actor, storage.key, fencingToken, "order " + QByteArray::number(orderNumber), isNew);
        co_return;
    }
    const QByteArray value = actor.name().toUtf8() + "'s update";
    if (storage.comparesTokens) {
        QList<QByteArray> keys;
        keys << storage.key;
        QList<QByteArray> arguments;
        arguments << QByteArray::number(fencingToken) << value;
        const Answer answer = co_await client.evaluate(
            Script::named(QStringLiteral("locks/fenced-write")), std::move(keys), std::move(arguments));
        if (answer.reply)
            recordWrite(actor, storage.key, fencingToken, value, answer.reply->isInteger(1));
        co_return;
    }
    const Result<Reply> reply = co_await client.command("HSET", storage.key, "value", value, "token", fencingToken);
    if (reply)
        recordWrite(actor, storage.key, fencingToken, value, !reply->isError());
}

Task<> writer(Actor &actor, NodeRef node, LockOptions options, Waiting waiting, Storage storage)
{
    Client client(actor, node);
    Lock lock(client, options);
    const auto body = [&]() -> Task<Result<void>> {
        Section section(actor, options.key, lock.token());
        co_await actor.reach(beforeTheWrite);
        co_await write(client, storage, lock.fencingToken());
        co_return Result<void>();
    };
    std::ignore = co_await withLock(lock, waiting, body);
}

Task<> reader(Actor &actor, NodeRef node, QByteArray key)
{
    Client client(actor, node);
    std::ignore = co_await client.command("HGETALL", key);
}

/// Thirty-two holds have been before, so A gets 33 and B 34. Both keys go by themselves if nobody removes them.
Task<Result<void>> prepare(Stage &stage, QByteArray counter, Storage storage)
{
    static constexpr int seconds = 600;
    Client client(stage.director(), stage.node());
    if (const auto set = co_await client.command("SET", counter, 32, "EX", seconds); !set)
        co_return set.error();
    if (storage.orders)
        co_return Result<void>();
    if (const auto set = co_await client.command("HSET", storage.key, "value", "empty", "token", 32); !set)
        co_return set.error();
    if (const auto set = co_await client.command("EXPIRE", storage.key, seconds); !set)
        co_return set.error();
    co_return Result<void>();
}

Task<Result<void>> play(Stage &stage)
{
    const Values &values = stage.values();
    const QString guard = values.choice(QStringLiteral("guard"));
    LockOptions options;
    options.key = stage.key("lock");
    options.fencingCounter = stage.key("fencing");
    options.ttl = values.duration(QStringLiteral("ttl"));
    LockOptions others = options;
    others.ttl = std::max<Nanoseconds>(options.ttl, 10s);
    const Nanoseconds patience = options.ttl + 15s;
    const Waiting waiting = Waiting::fixed(patience, values.duration(QStringLiteral("poll")));
    Storage storage;
    storage.comparesTokens = guard == QLatin1String("token");
    if (guard == QLatin1String("unique")) {
        auto orders = Orders::open();
        if (!orders)
            co_return orders.error();
        storage.orders = *orders;
        storage.key = "orders";
    } else {
        storage.key = stage.key("storage");
    }
    stage.watch(options.key);
    stage.addResource(storage.key);
    if (const auto prepared = co_await prepare(stage, options.fencingCounter, storage); !prepared)
        co_return prepared.error();

    stage.phase(LockFencing::tr("A takes the lock, and is paused before it writes."));
    Actor &a = stage.actor(QStringLiteral("A"), writer, stage.node(), options, Waiting::once(), storage);
    stage.holdAt(a, QString::fromLatin1(beforeTheWrite));
    if (const auto held = co_await stage.heldAt(a, QString::fromLatin1(beforeTheWrite)); !held)
        co_return held.error();
    stage.pause(a);
    stage.proceed(a); // the next thing that A does is to write, once it may go on

    Actor &b = stage.actor(QStringLiteral("B"), writer, stage.node(), others, waiting, storage);
    stage.holdAt(b, QString::fromLatin1(beforeTheWrite));
    if (const auto held = co_await stage.heldAt(b, QString::fromLatin1(beforeTheWrite), patience); !held)
        co_return held.error();
    stage.phase(LockFencing::tr("A’s lock has run out; B takes it and writes."));
    co_await stage.breathe(400ms);
    stage.proceed(b);
    co_await stage.ended(b);
    co_await stage.breathe(700ms);

    stage.phase(LockFencing::tr("A goes on where it was, and writes."));
    stage.resume(a);
    co_await stage.ended(a);
    co_await stage.breathe(300ms);
    if (!storage.orders) {
        Actor &observer = stage.actor(QStringLiteral("observer"), reader, stage.node(), storage.key);
        co_await stage.ended(observer);
    }
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{QStringLiteral("late-write"), {}, true}, {QStringLiteral("mutual-exclusion"), {}, false}};
}

QList<Parameter> parameters()
{
    return {
        Parameter::choice(QStringLiteral("guard"), LockFencing::tr("The resource"), LockFencing::tr("What the resource itself looks at."),
            {{QStringLiteral("none"), LockFencing::tr("Takes every write")},
                {QStringLiteral("token"), LockFencing::tr("Remembers the highest fencing token")},
                {QStringLiteral("unique"), LockFencing::tr("Has a unique index on the order’s number")}},
            0),
        Parameter::duration(QStringLiteral("ttl"), LockFencing::tr("TTL of A"),
            LockFencing::tr("How long A’s lock lives; A is paused for longer than that."), 1500ms, 200ms, 20s),
        Parameter::duration(QStringLiteral("poll"), LockFencing::tr("Poll delay"),
            LockFencing::tr("How long B waits after a refusal before it asks again."), 100ms, 10ms, 2s),
    };
}

QList<Preset> presets()
{
    const Witness pause {QStringLiteral("fault"), QStringLiteral("pause"), 1};
    const Witness a {QStringLiteral("wrote"), QStringLiteral("A"), 1};
    const Witness b {QStringLiteral("wrote"), QStringLiteral("B"), 1};
    return {
        {QStringLiteral("break"), LockFencing::tr("The resource takes every write"), {}, Judgement::Broken, {pause, a, b}},
        {QStringLiteral("safe"), LockFencing::tr("The highest token counts"),
            {{QStringLiteral("guard"), QStringLiteral("token")}}, Judgement::Held, {pause, a, b}},
        {QStringLiteral("safe-idempotent"), LockFencing::tr("A unique index refuses repeats"),
            {{QStringLiteral("guard"), QStringLiteral("unique")}}, Judgement::Held, {pause, a, b}},
    };
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = QStringLiteral("lock-fencing");
    experiment.family = QStringLiteral("locks");
    experiment.place = 7;
    experiment.title = LockFencing::tr("Fencing Token");
    experiment.claim = LockFencing::tr("A lock alone does not stop a late write.");
    experiment.promise = LockFencing::tr("The resource accepts no late write.");
    experiment.parameters = parameters();
    experiment.presets = presets();
    experiment.views = {QStringLiteral("timeline")};
    experiment.checks = checks;
    experiment.play = play;
    experiment.limit = 100s;
    return experiment;
}

}
