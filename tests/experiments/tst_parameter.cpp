// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/words.h"
#include "engine/experiments/parameter.h"

#include <QTest>

using namespace interlock;

class ParameterTest : public QObject
{
    Q_OBJECT

private slots:
    void readsDurations_data();
    void readsDurations();
    void refusesWithNameAndRange_data();
    void refusesWithNameAndRange();
    void writtenValuesReadBack();
    void showsValuesToPeople_data();
    void showsValuesToPeople();
    void saysRanges();
    void valuesStartFromDefaults();
    void keepsThePathOfAFile();
    void unknownNamesListTheKnown();
    void guessesWhatWasMeant();
};

static Parameter ttl()
{
    return Parameter::duration("ttl", "TTL", "How long the lock lives.", 1s, 10ms, 60s);
}

static Parameter fine()
{
    return Parameter::duration("delay", "Delay", "", 0ns, 0ns, 24h);
}

static Parameter release()
{
    return Parameter::choice("release", "Release", "", {{"del", "DEL"}, {"get-del", "GET, then DEL"}, {"script", "Script"}}, 1);
}

void ParameterTest::readsDurations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("nanoseconds");
    QTest::newRow("milliseconds") << "1500ms" << qint64 {1'500'000'000};
    QTest::newRow("seconds with a point") << "1.5s" << qint64 {1'500'000'000};
    QTest::newRow("microseconds") << "250us" << qint64 {250'000};
    QTest::newRow("nanoseconds") << "7ns" << qint64 {7};
    QTest::newRow("minutes") << "2min" << qint64 {120'000'000'000};
    QTest::newRow("bare number") << "40" << qint64 {40'000'000};
    QTest::newRow("bare fraction") << "0.25" << qint64 {250'000};
    QTest::newRow("blanks") << " 3 s " << qint64 {3'000'000'000};
    QTest::newRow("zeros behind") << "1.000000000000s" << qint64 {1'000'000'000};
    QTest::newRow("tenth of a minute") << "0.1min" << qint64 {6'000'000'000};
    QTest::newRow("nanoseconds of a second") << "0.000000001s" << qint64 {1};
}

void ParameterTest::readsDurations()
{
    QFETCH(QString, text);
    const Result<qint64> value = fine().parse(text);
    QVERIFY2(value, qPrintable(value.ok() ? QString() : value.error().text));
    QTEST(*value, "nanoseconds");
}

void ParameterTest::refusesWithNameAndRange_data()
{
    QTest::addColumn<Parameter>("parameter");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("range");
    for (const char *text : {"", "ms", "-5ms", "1,5s", "5 parsecs", "1e3", "0x10", "9ms", "60001ms", "0.0000000001s",
             "99999999999999999999s", "9223372036854775807s", "1.5.5s", "1.s"})
        QTest::newRow(qPrintable("ttl " + QByteArray(text))) << ttl() << text << "10 ms to 60 s";
    for (const char *text : {"", "DEL", "getdel", "0", "none"})
        QTest::newRow(qPrintable("release " + QByteArray(text))) << release() << text << "del, get-del or script";
    const Parameter clients = Parameter::integer("clients", "Clients", "", 5, 2, 50, "clients");
    for (const char *text : {"", "1", "51", "2.5", "five", "99999999999999999999", "-3"})
        QTest::newRow(qPrintable("clients " + QByteArray(text))) << clients << text << "2 to 50 clients";
    const Parameter random = Parameter::toggle("random", "Random", "", false);
    for (const char *text : {"", "yes please", "2", "ON"})
        QTest::newRow(qPrintable("random " + QByteArray(text))) << random << text << "on or off";
}

void ParameterTest::refusesWithNameAndRange()
{
    QFETCH(Parameter, parameter);
    QFETCH(QString, text);
    QFETCH(QString, range);
    const Result<qint64> value = parameter.parse(text);
    QVERIFY(!value);
    QCOMPARE(value.error().kind, Error::Kind::Invalid);
    QVERIFY2(value.error().text.contains(parameter.name), qPrintable(value.error().text));
    QVERIFY2(value.error().text.contains(range), qPrintable(value.error().text));
}

void ParameterTest::writtenValuesReadBack()
{
    QCOMPARE(ttl().write(1'500'000'000), "1500ms");
    QCOMPARE(fine().write(250'000), "250us");
    QCOMPARE(fine().write(1'000'001), "1000001ns");
    QCOMPARE(fine().write(0), "0ms");
    for (const qint64 value : {0LL, 1LL, 999LL, 1'000LL, 1'500'000LL, 86'400'000'000'000LL})
        QCOMPARE(*fine().parse(fine().write(value)), value);
    for (const qint64 value : {0, 1, 2})
        QCOMPARE(*release().parse(release().write(value)), value);
    const Parameter toggle = Parameter::toggle("random", "", "", true);
    QCOMPARE(toggle.write(1), "on");
    QCOMPARE(*toggle.parse(toggle.write(0)), 0);
}

void ParameterTest::showsValuesToPeople_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("shown");
    QTest::newRow("seconds and a half") << qint64 {1'500'000'000} << "1.5 s";
    QTest::newRow("milliseconds") << qint64 {50'000'000} << "50 ms";
    QTest::newRow("just below a second") << qint64 {999'000'000} << "999 ms";
    QTest::newRow("a minute") << qint64 {60'000'000'000} << "60 s";
    QTest::newRow("zero behind the point") << qint64 {1'050'000} << "1.05 ms";
    QTest::newRow("microseconds") << qint64 {250'000} << QString::fromUtf8("250 µs");
    QTest::newRow("nanoseconds") << qint64 {7} << "7 ns";
}

void ParameterTest::showsValuesToPeople()
{
    QFETCH(qint64, nanoseconds);
    QTEST(fine().show(nanoseconds), "shown");
}

void ParameterTest::saysRanges()
{
    QCOMPARE(ttl().range(), "10 ms to 60 s");
    QCOMPARE(release().range(), "del, get-del or script");
    QCOMPARE(release().show(1), "GET, then DEL");
    QCOMPARE(Parameter::integer("n", "", "", 1, 1, 50, "clients").show(5), "5 clients");
    QCOMPARE(Parameter::integer("n", "", "", 1, 1, 50, "").show(5), "5");
    const Parameter rounds = Parameter::integer("n", "", "", 1, 1, 20, "round|rounds");
    QCOMPARE(rounds.show(1), "1 round");
    QCOMPARE(rounds.show(0), "0 rounds");
    QCOMPARE(rounds.show(2), "2 rounds");
    QCOMPARE(rounds.range(), "1 to 20 rounds");
}

void ParameterTest::valuesStartFromDefaults()
{
    Values values({ttl(), release()});
    QCOMPARE(values.duration("ttl"), 1s);
    QCOMPARE(values.choice("release"), "get-del");
    QVERIFY(values.set("ttl", "20ms"));
    QVERIFY(values.set("release", qint64 {2}));
    QCOMPARE(values.duration("ttl"), 20ms);
    const QList<std::pair<QString, QString>> expected {{"ttl", "20ms"}, {"release", "script"}};
    QCOMPARE(values.written(), expected);
    QVERIFY(!values.set("ttl", qint64 {1}));
    QVERIFY(!values.set("release", qint64 {3}));
    QCOMPARE(values.written(), expected);
}

void ParameterTest::keepsThePathOfAFile()
{
    Values values({ttl(), Parameter::file("trace", "Trace", "", "Traces (*.csv)")});
    QCOMPARE(values.file("trace"), QString());
    QVERIFY(values.set("trace", "/a folder/day one.csv"));
    QCOMPARE(values.file("trace"), "/a folder/day one.csv");
    const QList<std::pair<QString, QString>> expected {{"ttl", "1000ms"}, {"trace", "/a folder/day one.csv"}};
    QCOMPARE(values.written(), expected);
    QVERIFY(!values.set("trace", QString(5000, 'a')));
    QCOMPARE(values.written(), expected);
}

void ParameterTest::unknownNamesListTheKnown()
{
    Values values({ttl(), release()});
    const Result<void> set = values.set("relaese", "del");
    QVERIFY(!set);
    QCOMPARE(set.error().kind, Error::Kind::Invalid);
    for (const char *words : {"relaese", "ttl and release", "Did you mean"})
        QVERIFY2(set.error().text.contains(words), qPrintable(set.error().text));
}

void ParameterTest::guessesWhatWasMeant()
{
    const QStringList known {"lock-crash", "lock-contention", "lock-release"};
    QCOMPARE(closest("lock-relase", known), "lock-release");
    QCOMPARE(closest("release", known), "lock-release");
    QCOMPARE(closest("lock_crash", known), "lock-crash");
    QCOMPARE(closest("zebra", known), QString());
    QCOMPARE(closest("", known), QString());
    QCOMPARE(listedAnd(known), "lock-crash, lock-contention and lock-release");
    QCOMPARE(listedOr({"a"}), "a");
    QCOMPARE(listedOr({}), QString());
}

QTEST_GUILESS_MAIN(ParameterTest)
#include "tst_parameter.moc"
