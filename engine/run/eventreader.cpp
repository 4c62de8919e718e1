// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eventreader.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("RunFile", text);
}

using Member = JsonObject::Member;
using Type = EventField::Type;

}

EventReader::Outcome EventReader::read(const JsonObject &line)
{
    const Member &kindMember = *line.find("event");
    const auto kind = kindFromWord(kindMember.text);
    if (kindMember.type != Member::Type::Text || !kind)
        return unknown(kindMember.text.toByteArray());
    m_event = {};
    m_event.kind = *kind;
    Outcome outcome = readWhat(line);
    if (outcome == Outcome::Read)
        outcome = readFields(line);
    if (outcome == Outcome::Read && m_event.kind == Event::Kind::Decision)
        outcome = readFigures(line);
    return outcome;
}

/// What decides what the other members mean, so it is read before them.
EventReader::Outcome EventReader::readWhat(const JsonObject &line)
{
    const auto fields = eventFields(m_event.kind, 0);
    const auto field = std::find_if(fields.begin(), fields.end(), [](const EventField &one) { return one.slot == EventField::Slot::What; });
    const Member *member = line.find(field->name);
    if (!member)
        return field->type == Type::Word ? wrong(tr("“%1” is missing").arg(QLatin1String(field->name))) : Outcome::Read;
    if (member->type == Member::Type::Integer && member->integer >= 0 && member->integer <= 255) {
        m_event.what = static_cast<quint8>(member->integer);
        return Outcome::Read;
    }
    if (const auto known = whatFromWord(m_event.kind, member->text); known && member->type == Member::Type::Text) {
        m_event.what = *known;
        return Outcome::Read;
    }
    return unknown(QByteArray(kindWord(m_event.kind)) + ' ' + member->text.toByteArray());
}

EventReader::Outcome EventReader::readFields(const JsonObject &line)
{
    bool hasTime = false;
    const auto fields = eventFields(m_event.kind, m_event.what);
    for (const Member &member : line.members()) {
        const auto field = std::find_if(fields.begin(), fields.end(), [&](const EventField &one) { return member.key == one.name; });
        if (field == fields.end() || field->slot == EventField::Slot::What)
            continue;
        if (const Outcome outcome = readField(*field, member); outcome != Outcome::Read)
            return outcome;
        hasTime |= field->slot == EventField::Slot::At;
    }
    return hasTime ? Outcome::Read : wrong(tr("“at” is missing"));
}

EventReader::Outcome EventReader::readField(const EventField &field, const Member &member)
{
    const auto isWrong = [&](const QString &is) { return wrong(tr("“%1” is %2").arg(QLatin1String(field.name), is)); };
    switch (field.type) {
    case Type::Text:
        if (member.type != Member::Type::Text)
            return isWrong(tr("no text"));
        setValue(m_event, field.slot, m_names.intern(member.text));
        return Outcome::Read;
    case Type::Flag:
        if (member.type != Member::Type::True && member.type != Member::Type::False)
            return isWrong(tr("neither true nor false"));
        setValue(m_event, field.slot, member.type == Member::Type::True ? 1 : 0);
        return Outcome::Read;
    case Type::Time:
    case Type::Duration:
        if (member.type != Member::Type::Integer || member.integer > latestTime || member.integer < -latestTime)
            return isWrong(tr("no time in whole nanoseconds within 126 years"));
        break;
    case Type::Integer:
    case Type::Figure:
    case Type::Word:
        if (member.type != Member::Type::Integer)
            return isWrong(tr("no whole number of 64 bits"));
        if (field.slot == EventField::Slot::Connection && (member.integer < 0 || member.integer > 255))
            return isWrong(tr("not from 0 to 255"));
        break;
    }
    setValue(m_event, field.slot, member.integer);
    return Outcome::Read;
}

EventReader::Outcome EventReader::readFigures(const JsonObject &line)
{
    m_figures = {};
    for (const FigureField &field : figureFields()) {
        const Member *member = line.find(field.name);
        if (!member)
            continue;
        if (member->type != Member::Type::Integer || member->integer > mostFigure || member->integer < -mostFigure)
            return wrong(tr("“%1” is no whole number within %2").arg(QLatin1String(field.name)).arg(mostFigure));
        m_figures.*field.value = member->integer;
    }
    return Outcome::Read;
}

EventReader::Outcome EventReader::unknown(const QByteArray &kind)
{
    m_what = QString::fromUtf8(kind);
    return Outcome::Unknown;
}

EventReader::Outcome EventReader::wrong(const QString &why)
{
    m_what = why;
    return Outcome::Wrong;
}

}
