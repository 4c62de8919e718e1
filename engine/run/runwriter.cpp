// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/jsonwriter.h"
#include "engine/run/eventfields.h"
#include "engine/run/runfile.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace interlock {

namespace {

/// How many bytes are gathered before they go to the file.
constexpr qsizetype blockSize = 1 << 20;

void writeField(JsonWriter &json, const Run &run, const Event &event, const EventField &field)
{
    const qint64 value = valueOf(event, field.slot);
    json.key(field.name);
    switch (field.type) {
    case EventField::Type::Time:
    case EventField::Type::Duration:
    case EventField::Type::Integer:
    case EventField::Type::Figure:
        json.integer(value);
        return;
    case EventField::Type::Text:
        json.text(run.names.bytes(static_cast<Name>(value)));
        return;
    case EventField::Type::Word:
        if (const char *word = whatWord(event.kind, event.what))
            json.text(word);
        else
            json.integer(value);
        return;
    case EventField::Type::Flag:
        json.flag(value != 0);
        return;
    }
}

void writeEvent(QByteArray &out, const Run &run, const Event &event)
{
    JsonWriter json(out);
    const auto fields = eventFields(event.kind, event.what);
    json.beginObject();
    writeField(json, run, event, fields.front());
    json.key("event").text(kindWord(event.kind));
    for (const EventField &field : fields.subspan(1)) {
        if (hasValue(event, field))
            writeField(json, run, event, field);
    }
    if (const DecisionFigures *figures = run.figures(event)) {
        for (const FigureField &field : figureFields()) {
            if (figures->*field.value != field.absent)
                json.key(field.name).integer(figures->*field.value);
        }
    }
    json.endObject();
}

void writeArgument(JsonWriter &json, const Sentence::Argument &argument)
{
    if (const auto *words = std::get_if<QString>(&argument))
        json.text(*words);
    else if (const auto *number = std::get_if<qint64>(&argument))
        json.integer(*number);
    else if (const auto *at = std::get_if<At>(&argument))
        json.beginObject().key("at").integer(at->ns).endObject();
    else if (const auto *length = std::get_if<For>(&argument))
        json.beginObject().key("for").integer(length->ns).endObject();
}

void writeCheck(JsonWriter &json, const CheckResult &check)
{
    json.beginObject().key("check").text(check.check).key("verdict").text(word(check.judgement));
    json.key("judges").flag(check.judges).key("sentences").beginArray();
    for (const Sentence &sentence : check.sentences) {
        json.beginObject().key("id").text(sentence.id).key("arguments").beginArray();
        for (const Sentence::Argument &argument : sentence.arguments)
            writeArgument(json, argument);
        json.endArray().key("text").text(text(sentence)).endObject();
    }
    json.endArray().key("events").beginArray();
    for (const size_t event : check.events)
        json.integer(static_cast<qint64>(event));
    json.endArray().endObject();
}

QByteArray lastLine(const Run &run, const Verdict &verdict)
{
    QByteArray line;
    JsonWriter json(line);
    json.beginObject().key("end").text(run.isComplete ? "complete" : "incomplete");
    if (!run.isComplete)
        json.key("because").text(run.incompleteBecause);
    json.key("events").integer(static_cast<qint64>(run.events.size()));
    json.key("dropped").integer(static_cast<qint64>(run.dropped)).key("duration").integer(run.duration);
    json.key("verdict").text(word(verdict.judgement)).key("checks").beginArray();
    for (const CheckResult &check : verdict.checks)
        writeCheck(json, check);
    json.endArray().endObject();
    return line;
}

bool writeAll(QSaveFile &file, const Run &run, const Verdict &verdict)
{
    QByteArray block = headerLine(run) + '\n';
    block.reserve(blockSize + blockSize / 4);
    for (const Event &event : run.events) {
        writeEvent(block, run, event);
        block += '\n';
        if (block.size() < blockSize)
            continue;
        if (file.write(block) != block.size())
            return false;
        block.resize(0); // unlike clear(), keeps the memory
    }
    block += lastLine(run, verdict) + '\n';
    return file.write(block) == block.size() && file.commit();
}

}

QByteArray eventLine(const Run &run, const Event &event)
{
    QByteArray line;
    writeEvent(line, run, event);
    return line;
}

Result<void> writeRunFile(const QString &path, const Run &run, const Verdict &verdict)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && writeAll(file, run, verdict))
        return {};
    return Error {Error::Kind::Failed,
        QCoreApplication::translate("RunFile", "%1 could not be written: %2.").arg(path, file.errorString())};
}

}
