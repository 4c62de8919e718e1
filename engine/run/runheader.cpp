// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/runheader.h"

#include "engine/base/jsonwriter.h"
#include "engine/run/runfile.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("RunFile", text);
}

constexpr std::array laneTypes {Lane::Type::Actor, Lane::Type::Node, Lane::Type::Resource};
constexpr std::array judgements {Judgement::Held, Judgement::Broken, Judgement::Unknown, Judgement::None};

using Pairs = QList<std::pair<QString, QString>>;

/// Pairs keep their order, which members of an object do not in every reader.
void writePairs(JsonWriter &json, const Pairs &pairs)
{
    json.beginArray();
    for (const auto &[name, value] : pairs)
        json.beginObject().key("name").text(name).key("value").text(value).endObject();
    json.endArray();
}

/// Only runs of limiters have them, and files from before there were any have none.
void writeLimiters(JsonWriter &json, const Header &header)
{
    if (header.limiters.isEmpty())
        return;
    json.key("limiters").beginArray();
    for (const LimiterInfo &limiter : header.limiters) {
        json.beginObject().key("name").text(limiter.name).key("title").text(limiter.title);
        json.key("algorithm").text(limiter.algorithm).key("defect").text(limiter.defect).key("values");
        writePairs(json, limiter.values);
        json.key("limit").integer(limiter.limit).key("levelUnit").integer(limiter.levelUnit).key("twin").text(limiter.twin);
        json.key("windowStart").integer(limiter.windowStart).key("window").integer(limiter.window).endObject();
    }
    json.endArray();
}

/// Only runs with measures have them.
void writeSeries(JsonWriter &json, const Header &header)
{
    if (header.series.isEmpty())
        return;
    json.key("series").beginArray();
    for (const SeriesInfo &series : header.series) {
        json.beginObject().key("name").text(series.name).key("title").text(series.title);
        json.key("xTitle").text(series.xTitle).key("yTitle").text(series.yTitle);
        json.key("xUnit").text(series.xUnit).key("yUnit").text(series.yUnit).endObject();
    }
    json.endArray();
}

void writeLists(JsonWriter &json, const Header &header)
{
    json.key("nodes").beginArray();
    for (const NodeInfo &node : header.nodes) {
        json.beginObject().key("name").text(node.name).key("role").text(node.role).key("version").text(node.version);
        json.key("private").flag(node.isPrivate);
        if (!node.address.isEmpty())
            json.key("address").text(node.address);
        json.endObject();
    }
    json.endArray().key("lanes").beginArray();
    for (const Lane &lane : header.lanes) {
        json.beginObject().key("type").text(word(lane.type)).key("name").text(lane.name);
        json.key("key").text(lane.key).endObject();
    }
    json.endArray().key("scripts").beginArray();
    for (const ScriptInfo &script : header.scripts) {
        json.beginObject().key("name").text(script.name).key("sha").text(script.sha);
        json.key("body").text(script.body).endObject();
    }
    json.endArray().key("checks").beginArray();
    for (const CheckUse &use : header.checks) {
        json.beginObject().key("check").text(use.check).key("arguments");
        writePairs(json, use.arguments);
        json.key("judges").flag(use.judges).endObject();
    }
    json.endArray().key("witnesses").beginArray();
    for (const Witness &witness : header.witnesses) {
        json.beginObject().key("what").text(witness.what).key("whom").text(witness.whom);
        json.key("atLeast").integer(witness.atLeast).endObject();
    }
    json.endArray();
    writeLimiters(json, header);
    writeSeries(json, header);
}

/// Takes members of one object of the header, and remembers which were missing or of the wrong type.
class Members
{
public:
    Members(const QJsonObject &object, QStringList &missed)
        : m_object(object)
        , m_missed(missed)
    {
    }

    QString text(const char *name) const
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        return value.isString() ? value.toString() : miss(name, QString());
    }
    bool flag(const char *name) const
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        return value.isBool() ? value.toBool() : miss(name, false);
    }
    double real(const char *name, double otherwise) const
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        return value.isDouble() ? value.toDouble() : miss(name, otherwise);
    }
    int integer(const char *name, int otherwise) const
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        const qint64 number = value.toInteger(-1);
        return number >= 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : miss(name, otherwise);
    }
    /// From 0 to what figures may be.
    qint64 figure(const char *name) const
    {
        const qint64 number = m_object.value(QLatin1String(name)).toInteger(-1);
        return number >= 0 && number <= mostFigure ? number : miss(name, qint64 {0});
    }
    quint64 longInteger(const char *name) const
    {
        bool ok = false;
        const quint64 number = m_object.value(QLatin1String(name)).toString().toULongLong(&ok);
        return ok ? number : miss(name, quint64 {0});
    }
    /// One of the words of an enumeration.
    template<typename Enumerators>
    auto oneOf(const char *name, const Enumerators &enumerators) const
    {
        const QString wanted = m_object.value(QLatin1String(name)).toString();
        for (const auto enumerator : enumerators) {
            if (wanted == QString(word(enumerator)))
                return enumerator;
        }
        return miss(name, enumerators.back());
    }
    /// A list of what @p read makes of each object in an array.
    template<typename Read>
    auto list(const char *name, Read read) const
    {
        QList<decltype(read(*this))> result;
        const QJsonValue value = m_object.value(QLatin1String(name));
        if (!value.isArray())
            return miss(name, result);
        const QJsonArray array = value.toArray();
        for (const QJsonValue &one : array) {
            if (one.isObject())
                result.append(read(Members(one.toObject(), m_missed)));
            else
                miss(name, 0);
        }
        return result;
    }
    bool has(const char *name) const { return m_object.contains(QLatin1String(name)); }
    Pairs pairs(const char *name) const
    {
        return list(name, [](const Members &one) { return std::pair(one.text("name"), one.text("value")); });
    }

