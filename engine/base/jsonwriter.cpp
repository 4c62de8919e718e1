// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/jsonwriter.h"

#include <QLocale>

#include <charconv>
#include <cmath>

namespace interlock {

namespace {

/// How many bytes of valid UTF-8 begin at @p at (RFC 3629, table in section 4); 0: the byte is not valid there.
qsizetype sequenceLength(QByteArrayView text, qsizetype at)
{
    const auto byte = [&](qsizetype offset) {
        return at + offset < text.size() ? static_cast<uchar>(text[at + offset]) : uchar {0};
    };
    const auto isTail = [&](qsizetype offset) { return (byte(offset) & 0xC0) == 0x80; };
    const uchar first = byte(0);
    const uchar second = byte(1);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return isTail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool isOverlong = first == 0xE0 && second < 0xA0;
        const bool isSurrogate = first == 0xED && second > 0x9F;
        return isTail(1) && isTail(2) && !isOverlong && !isSurrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool isOverlong = first == 0xF0 && second < 0x90;
        const bool isTooLarge = first == 0xF4 && second > 0x8F;
        return isTail(1) && isTail(2) && isTail(3) && !isOverlong && !isTooLarge ? 4 : 0;
    }
    return 0;
}

void appendEscaped(QByteArray &out, char character)
{
    switch (character) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        constexpr char digits[] = "0123456789abcdef";
        out += "\\u00";
        out += digits[static_cast<uchar>(character) >> 4];
        out += digits[character & 15];
    }
}

bool isPlain(char character)
{
    return static_cast<uchar>(character) >= 0x20 && static_cast<uchar>(character) < 0x80 && character != '"'
        && character != '\\';
}

}

JsonWriter &JsonWriter::key(const char *name)
{
    separate();
    m_out += '"';
    m_out += name;
    m_out += "\":";
    return *this;
}

JsonWriter &JsonWriter::text(QByteArrayView utf8)
{
    separate();
    m_out += '"';
    qsizetype done = 0;
    for (qsizetype i = 0; i < utf8.size();) {
        if (isPlain(utf8[i])) {
            ++i;
            continue;
        }
        const qsizetype length = sequenceLength(utf8, i);
        if (length > 1) {
            i += length;
            continue;
        }
        m_out.append(utf8.data() + done, i - done);
        if (length == 1)
            appendEscaped(m_out, utf8[i]);
        else
            m_out += "\xEF\xBF\xBD";
        done = ++i;
    }
    m_out.append(utf8.data() + done, utf8.size() - done);
    m_out += '"';
    return *this;
}

JsonWriter &JsonWriter::integer(qint64 number)
{
    separate();
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    m_out.append(digits, end - digits);
    return *this;
}

JsonWriter &JsonWriter::real(double number)
{
    if (!std::isfinite(number))
        return null();
    separate();
    m_out += QByteArray::number(number, 'g', QLocale::FloatingPointShortest);
    return *this;
}

JsonWriter &JsonWriter::flag(bool value)
{
    separate();
    m_out += value ? "true" : "false";
    return *this;
}

JsonWriter &JsonWriter::null()
{
    separate();
    m_out += "null";
    return *this;
}

JsonWriter &JsonWriter::open(char bracket)
{
    separate();
    m_out += bracket;
    return *this;
}

JsonWriter &JsonWriter::close(char bracket)
{
    m_out += bracket;
    return *this;
}

/// A comma, unless nothing stands before: the last byte tells, since texts end in a quotation mark.
void JsonWriter::separate()
{
    if (m_out.isEmpty())
        return;
    const char last = m_out.back();
    if (last != '{' && last != '[' && last != ':' && last != '\n')
        m_out += ',';
}

}
