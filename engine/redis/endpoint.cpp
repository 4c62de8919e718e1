// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/endpoint.h"

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

QString decoded(const QString &text)
{
    return QUrl::fromPercentEncoding(text.toUtf8());
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

Result<int> parseDatabase(const QString &text)
{
    return parseNumber(
        text, 0, 1'000'000, Text::tr("\"%1\" is not the number of a database: use 0 or a higher number.").arg(text));
}

Result<Endpoint> parseUnix(const QString &text)
{
    Endpoint endpoint;
    const qsizetype question = text.indexOf(QLatin1Char('?'));
    endpoint.path = decoded(text.left(question < 0 ? text.size() : question));
    if (endpoint.path.isEmpty())
        return invalid(
            Text::tr("The address names no socket: write unix:PATH, for instance unix:/run/redis/redis.sock."));
    if (question < 0)
        return endpoint;
    const QString option = text.mid(question + 1);
    if (!option.startsWith(QStringLiteral("db=")))
        return invalid(Text::tr("\"%1\" is no option of a socket’s address: only ?db=N is.").arg(option));
    const Result<int> database = parseDatabase(option.mid(3));
    if (!database)
        return database.error();
    endpoint.database = *database;
    return endpoint;
}

/// Takes "user:pass@" off the front of @p text.
Result<void> parseLogin(QString &text, Endpoint &endpoint)
{
    const qsizetype at = text.lastIndexOf(QLatin1Char('@'));
    if (at < 0)
        return {};
    const QString login = text.left(at);
    text.remove(0, at + 1);
    const qsizetype colon = login.indexOf(QLatin1Char(':'));
    if (colon < 0) // the text may be a password, so it is not repeated
        return invalid(
            Text::tr("The login before \"@%1\" has no colon: write user:password@, or :password@ for the default user.")
                .arg(text));
    endpoint.user = decoded(login.left(colon));
    endpoint.password = QByteArray::fromPercentEncoding(login.mid(colon + 1).toUtf8());
    if (endpoint.password.isEmpty())
        return invalid(Text::tr("The login before \"@%1\" has no password.").arg(text));
    return {};
}

Result<void> parseHostAndPort(const QString &text, Endpoint &endpoint)
{
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
    return {};
}

}

Result<Endpoint> Endpoint::parse(const QString &text)
{
    static const QString unixScheme = QStringLiteral("unix:");
    static const QString redisScheme = QStringLiteral("redis://");
    if (text.isEmpty())
        return invalid(Text::tr("The address is empty: write redis://host:port or unix:PATH."));
    if (text.startsWith(unixScheme))
        return parseUnix(text.mid(unixScheme.size()));
    QString rest = text;
    if (text.startsWith(redisScheme)) {
        rest.remove(0, redisScheme.size());
    } else if (const qsizetype colon = text.indexOf(QLatin1Char(':'));
               text.mid(colon).startsWith(QStringLiteral("://"))) {
        return invalid(
            Text::tr("\"%1://\" is not a kind of address that is known: write redis://host:port or unix:PATH.")
                .arg(text.left(colon)));
    }

    Endpoint endpoint;
    if (const Result<void> login = parseLogin(rest, endpoint); !login)
        return login.error();
    if (const qsizetype slash = rest.indexOf(QLatin1Char('/')); slash >= 0) {
        const QString number = rest.mid(slash + 1);
        const Result<int> database = number.isEmpty() ? Result<int>(0) : parseDatabase(number);
        if (!database)
            return database.error();
        endpoint.database = *database;
        rest.truncate(slash);
    }
    if (const Result<void> address = parseHostAndPort(rest, endpoint); !address)
        return address.error();
    return endpoint;
}

QString Endpoint::shown() const
{
    if (host.isEmpty()) {
        const QByteArray encoded = QUrl::toPercentEncoding(path, "/");
        const QString option = database == 0 ? QString() : QStringLiteral("?db=%1").arg(database);
        return QStringLiteral("unix:") + QString::fromLatin1(encoded) + option;
    }
    const QString shownHost = host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(host) : host;
    const QString shownDatabase = database == 0 ? QString() : QStringLiteral("/%1").arg(database);
    return QStringLiteral("redis://%1:%2%3").arg(shownHost).arg(port).arg(shownDatabase);
}

}