private:
    template<typename T>
    T miss(const char *name, T otherwise) const
    {
        if (const QString text = QLatin1String(name); !m_missed.contains(text))
            m_missed.append(text);
        return otherwise;
    }

    QJsonObject m_object;
    QStringList &m_missed;
};

void readLists(Header &header, const Members &members)
{
    header.nodes = members.list("nodes", [](const Members &one) {
        return NodeInfo {one.text("name"), one.text("role"), one.text("version"), one.flag("private"), one.has("address") ? one.text("address") : QString()};
    });
    header.lanes = members.list("lanes", [](const Members &one) {
        return Lane {one.oneOf("type", laneTypes), one.text("name"), one.text("key")};
    });
    header.scripts = members.list("scripts", [](const Members &one) {
        return ScriptInfo {one.text("name"), one.text("sha"), one.text("body")};
    });
    header.checks = members.list("checks", [](const Members &one) {
        return CheckUse {one.text("check"), one.pairs("arguments"), one.flag("judges")};
    });
    header.witnesses = members.list("witnesses", [](const Members &one) {
        return Witness {one.text("what"), one.text("whom"), one.integer("atLeast", 1)};
    });
    if (members.has("series")) {
        header.series = members.list("series", [](const Members &one) {
            return SeriesInfo {one.text("name"), one.text("title"), one.text("xTitle"), one.text("yTitle"), one.text("xUnit"), one.text("yUnit")};
        });
    }
    if (!members.has("limiters"))
        return;
    header.limiters = members.list("limiters", [](const Members &one) {
        return LimiterInfo {one.text("name"), one.text("title"), one.text("algorithm"), one.text("defect"), one.pairs("values"),
            one.figure("limit"), std::max(one.figure("levelUnit"), qint64 {1}), one.text("twin"), one.figure("windowStart"), one.figure("window")};
    });
}

/// Nothing if this program reads the format.
std::optional<QString> whyNotRead(const QJsonObject &object)
{
    if (object.value(QLatin1String("format")).toString() != QLatin1String(runFormatWord))
        return tr("line 1 is JSON, but not the header of a run: it has no \"format\": \"%1\".").arg(QLatin1String(runFormatWord));
    const QJsonValue version = object.value(QLatin1String("version"));
    const double number = version.toDouble(0);
    if (!version.isDouble() || number < 1 || std::floor(number) != number)
        return tr("line 1 does not say which version of the format this is.");
    if (number > Header::currentFormat)
        return tr("it is written in version %1 of the format, and this program reads versions up to %2. "
                  "A newer Interlock can open it.")
            .arg(number, 0, 'f', 0)
            .arg(Header::currentFormat);
    return {};
}

}

const char *word(Lane::Type type)
{
    switch (type) {
    case Lane::Type::Actor:
        return "actor";
    case Lane::Type::Node:
        return "node";
    case Lane::Type::Resource:
        break;
    }
    return "resource";
}

QByteArray headerLine(const Run &run)
{
    const Header &header = run.header;
    QByteArray line;
    JsonWriter json(line);
    json.beginObject().key("format").text(runFormatWord).key("version").integer(header.format);
    json.key("program").text(header.program).key("started").text(header.started);
    json.key("experiment").text(header.experiment).key("preset").text(header.preset);
    json.key("promise").text(header.promise).key("expected").text(word(header.expected));
    json.key("values");
    writePairs(json, header.values);
    // As text: a seed has 64 bits, and many readers of JSON keep only 53.
    json.key("seed").text(QString::number(header.seed)).key("schedule").text(header.schedule);
    json.key("pace").real(header.pace).key("relay").flag(header.relay).key("clockShim").flag(header.clockShim);
    json.key("target").text(header.target);
    writeLists(json, header);
    json.endObject();
    return line;
}

Result<Header> readHeader(const QByteArray &line, QStringList &problems)
{
    QJsonParseError parsing;
    const QJsonDocument document = QJsonDocument::fromJson(line, &parsing);
    if (!document.isObject())
        return Error {Error::Kind::Invalid,
            parsing.error == QJsonParseError::NoError
                ? tr("line 1 is JSON, but no object.")
                : tr("line 1 is not JSON (%1, at column %2).").arg(parsing.errorString()).arg(parsing.offset + 1)};
    const QJsonObject object = document.object();
    if (const auto why = whyNotRead(object))
        return Error {Error::Kind::Invalid, *why};

    QStringList missed;
    const Members members(object, missed);
    Header header;
    header.format = members.integer("version", 1);
    header.program = members.text("program");
    header.started = members.text("started");
    header.experiment = members.text("experiment");
    header.preset = members.text("preset");
    header.promise = members.text("promise");
    header.expected = members.oneOf("expected", judgements);
    header.values = members.pairs("values");
    header.seed = members.longInteger("seed");
    header.schedule = members.text("schedule");
    header.pace = members.real("pace", 1);
    header.relay = members.flag("relay");
    header.clockShim = members.flag("clockShim");
    header.target = members.text("target");
    readLists(header, members);
    for (const QString &name : std::as_const(missed))
        problems.append(tr("Line 1: “%1” is missing or of the wrong type.").arg(name));
    return header;
}

}
