// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <deque>
#include <vector>

namespace interlock {

/// Reads a line that holds one JSON object (RFC 8259), member by member in the order of the line, without building a tree:
/// a million lines take about a second. Values that are objects or arrays are checked and passed over.
class JsonObject
{
public:
    struct Member
    {
        enum class Type { Null, False, True, Integer, Real, Text, Nested };

        QByteArrayView key;
        Type type = Type::Null;
        qint64 integer = 0; ///< of an Integer; other numbers, and integers beyond 64 bits, are Real
        QByteArrayView text; ///< of a Text; of a Nested or a Real, as it stands in the line
    };

    /// True if @p line is one object, with nothing but blanks around it. Views into @p line stay until the next read().
    bool read(QByteArrayView line);

    const std::vector<Member> &members() const { return m_members; }
    /// The last of that name, as jq takes it; null if there is none.
    const Member *find(QByteArrayView key) const;

    /// After a failed read(): what was expected, and the column (from 1) where it was missed.
    QString error() const;

private:
    bool readObject(QByteArrayView line);
    bool readMember();
    bool readValue(Member &member, int depth);
    bool readText(QByteArrayView &text);
    bool unescape(QByteArray &text);
    bool readUnicode(QByteArray &text);
    bool readHex(uint &unit);
    bool readNumber(Member &member);
    bool readWord(const char *word);
    bool skipNested(char closing, int depth);

    char current() const { return m_at < m_line.size() ? m_line[m_at] : '\0'; }
    void skipBlanks();
    bool take(char expected);
    bool fail(const char *what);

    QByteArrayView m_line;
    qsizetype m_at = 0;
    std::vector<Member> m_members;
    std::deque<QByteArray> m_unescaped; // a deque, so that views of its texts stay valid
    const char *m_error = "";
    qsizetype m_column = 0;
};

}
