// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QList>
#include <QString>

#include <sys/stat.h>

namespace interlock {

/// The state letter of /proc/PID/stat: R, S, T (stopped), Z; 0 if there is no such process.
inline char processState(qint64 process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    const qsizetype state = line.lastIndexOf(')') + 2;
    return state < line.size() ? line.at(state) : char(0);
}

/// There is no such process, or it only waits for its parent to notice its end.
inline bool hasGone(qint64 process)
{
    const char state = processState(process);
    return state == 0 || state == 'Z' || state == 'X';
}

/// The keeper and the servers of one lab: processes that name its directory among their arguments or work below it.
inline QList<qint64> processesOf(const QString &directory)
{
    QList<qint64> found;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isNumber = false;
        const qint64 process = entry.toLongLong(&isNumber);
        if (!isNumber || hasGone(process))
            continue;
        QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(entry));
        const QString works = QFile::symLinkTarget(QStringLiteral("/proc/%1/cwd").arg(entry));
        if (works.startsWith(directory)
            || (arguments.open(QIODevice::ReadOnly) && arguments.readAll().contains(QFile::encodeName(directory))))
            found.append(process);
    }
    return found;
}

inline int permissions(const QString &path)
{
    struct stat about;
    return stat(QFile::encodeName(path).constData(), &about) == 0 ? static_cast<int>(about.st_mode & 07777) : -1;
}

}
