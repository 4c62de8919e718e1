// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/sentinelendpoint.h"

#include "engine/redis/addressparts.h"
#include "engine/redis/placetext.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::SentinelEndpoint)
};

constexpr QLatin1String scheme("sentinel://");

Error invalid(const QString &sentence)
{
    return {Error::Kind::Invalid, sentence};
}

Result<void> parseSentinels(const QString &text, SentinelEndpoint &endpoint)
{
    for (const QString &one : text.split(QLatin1Char(','))) {
        if (one.isEmpty())
            return invalid(Text::tr("\"%1\" lacks a sentinel: write host:port,host:port.").arg(text));
        const Result<Endpoint> sentinel = hostAndPortFrom(one);
        if (!sentinel)
            return sentinel.error();
        endpoint.sentinels.append(*sentinel);
    }
    return {};
}

/// Which option is wrong is not repeated: it may be the rest of a password.
Result<void> parseOptions(const QString &text, SentinelEndpoint &endpoint)
{
    static constexpr QLatin1String databaseOption("db=");
    static constexpr QLatin1String userOption("sentinel-user=");
    static constexpr QLatin1String passwordOption("sentinel-password=");
    Login login;
    for (const QString &option : text.split(QLatin1Char('&'))) {
        if (option.startsWith(databaseOption)) {
            const Result<int> database = databaseFrom(option.mid(databaseOption.size()));
            if (!database)
                return database.error();
            endpoint.database = *database;
        } else if (option.startsWith(userOption)) {
            login.user = decoded(option.mid(userOption.size()));
            if (login.user.isEmpty())
                return invalid(Text::tr("The option sentinel-user names no user."));
        } else if (option.startsWith(passwordOption)) {
            login.password = decodedBytes(option.mid(passwordOption.size()));
            if (login.password.isEmpty())
                return invalid(Text::tr("The option sentinel-password has no password."));
        } else {
            return invalid(Text::tr("An address of sentinels has the options db=N, sentinel-user=USER and sentinel-password=PASSWORD, with & between "
                                    "them, and no other. In a password write & as %26."));
        }
    }
    if (!login.user.isEmpty() && login.password.isEmpty())
        return invalid(Text::tr("The sentinels’ user has no password: write &sentinel-password=PASSWORD behind it."));
    endpoint.setSentinelLogin(login.user, login.password);
    return {};
}

}

bool SentinelEndpoint::isMeant(const QString &text)
{
    return text.startsWith(scheme);
}

Result<SentinelEndpoint> SentinelEndpoint::parse(const QString &text)
{
    if (!isMeant(text))
        return invalid(Text::tr("An address of sentinels begins with sentinel://."));
    QString rest = text.mid(scheme.size());
    const qsizetype question = rest.indexOf(QLatin1Char('?'));
    const QString options = question < 0 ? QString() : rest.mid(question + 1);
    if (options.contains(QLatin1Char('@'))) // where the login ends cannot be told, so nothing is repeated
        return invalid(Text::tr("There is an @ behind the first ?: in passwords write @ as %40 and ? as %3F."));
    rest.truncate(question < 0 ? rest.size() : question);

    SentinelEndpoint endpoint;
    const Result<Login> login = takeLogin(rest);
    if (!login)
        return login.error();
    endpoint.user = login->user;
    endpoint.password = login->password;
    const qsizetype slash = rest.indexOf(QLatin1Char('/'));
    const QString name = slash < 0 ? QString() : rest.mid(slash + 1);
    if (name.isEmpty())
        return invalid(
            Text::tr("\"%1\" does not name the primary: write sentinel://host:port,host:port/name, for instance with mymaster as the name.").arg(rest));
    if (name.contains(QLatin1Char('/')))
        return invalid(Text::tr("\"%1\" is not the name of a primary: write / as %2F, and a database as ?db=N.").arg(name));
    endpoint.primaryName = decoded(name);
    if (const Result<void> sentinels = parseSentinels(rest.left(slash), endpoint); !sentinels)
        return sentinels.error();
    if (question >= 0) {
        if (const Result<void> parsed = parseOptions(options, endpoint); !parsed)
            return parsed.error();
    }
    return endpoint;
}

QString SentinelEndpoint::shown() const
{
    QStringList places;
    for (const Endpoint &sentinel : sentinels)
        places.append(placeText(sentinel));
    const QString name = QString::fromLatin1(QUrl::toPercentEncoding(primaryName));
    const QString option = database == 0 ? QString() : QStringLiteral("?db=%1").arg(database);
    return scheme + places.join(QLatin1Char(',')) + QLatin1Char('/') + name + option;
}

void SentinelEndpoint::setSentinelLogin(const QString &name, const QByteArray &word)
{
    for (Endpoint &sentinel : sentinels) {
        sentinel.user = name;
        sentinel.password = word;
    }
}

Endpoint SentinelEndpoint::server(const QString &host, quint16 port) const
{
    Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    endpoint.user = user;
    endpoint.password = password;
    endpoint.database = database;
    return endpoint;
}

}
