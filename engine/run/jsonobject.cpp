// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/jsonobject.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace interlock {

namespace {

constexpr int deepest = 64; // of nested values: a run file needs four

bool isDigit(char character)
{
    return character >= '0' && character <= '9';
}

void appendUtf8(QByteArray &text, uint codePoint)
{
    if (codePoint < 0x80) {
        text += static_cast<char>(codePoint);
    } else if (codePoint < 0x800) {
        text += static_cast<char>(0xC0 | (codePoint >> 6));
        text += static_cast<char>(0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
        text += static_cast<char>(0xE0 | (codePoint >> 12));
        text += static_cast<char>(0x80 | (codePoint >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (codePoint & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | (codePoint >> 18));
        text += static_cast<char>(0x80 | (codePoint >> 12 & 0x3F));
        text += static_cast<char>(0x80 | (codePoint >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (codePoint & 0x3F));
    }
}

}

bool JsonObject::read(QByteArrayView line)
{
    m_members.clear();
    m_unescaped.clear();
    m_error = "";
    m_at = 0;
    m_line = line;
    if (!readObject(line))
        return false;
    return line.isValidUtf8() || fail(QT_TRANSLATE_NOOP("JsonObject", "it is not UTF-8"));
}

const JsonObject::Member *JsonObject::find(QByteArrayView key) const
{
    const auto found = std::find_if(m_members.rbegin(), m_members.rend(), [&](const Member &one) { return one.key == key; });
    return found == m_members.rend() ? nullptr : &*found;
}

QString JsonObject::error() const
{
    return QCoreApplication::translate("JsonObject", "%1, at column %2")
        .arg(QCoreApplication::translate("JsonObject", m_error))
        .arg(m_column);
}

bool JsonObject::readObject(QByteArrayView line)
{
    skipBlanks();
    if (!take('{'))
        return fail(QT_TRANSLATE_NOOP("JsonObject", "it does not begin with {"));
    skipBlanks();
    if (!take('}')) {
        do {
            if (!readMember())
                return false;
            skipBlanks();
        } while (take(','));
        if (!take('}'))
            return fail(QT_TRANSLATE_NOOP("JsonObject", "a comma or } is missing"));
    }
    skipBlanks();
    return m_at == line.size() || fail(QT_TRANSLATE_NOOP("JsonObject", "something follows the object"));
}

bool JsonObject::readMember()
{
    skipBlanks();
    Member member;
    if (!readText(member.key))
        return false;
    skipBlanks();
    if (!take(':'))
        return fail(QT_TRANSLATE_NOOP("JsonObject", "a colon is missing"));
    if (!readValue(member, 0))
        return false;
    m_members.push_back(member);
    return true;
}

bool JsonObject::readValue(Member &member, int depth)
{
    skipBlanks();
    const qsizetype begin = m_at;
    switch (current()) {
    case '"':
        member.type = Member::Type::Text;
        return readText(member.text);
    case '{':
    case '[':
        member.type = Member::Type::Nested;
        if (!skipNested(m_line[m_at++] == '{' ? '}' : ']', depth + 1))
            return false;
        member.text = m_line.sliced(begin, m_at - begin);
        return true;
    case 't':
        member.type = Member::Type::True;
        return readWord("true");
    case 'f':
        member.type = Member::Type::False;
        return readWord("false");
    case 'n':
        member.type = Member::Type::Null;
        return readWord("null");
    default:
        return readNumber(member);
    }
}

bool JsonObject::readText(QByteArrayView &text)
{
    if (!take('"'))
        return fail(QT_TRANSLATE_NOOP("JsonObject", "a quotation mark is missing"));
    const qsizetype begin = m_at;
    while (m_at < m_line.size() && m_line[m_at] != '"' && m_line[m_at] != '\\' && static_cast<uchar>(m_line[m_at]) >= 0x20)
        ++m_at;
    if (take('"')) {
        text = m_line.sliced(begin, m_at - 1 - begin);
        return true;
    }
    QByteArray &whole = m_unescaped.emplace_back(m_line.sliced(begin, m_at - begin).toByteArray());
    if (!unescape(whole))
        return false;
    text = whole;
    return true;
}

/// The rest of a text, from its first escaped character on.
bool JsonObject::unescape(QByteArray &text)
{
    static constexpr char letters[] = "\"\\/bfnrt";
    static constexpr char meanings[] = "\"\\/\b\f\n\r\t";
    while (!take('"')) {
        if (m_at >= m_line.size())
            return fail(QT_TRANSLATE_NOOP("JsonObject", "a text has no end"));
        if (static_cast<uchar>(current()) < 0x20)
            return fail(QT_TRANSLATE_NOOP("JsonObject", "a text holds a control character"));
        if (!take('\\')) {
            text += m_line[m_at++];
            continue;
        }
        if (take('u')) {
            if (!readUnicode(text))
                return false;
            continue;
        }
        const char *letter = current() ? std::strchr(letters, current()) : nullptr;
        if (!letter)
            return fail(QT_TRANSLATE_NOOP("JsonObject", "there is no such escape"));
        text += meanings[letter - letters];
        ++m_at;
    }
    return true;
}

/// After "\u": four hexadecimal digits; two such make a character beyond 16 bits. Half a pair becomes U+FFFD.
bool JsonObject::readUnicode(QByteArray &text)
{
    uint unit = 0;
    if (!readHex(unit))
        return false;
    if (unit >= 0xD800 && unit <= 0xDBFF && m_line.sliced(m_at).startsWith("\\u")) {
        const qsizetype before = m_at;
        m_at += 2;
        uint low = 0;
        if (!readHex(low))
            return false;
        if (low >= 0xDC00 && low <= 0xDFFF)
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        else
            m_at = before;
    }
    appendUtf8(text, unit >= 0xD800 && unit <= 0xDFFF ? 0xFFFD : unit);
    return true;
}

bool JsonObject::readHex(uint &unit)
{
    if (m_at + 4 > m_line.size())
        return fail(QT_TRANSLATE_NOOP("JsonObject", "a text has no end"));
    const char *begin = m_line.data() + m_at;
    const auto [end, code] = std::from_chars(begin, begin + 4, unit, 16);
    if (code != std::errc() || end != begin + 4)
        return fail(QT_TRANSLATE_NOOP("JsonObject", "\\u needs four hexadecimal digits"));
    m_at += 4;
    return true;
}

bool JsonObject::readNumber(Member &member)
{
    const qsizetype begin = m_at;
    take('-');
    const qsizetype digits = m_at;
    while (isDigit(current()))
        ++m_at;
    if (m_at == digits || (m_line[digits] == '0' && m_at > digits + 1))
        return fail(QT_TRANSLATE_NOOP("JsonObject", "a value is missing"));
    bool isInteger = true;
    if (take('.')) {
        isInteger = false;
        if (!isDigit(current()))
            return fail(QT_TRANSLATE_NOOP("JsonObject", "a digit is missing"));
        while (isDigit(current()))
            ++m_at;
    }
    if (take('e') || take('E')) {
        isInteger = false;
        if (!take('-'))
            take('+');
        if (!isDigit(current()))
            return fail(QT_TRANSLATE_NOOP("JsonObject", "a digit is missing"));
        while (isDigit(current()))
            ++m_at;
    }
    member.text = m_line.sliced(begin, m_at - begin);
    if (isInteger) {
        const auto code = std::from_chars(member.text.data(), member.text.data() + member.text.size(), member.integer).ec;
        isInteger = code == std::errc();
    }
    member.type = isInteger ? Member::Type::Integer : Member::Type::Real;
    return true;
}

bool JsonObject::readWord(const char *word)
{
    if (!m_line.sliced(m_at).startsWith(word))
        return fail(QT_TRANSLATE_NOOP("JsonObject", "a value is missing"));
    m_at += static_cast<qsizetype>(std::strlen(word));
    return true;
}

/// What stands between a bracket, which has been taken, and its partner.
bool JsonObject::skipNested(char closing, int depth)
{
    if (depth > deepest)
        return fail(QT_TRANSLATE_NOOP("JsonObject", "it is nested too deeply"));
    skipBlanks();
    if (take(closing))
        return true;
    do {
        Member ignored;
        skipBlanks();
        if (closing == '}') {
            if (!readText(ignored.key))
                return false;
            skipBlanks();
            if (!take(':'))
                return fail(QT_TRANSLATE_NOOP("JsonObject", "a colon is missing"));
        }
        if (!readValue(ignored, depth))
            return false;
        skipBlanks();
    } while (take(','));
    return take(closing) || fail(QT_TRANSLATE_NOOP("JsonObject", "a comma or a closing bracket is missing"));
}

void JsonObject::skipBlanks()
{
    while (m_at < m_line.size() && (m_line[m_at] == ' ' || m_line[m_at] == '\t' || m_line[m_at] == '\r' || m_line[m_at] == '\n'))
        ++m_at;
}

bool JsonObject::take(char expected)
{
    if (m_at >= m_line.size() || m_line[m_at] != expected)
        return false;
    ++m_at;
    return true;
}

bool JsonObject::fail(const char *what)
{
    m_error = what;
    m_column = m_at + 1;
    return false;
}

}
