// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What sentinels and servers say, and how patiently they are asked.
#include "engine/redis/sentinel.h"

#include <QTest>

#include <set>

using namespace interlock;

namespace {

Reply text(const char *words)
{
    return {ReplyType::String, 0, words, {}};
}

Reply list(std::vector<Reply> elements)
{
    return {ReplyType::Array, 0, {}, std::move(elements)};
}

const Reply nothing {ReplyType::Nil, 0, {}, {}};
const Reply refusal {ReplyType::Error, 0, "NOAUTH Authentication required.", {}};

}

class tst_Sentinel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsThePrimary_data();
    void readsThePrimary();
    void readsTheRole_data();
    void readsTheRole();
    void readsASwitch_data();
    void readsASwitch();
    void pausesGrowUpToTheMost();
    void pausesAreRepeatedByASeed();
};

void tst_Sentinel::readsThePrimary_data()
{
    QTest::addColumn<Reply>("reply");
    QTest::addColumn<QString>("read"); // "!…": fails, and says so

    QTest::newRow("address") << list({text("127.0.0.1"), text("6390")}) << "127.0.0.1:6390";
    QTest::newRow("IPv6") << list({text("::1"), text("1")}) << "[::1]:1";
    QTest::newRow("name of a host") << list({text("redis.example"), text("65535")}) << "redis.example:65535";
    QTest::newRow("unknown name") << nothing << "";
    QTest::newRow("error") << refusal << "!NOAUTH Authentication required.";
    QTest::newRow("one word") << list({text("h")}) << "![\"h\"]";
    QTest::newRow("three words") << list({text("h"), text("1"), text("2")}) << "![\"h\", \"1\", \"2\"]";
    QTest::newRow("no port") << list({text("h"), text("x")}) << "![\"h\", \"x\"]";
    QTest::newRow("port 0") << list({text("h"), text("0")}) << "![\"h\", \"0\"]";
    QTest::newRow("port too large") << list({text("h"), text("65536")}) << "![\"h\", \"65536\"]";
    QTest::newRow("no host") << list({text(""), text("1")}) << "![\"\", \"1\"]";
    QTest::newRow("text") << text("h") << "!\"h\"";
}

void tst_Sentinel::readsThePrimary()
{
    QFETCH(Reply, reply);
    QFETCH(QString, read);
    const Result<std::optional<ServerAddress>> primary = primaryFrom(reply);
    QCOMPARE(primary ? (*primary ? (*primary)->shown() : QString()) : u'!' + primary.error().text, read);
}

void tst_Sentinel::readsTheRole_data()
{
    QTest::addColumn<Reply>("reply");
    QTest::addColumn<QString>("read");

    QTest::newRow("primary") << list({text("master"), {ReplyType::Integer, 7, {}, {}}, list({})}) << "master";
    QTest::newRow("replica") << list({text("slave"), text("127.0.0.1"), {ReplyType::Integer, 6390, {}, {}}}) << "slave";
    QTest::newRow("sentinel") << list({text("sentinel"), list({text("mymaster")})}) << "sentinel";
    QTest::newRow("error") << refusal << "!NOAUTH Authentication required.";
    QTest::newRow("empty list") << list({}) << "![]";
    QTest::newRow("number first") << list({{ReplyType::Integer, 1, {}, {}}}) << "![1]";
    QTest::newRow("nothing") << nothing << "!(nil)";
}

void tst_Sentinel::readsTheRole()
{
    QFETCH(Reply, reply);
    QFETCH(QString, read);
    const Result<QString> role = roleFrom(reply);
    QCOMPARE(role ? *role : u'!' + role.error().text, read);
}

void tst_Sentinel::readsASwitch_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("read");

    QTest::newRow("switch") << QByteArray("mymaster 127.0.0.1 6390 127.0.0.2 6391") << "mymaster: 127.0.0.1:6390, 127.0.0.2:6391";
    QTest::newRow("IPv6") << QByteArray("m ::1 1 ::2 2") << "m: [::1]:1, [::2]:2";
    QTest::newRow("too short") << QByteArray("mymaster 127.0.0.1 6390 127.0.0.2") << "";
    QTest::newRow("too long") << QByteArray("m h 1 i 2 #quorum") << "";
    QTest::newRow("bad port") << QByteArray("m h 1 i two") << "";
    QTest::newRow("bad old port") << QByteArray("m h -1 i 2") << "";
    QTest::newRow("empty") << QByteArray() << "";
}

void tst_Sentinel::readsASwitch()
{
    QFETCH(QByteArray, payload);
    QFETCH(QString, read);
    const std::optional<PrimarySwitch> change = switchFrom(payload);
    QCOMPARE(change ? QStringLiteral("%1: %2, %3").arg(change->primaryName, change->from.shown(), change->to.shown()) : QString(), read);
}

/// 50, 100, 200, 400 ms, and then 500 ms: each between half of it and all of it.
void tst_Sentinel::pausesGrowUpToTheMost()
{
    const Patience patience;
    Random random(1);
    const std::vector<Nanoseconds> longest {50ms, 100ms, 200ms, 400ms, 500ms, 500ms, 500ms};
    for (size_t i = 0; i < longest.size(); ++i) {
        std::set<Nanoseconds> drawn;
        for (int j = 0; j < 100; ++j)
            drawn.insert(patience.pause(static_cast<int>(i) + 1, random));
        QVERIFY(*drawn.begin() >= longest[i] / 2);
        QVERIFY(*drawn.rbegin() <= longest[i]);
        QVERIFY(*drawn.rbegin() - *drawn.begin() > longest[i] / 4); // spread over what is allowed
    }
    QVERIFY(patience.pause(1'000'000, random) <= 500ms);
}

void tst_Sentinel::pausesAreRepeatedByASeed()
{
    const auto drawn = [](quint64 seed) {
        Random random(seed);
        std::vector<Nanoseconds> pauses;
        for (int i = 1; i <= 10; ++i)
            pauses.push_back(Patience().pause(i, random));
        return pauses;
    };
    QVERIFY(drawn(7) == drawn(7));
    QVERIFY(drawn(7) != drawn(8));
}

QTEST_GUILESS_MAIN(tst_Sentinel)
#include "tst_sentinel.moc"
