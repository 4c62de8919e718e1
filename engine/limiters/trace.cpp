// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/trace.h"

#include "engine/limiters/decision.h"
#include "engine/limiters/input.h"

#include <QCoreApplication>

#include <charconv>
#include <optional>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Trace", text);
}

/// A field for a sentence: short, and without what does not print.
QString shown(QByteArrayView field)
{
    constexpr qsizetype most = 40;
    QString text = QString::fromUtf8(field.first(std::min(field.size(), most)));
    for (QChar &character : text) {
        if (!character.isPrint())
            character = u'?';
    }
    return field.size() > most ? text + u'…' : text;
}

/// Takes the text apart: one record after another, each a list of fields.
class Records
{
public:
    explicit Records(QByteArrayView text)
        : m_text(withoutBom(text))
    {
    }

    /// The next record that is neither empty nor a comment; false: there is none.
    bool next()
    {
        while (m_at < m_text.size()) {
            m_line = m_nextLine;
            if (m_text[m_at] == '#') {
                skipLine();
                continue;
            }
            readRecord();
            if (m_fields.size() > 1 || !m_fields.front().trimmed().isEmpty())
                return true;
        }
        return false;
    }
    const std::vector<QByteArray> &fields() const { return m_fields; }
    qint64 line() const { return m_line; } ///< where the record begins, from 1
    bool isQuoteOpen() const { return m_isQuoteOpen; } ///< the text ended inside a quoted field

private:
    bool isAtEnd() const { return m_at >= m_text.size(); }
    bool isAtLineEnd() const { return isAtEnd() || m_text[m_at] == '\n' || m_text[m_at] == '\r'; }

    void skipLine()
    {
        while (!isAtLineEnd())
            ++m_at;
        skipLineEnd();
    }
    void skipLineEnd()
    {
        if (!isAtEnd() && m_text[m_at] == '\r')
            ++m_at;
        if (!isAtEnd() && m_text[m_at] == '\n')
            ++m_at;
        ++m_nextLine;
    }
    void readRecord()
    {
        size_t count = 0;
        for (;;) {
            if (count == m_fields.size())
                m_fields.emplace_back();
            QByteArray &field = m_fields[count++];
            field.resize(0); // keeps its memory for the next record
            readField(field);
            if (isAtLineEnd())
                break;
            ++m_at; // the comma
        }
        m_fields.resize(count);
        skipLineEnd();
    }
    void readField(QByteArray &field)
    {
        if (!isAtEnd() && m_text[m_at] == '"') {
            ++m_at;
            readQuoted(field);
        }
        const qsizetype begin = m_at;
        while (!isAtLineEnd() && m_text[m_at] != ',')
            ++m_at;
        field.append(m_text.data() + begin, m_at - begin);
    }
    void readQuoted(QByteArray &field)
    {
        for (;; ++m_at) {
            if (isAtEnd()) {
                m_isQuoteOpen = true;
                return;
            }
            const bool isQuote = m_text[m_at] == '"';
            if (isQuote && (m_at + 1 == m_text.size() || m_text[m_at + 1] != '"')) {
                ++m_at;
                return;
            }
            if (isQuote)
                ++m_at; // two of them stand for one
            if (m_text[m_at] == '\n')
                ++m_nextLine;
            field.append(m_text[m_at]);
        }
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    qint64 m_line = 1;
    qint64 m_nextLine = 1;
    bool m_isQuoteOpen = false;
    std::vector<QByteArray> m_fields {1};
};

class Reader
{
public:
    explicit Reader(QByteArrayView text)
        : m_records(text)
    {
    }

    Result<Trace> read(const QString &name)
    {
        bool isFirst = true;
        while (m_records.next()) {
            if (!std::exchange(isFirst, false) || !isHeader())
                addRow();
        }
        if (m_records.isQuoteOpen())
            refuse(tr("a quotation mark is never closed"));
        if (m_refused > 0) {
            const QString others = m_refused == 1 ? QString()
                : m_refused == 2                  ? u' ' + tr("One more line cannot be used.")
                                                  : u' ' + tr("%1 more lines cannot be used.").arg(m_refused - 1);
            return Error {Error::Kind::Invalid, tr("%1, line %2: %3.%4").arg(name).arg(m_refusedLine).arg(m_why, others)};
        }
        if (m_trace.rows.empty())
            return Error {Error::Kind::Invalid,
                tr("There are no requests in %1: each line is at_us,cost or at_us,cost,key, such as 1500000,1.").arg(name)};
        m_trace.keys = m_keys.take();
        return std::move(m_trace);
    }

private:
    /// Whether the first record holds names; if so, where the columns are.
    bool isHeader()
    {
        const std::vector<QByteArray> &fields = m_records.fields();
        const auto column = [&](const char *word) -> std::optional<size_t> {
            for (size_t i = 0; i < fields.size(); ++i) {
                if (fields[i].trimmed() == word)
                    return i;
            }
            return {};
        };
        const auto at = column("at_us");
        const auto cost = column("cost");
        if (!at && !cost)
            return false;
        if (!at || !cost)
            refuse(tr("the names of the columns lack %1").arg(at ? QStringLiteral("cost") : QStringLiteral("at_us")));
        m_at = at.value_or(0);
        m_cost = cost.value_or(1);
        m_key = column("key");
        return true;
    }

    void addRow()
    {
        const std::vector<QByteArray> &fields = m_records.fields();
        Trace::Row row {};
        if (m_cost >= fields.size() || m_at >= fields.size()) {
            refuse(tr("“%1” has no cost: a line is at_us,cost or at_us,cost,key").arg(shown(fields.front())));
            return;
        }
        if (!readNumber(fields[m_at], QStringLiteral("at_us"), row.at) || !readNumber(fields[m_cost], QStringLiteral("cost"), row.cost))
            return;
        row.key = m_keys.indexOf(m_key && *m_key < fields.size() ? fields[*m_key] : QByteArray());
        if (!m_trace.rows.empty() && row.at < m_trace.rows.back().at)
            ++m_trace.stepsBack;
        m_trace.rows.push_back(row);
    }

    bool readNumber(const QByteArray &field, const QString &column, qint64 &number)
    {
        const QByteArrayView digits = QByteArrayView(field).trimmed();
        const char *const end = digits.data() + digits.size();
        const auto [stopped, code] = std::from_chars(digits.data(), end, number);
        if (digits.isEmpty())
            refuse(tr("%1 is missing").arg(column));
        else if (stopped != end || code == std::errc::invalid_argument)
            refuse(tr("%1 is “%2”, which is no whole number").arg(column, shown(field)));
        else if (code == std::errc::result_out_of_range || number < 0 || number > mostNumber)
            refuse(tr("%1 is %2: it may be from 0 to %3").arg(column, shown(field)).arg(mostNumber));
        else
            return true;
        return false;
    }

    /// The first is told, the others are counted.
    void refuse(const QString &why)
    {
        if (m_refused++ == 0) {
            m_why = why;
            m_refusedLine = m_records.line();
        }
    }

    Records m_records;
    Trace m_trace;
    KeyTable m_keys;
    size_t m_at = 0;
    size_t m_cost = 1;
    std::optional<size_t> m_key = 2;
    qint64 m_refused = 0;
    qint64 m_refusedLine = 0;
    QString m_why;
};

}

Result<Trace> parseTrace(QByteArrayView text, const QString &name)
{
    return Reader(text).read(name);
}

Result<Trace> readTrace(const QString &path)
{
    const Result<InputFile> file = InputFile::open(path);
    if (!file)
        return file.error();
    return parseTrace(file->bytes(), path);
}

}
