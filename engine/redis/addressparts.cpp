// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/addressparts.h"

#include <QCoreApplication>
#include <QUrl>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Endpoint)
};

Error invalid(const QString &sentence)
{
    return {Error::Kind::Invalid, sentence};
}

Result<int> parseNumber(const QString &text, int least, int most, const QString &sentence)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    // toInt() takes spaces and signs, which an address has none of
    if (!isNumber || !text.at(0).isDigit() || !text.back().isDigit() || number < least || number > most)
        return invalid(sentence);
    return number;
}

}

QString decoded(const QString &text)
{
    return QUrl::fromPercentEncoding(text.toUtf8());
}

QByteArray decodedBytes(const QString &text)
{
    return QByteArray::fromPercentEncoding(text.toUtf8());
}

Result<int> databaseFrom(const QString &text)
{
    return parseNumber(
        text, 0, 1'000'000, Text::tr("\"%1\" is not the number of a database: use 0 or a higher number.").arg(text));
}

Result<Login> takeLogin(QString &text)
{
    const qsizetype at = text.lastIndexOf(QLatin1Char('@'));
    if (at < 0)
        return Login();
    const QString login = text.left(at);
    text.remove(0, at + 1);
    const qsizetype colon = login.indexOf(QLatin1Char(':'));
    if (colon < 0) // the text may be a password, so it is not repeated
        return invalid(
            Text::tr("The login before \"@%1\" has no colon: write user:password@, or :password@ for the default user.")
                .arg(text));
    const Login taken {decoded(login.left(colon)), decodedBytes(login.mid(colon + 1))};
    if (taken.password.isEmpty())
        return invalid(Text::tr("The login before \"@%1\" has no password.").arg(text));
    return taken;
}

Result<Endpoint> hostAndPortFrom(const QString &text)
{
    Endpoint endpoint;
    const bool isBracketed = text.startsWith(QLatin1Char('['));
    const qsizetype bracket = text.indexOf(QLatin1Char(']'));
    if (isBracketed != (bracket > 0))
        return invalid(Text::tr("\"%1\" has brackets that do not match.").arg(text));
    const qsizetype colon = text.indexOf(QLatin1Char(':'), isBracketed ? bracket : 0);
    endpoint.host = isBracketed ? text.mid(1, bracket - 1) : decoded(text.left(colon < 0 ? text.size() : colon));
    if (endpoint.host.isEmpty())
        return invalid(Text::tr("\"%1\" names no host.").arg(text));
    if (endpoint.host.contains(QLatin1Char(' ')))
        return invalid(Text::tr("\"%1\" is not the name of a host.").arg(endpoint.host));
    if (colon < 0 || (isBracketed && colon != bracket + 1))
        return invalid(Text::tr("\"%1\" names no port: write host:port, for instance 127.0.0.1:6390.").arg(text));
    const QString digits = text.mid(colon + 1);
    const Result<int> port =
        parseNumber(digits, 1, 65535, Text::tr("\"%1\" is not a port: use 1 to 65535.").arg(digits));
    if (!port)
        return port.error();
    endpoint.port = static_cast<quint16>(*port);
    return endpoint;
}

}
