// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/linkspeech.h"

#include <QList>

#include <algorithm>
#include <utility>

namespace interlock {

namespace {

constexpr qsizetype longestGreeting = 4096; // bytes; whoever says more at once is a client

/// A command at the beginning of a text.
struct Spoken
{
    QList<QByteArray> words;
    qsizetype length = 0; ///< 0: not whole yet
    bool isUnderstood = true; ///< by the rules of Redis's protocol
};

/// The number in the line at @p place that begins with @p mark; moves the place behind it. Nothing: the line is not whole.
std::optional<qlonglong> numberAt(QByteArrayView text, qsizetype &place, char mark, bool &isUnderstood)
{
    const qsizetype end = text.sliced(place).indexOf("\r\n");
    if (end < 0)
        return {};
    bool isNumber = false;
    const qlonglong number = text.sliced(place + 1, std::max(qsizetype(0), end - 1)).toByteArray().toLongLong(&isNumber);
    isUnderstood = text[place] == mark && isNumber && number >= 0;
    place += end + 2;
    return number;
}

Spoken inlineCommand(QByteArrayView text)
{
    const qsizetype end = text.indexOf('\n');
    if (end < 0)
        return {};
    return {text.first(end).toByteArray().simplified().split(' '), end + 1};
}

Spoken firstCommand(QByteArrayView text)
{
    if (text.isEmpty())
        return {};
    if (text[0] != '*')
        return inlineCommand(text);
    Spoken spoken;
    const std::optional<qlonglong> count = numberAt(text, spoken.length, '*', spoken.isUnderstood);
    for (qlonglong i = 0; spoken.isUnderstood && count && i < *count; ++i) {
        if (spoken.length >= text.size())
            return {};
        const std::optional<qlonglong> size = numberAt(text, spoken.length, '$', spoken.isUnderstood);
        if (spoken.isUnderstood && (!size || *size > text.size() - spoken.length - 2)) // whoever speaks may name the largest of numbers
            return {};
        if (spoken.isUnderstood) {
            spoken.words.append(text.sliced(spoken.length, *size).toByteArray());
            spoken.length += *size + 2;
        }
    }
    return spoken;
}

}

std::optional<LinkSpeech::Speaker> LinkSpeech::hear(QByteArrayView said)
{
    m_unheard.append(said);
    for (;;) {
        const Spoken spoken = firstCommand(m_unheard);
        const bool isTooLong = m_unheard.size() > longestGreeting;
        if (spoken.length == 0 && spoken.isUnderstood && !isTooLong)
            return {};
        const QByteArray name = spoken.words.value(0).toUpper();
        const QByteArray first = spoken.words.value(1).toUpper();
        const bool isFirst = !std::exchange(m_hasBegun, true);
        const bool isLogin = name == "AUTH" || name == "HELLO" || (name == "PING" && isFirst);
        if (isLogin && spoken.isUnderstood && !isTooLong) {
            m_unheard.remove(0, spoken.length);
            continue;
        }
        Speaker speaker;
        if (name == "REPLCONF" || name == "PSYNC" || name == "SYNC") {
            speaker.linkClass = LinkClass::Replication;
            speaker.announcedPort = first == "LISTENING-PORT" ? spoken.words.value(2).toUShort() : quint16(0);
        } else if (name == "CLIENT" && first == "SETNAME" && spoken.words.value(2).startsWith("sentinel-")) {
            speaker.linkClass = LinkClass::Sentinel;
            speaker.sentinelId = spoken.words.value(2).split('-').value(1);
        }
        return speaker;
    }
}

}
