// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rediscli.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

/// One escape after the backslash at @p i; leaves @p i on its last character.
char unescaped(const QByteArray &text, qsizetype &i)
{
    const char kind = text[i];
    switch (kind) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'x': {
        bool isHex = false;
        const int value = text.mid(i + 1, 2).toInt(&isHex, 16);
        if (!isHex || text.size() < i + 3)
            return kind;
        i += 2;
        return static_cast<char>(value);
    }
    default:
        return kind;
    }
}

/// Reads the quoted text that begins at @p i (a quotation mark) and leaves @p i behind its end; false if it does not end.
bool readQuoted(const QByteArray &text, qsizetype &i, QByteArray &argument)
{
    const char mark = text[i];
    for (++i; i < text.size(); ++i) {
        if (text[i] == mark) {
            ++i;
            return true;
        }
        if (text[i] == '\\' && i + 1 < text.size() && mark == '"') {
            ++i;
            argument += unescaped(text, i);
        } else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\'') {
            argument += text[++i];
        } else {
            argument += text[i];
        }
    }
    return false;
}

/// What a shell passes on unchanged in single quotes and a terminal shows: text without control characters but line ends and tabs.
bool canBePassed(const QByteArray &argument)
{
    const bool isText = QString::fromUtf8(argument).toUtf8() == argument;
    return isText && std::all_of(argument.begin(), argument.end(),
        [](char c) { return c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f); });
}

void putBodyForSha(const Run &run, QList<QByteArray> &arguments)
{
    const QByteArray name = arguments.value(0).toUpper();
    if ((name != "EVALSHA" && name != "EVALSHA_RO") || arguments.size() < 2)
        return;
    for (const ScriptInfo &script : run.header.scripts) {
        if (script.sha.compare(QString::fromUtf8(arguments[1]), Qt::CaseInsensitive) == 0) {
            arguments[0] = name == "EVALSHA" ? "EVAL" : "EVAL_RO";
            arguments[1] = script.body.toUtf8();
            return;
        }
    }
}

}

std::optional<QList<QByteArray>> commandArguments(const QByteArray &recorded)
{
    QList<QByteArray> arguments;
    qsizetype i = 0;
    while (i < recorded.size()) {
        if (isBlank(recorded[i])) {
            ++i;
            continue;
        }
        QByteArray argument;
        while (i < recorded.size() && !isBlank(recorded[i])) {
            if (recorded[i] != '"' && recorded[i] != '\'')
                argument += recorded[i++];
            else if (!readQuoted(recorded, i, argument))
                return {};
        }
        arguments.append(argument);
    }
    return arguments;
}

QByteArray shellQuoted(const QByteArray &argument)
{
    const bool isPlain = !argument.isEmpty() && std::all_of(argument.begin(), argument.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || QByteArrayView("_-./:,@%+=").contains(c);
    });
    if (isPlain)
        return argument;
    QByteArray quoted = argument;
    return '\'' + quoted.replace('\'', "'\\''") + '\'';
}

QString redisCliLine(const Run &run, const Event &event)
{
    if (event.kind != Event::Kind::Command)
        return {};
    const QByteArray &recorded = run.names.bytes(event.text);
    std::optional<QList<QByteArray>> arguments = commandArguments(recorded);
    // The flag also stands for a long reply, which does not matter here: a command cut short ends with the ellipsis.
    if (!arguments || arguments->isEmpty() || (event.has(Event::Shortened) && recorded.endsWith("…"))) {
        return QCoreApplication::translate("redis-cli", "# shortened in the record, so it cannot be repeated: %1")
            .arg(QString::fromUtf8(recorded).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    }
    putBodyForSha(run, *arguments);
    if (!std::all_of(arguments->begin(), arguments->end(), canBePassed))
        return QStringLiteral("printf '%s\\n' ") + QString::fromUtf8(shellQuoted(recorded)) + QStringLiteral(" | redis-cli");
    QByteArray line = "redis-cli";
    if (arguments->first().startsWith('-'))
        line += " --";
    for (const QByteArray &argument : std::as_const(*arguments))
        line += ' ' + shellQuoted(argument);
    return QString::fromUtf8(line);
}

QString redisCliLines(const Run &run, const std::vector<size_t> &events)
{
    QString lines;
    for (const size_t index : events) {
        if (index >= run.events.size())
            continue;
        if (const QString line = redisCliLine(run, run.events[index]); !line.isEmpty())
            lines += line + QLatin1Char('\n');
    }
    return lines;
}

QString redisCliLinesOf(const Run &run, const QString &actor)
{
    const Name lane = run.names.find(actor.toUtf8());
    std::vector<size_t> events;
    for (size_t i = 0; i < run.events.size(); ++i) {
        if (run.events[i].kind == Event::Kind::Command && run.events[i].lane == lane)
            events.push_back(i);
    }
    return redisCliLines(run, events);
}

}
