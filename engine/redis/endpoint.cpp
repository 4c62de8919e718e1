// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/endpoint.h"

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
    const Result<int> database = databaseFrom(option.mid(3));
    if (!database)
        return database.error();
    endpoint.database = *database;
    return endpoint;
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
            Text::tr("\"%1://\" is not a kind of address that is known: write redis://host:port, unix:PATH or sentinel://host:port,host:port/name.")
                .arg(text.left(colon)));
    }

    const Result<Login> login = takeLogin(rest);
    if (!login)
        return login.error();
    int database = 0;
    if (const qsizetype slash = rest.indexOf(QLatin1Char('/')); slash >= 0) {
        const QString number = rest.mid(slash + 1);
        const Result<int> parsed = number.isEmpty() ? Result<int>(0) : databaseFrom(number);
        if (!parsed)
            return parsed.error();
        database = *parsed;
        rest.truncate(slash);
    }
    Result<Endpoint> endpoint = hostAndPortFrom(rest);
    if (endpoint) {
        endpoint->user = login->user;
        endpoint->password = login->password;
        endpoint->database = database;
    }
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
