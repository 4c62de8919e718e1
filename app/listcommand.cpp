// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "engine/base/jsonwriter.h"
#include "engine/experiments/catalogue.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

const char *typeWord(Parameter::Type type)
{
    switch (type) {
    case Parameter::Type::Duration:
        return "duration";
    case Parameter::Type::Integer:
        return "integer";
    case Parameter::Type::Choice:
        return "choice";
    case Parameter::Type::File:
        return "file";
    case Parameter::Type::Toggle:
        break;
    }
    return "toggle";
}

void writeParameter(JsonWriter &json, const Parameter &parameter)
{
    json.beginObject().key("name").text(parameter.name).key("label").text(parameter.label);
    json.key("help").text(parameter.help).key("type").text(typeWord(parameter.type));
    json.key("default").text(parameter.write(parameter.value));
    if (parameter.type == Parameter::Type::Choice) {
        json.key("options").beginArray();
        for (const Option &option : parameter.options)
            json.beginObject().key("word").text(option.word).key("label").text(option.label).endObject();
        json.endArray();
    } else if (parameter.type == Parameter::Type::Duration || parameter.type == Parameter::Type::Integer) {
        json.key("least").text(parameter.write(parameter.least)).key("most").text(parameter.write(parameter.most));
        json.key("unit").text(parameter.unit.section(u'|', -1));
    }
    json.endObject();
}

void writePreset(JsonWriter &json, const Preset &preset)
{
    json.beginObject().key("name").text(preset.name).key("title").text(preset.title);
    json.key("expected").text(word(preset.expected)).key("values").beginObject();
    for (const auto &[name, value] : preset.values)
        json.key(name.toUtf8().constData()).text(value);
    json.endObject().endObject();
}

QByteArray line(const Experiment &experiment)
{
    QByteArray line;
    JsonWriter json(line);
    json.beginObject().key("experiment").text(experiment.id).key("family").text(experiment.family);
    json.key("title").text(experiment.title).key("claim").text(experiment.claim);
    const bool isMeasuring = experiments::onlyMeasures(experiment);
    json.key("promise").text(isMeasuring ? QString() : experiment.promise).key("measures").text(isMeasuring ? experiment.promise : QString());
    json.key("parameters").beginArray();
    for (const Parameter &parameter : experiment.parameters)
        writeParameter(json, parameter);
    json.endArray().key("presets").beginArray();
    for (const Preset &preset : experiment.presets)
        writePreset(json, preset);
    json.endArray().key("views").beginArray();
    for (const QString &view : experiment.views)
        json.text(view);
    json.endArray().endObject();
    return line;
}

void printForPeople(const Experiment &experiment)
{
    print(QStringLiteral("\n%1  %2").arg(experiment.id, experiment.claim).toUtf8());
    print((experiments::onlyMeasures(experiment) ? tr("  measures: %1") : tr("  promise: %1")).arg(experiment.promise).toUtf8());
    for (const Preset &preset : experiment.presets) {
        print(QStringLiteral("  --preset %1%2  %3")
                  .arg(preset.name.leftJustified(23), word(preset.expected).leftJustified(8), preset.title)
                  .toUtf8());
    }
    for (const Parameter &parameter : experiment.parameters) {
        const QString setting = parameter.name + u'=' + parameter.write(parameter.value);
        print(QStringLiteral("  --set %1%2  %3. %4")
                  .arg(setting.leftJustified(23), QString(8, u' '), parameter.label, parameter.range())
                  .toUtf8());
    }
}

}

int listExperiments(bool json)
{
    QString family;
    for (const Experiment &experiment : experiments::all()) {
        if (json) {
            print(line(experiment));
            continue;
        }
        if (experiment.family != family)
            print(QString((family.isEmpty() ? QString() : QStringLiteral("\n")) + familyTitle(experiment.family)).toUtf8());
        family = experiment.family;
        printForPeople(experiment);
    }
    return flushed(status::done);
}

}
