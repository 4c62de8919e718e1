// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/jsonwriter.h"
#include "engine/run/jsonobject.h"

#include <QTest>

using namespace interlock;

using Type = JsonObject::Member::Type;

class JsonObjectTest : public QObject
{
    Q_OBJECT

private slots:
    void takesWhatIsJson_data();
    void takesWhatIsJson();
    void refusesWhatIsNot_data();
    void refusesWhatIsNot();
    void lastOfEqualNamesCounts();
    void textsComeThroughWritingAndReading();
    void bytesThatAreNoTextAreReplaced();
};

void JsonObjectTest::takesWhatIsJson_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<Type>("type");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("integer");
    const auto row = [](const char *name, const char *value, Type type, const char *text, qint64 integer = 0) {
        QTest::newRow(name) << QByteArray("{\"a\":" + QByteArray(value) + "}") << type << QByteArray(text) << integer;
    };
    row("zero", "0", Type::Integer, "0", 0);
    row("largest integer", "9223372036854775807", Type::Integer, "9223372036854775807", 9223372036854775807);
    row("least integer", "-9223372036854775808", Type::Integer, "-9223372036854775808", std::numeric_limits<qint64>::min());
    row("beyond 64 bits", "9223372036854775808", Type::Real, "9223372036854775808");
    row("fraction", "1.50", Type::Real, "1.50");
    row("exponent", "1e+3", Type::Real, "1e+3");
    row("blanks", " \t 7 ", Type::Integer, "7", 7);
    row("true", "true", Type::True, "");
    row("false", "false", Type::False, "");
    row("null", "null", Type::Null, "");
    row("empty text", "\"\"", Type::Text, "");
    row("escapes", R"("\"\\\/\b\f\n\r\t")", Type::Text, "\"\\/\b\f\n\r\t");
    row("unicode escape", R"("\u00e9\u20AC")", Type::Text, "\xC3\xA9\xE2\x82\xAC");
    row("pair", R"("\ud83d\ude00")", Type::Text, "\xF0\x9F\x98\x80");
    row("half a pair", R"("\ud83dx")", Type::Text, "\xEF\xBF\xBDx");
    row("list", R"([1,{"b":[]},"x"])", Type::Nested, R"([1,{"b":[]},"x"])");
    row("object", R"({"b":{"c":null},"d":-0.5E-2})", Type::Nested, R"({"b":{"c":null},"d":-0.5E-2})");
}

void JsonObjectTest::takesWhatIsJson()
{
    QFETCH(QByteArray, line);
    JsonObject object;
    QVERIFY2(object.read(line), qPrintable(object.error()));
    QCOMPARE(object.members().size(), size_t {1});
    const auto *member = object.find("a");
    QVERIFY(member);
    QTEST(member->type, "type");
    QTEST(member->text.toByteArray(), "text");
    QTEST(member->integer, "integer");
    QVERIFY(object.read("  {}\r"));
    QVERIFY(object.members().empty());
}

void JsonObjectTest::refusesWhatIsNot_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line : {"", "x", "[]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{\"a\":1}}", "{\"a\":1} x",
             "{a:1}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}", "{\"a\":+1}", "{\"a\":-}", "{\"a\":nul}",
             "{\"a\":\"x}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\t\"}", "{\"a\":\"\xFF\"}",
             "{\"a\":[1,]}", "{\"a\":[1}", "{\"a\":{1:2}}", "{\"a\":{\"b\" 2}}", "{\"a\" 1}", "{\"a\":\"\\"})
        QTest::newRow(line) << QByteArray(line);
    QTest::newRow("a thousand brackets") << QByteArray("{\"a\":" + QByteArray(1000, '[') + QByteArray(1000, ']') + '}');
    QTest::newRow("zero byte") << QByteArray("{\"a\":\"\0\"}", 9);
}

void JsonObjectTest::refusesWhatIsNot()
{
    QFETCH(QByteArray, line);
    JsonObject object;
    QVERIFY(!object.read(line));
    QVERIFY(!object.error().isEmpty());
}

void JsonObjectTest::lastOfEqualNamesCounts()
{
    JsonObject object;
    QVERIFY(object.read(R"({"a":1,"b":2,"a":3})"));
    QCOMPARE(object.find("a")->integer, 3);
    QVERIFY(!object.find("c"));
}

void JsonObjectTest::textsComeThroughWritingAndReading()
{
    for (const QByteArray &text : {QByteArray(), QByteArray("plain"), QByteArray("\"\\\n\r\t\0\x01\x1F\x7F/", 10),
             QByteArray("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF")}) {
        QByteArray line;
        JsonWriter(line).beginObject().key("a").text(text).key("b").integer(-5).endObject();
        JsonObject object;
        QVERIFY2(object.read(line), line.constData());
        QCOMPARE(object.find("a")->text.toByteArray(), text);
        QCOMPARE(object.find("b")->integer, -5);
    }
}

void JsonObjectTest::bytesThatAreNoTextAreReplaced()
{
    const auto written = [](const char *text) {
        QByteArray line;
        JsonWriter(line).text(QByteArrayView(text));
        return line;
    };
    QCOMPARE(written("a\xFFz"), QByteArray("\"a\xEF\xBF\xBDz\""));
    QCOMPARE(written("\xC3"), QByteArray("\"\xEF\xBF\xBD\"")); // its second byte is missing
    QCOMPARE(written("\xC0\x80"), QByteArray("\"\xEF\xBF\xBD\xEF\xBF\xBD\"")); // longer than needed
    QCOMPARE(written("\xED\xA0\x80"), QByteArray("\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"")); // half a pair
    QCOMPARE(written("\xF4\x90\x80\x80").count("\xEF\xBF\xBD"), 4); // beyond the last character
}

QTEST_GUILESS_MAIN(JsonObjectTest)
#include "tst_jsonobject.moc"
