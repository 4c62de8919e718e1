// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/placetext.h"

#include "engine/redis/endpoint.h"

#include <QCoreApplication>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Connection)
};

}

QString deadlineText(Nanoseconds deadline)
{
    const double milliseconds = static_cast<double>(deadline.count()) / 1e6;
    if (milliseconds < 1000)
        return Text::tr("%1 ms").arg(milliseconds, 0, 'g', 3);
    return Text::tr("%1 s").arg(milliseconds / 1000, 0, 'g', 3);
}

QString placeText(const Endpoint &endpoint)
{
    if (endpoint.host.isEmpty())
        return endpoint.path;
    const bool isV6 = endpoint.host.contains(QLatin1Char(':'));
    return (isV6 ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2")).arg(endpoint.host).arg(endpoint.port);
}

}
