// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/script.h"

#include <QCryptographicHash>
#include <QFile>
#include <QMutex>

#include <map>

namespace interlock {

Script Script::fromText(const QString &name, const QByteArray &body)
{
    return {name, body, QCryptographicHash::hash(body, QCryptographicHash::Sha1).toHex()};
}

const Script &Script::named(const QString &name)
{
    static QMutex mutex; // the window copies scripts out of runs while the worker uses them
    static std::map<QString, Script> scripts; // a map, so that references stay valid

    const QMutexLocker lock(&mutex);
    const auto known = scripts.find(name);
    if (known != scripts.end())
        return known->second;
    QFile file(QStringLiteral(":/lua/%1.lua").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The script \"%s\" is not part of this program.", qPrintable(name));
    return scripts.emplace(name, fromText(name, file.readAll())).first->second;
}

}
