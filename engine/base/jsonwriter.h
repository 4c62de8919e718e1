// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace interlock {

/// Appends JSON to bytes, member by member in the order of the calls (QJsonDocument would sort them, and is five times
/// slower on a million lines). The caller nests correctly; commas come by themselves.
class JsonWriter
{
public:
    explicit JsonWriter(QByteArray &out)
        : m_out(out)
    {
    }

    JsonWriter &beginObject() { return open('{'); }
    JsonWriter &endObject() { return close('}'); }
    JsonWriter &beginArray() { return open('['); }
    JsonWriter &endArray() { return close(']'); }

    /// The name of the next member. Precondition: it needs no escaping.
    JsonWriter &key(const char *name);
    /// Text in UTF-8; what is not valid becomes U+FFFD, one for each byte.
    JsonWriter &text(QByteArrayView utf8);
    JsonWriter &text(const QByteArray &utf8) { return text(QByteArrayView(utf8)); }
    JsonWriter &text(const QString &text) { return this->text(QByteArrayView(text.toUtf8())); }
    JsonWriter &text(const char *text) { return this->text(QByteArrayView(text)); }
    JsonWriter &integer(qint64 number);
    /// The shortest decimal that reads back as the same number; null for what JSON cannot say.
    JsonWriter &real(double number);
    JsonWriter &flag(bool value);
    JsonWriter &null();

private:
    JsonWriter &open(char bracket);
    JsonWriter &close(char bracket);
    void separate();

    QByteArray &m_out;
};

}
