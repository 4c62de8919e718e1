// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Addresses of sentinels, and of targets of either kind.
#include "engine/redis/target.h"
#include "tests/support/addresses.h"

#include <QTest>

using namespace interlock;

namespace {

/// "127.0.0.1|26379", with the user, if there is one, and the password behind a space.
QStringList placesOf(const SentinelEndpoint &endpoint)
{
    QStringList places;
    for (const Endpoint &sentinel : endpoint.sentinels) {
        places.append(QStringLiteral("%1|%2").arg(sentinel.host).arg(sentinel.port)
            + (sentinel.user.isEmpty() ? QString() : u' ' + sentinel.user)
            + (sentinel.password.isEmpty() ? QString() : u' ' + QString::fromUtf8(sentinel.password)));
    }
    return places;
}

}

class tst_SentinelEndpoint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAnAddress_data();
    void readsAnAddress();
    void refusesABadAddress_data();
    void refusesABadAddress();
    void showsWhatItReadsAgain_data();
    void showsWhatItReadsAgain();
    void aServerIsReachedAsTheAddressSays();
    void aTargetIsOfEitherKind_data();
    void aTargetIsOfEitherKind();
};

void tst_SentinelEndpoint::readsAnAddress_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("sentinels");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("password");
    QTest::addColumn<int>("database");
    const QStringList one {"h|1"};
    const QString none;
    const QByteArray no;

    QTest::newRow("one") << "sentinel://h:1/mymaster" << one << "mymaster" << none << no << 0;
    QTest::newRow("three, in order") << "sentinel://127.0.0.1:26379,b:26380,c:7/m" << QStringList {"127.0.0.1|26379", "b|26380", "c|7"} << "m" << none << no << 0;
    QTest::newRow("IPv6") << "sentinel://[::1]:1,[fe80::2]:65535,h:2/m" << QStringList {"::1|1", "fe80::2|65535", "h|2"} << "m" << none << no << 0;
    QTest::newRow("database") << "sentinel://h:1/m?db=15" << one << "m" << none << no << 15;
    QTest::newRow("login of the servers") << "sentinel://u:p@h:1/m" << one << "m" << "u" << QByteArray("p") << 0;
    QTest::newRow("default user") << "sentinel://:p@h:1/m" << one << "m" << none << QByteArray("p") << 0;
    QTest::newRow("percent-encoded login") << "sentinel://a%3Ab:p%40%3F%00@h:1/m" << one << "m" << "a:b" << QByteArray("p@?\0", 4) << 0;
    QTest::newRow("@, colon and slash in the password") << "sentinel://u:p@q:/r@h:1/m" << one << "m" << "u" << QByteArray("p@q:/r") << 0;
    QTest::newRow("password of the sentinels") << "sentinel://h:1,i:2/m?sentinel-password=p" << QStringList {"h|1 p", "i|2 p"} << "m" << none << no << 0;
    QTest::newRow("user of the sentinels") << "sentinel://h:1,i:2/m?sentinel-user=u&sentinel-password=p" << QStringList {"h|1 u p", "i|2 u p"} << "m" << none << no << 0;
    QTest::newRow("percent-encoded user of the sentinels") << "sentinel://h:1/m?sentinel-user=a%26b&sentinel-password=p" << QStringList {"h|1 a&b p"} << "m" << none << no << 0;
    QTest::newRow("user of the sentinels behind the password") << "sentinel://h:1/m?sentinel-password=p&sentinel-user=u" << QStringList {"h|1 u p"} << "m" << none << no << 0;
    QTest::newRow("both passwords, database") << "sentinel://u:p@h:1/m?db=3&sentinel-password=q" << QStringList {"h|1 q"} << "m" << "u" << QByteArray("p") << 3;
    QTest::newRow("options turned round") << "sentinel://h:1/m?sentinel-password=q&db=3" << QStringList {"h|1 q"} << "m" << none << no << 3;
    QTest::newRow("percent-encoded password of the sentinels") << "sentinel://h:1/m?sentinel-password=%26%40%3F=" << QStringList {"h|1 &@?="} << "m" << none << no << 0;
    QTest::newRow("percent-encoded name") << "sentinel://h:1/a%2Fb%3Fc%20d" << one << "a/b?c d" << none << no << 0;
    QTest::newRow("percent-encoded host") << "sentinel://%68:1/m" << one << "m" << none << no << 0;
}

void tst_SentinelEndpoint::readsAnAddress()
{
    QFETCH(QString, text);
    QFETCH(QStringList, sentinels);
    QFETCH(QString, name);
    QFETCH(QString, user);
    QFETCH(QByteArray, password);
    QFETCH(int, database);

    const Result<SentinelEndpoint> endpoint = SentinelEndpoint::parse(text);
    QVERIFY2(endpoint.ok(), endpoint ? "" : qPrintable(endpoint.error().text));
    QCOMPARE(placesOf(*endpoint), sentinels);
    QCOMPARE(endpoint->primaryName, name);
    QCOMPARE(endpoint->user, user);
    QCOMPARE(endpoint->password, password);
    QCOMPARE(endpoint->database, database);
}

