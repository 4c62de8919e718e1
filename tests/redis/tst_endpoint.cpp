// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/endpoint.h"
#include "tests/support/addresses.h"

#include <QTest>

using namespace interlock;

class tst_Endpoint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAnAddress_data();
    void readsAnAddress();
    void refusesABadAddress_data();
    void refusesABadAddress();
    void showsWhatItReadsAgain_data();
    void showsWhatItReadsAgain();
};

void tst_Endpoint::readsAnAddress_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("password");
    QTest::addColumn<int>("database");
    const QString none;
    const QByteArray no;

    QTest::newRow("host and port") << "redis://127.0.0.1:6390"
                                   << "127.0.0.1" << 6390 << none << none << no << 0;
    QTest::newRow("without scheme") << "localhost:7000"
                                    << "localhost" << 7000 << none << none << no << 0;
    QTest::newRow("database") << "redis://h:1/15"
                              << "h" << 1 << none << none << no << 15;
    QTest::newRow("without scheme, database") << "h:65535/2"
                                              << "h" << 65535 << none << none << no << 2;
    QTest::newRow("slash without database") << "redis://h:1/"
                                            << "h" << 1 << none << none << no << 0;
    QTest::newRow("user and password") << "redis://u:p@h:1"
                                       << "h" << 1 << none << "u" << QByteArray("p") << 0;
    QTest::newRow("default user") << "redis://:p@h:1"
                                  << "h" << 1 << none << none << QByteArray("p") << 0;
    QTest::newRow("percent-encoded login") << "redis://a%3Ab:p%40%2f%00@h:1/3"
                                           << "h" << 1 << none << "a:b" << QByteArray("p@/\0", 4) << 3;
    QTest::newRow("@ in the password") << "redis://u:p@q@h:1"
                                       << "h" << 1 << none << "u" << QByteArray("p@q") << 0;
    QTest::newRow("colon in the password") << "redis://u:p:q@h:1"
                                           << "h" << 1 << none << "u" << QByteArray("p:q") << 0;
    QTest::newRow("IPv6") << "redis://[::1]:6390/1"
                          << "::1" << 6390 << none << none << no << 1;
    QTest::newRow("socket") << "unix:/run/redis.sock" << none << 0 << "/run/redis.sock" << none << no << 0;
    QTest::newRow("socket, database") << "unix:/a?db=4" << none << 0 << "/a" << none << no << 4;
    QTest::newRow("socket, percent-encoded") << "unix:/a%3Fb%20c" << none << 0 << "/a?b c" << none << no << 0;
    QTest::newRow("socket, relative") << "unix:redis.sock" << none << 0 << "redis.sock" << none << no << 0;
}

void tst_Endpoint::readsAnAddress()
{
    QFETCH(QString, text);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(QString, path);
    QFETCH(QString, user);
    QFETCH(QByteArray, password);
    QFETCH(int, database);

    const Result<Endpoint> endpoint = Endpoint::parse(text);
    QVERIFY2(endpoint.ok(), endpoint ? "" : qPrintable(endpoint.error().text));
    QCOMPARE(endpoint->host, host);
    QCOMPARE(int(endpoint->port), port);
    QCOMPARE(endpoint->path, path);
    QCOMPARE(endpoint->user, user);
    QCOMPARE(endpoint->password, password);
    QCOMPARE(endpoint->database, database);
}

void tst_Endpoint::refusesABadAddress_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named"); // what the sentence must name

    QTest::newRow("empty") << ""
                           << "empty";
    QTest::newRow("no port") << "redis://host"
                             << "host";
    QTest::newRow("nothing after the colon") << "redis://host:"
                                             << "port";
    QTest::newRow("port 0") << "h:0"
                            << "\"0\"";
    QTest::newRow("port too large") << "h:65536"
                                    << "65536";
    QTest::newRow("port of letters") << "h:redis"
                                     << "redis";
    QTest::newRow("port with a sign") << "h:+1"
                                      << "+1";
    QTest::newRow("port with a space") << "h: 1"
                                       << " 1";
    QTest::newRow("no host") << "redis://:6390"
                             << ":6390";
    QTest::newRow("database of letters") << "h:1/x"
                                         << "\"x\"";
    QTest::newRow("negative database") << "h:1/-1"
                                       << "-1";
    QTest::newRow("database and more") << "h:1/1/2"
                                       << "1/2";
    QTest::newRow("other scheme") << "http://h:1"
                                  << "http://";
    QTest::newRow("encrypted scheme") << "rediss://h:1"
                                      << "rediss://";
    QTest::newRow("login without colon") << "redis://secret@h:1"
                                         << "h:1";
    QTest::newRow("login without password") << "redis://user:@h:1"
                                            << "h:1";
    QTest::newRow("password and a bad port") << "redis://user:secret@h:x"
                                             << "\"x\"";
    QTest::newRow("encrypted scheme and password") << "rediss://user:secret@h:1"
                                                   << "rediss://";
    QTest::newRow("open bracket") << "redis://[::1:6390"
                                  << "[::1:6390";
    QTest::newRow("bracket without port") << "redis://[::1]"
                                          << "[::1]";
    QTest::newRow("IPv6 without brackets") << "redis://::1:6390"
                                           << "::1:6390";
    QTest::newRow("socket without path") << "unix:"
                                         << "unix:PATH";
    QTest::newRow("socket with another option") << "unix:/a?user=x"
                                                << "user=x";
    QTest::newRow("socket with a bad database") << "unix:/a?db=one"
                                                << "one";
    QTest::newRow("space in the host") << "my host:1"
                                       << "my host";
}

void tst_Endpoint::refusesABadAddress()
{
    QFETCH(QString, text);
    QFETCH(QString, named);

    verifyRefused<Endpoint>(text, named);
}

void tst_Endpoint::showsWhatItReadsAgain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");

    QTest::newRow("plain") << "127.0.0.1:6390"
                           << "redis://127.0.0.1:6390";
    QTest::newRow("database") << "redis://h:1/5"
                              << "redis://h:1/5";
    QTest::newRow("login is left out") << "redis://user:secret@h:1/5"
                                       << "redis://h:1/5";
    QTest::newRow("IPv6") << "[::1]:1"
                          << "redis://[::1]:1";
    QTest::newRow("socket") << "unix:/a/b%20c%3F?db=2"
                            << "unix:/a/b%20c%3F?db=2";
}

void tst_Endpoint::showsWhatItReadsAgain()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);

    verifyShown<Endpoint>(text, shown, [](Endpoint &endpoint) {
        endpoint.user.clear();
        endpoint.password.clear();
    });
}

QTEST_GUILESS_MAIN(tst_Endpoint)
#include "tst_endpoint.moc"
