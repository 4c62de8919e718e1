// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/descendants.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <map>

namespace interlock {

namespace {

QByteArray content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The fourth field of /proc/PID/stat; the second, in parentheses, may hold anything.
qint64 parentOf(const QString &process)
{
    const QByteArray stat = content(process + QStringLiteral("/stat"));
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    return fields.size() > 1 ? fields[1].toLongLong() : 0;
}

}

QList<qint64> descendants(const QByteArray &name)
{
    std::map<qint64, qint64> parents;
    std::map<qint64, QByteArray> names;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const qint64 id = entry.toLongLong();
        if (id <= 0)
            continue;
        const QString process = QStringLiteral("/proc/") + entry;
        parents[id] = parentOf(process);
        const QByteArray program = content(process + QStringLiteral("/cmdline")).split('\0').value(0).split(' ').value(0);
        names[id] = program.mid(program.lastIndexOf('/') + 1);
    }
    QList<qint64> found;
    for (const auto &[id, program] : names) {
        if (program != name)
            continue;
        for (qint64 ancestor = parents[id]; ancestor > 0; ancestor = parents[ancestor]) {
            if (ancestor == QCoreApplication::applicationPid()) {
                found.append(id);
                break;
            }
        }
    }
    return found;
}

}