void tst_SentinelEndpoint::refusesABadAddress_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named"); // what the sentence must name

    QTest::newRow("another scheme") << "redis://h:1/m" << "sentinel://";
    QTest::newRow("nothing") << "sentinel://" << "name";
    QTest::newRow("no name") << "sentinel://h:1" << "\"h:1\"";
    QTest::newRow("empty name") << "sentinel://h:1/" << "\"h:1/\"";
    QTest::newRow("options instead of a name") << "sentinel://h:1?db=2" << "\"h:1\"";
    QTest::newRow("database behind a slash") << "sentinel://h:1/m/2" << "?db=N";
    QTest::newRow("no sentinel") << "sentinel:///m" << "lacks a sentinel";
    QTest::newRow("comma at the end") << "sentinel://h:1,/m" << "\"h:1,\"";
    QTest::newRow("two commas") << "sentinel://h:1,,i:2/m" << "\"h:1,,i:2\"";
    QTest::newRow("no port") << "sentinel://h:1,i/m" << "\"i\"";
    QTest::newRow("port 0") << "sentinel://h:1,i:0/m" << "\"0\"";
    QTest::newRow("port too large") << "sentinel://h:65536/m" << "65536";
    QTest::newRow("no host") << "sentinel://h:1,:2/m" << "\":2\"";
    QTest::newRow("space before a host") << "sentinel://h:1, i:2/m" << "\" i\"";
    QTest::newRow("open bracket") << "sentinel://[::1:1/m" << "[::1:1";
    QTest::newRow("IPv6 without brackets") << "sentinel://::1:26379/m" << "::1:26379";
    QTest::newRow("login without colon") << "sentinel://secret@h:1/m" << "h:1/m";
    QTest::newRow("login without password") << "sentinel://user:@h:1/m" << "h:1/m";
    QTest::newRow("login and a bad port") << "sentinel://user:secret@h:x/m" << "\"x\"";
    QTest::newRow("? in the password") << "sentinel://user:secret?more@h:1/m" << "%3F";
    QTest::newRow("@ in the password of the sentinels") << "sentinel://h:1/m?sentinel-password=secret@more" << "%40";
    QTest::newRow("& in the password of the sentinels") << "sentinel://h:1/m?sentinel-password=a&secret" << "%26";
    QTest::newRow("no password of the sentinels") << "sentinel://h:1/m?sentinel-password=" << "sentinel-password";
    QTest::newRow("user of the sentinels without a password") << "sentinel://h:1/m?sentinel-user=secret" << "sentinel-password";
    QTest::newRow("no user of the sentinels") << "sentinel://h:1/m?sentinel-user=&sentinel-password=secret" << "sentinel-user";
    QTest::newRow("unknown option") << "sentinel://h:1/m?secret=1" << "db=N";
    QTest::newRow("empty option") << "sentinel://h:1/m?" << "db=N";
    QTest::newRow("database of letters") << "sentinel://h:1/m?db=one" << "\"one\"";
    QTest::newRow("negative database") << "sentinel://h:1/m?db=-1" << "-1";
    QTest::newRow("no database") << "sentinel://h:1/m?db=" << "database";
}

void tst_SentinelEndpoint::refusesABadAddress()
{
    QFETCH(QString, text);
    QFETCH(QString, named);

    verifyRefused<SentinelEndpoint>(text, named);
}

void tst_SentinelEndpoint::showsWhatItReadsAgain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");

    QTest::newRow("plain") << "sentinel://h:1,i:2/m" << "sentinel://h:1,i:2/m";
    QTest::newRow("IPv6") << "sentinel://[::1]:1/m" << "sentinel://[::1]:1/m";
    QTest::newRow("database") << "sentinel://h:1/m?db=2" << "sentinel://h:1/m?db=2";
    QTest::newRow("name") << "sentinel://h:1/a%2fb%3Fc" << "sentinel://h:1/a%2Fb%3Fc";
    QTest::newRow("passwords are left out") << "sentinel://user:secret@h:1/m?sentinel-user=user&sentinel-password=secret&db=1" << "sentinel://h:1/m?db=1";
}

void tst_SentinelEndpoint::showsWhatItReadsAgain()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);

    verifyShown<SentinelEndpoint>(text, shown, [](SentinelEndpoint &endpoint) {
        endpoint.user.clear();
        endpoint.password.clear();
        endpoint.setSentinelLogin({}, {});
    });
}

void tst_SentinelEndpoint::aServerIsReachedAsTheAddressSays()
{
    const SentinelEndpoint endpoint = SentinelEndpoint::parse("sentinel://u:p@h:1/m?db=4&sentinel-password=q").value();
    const Endpoint expected {"::1", 6390, {}, "u", "p", 4};
    QVERIFY(endpoint.server("::1", 6390) == expected);
}

void tst_SentinelEndpoint::aTargetIsOfEitherKind_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind"); // -1: none
    QTest::addColumn<QString>("shown");

    QTest::newRow("server") << "u:p@h:1/2" << 0 << "redis://h:1/2";
    QTest::newRow("socket") << "unix:/a" << 0 << "unix:/a";
    QTest::newRow("sentinels") << "sentinel://u:p@h:1/m" << 1 << "sentinel://h:1/m";
    QTest::newRow("bad server") << "h" << -1 << "port";
    QTest::newRow("bad sentinels") << "sentinel://h:1" << -1 << "name";
    QTest::newRow("unknown kind names all that are known") << "http://h:1" << -1 << "sentinel://";
}

void tst_SentinelEndpoint::aTargetIsOfEitherKind()
{
    QFETCH(QString, text);
    QFETCH(int, kind);
    QFETCH(QString, shown);

    const Result<Target> target = targetFrom(text);
    QCOMPARE(target ? static_cast<int>(target->index()) : -1, kind);
    const QString said = target ? interlock::shown(*target) : target.error().text;
    QVERIFY2(target ? said == shown : said.contains(shown), qPrintable(said));
}

QTEST_GUILESS_MAIN(tst_SentinelEndpoint)
#include "tst_sentinelendpoint.moc"
